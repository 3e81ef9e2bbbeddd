import { metrics } from "@carrel/observability";

export const dropped = metrics.counter(
  "carrel_request_dropped_total",
  "Requests that were not run",
  ["service", "reason"],
);
export const handled = metrics.histogram("carrel_request_handle_seconds", "Duration of a handler", [
  "contract",
  "outcome",
]);
export const deadLetters = metrics.counter(
  "carrel_request_dead_total",
  "Requests delivered more than twice without a reply",
  ["service", "contract"],
);
export const takenOver = metrics.counter(
  "carrel_request_taken_over_total",
  "Requests taken over from a replica that stopped responding",
  ["service"],
);
export const running = metrics.gauge("carrel_request_running", "Requests being handled", [
  "contract",
]);
