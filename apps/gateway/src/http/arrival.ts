import type { Endpoint } from "@carrel/contracts";
import { context, metrics, nextTraceparent, startSpan, type Logger } from "@carrel/observability";
import type { FastifyReply, FastifyRequest } from "fastify";

const seconds = metrics.histogram(
  "carrel_http_request_seconds",
  "Time from a request to its response",
  ["operation", "status"],
);
const running = metrics.gauge("carrel_http_running", "HTTP requests in progress", ["operation"]);

export interface Arrival {
  work: { requestId: string; traceparent: string };
  connection: { hasLeft: boolean; gone?: AbortController };
}
const works = new WeakMap<FastifyRequest, Arrival["work"]>();

/** Measures and records a request from its arrival to the end of its response. */
export function arrive(
  request: FastifyRequest,
  reply: FastifyReply,
  { name }: Endpoint,
  logger: Logger,
): Arrival {
  const { id, method, routeOptions, headers } = request;
  const started = performance.now();
  const connection: Arrival["connection"] = { hasLeft: false };
  const given = typeof headers.traceparent === "string" ? headers.traceparent : undefined;
  const span = startSpan(name, {
    kind: "SERVER",
    attributes: { "http.request.method": method, "http.route": routeOptions.url ?? "" },
    traceparent: given,
  });
  // Chosen here, so that everything that the request causes has the same trace id in the logs.
  const work = { requestId: id, traceparent: span?.traceparent ?? nextTraceparent(given) };
  works.set(request, work);
  running.inc({ operation: name });
  reply.raw.once("close", () => {
    const { statusCode: status, writableFinished } = reply.raw;
    const passed = performance.now() - started;
    connection.hasLeft = !writableFinished;
    if (connection.hasLeft) connection.gone?.abort();
    running.dec({ operation: name });
    seconds.observe({ operation: name, status }, passed / 1000);
    span?.set({ "http.response.status_code": status });
    span?.end(status >= 500 ? String(status) : undefined);
    if (logger.isLevelEnabled("debug"))
      context.run(work, () =>
        logger.debug({ operation: name, status, milliseconds: passed }, "a response ended"),
      );
  });
  return { work, connection };
}

/** Runs what belongs to a request outside its handler, such as reporting its failure. */
export function withinArrival<T>(request: FastifyRequest, run: () => T): T {
  const work = works.get(request);
  return work === undefined ? run() : context.run(work, run);
}
