import { setTimeout as delay } from "node:timers/promises";
import { CarrelError, type Fault, type Operation } from "@carrel/contracts";
import { context, metrics, startSpan, withinSpan, type Logger } from "@carrel/observability";
import { tooLarge } from "./copy-as-json.ts";
import { actorOf, type RequestHead } from "./envelope.ts";
import type { RequestContext, RequestHandler } from "./handle.ts";
import { isRedisOutOfMemory, isStorageFull } from "./storage-full.ts";

/**
 * Returns null for exceptions other than `CarrelError`: bugs or lost backends, which are logged.
 * Compares names, because the class may come from a second copy of the module.
 */
export const toFault = (error: unknown): Fault | null =>
  error instanceof Error && error.name === "CarrelError" ? (error as CarrelError).toFault() : null;

/** pg-pool had no connection in time because all of them are in use. */
const poolExhausted = "timeout exceeded when trying to connect";
/** PostgreSQL's code for a cancelled statement, usually because of its time limit. */
const cancelled = "57014";
/** PostgreSQL is out of memory, connections or another resource. */
const overloaded = new Set(["53000", "53200", "53300", "53400"]);

/** A connection that couldn't be made, so nothing has been sent over it. */
const unconnected = new Set([
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "57P03", // starting up, shutting down or recovering
  // The login was refused: a rotation has changed its password, and this process is about to end.
  "28P01",
  "28000",
]);
const unconnectedMessages = new Set([
  "Connection terminated due to connection timeout",
  "Client has encountered a connection error and is not queryable",
  "Client was closed and is not queryable",
  "Cannot use a pool after calling end on the pool",
]);
/** A connection that broke while it was in use. */
const broken = new Set([
  "ECONNRESET",
  "ECONNABORTED",
  "EPIPE",
  "ETIMEDOUT",
  "57P01", // the server is shutting down
  "57P02", // another of its processes crashed
  "08000",
  "08003",
  "08006",
]);
const brokenMessages = new Set(["Connection terminated", "Connection terminated unexpectedly"]);

/**
 * Recognises a database that is down, overloaded or refuses the login, and a full disk, which is
 * neither a bug nor the caller's fault: the request may be repeated. null for any other error. An
 * operation that must not run twice learns that it may already have taken effect.
 */
export function toUnavailable(
  error: unknown,
  idempotency: Operation["idempotency"] = "natural",
): Fault | null {
  if (!(error instanceof Error)) return null;
  if (isStorageFull(error)) return { code: "request.storage-full" };
  const { message } = error;
  const { code = "", syscall } = error as NodeJS.ErrnoException;
  if (message === poolExhausted || overloaded.has(code) || isRedisOutOfMemory(error))
    return { code: "request.queue-full" };
  if (code === cancelled) return { code: "request.timed-out" };
  // A missing socket file: ENOENT is also the code of other missing files.
  if (unconnected.has(code) || unconnectedMessages.has(message) || syscall === "connect")
    return { code: "request.unavailable" };
  if (isBrokenConnection(error))
    return { code: idempotency === "none" ? "request.connection-lost" : "request.unavailable" };
  return null;
}

/** By then, a pool has dropped its closed connections. */
const reconnectMs = 50;

/** Whether a connection broke while it was used. */
function isBrokenConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    broken.has((error as NodeJS.ErrnoException).code ?? "") || brokenMessages.has(error.message)
  );
}

/** A request whose head has been checked but whose input hasn't. */
export interface Request {
  head: RequestHead;
  handler: RequestHandler;
  input: unknown;
}

/** What the caller gets: the output in the form that reaches it, or an error. */
export type RequestAnswer<Reply> =
  | { reply: Reply; error?: never }
  /** `cause` is known only to the process that asked. */
  | { error: Fault; cause?: unknown };

export interface RunOptions<Reply> {
  /** Brings the output into the form that reaches the caller. */
  write(output: unknown): Reply | typeof tooLarge;
  logger: Logger;
}

export const dropped = metrics.counter(
  "carrel_request_dropped_total",
  "Requests that were not run",
  ["service", "reason"],
);
const handled = metrics.histogram("carrel_request_handle_seconds", "Duration of a handler", [
  "contract",
  "outcome",
]);
const running = metrics.gauge("carrel_request_running", "Requests being handled", ["contract"]);

