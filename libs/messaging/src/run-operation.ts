import type { Operation } from "@carrel/contracts";
import type { Logger } from "@carrel/observability";
import { maximumReplyBytes, type RequestHead, type WireError } from "./envelope.ts";
import type { RequestContext } from "./handle.ts";
import { internalError, toWireError } from "./request-error.ts";

export interface RequestAnswer {
  body?: string;
  error?: WireError;
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
  const input = await operation.input.safeParseAsync(JSON.parse(body));
  if (!input.success) {
    const issues = input.error.issues.map((issue) => ({
      path: issue.path.join("."),
      message: issue.message,
    }));
    return {
      error: {
        code: "BAD_INPUT",
        message: issues
          .map((issue) => (issue.path ? `${issue.path}: ${issue.message}` : issue.message))
          .join("; "),
        details: { issues },
      },
    };
  }
  const abort = new AbortController();
  const timer = setTimeout(
    () => abort.abort(new DOMException("The caller is no longer waiting", "TimeoutError")),
    Math.max(0, Math.min(head.deadline - Date.now(), 2 ** 31 - 1)),
  );
  try {
    if (handler === undefined)
      return { error: { code: "UNSUPPORTED", message: `Nothing handles ${head.contract}.` } };
    const ctx: RequestContext = {
      scope: head.scope,
      requestId: head.requestId,
      deadline: head.deadline,
      signal: abort.signal,
      idempotencyKey: head.idempotencyKey,
      contract: head.contract,
    };
    const result = await handler(input.data, ctx);
    const output = await operation.output.safeParseAsync(result);
    if (!output.success) {
      logger.error(
        { contract: head.contract, issues: output.error.issues },
        "a handler's answer does not match its contract",
      );
      return { error: internalError };
    }
    const text = output.data === undefined ? "" : JSON.stringify(output.data);
    if (Buffer.byteLength(text) > maximumReplyBytes) {
      logger.error(
        { contract: head.contract, bytes: Buffer.byteLength(text) },
        "a reply is too large",
      );
      return {
        error: {
          code: "TOO_LARGE",
          message: "The answer is too large to send at once.",
          details: { limit: maximumReplyBytes },
        },
      };
    }
    return { body: text };
  } catch (error) {
    const wire = toWireError(error);
    if (wire) return { error: wire };
    logger.error({ err: error, contract: head.contract }, "a handler failed");
    return { error: internalError };
  } finally {
    clearTimeout(timer);
  }
}
