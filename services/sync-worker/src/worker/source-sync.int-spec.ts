import { randomUUID } from "node:crypto";
import {
  CarrelError,
  connectionRemoved,
  createHook,
  deliverHook,
  findHookSecret,
  listSyncRuns,
  listWatches,
  removeHook,
  sourceChanged,
  syncNow,
  watchSource,
  type ConnectionRunWire,
  type WatchWire,
} from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { startTestSyncWorker, type TestSyncWorker } from "../../test/test-sync-worker.ts";

let instance: TestSyncWorker;
beforeAll(async () => {
  instance = await startTestSyncWorker();
});
afterAll(() => instance.stop(), 30_000);

const list = async (): Promise<WatchWire[]> =>
  (await instance.request(listWatches, { slug: "w7" })).watches;
const ofWatch = (watchId: number) => ({ slug: "w7", watchId });

describe("a watched source", () => {
  const connectionId = randomUUID();
  const run: ConnectionRunWire = {
    id: randomUUID(),
    connectionId,
    state: "running",
    isListed: false,
    found: 3,
    fetched: 0,
    unchanged: 0,
    skipped: 0,
    failed: 0,
    removed: 0,
    bytes: 0,
    startedBy: null,
    createdAt: "2026-11-29T00:00:00.000Z",
    startedAt: null,
    endedAt: null,
    waitsUntil: null,
    fault: null,
  };
  const source = { slug: "w7", connectionId };

  it("is synced by a run, and again if that was asked for meanwhile", async () => {
    const { world } = instance;
    world.runs.set(connectionId, run);
    const { watch: added } = await instance.request(watchSource, {
      ...source,
      watched: true,
      whenGone: "keep",
    });
    expect(added).toMatchObject({ title: "Handbook", document: null, connectionId });
    expect(world.keepsGone.get(connectionId)).toBe(true);
    await instance.request(syncNow, ofWatch(added!.id));
    await poll(list).toMatchObject([{ state: "syncing" }]);
    await instance.request(syncNow, ofWatch(added!.id));
    const second = { ...run, id: randomUUID(), state: "finished", endedAt: run.createdAt } as const;
    world.runs.set(connectionId, second);
    await instance.endRun(run.id);
    await poll(
      async () => (await instance.request(listSyncRuns, ofWatch(added!.id))).runs,
    ).toMatchObject([
      { status: "success", change: "unchanged" },
      // The first one was removed with its source's settings.
      { status: "exited" },
    ]);
    await poll(list).toMatchObject([{ state: "waiting", lastStatus: "success" }]);

    expect(await instance.request(watchSource, { ...source, watched: false })).toEqual({
      watch: null,
    });
    expect(world.keepsGone.get(connectionId)).toBe(false);
    expect(await list()).toEqual([]);
  }, 30_000);

  it("is synced by a run that lists what was announced, after whatever else is going on", async () => {
    const { world } = instance;
    world.retry = run.id;
    world.runs.set(connectionId, run);
    const { watch: added } = await instance.request(watchSource, { ...source, watched: true });
    const before = world.followed.length;
    await instance.request(syncNow, ofWatch(added!.id));
    await poll(() => world.followed.slice(before)).toEqual([run.id]);
    const followed = () =>
      instance.sql("SELECT source_run_id AS id FROM sync_worker.watch WHERE state = 'syncing'");
    expect(await followed()).toEqual([{ id: null }]);

    // This one began before it was asked for, and may have listed what changed since.
    const open = { ...run, id: randomUUID(), startedAt: "2026-11-01T00:00:00.000Z" };
    world.runs.set(connectionId, open);
    await instance.endRun(run.id);
    await poll(followed).toEqual([{ id: open.id }]);
    await poll(() => world.followed.at(-1)).toBe(open.id);
    const ended = { state: "finished", endedAt: run.createdAt } as const;
    const later = {
      ...run,
      id: randomUUID(),
      startedAt: new Date(Date.now() + 60_000).toISOString(),
    };
    world.find = (id) => (id === open.id ? { ...open, ...ended } : null);
    world.runs.set(connectionId, { ...later, ...ended });
    await instance.endRun(open.id);
    await poll(
      async () => (await instance.request(listSyncRuns, ofWatch(added!.id))).runs,
    ).toMatchObject([{ status: "success" }, { status: "success" }]);
    await poll(list).toMatchObject([{ state: "waiting" }]);
    world.retry = null;
    world.find = () => null;
    await instance.request(watchSource, { ...source, watched: false });
  }, 30_000);

  it("is synced when it announces a change, once", async () => {
    const { watch: added } = await instance.request(watchSource, { ...source, watched: true });
    const { secret, path } = await instance.request(createHook, source);
    expect(path).toBe(`/api/hooks/${connectionId}`);
    const find = async () => (await instance.request(findHookSecret, { connectionId })).secret;
    const deliver = (key: string) => instance.request(deliverHook, { connectionId, key });
    expect(await find()).toBe(secret);
    const runs = async () => (await instance.request(listSyncRuns, ofWatch(added!.id))).runs;
    expect(await runs()).toEqual([]);
    await deliver("body:1");
    await poll(runs).toMatchObject([{ status: "success" }]);
    await deliver("body:1");
    await poll(list).toMatchObject([{ state: "waiting", hasHook: true }]);
    expect(await runs()).toHaveLength(1);

    // Such as a folder of the server, which sends no webhooks.
    await instance.tell(sourceChanged, { connectionId });
    await poll(runs).toHaveLength(2);
    await poll(list).toMatchObject([{ state: "waiting" }]);

    // Another secret makes the first one worthless, and so does removing it.
    const second = await instance.request(createHook, source);
    expect(second.secret).not.toBe(secret);
    expect(await find()).toBe(second.secret);
    await instance.request(removeHook, source);
    for (const refused of [find, () => deliver("body:2")])
      await expect(refused()).rejects.toMatchObject({ code: "watch.not-found" });
    expect(
      await instance.sql("SELECT id FROM sync_worker.watch WHERE sealed_hook_secret <> ''"),
    ).toEqual([]);
    await instance.request(watchSource, { ...source, watched: false });
  });

  it("isn't given up sooner because it announces changes while it fails", async () => {
    const { watch: added } = await instance.request(watchSource, { ...source, watched: true });
    await instance.request(createHook, source);
    const runs = async () => (await instance.request(listSyncRuns, ofWatch(added!.id))).runs;
    const deliver = (key: string) => instance.request(deliverHook, { connectionId, key });
    instance.world.runs.set(connectionId, run);
    await deliver("down:1");
    await poll(list).toMatchObject([{ state: "syncing" }]);
    // While it is being synced, and afterwards.
    await deliver("down:2");
    const fault = { code: "source.denied", params: { host: "a.example", status: 503 } } as const;
    const failed = { ...run, state: "failed", endedAt: run.createdAt, fault } as const;
    instance.world.runs.set(connectionId, failed);
    await instance.endRun(run.id);
    await poll(list).toMatchObject([{ state: "waiting", failures: 1, fault }]);
    for (const n of [3, 4, 5, 6]) await deliver(`down:${n}`);
    const [{ nextSyncAt }] = (await list()) as [WatchWire];
    expect(Date.parse(nextSyncAt!) - Date.now()).toBeGreaterThan(3_000_000);
    expect(await runs()).toHaveLength(1);

    // A person needn't wait.
    instance.world.runs.set(connectionId, { ...failed, state: "finished", fault: null });
    await instance.request(syncNow, ofWatch(added!.id));
    await poll(list).toMatchObject([{ state: "waiting", failures: 0, lastStatus: "success" }]);
    await deliver("up:1");
    await poll(runs).toMatchObject([
      { status: "success" },
      { status: "success" },
      { status: "failed" },
    ]);
    await instance.request(watchSource, { ...source, watched: false });
  }, 30_000);

  it("fails if none of its items could be fetched, or it can't be asked for", async () => {
    const { world } = instance;
    const ended = { ...run, state: "finished", endedAt: run.createdAt } as const;
    world.runs.set(connectionId, { ...ended, failed: 3 });
    const { watch: added } = await instance.request(watchSource, { ...source, watched: true });
    const sync = () => instance.request(syncNow, ofWatch(added!.id));
    await sync();
    const nothing = { code: "watch.nothing-synced" };
    await poll(list).toMatchObject([{ state: "waiting", failures: 1, fault: nothing }]);
    const down = { code: "source.seems-down", params: { count: 9 } } as const;
    world.runs.set(connectionId, { ...ended, skipped: 9, fault: down });
    await sync();
    await poll(list).toMatchObject([{ state: "waiting", failures: 2, fault: down }]);
    // That it is gone from this server doesn't end by itself, but a service that is away comes back.
    world.refusal = new CarrelError("source.connector-unknown");
    await sync();
    await poll(list).toMatchObject([
      { state: "waiting", failures: 3, fault: { code: "source.connector-unknown" } },
    ]);
    for (const refusal of [
      new CarrelError("request.unavailable"),
      new CarrelError("request.timed-out"),
      new CarrelError("request.no-handler", { operation: "connectors.connection.sync" }),
    ]) {
      world.refusal = refusal;
      await instance.sql("UPDATE sync_worker.watch SET last_status = NULL");
      await sync();
      await poll(list).toMatchObject([{ state: "waiting", failures: 3, lastStatus: "exited" }]);
    }
    world.refusal = null;
    // What it left out is said, and what fails for ever among a few changes isn't the source's fault.
    world.runs.set(connectionId, { ...ended, unchanged: 2, failed: 1, fault: down });
    await sync();
    await poll(list).toMatchObject([
      { state: "waiting", failures: 0, lastStatus: "success", fault: down },
    ]);
    world.isWhole = false;
    world.runs.set(connectionId, { ...ended, failed: 1 });
    await sync();
    await poll(list).toMatchObject([{ state: "waiting", lastStatus: "success", fault: null }]);
    world.isWhole = true;
    await instance.request(watchSource, { ...source, watched: false });
  }, 30_000);

  it("isn't watched any longer than it is there", async () => {
    await instance.request(watchSource, { ...source, watched: true });
    await instance.tell(connectionRemoved, { connectionId });
    await poll(list).toEqual([]);
    await instance.request(watchSource, { ...source, watched: true });
    instance.world.runs.delete(connectionId);
    await instance.hurry();
    await poll(list).toEqual([]);
  });
});
