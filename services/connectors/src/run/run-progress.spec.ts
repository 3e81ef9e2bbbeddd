import { Broadcast } from "@carrel/messaging";
import { expect, it, jest } from "@jest/globals";
import type { ConnectionRun } from "../connection/connection-run.entity.ts";
import type { RunRepository } from "../connection/run.repository.ts";
import { RunProgress } from "./run-progress.ts";

it("shows a workspace its sources, and nobody what is imported once", async () => {
  const publish = jest.fn<Broadcast["publish"]>(() => Promise.resolve());
  const now = new Date();
  const run = { id: "r", createdAt: now, startedAt: now, endedAt: now } as ConnectionRun;
  const progress = new RunProgress(
    { find: () => Promise.resolve(run) } as unknown as RunRepository,
    { publish } as unknown as Broadcast,
  );
  await progress.report({ workspaceId: 7, isOnce: true }, "r");
  expect(publish.mock.calls.map(([channel]) => channel)).toEqual(["connection-run-ended"]);
  await progress.report({ workspaceId: 7, isOnce: false }, "r");
  expect(publish.mock.calls.map(([channel]) => channel).slice(1)).toEqual([
    "connection-run-ended",
    "connections:7",
  ]);
});
