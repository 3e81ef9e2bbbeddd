import { expect, it } from "@jest/globals";
import { defaultInterval } from "../sync-worker.config.ts";
import { nextSync, nextTry } from "./sync-schedule.ts";

const [hour, week] = [3_600, 604_800];

it("spreads syncs over the last tenth of their interval", () => {
  expect(nextSync(week, 0)).toBe(week);
  expect(nextSync(week, 1)).toBeCloseTo(week * 0.9);
});

it("waits longer after each failure, but never longer than the interval", () => {
  expect([1, 2, 3, 4].map((failures) => nextTry(week, failures, 0) / hour)).toEqual([1, 4, 16, 64]);
  expect([1, 2, 3].map((failures) => nextTry(2 * hour, failures, 0) / hour)).toEqual([1, 2, 2]);
  expect(nextTry(10, 4, 0)).toBe(10);
});

it.each([
  [{}, week],
  [{ CARREL_SYNC_STALE_SECONDS: 5 }, 5],
  [{ DOCUMENT_SYNC_STALE_AFTER_MS: 7_200_000 }, 2 * hour],
  [{ DOCUMENT_SYNC_STALE_AFTER_MS: 1_000 }, hour],
  [{ CARREL_SYNC_STALE_SECONDS: 60, DOCUMENT_SYNC_STALE_AFTER_MS: 7_200_000 }, 60],
])("with %p, syncs every %d seconds by default", (environment, seconds) => {
  expect(defaultInterval(environment)).toBe(seconds);
});
