import { metrics } from "@carrel/observability";

export const dropped = metrics.counter("carrel_request_dropped_total", "Requests not run", [
  "service",
  "reason",
]);
export const handled = metrics.histogram("carrel_request_handle_seconds", "Time a handler took", [
  "contract",
  "outcome",
]);
export const deadLetters = metrics.counter(
  "carrel_request_dead_total",
  "Requests that were delivered more than twice without an answer",
  ["service", "contract"],
);
export const takenOver = metrics.counter(
  "carrel_request_taken_over_total",
  "Requests taken over from a replica that went silent",
  ["service"],
);
