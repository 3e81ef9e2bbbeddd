import { Queue } from "bullmq";
import type { RedisConnections } from "./redis-connections.ts";

/** Queues of earlier versions, by service. Reconcilers queue elsewhere what waited in them. */
const retired: Record<string, string[]> = { ingest: ["ingest-parse-patiently"] };

/** Removes the queues that no version reads any more; otherwise, their keys would stay in Redis. */
export async function removeRetiredQueues(
  service: string,
  { jobs }: Pick<RedisConnections, "jobs">,
): Promise<void> {
  for (const name of retired[service] ?? []) {
    const queue = new Queue(name, { connection: jobs, prefix: "carrel", skipMetasUpdate: true });
    // The connection reports its own errors.
    queue.on("error", () => undefined);
    try {
      await queue.obliterate({ force: true });
    } finally {
      await queue.close();
    }
  }
}
