import { defineJob } from "@carrel/contracts";
import { startTestRedis, type TestRedis } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { Redis } from "ioredis";
import { z } from "zod";
import { noteTurn, takeTurn } from "./fair-turns.ts";

describe("fair turns", () => {
  let server: TestRedis;
  let redis: Redis;
  beforeAll(async () => {
    server = await startTestRedis();
    redis = new Redis(server.url);
  });
  afterAll(async () => {
    redis?.disconnect();
    await server?.stop();
  });
  const job = defineJob({
    name: "a.job",
    service: "ingest",
    queue: "fair",
    payload: z.object({ workspaceId: z.number().optional() }),
    fairBy: "workspaceId",
    attempts: 1,
    backoffMs: 1,
  });
  let n = 0;
  /** Like the sender: takes a turn, then adds the job to the queue. */
  const add = async (workspaceId?: number): Promise<number | null> => {
    const jobId = `a.job/${++n}/1`;
    const turn = await takeTurn(redis, {
      job,
      queue: "ingest-fair",
      jobId,
      payload: workspaceId === undefined ? {} : { workspaceId },
    });
    await redis.zadd("carrel:ingest-fair:prioritized", turn ?? 0, jobId);
    await redis.set(`carrel:ingest-fair:${jobId}`, "1");
    return turn;
  };

  it("interleaves workspaces: a large backlog only delays its own workspace, and newcomers start at the current round", async () => {
    const many: (number | null)[] = [];
    for (let i = 0; i < 50; i++) many.push(await add(1));
    expect(many).toEqual(Array.from({ length: 50 }, (_, i) => i + 1));
    expect([await add(2), await add(2), await add()]).toEqual([1, 2, 1]);
    await noteTurn(redis, "ingest-fair", 30);
    await noteTurn(redis, "ingest-fair", 20);
    expect([await add(3), await add(2), await add(1)]).toEqual([31, 31, 51]);
  });

  it("skips existing and unshared jobs, and restarts when the queue is empty", async () => {
    expect(
      await takeTurn(redis, {
        job,
        queue: "ingest-fair",
        jobId: "a.job/1/1",
        payload: { workspaceId: 3 },
      }),
    ).toBeNull();
    expect(await add(3)).toBe(32);
    expect(
      await takeTurn(redis, {
        job: { ...job, fairBy: undefined },
        queue: "ingest-fair",
        jobId: "x",
        payload: { workspaceId: 3 },
      }),
    ).toBeNull();
    await redis.del("carrel:ingest-fair:prioritized");
    expect(await add(1)).toBe(1);
  });
});
