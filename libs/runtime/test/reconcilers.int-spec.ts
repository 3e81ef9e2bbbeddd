import { instanceShape, loadConfig } from "@carrel/config";
import { Reconciler, type OutboxMessage } from "@carrel/messaging";
import { poll, startTestRedis } from "@carrel/testing";
import { expect, it } from "@jest/globals";
import { Module } from "@nestjs/common";
import { defineService, startService } from "../src/index.ts";

class CountingReconciler extends Reconciler {
  override readonly everyMs = 20;
  rounds = 0;
  asking = 0;
  mostAsking = 0;

  override async due(): Promise<OutboxMessage[]> {
    this.rounds += 1;
    this.asking += 1;
    this.mostAsking = Math.max(this.mostAsking, this.asking);
    // Longer than a round, like a slow database.
    await new Promise((resolve) => setTimeout(resolve, 50));
    this.asking -= 1;
    return [];
  }
}
it("asks each reconciler as often as it wants, however busy another is, and never twice at once", async () => {
  const [first, second] = [new CountingReconciler(), new CountingReconciler()];
  @Module({
    providers: [
      { provide: "first", useValue: first },
      { provide: "second", useValue: second },
    ],
  })
  class ReconcilingModule {}
  const redis = await startTestRedis();
  const service = await startService(
    defineService({
      name: "auth",
      module: ReconcilingModule,
      contracts: { operations: [], jobs: [], events: [] },
    }),
    loadConfig(instanceShape, {
      CARREL_SECRET: "s".repeat(40),
      REDIS_URL: redis.url,
      // Required, but this service keeps nothing.
      DATABASE_URL: "postgres://127.0.0.1:9/none",
      CARREL_LOG_LEVEL: "silent",
    }),
    { healthPort: false },
  );
  // Each is first asked at the start.
  await poll(() => Math.min(first.rounds, second.rounds)).toBeGreaterThan(3);
  expect([first.mostAsking, second.mostAsking]).toEqual([1, 1]);
  await service.stop();
  await redis.stop();
});
