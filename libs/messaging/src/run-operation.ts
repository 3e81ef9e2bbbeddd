import type { Fault, Operation } from "@carrel/contracts";
import type { Logger } from "@carrel/observability";
import { maximumReplyBytes, type RequestHead } from "./envelope.ts";
import type { RequestContext } from "./handle.ts";
import { toFault, toUnavailable } from "./request-error.ts";

export interface RequestAnswer {
  body?: string;
  error?: Fault;
}

/**
 * Runs one request: parses its input, calls the handler with the caller's deadline, and validates
 * the output. Never throws: every failure becomes an answer.
 */
export async function runOperation(
  operation: Operation,
  { head, body }: { head: RequestHead; body: string },
  handler: ((input: unknown, ctx: RequestContext) => Promise<unknown>) | undefined,
  logger: Logger,
): Promise<RequestAnswer> {
  let abort: AbortController | undefined;
  let timer: NodeJS.Timeout | undefined;
  const abortAtDeadline = (): AbortSignal => {
    if (abort !== undefined) return abort.signal;
    const controller = (abort = new AbortController());
    timer = setTimeout(
      () => controller.abort(new DOMException("The caller is no longer waiting", "TimeoutError")),
      Math.max(0, Math.min(head.deadline - Date.now(), 2 ** 31 - 1)),
    ).unref();
    return abort.signal;
  };
  try {
    const input = operation.input.safeParse(JSON.parse(body));
    if (!input.success) {
      const faults = input.error.issues
        .map(({ path, message }) => (path.length > 0 ? `${path.join(".")}: ${message}` : message))
        .join("; ");
      return { error: { code: "request.invalid", params: { faults } } };
    }
    if (handler === undefined)
      return { error: { code: "request.no-handler", params: { operation: head.contract } } };
    const ctx: RequestContext = {
      scope: head.scope,
      requestId: head.requestId,
      deadline: head.deadline,
      // Few handlers use it, and a signal with its timer costs more than a small handler.
      get signal() {
        return abortAtDeadline();
      },
      idempotencyKey: head.idempotencyKey,
      contract: head.contract,
    };
    const result = await handler(input.data, ctx);
    const output = operation.output.safeParse(result);
    if (!output.success) {
      logger.error(
        { contract: head.contract, issues: output.error.issues },
        "a handler's reply doesn't match its contract",
      );
      return { error: { code: "request.failed" } };
    }
    const text = output.data === undefined ? "" : JSON.stringify(output.data);
    if (Buffer.byteLength(text) > maximumReplyBytes) {
      logger.error(
        { contract: head.contract, bytes: Buffer.byteLength(text) },
        "a reply is too large",
      );
      return { error: { code: "request.reply-too-large" } };
    }
    return { body: text };
  } catch (error) {
    const fault = toFault(error);
    if (fault) return { error: fault };
    const unavailable = toUnavailable(error, operation.idempotency);
    if (unavailable) {
      logger.warn({ err: error, contract: head.contract }, "the database is away or overloaded");
      return { error: unavailable };
    }
    logger.error({ err: error, contract: head.contract }, "a handler failed");
    return { error: { code: "request.failed" } };
  } finally {
    clearTimeout(timer);
  }
}