/**
 * Runs one request, from a caller in this process or from Redis: parses its input, calls the
 * handler in its own work context and with the caller's deadline, and validates the output. Never
 * throws: every failure becomes an answer.
 */
export async function runOperation<Reply>(
  request: Request,
  options: RunOptions<Reply>,
): Promise<RequestAnswer<Reply>> {
  const {
    head,
    handler: { operation },
  } = request;
  const contract = operation.name;
  const started = performance.now();
  const span = startSpan(contract, {
    kind: "SERVER",
    attributes: { "carrel.service": operation.service, "carrel.request": head.requestId },
    traceparent: head.traceparent,
  });
  const work = {
    requestId: head.requestId,
    actor: actorOf(head),
    traceparent: head.traceparent,
    deadline: head.deadline,
    idempotencyKey: head.idempotencyKey,
  };
  running.inc({ contract });
  const answer = await context.run(work, () =>
    span === null
      ? callHandler(request, options)
      : withinSpan(span, () => callHandler(request, options)),
  );
  running.dec({ contract });
  span?.end(answer.error?.code);
  const outcome = answer.error ? CarrelError.fromFault(answer.error).kind : "ok";
  const passed = performance.now() - started;
  handled.observe({ contract, outcome }, passed / 1000);
  if (options.logger.isLevelEnabled("debug"))
    context.run(work, () =>
      options.logger.debug({ contract, outcome, milliseconds: passed }, "handled a request"),
    );
  return answer;
}

async function callHandler<Reply>(
  { head, handler: { operation, run }, input }: Request,
  { write, logger }: RunOptions<Reply>,
): Promise<RequestAnswer<Reply>> {
  const contract = operation.name;
  const deadline = new HandlerDeadline(head.deadline);
  try {
    const parsed = operation.input.safeParse(input);
    if (!parsed.success) {
      const faults = parsed.error.issues
        .map(({ path, message }) => (path.length > 0 ? `${path.join(".")}: ${message}` : message))
        .join("; ");
      return { error: { code: "request.invalid", params: { faults } } };
    }
    const ctx: RequestContext = {
      scope: head.scope,
      requestId: head.requestId,
      deadline: head.deadline,
      get signal() {
        return deadline.signal;
      },
      idempotencyKey: head.idempotencyKey,
      contract,
    };
    const result = await Promise.resolve(run(parsed.data, ctx)).catch(async (error: unknown) => {
      // A restarted database, or an operator, has closed the pool's connections.
      if (operation.idempotency === "none" || !isBrokenConnection(error)) throw error;
      await delay(reconnectMs);
      return run(parsed.data, ctx);
    });
    const output = operation.output.safeParse(result);
    if (!output.success) {
      const { issues } = output.error;
      logger.error({ contract, issues }, "a handler's reply doesn't match its contract");
      return { error: { code: "request.failed" } };
    }
    const reply = write(output.data);
    if (reply !== tooLarge) return { reply };
    logger.error({ contract }, "a reply is too large");
    return { error: { code: "request.reply-too-large" } };
  } catch (error) {
    const fault = toFault(error);
    if (fault) return { error: fault };
    const unavailable = toUnavailable(error, operation.idempotency);
    if (unavailable) {
      logger.warn(
        { err: error, contract },
        "the database is away, overloaded or refuses the login, or a disk is full",
      );
      return { error: unavailable };
    }
    logger.error({ err: error, contract }, "a handler failed");
    return { error: { code: "request.failed" } };
  } finally {
    deadline.clear();
  }
}

/** Few handlers use the signal, and a signal with a timer costs more than a small handler. */
class HandlerDeadline {
  private controller: AbortController | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly deadline: number) {}

  get signal(): AbortSignal {
    if (this.controller !== undefined) return this.controller.signal;
    const controller = (this.controller = new AbortController());
    this.timer = setTimeout(
      () => controller.abort(new DOMException("The caller is no longer waiting", "TimeoutError")),
      Math.max(0, Math.min(this.deadline - Date.now(), 2 ** 31 - 1)),
    ).unref();
    return controller.signal;
  }

  clear(): void {
    clearTimeout(this.timer);
  }
}
