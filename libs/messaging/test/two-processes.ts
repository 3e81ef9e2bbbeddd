import { createLogger } from "@carrel/observability";
import { startTestRedis } from "@carrel/testing";
import { createSharedMessaging, type SharedMessaging } from "../src/shared-messaging.ts";

/** Messaging of two processes that share one Redis. */
export interface TwoProcesses {
  processes: [SharedMessaging, SharedMessaging];
  stop(): Promise<void>;
}

export async function startTwoProcesses(): Promise<TwoProcesses> {
  const redis = await startTestRedis();
  const start = (): SharedMessaging =>
    createSharedMessaging({
      redisUrl: redis.url,
      key: Buffer.alloc(32, 1),
      logger: createLogger("test", "silent"),
    });
  const processes: TwoProcesses["processes"] = [start(), start()];
  return {
    processes,
    async stop() {
      await Promise.all(processes.map((each) => each.close()));
      await redis.stop();
    },
  };
}
