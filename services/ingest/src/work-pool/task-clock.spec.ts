import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "@jest/globals";
import { makeTaskClock, readTaskClock, startTaskClock } from "./task-clock.ts";

const isLinux = process.platform === "linux";

/** Elsewhere, `readTaskClock` returns null, and the pool goes by elapsed time. */
const name = isLinux
  ? "a task's CPU time counts from its beginning, without what it waits"
  : "skipped: only Linux tells the CPU time of another thread (/proc/self/task)";
(isLinux ? it : it.skip)(name, async () => {
  const clock = makeTaskClock();
  expect(readTaskClock(clock)).toBe(0);
  startTaskClock(clock);
  await sleep(400);
  const afterWaiting = readTaskClock(clock)!;
  const before = process.threadCpuUsage();
  while (process.threadCpuUsage(before).user < 200_000);
  expect(afterWaiting).toBeLessThan(300);
  expect(readTaskClock(clock)! - afterWaiting).toBeGreaterThan(150);
});
