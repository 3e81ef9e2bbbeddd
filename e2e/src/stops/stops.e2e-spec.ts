import { afterAll, beforeAll, expect, it, jest } from "@jest/globals";
import { canRun, StopRun } from "./stop-run.ts";
import { stopStates } from "./stop-states.ts";

// Starts the product; `npm run test:stops` stops it in all states.
jest.setTimeout(120_000);

let run: StopRun;
beforeAll(async () => {
  run = await StopRun.open();
});
afterAll(() => run?.close());

const [state] = stopStates.filter(({ name }) => name === "embedding natively").filter(canRun);
it(`stops cleanly while the built-in embedder works${state ? "" : " (not run: ../shared/models is missing)"}`, async () => {
  if (!state) return;
  expect((await run.run(state)).faults).toEqual([]);
});
