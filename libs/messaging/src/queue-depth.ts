import { Queue } from "bullmq";
import { metrics } from "@carrel/observability";
import type { RedisConnections } from "./redis-connections.ts";

const depth = metrics.gauge("carrel_jobs_waiting", "Jobs that wait in a queue, by reason", [
  "queue",
  "state",
]);

/** Counts the waiting jobs of these queues whenever the metrics are read; returns how to stop. */
export function measureQueues(
  names: readonly string[],
  connections: RedisConnections,
): () => Promise<void> {
  const queues = names.map(
    (name) =>
      new Queue(name, {
        connection: connections.jobs,
        prefix: "carrel",
        skipMetasUpdate: true, // the sender's settings of the queue stay
      }),
  );
  // The connection reports its own errors.
  for (const queue of queues) queue.on("error", () => undefined);
  const stop = metrics.beforeRender(async () => {
    for (const queue of queues) {
      const counts = await queue.getJobCounts("wait", "prioritized", "delayed", "failed");
      const { wait = 0, prioritized = 0, delayed = 0, failed = 0 } = counts;
      depth.set({ queue: queue.name, state: "ready" }, wait + prioritized);
      depth.set({ queue: queue.name, state: "delayed" }, delayed);
      depth.set({ queue: queue.name, state: "failed" }, failed);
    }
  });
  return async () => {
    stop();
    await Promise.all(queues.map((queue) => queue.close()));
  };
}
