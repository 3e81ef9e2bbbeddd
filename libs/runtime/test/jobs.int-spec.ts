import { poll } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { Redis } from "ioredis";
import { FixtureInstance } from "./fixture-instance.ts";
import { scope, startTasks } from "./fixture-service.ts";

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe("jobs, events and the outbox between processes", () => {
  let instance: FixtureInstance;
  let redis: Redis;
  beforeAll(async () => {
    instance = await FixtureInstance.start(2);
    redis = new Redis(instance.redis.url);
  });
  afterAll(async () => {
    redis?.disconnect();
    await instance?.stop();
  });
  const begin = (count: number, workMs: number) =>
    instance.caller.messaging.client.request(startTasks, { count, workMs }, { scope });
  const allDone = (tasks: number, timeoutMs: number) =>
    poll(
      async () => ({
        effects: await instance.count("effect"),
        heard: await instance.count("heard"),
        waiting: (await instance.sql.query("SELECT 1 FROM outbox")).rowCount,
      }),
      { timeoutMs, intervalMs: 100 },
    ).toEqual({
      effects: { rows: tasks, distinct: tasks },
      heard: { rows: tasks, distinct: tasks },
      waiting: 0,
    });

  it("relays committed messages, runs each job once and shares jobs between replicas", async () => {
    // Long enough that one replica is still working when the other, perhaps slower, begins.
    await begin(40, 300);
    await allDone(40, 45_000);
    expect(await instance.count("attempt")).toEqual({ rows: 40, distinct: 40 });
    const { rows } = await instance.sql.query<{ pid: number }>("SELECT DISTINCT pid FROM attempt");
    expect(rows.length).toBe(2);
  });

  it("adds no duplicate when a job is sent again while it waits or runs", async () => {
    const { ids } = await begin(1, 3_000);
    await poll(
      async () =>
        (await instance.sql.query("SELECT 1 FROM attempt WHERE task_id = $1", [ids[0]])).rowCount,
    ).toBe(1);
    const { fixtureService, work } = await import("./fixture-service.ts");
    const { jobMessage } = await import("@carrel/messaging");
    expect(fixtureService.name).toBe("auth");
    for (let again = 0; again < 3; again += 1)
      await instance.caller.messaging.sender.send(
        jobMessage(work, { rowId: ids[0]!, version: 1, payload: { taskId: ids[0]!, version: 1 } }),
      );
    await allDone(41, 45_000);
    expect(
      (await instance.sql.query("SELECT 1 FROM attempt WHERE task_id = $1", [ids[0]])).rowCount,
    ).toBe(1);
  });

  it("neither loses nor duplicates work when a replica is killed in the middle of its jobs", async () => {
    const unfinished = (pid: number) =>
      instance.sql.query(
        "SELECT 1 FROM attempt WHERE pid = $1 AND task_id NOT IN (SELECT task_id FROM effect)",
        [pid],
      );
    await begin(24, 1_000);
    await poll(async () => (await unfinished(instance.replicas[0]!.pid)).rowCount).toBeGreaterThan(
      0,
    );
    instance.replicas[0]!.signal("SIGKILL");
    await instance.replicas[0]!.ended;
    await instance.addReplica();
    await allDone(65, 45_000);
    // Some were started twice; otherwise the single row per effect would prove nothing.
    expect((await instance.count("attempt")).rows).toBeGreaterThan(65);
  });

  it("completes everything when Redis is flushed while jobs wait, run and are being sent", async () => {
    const first = begin(60, 150);
    await wait(60);
    await redis.flushall();
    await first.catch(() => undefined);
    await begin(40, 100);
    await wait(150);
    await redis.flushall();
    const {
      rows: [row],
    } = await instance.sql.query<{ count: number }>("SELECT count(*)::int AS count FROM task");
    expect(row!.count).toBeGreaterThanOrEqual(105);
    await allDone(row!.count, 45_000);
  });

  it.each([{ keepData: true }, { keepData: false }])(
    "completes everything when Redis is killed and restarted (keepData: $keepData)",
    async ({ keepData }) => {
      const {
        rows: [before],
      } = await instance.sql.query<{ count: number }>("SELECT count(*)::int AS count FROM task");
      await begin(40, 150);
      await wait(200);
      await instance.redis.kill();
      await wait(700);
      await instance.redis.restart({ keepData });
      await allDone(before!.count + 40, 45_000);
    },
  );

  it("trims the events that every group has processed", async () => {
    const { trimEvents } = await import("../../messaging/src/event-consumer.ts");
    const { rows } = await instance.count("heard");
    await begin(10, 1);
    await poll(async () => (await instance.count("heard")).rows).toBe(rows + 10);
    // Events are delivered at least once, so a second copy may still be on its way.
    await poll(async () => {
      await trimEvents(redis);
      return redis.xlen("events");
    }).toBeLessThanOrEqual(1);
  });
});
