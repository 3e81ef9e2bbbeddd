import { CarrelError } from "@carrel/contracts";
import { context, startSpan, withinSpan, type Logger } from "@carrel/observability";
import { actorOf } from "./envelope.ts";
import type { RequestContext } from "./handle.ts";
import type { OpenedRequest } from "./open-request.ts";
import { handled, running } from "./request-metrics.ts";
import { runOperation, type RequestAnswer } from "./run-operation.ts";

/** Runs one request in its work context and records its duration. Never throws. */
export async function executeRequest(
  { head, body, operation }: OpenedRequest,
  handler: ((input: unknown, ctx: RequestContext) => Promise<unknown>) | undefined,
  logger: Logger,
): Promise<RequestAnswer> {
  const started = performance.now();
  const work = {
    requestId: head.requestId,
    actor: actorOf(head),
    traceparent: head.traceparent,
    deadline: head.deadline,
    idempotencyKey: head.idempotencyKey,
  };
  const span = startSpan(head.contract, {
    kind: "SERVER",
    attributes: { "carrel.service": operation.service, "carrel.request": head.requestId },
    traceparent: head.traceparent,
  });
  const run = () => runOperation(operation, { head, body }, handler, logger);
  running.inc({ contract: head.contract });
  const answer = await context.run(work, () => (span === null ? run() : withinSpan(span, run)));
  running.dec({ contract: head.contract });
  span?.end(answer.error?.code);
  const outcome = answer.error ? CarrelError.fromFault(answer.error).kind : "ok";
  const passed = performance.now() - started;
  handled.observe({ contract: head.contract, outcome }, passed / 1000);
  if (logger.isLevelEnabled("debug"))
    context.run(work, () =>
      logger.debug({ contract: head.contract, outcome, milliseconds: passed }, "handled a request"),
    );
  return answer;
}
