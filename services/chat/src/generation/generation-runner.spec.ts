import type { Streams } from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { poll } from "@carrel/testing";
import type { ChatConfig } from "../chat.config.ts";
import type { GenerationChanges } from "./generation-changes.ts";
import type { GenerationClock } from "./generation-clock.ts";
import type { GenerationExecution } from "./generation-execution.ts";
import type { GenerationLeaseRepository } from "./generation-lease.repository.ts";
import { GenerationRunner } from "./generation-runner.ts";
import type { RunnableGeneration } from "./generation.repository.ts";

const generation = { id: "g", turnId: 1, notices: [] } as unknown as RunnableGeneration;

describe("an answer whose commit fails", () => {
  // The connection may have been lost after the commit, so that the question is stored as running.
  it("loses its stream, then its lease, so that another run takes over", async () => {
    const done: string[] = [];
    const streams = {
      writer: () => ({ write: () => Promise.resolve(1) }),
      drop: (key: string) => Promise.resolve(done.push(`drop ${key}`)),
    };
    const leases = {
      lapse: ([id]: string[]) => Promise.resolve(done.push(`give up ${id}`)),
    };
    const execution = {
      run: () => {
        done.push("run");
        return Promise.resolve(false);
      },
    };
    const runner = new GenerationRunner(
      execution as unknown as GenerationExecution,
      leases as unknown as GenerationLeaseRepository,
      { wake: () => undefined } as GenerationClock,
      streams as unknown as Streams,
      { announce: () => undefined } as unknown as GenerationChanges,
      { CARREL_CHAT_GENERATIONS: 1 } as ChatConfig,
      {
        debug: () => undefined,
        warn: () => undefined,
        error: () => undefined,
      } as unknown as Logger,
    );
    runner.begin(generation, true, Promise.reject(new Error("connection lost")));
    await poll(() => done).toEqual(["run", "drop gen:g", "give up g"]);
  });
});
