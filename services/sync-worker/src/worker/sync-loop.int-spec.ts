import { randomUUID } from "node:crypto";
import {
  CarrelError,
  documentWatchChanged,
  listSyncRuns,
  listWatches,
  syncNow,
  updateWatch,
  watchSource,
  listAllWatches,
  listSyncQueues,
  type WatchWire,
} from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import {
  inWorkspace,
  startTestSyncWorker,
  type TestSyncWorker,
} from "../../test/test-sync-worker.ts";

let instance: TestSyncWorker;
beforeAll(async () => {
  instance = await startTestSyncWorker();
});
afterAll(() => instance.stop(), 30_000);

const list = async (): Promise<WatchWire[]> =>
  (await instance.request(listWatches, { slug: "w7" })).watches;
const find = async (documentId: string): Promise<WatchWire | undefined> =>
  (await list()).find(({ document }) => document?.id === documentId);
/** Watches a document, and waits until the sync worker knows it. */
async function watch(host: string, workspaceIds = [7]) {
  const { documentId } = instance.world.watch(host, workspaceIds);
  await instance.tell(documentWatchChanged, { documentIds: [documentId] });
  const select = "SELECT id FROM sync_worker.watch WHERE document_id = $1";
  const rows = () => instance.sql<{ id: number }>(select, [documentId]);
  await poll(async () => (await rows()).length).toBe(1);
  return { id: (await rows())[0]!.id, documentId };
}
const ofWatch = (watchId: number) => ({ slug: "w7", watchId });
const forget = async (documentId: string): Promise<void> => {
  instance.world.documents.delete(documentId);
  await instance.tell(documentWatchChanged, { documentIds: [documentId] });
  await poll(() => find(documentId)).toBeUndefined();
};
const missing = { code: "source.missing", params: { host: "a.example" } } as const;

describe("a watched document", () => {
  it("is synced a week later, or as soon as somebody asks for it", async () => {
    const { id, documentId } = await watch("a.example", [7, 8]);
    const before = (await find(documentId))!;
    expect(before).toMatchObject({
      id,
      state: "waiting",
      title: "a.example.html",
      connector: "link",
      intervalSeconds: 604_800,
      whenGone: "keep",
      lastSyncedAt: null,
    });
    const days = (Date.parse(before.nextSyncAt!) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(6.2);
    expect(days).toBeLessThan(7.1);

    await instance.request(syncNow, ofWatch(id));
    await poll(() => find(documentId)).toMatchObject({ state: "waiting", lastStatus: "success" });
    instance.world.answer = () => ({ outcome: "changed", fault: null });
    await instance.request(syncNow, ofWatch(id));
    await poll(async () => (await find(documentId))?.lastChangedAt).toEqual(expect.any(String));
    instance.world.answer = () => ({ outcome: "unchanged", fault: null });
    const { runs } = await instance.request(listSyncRuns, ofWatch(id));
    expect(runs.map(({ status, change }) => [status, change])).toEqual([
      ["success", "changed"],
      ["success", "unchanged"],
    ]);
    expect(instance.world.refreshed).toEqual([documentId, documentId]);

    const { watch: hourly } = await instance.request(updateWatch, {
      ...ofWatch(id),
      intervalSeconds: 3_600,
      whenGone: "remove",
    });
    expect(hourly).toMatchObject({ intervalSeconds: 3_600, whenGone: "remove" });
    expect(Date.parse(hourly.nextSyncAt!) - Date.now()).toBeLessThanOrEqual(3_600_000);

    // One row, whatever number of workspaces hold it; another workspace's people can't touch it.
    const { queues } = await instance.request(listSyncQueues, {});
    expect(queues).toMatchObject([
      {
        id,
        staleAfterMs: 3_600_000,
        workspaceDoc: { docId: documentId, workspace: { id: 7, name: "W7", slug: "w7" } },
      },
    ]);
    const { watches } = await instance.request(listAllWatches, {});
    expect(watches).toMatchObject([{ id, workspaces: [{ slug: "w7" }, { slug: "w8" }] }]);
    await expect(instance.request(syncNow, ofWatch(id), inWorkspace(9))).rejects.toMatchObject({
      code: "watch.not-found",
    });
    await forget(documentId);
  });

  it("is due by the interval that was chosen while it was synced", async () => {
    const { id, documentId } = await watch("g.example");
    const answer = Promise.withResolvers<void>();
    instance.world.answer = async () => {
      await answer.promise;
      return { outcome: "unchanged", fault: null };
    };
    await instance.request(syncNow, ofWatch(id));
    await poll(() => find(documentId)).toMatchObject({ state: "syncing" });
    const due = (await find(documentId))!.nextSyncAt;
    const { watch: changed } = await instance.request(updateWatch, {
      ...ofWatch(id),
      intervalSeconds: 86_400,
    });
    // Another replica finds it if this one is lost.
    expect(changed).toMatchObject({ intervalSeconds: 86_400, nextSyncAt: due });
    answer.resolve();
    await poll(() => find(documentId)).toMatchObject({ state: "waiting", lastStatus: "success" });
    instance.world.answer = () => ({ outcome: "unchanged", fault: null });
    const hours = (Date.parse((await find(documentId))!.nextSyncAt!) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(21);
    expect(hours).toBeLessThanOrEqual(24);
    await forget(documentId);
  });

  it("is given up without naming it to others if it is restricted", async () => {
    const { documentId } = await watch("restricted.example");
    instance.world.documents.get(documentId)!.isRestricted = true;
    instance.world.answer = () => ({ outcome: "missing", fault: missing });
    await instance.sql("UPDATE sync_worker.watch SET failures = 4");
    await instance.hurry();
    await poll(() => instance.world.logged.at(-1)?.metadata).toEqual({
      documentId,
      sourceId: null,
      reason: missing.code,
      by: "service",
    });
    // The next test sees that no `syncStopped` came.
    instance.world.answer = () => ({ outcome: "unchanged", fault: null });
    await forget(documentId);
  });

  it("is given up after five failures in a row, and its owner is told", async () => {
    const { id, documentId } = await watch("b.example");
    instance.world.answer = () => ({ outcome: "missing", fault: missing });
    for (const failures of [1, 2, 3, 4]) {
      await instance.hurry();
      await poll(() => find(documentId)).toMatchObject({
        state: "waiting",
        failures,
        lastStatus: "failed",
        fault: missing,
        isMissing: true,
      });
    }
    // Being asked to wait is no failure.
    instance.world.answer = () => ({ outcome: "waiting", fault: null, retryAfter: 60 });
    await instance.hurry();
    await poll(() => find(documentId)).toMatchObject({ failures: 4, lastStatus: "exited" });
    // Nor is that connectors is away, or of the version before; whatever else it throws is one.
    for (const error of [
      new CarrelError("request.unavailable"),
      new CarrelError("request.no-handler", { operation: "connectors.document.refresh" }),
    ]) {
      await instance.sql("UPDATE sync_worker.watch SET failures = 2, last_status = NULL");
      instance.world.answer = () => Promise.reject(error);
      await instance.hurry();
      await poll(() => find(documentId)).toMatchObject({ failures: 2, lastStatus: "exited" });
    }
    for (const [failures, code, error] of [
      [3, "request.timed-out", new CarrelError("request.timed-out")],
      [4, "request.failed", new Error("broken")],
    ] as const) {
      instance.world.answer = () => Promise.reject(error);
      await instance.hurry();
      await poll(() => find(documentId)).toMatchObject({ failures, fault: { code } });
    }
    instance.world.answer = () => ({ outcome: "missing", fault: missing });
    await instance.hurry();
    await poll(() => find(documentId)).toMatchObject({
      state: "stopped",
      nextSyncAt: null,
      failures: 5,
    });
    expect(instance.world.documents.get(documentId)?.watch).toBe("stopped");
    await poll(() => instance.world.stopped).toMatchObject([
      { workspaceId: 7, documentId, isRemoved: false, fault: missing },
    ]);
    await poll(() => instance.world.givenUp.at(-1)).toMatchObject({
      userId: 3,
      workspaceId: 7,
      documentId,
      title: "b.example.html",
      isRemoved: false,
    });
    await poll(() => instance.world.logged.slice(1)).toMatchObject([
      {
        event: "live_sync_stopped",
        userId: 3,
        metadata: { documentId, title: "b.example.html", by: "service" },
      },
    ]);
    expect((await instance.request(listSyncQueues, {})).queues).toEqual([]);

    // Watching it again starts over.
    instance.world.answer = () => ({ outcome: "unchanged", fault: null });
    instance.world.documents.get(documentId)!.watch = "active";
    await instance.tell(documentWatchChanged, { documentIds: [documentId] });
    await poll(() => find(documentId)).toMatchObject({
      id,
      state: "waiting",
      failures: 0,
      fault: null,
      lastStatus: "success",
      isMissing: false,
    });
    await forget(documentId);
  });

  it("is deleted with its source if its owner chose that", async () => {
    const { id, documentId } = await watch("c.example");
    await instance.request(updateWatch, { ...ofWatch(id), whenGone: "remove" });
    instance.world.answer = () => ({ outcome: "missing", fault: missing });
    await instance.sql("UPDATE sync_worker.watch SET failures = 4");
    await instance.hurry();
    await poll(() => instance.world.purged).toEqual([documentId]);
    await poll(() => instance.world.stopped.at(-1)).toMatchObject({ documentId, isRemoved: true });
    await poll(() => instance.sql("SELECT id FROM sync_worker.watch")).toEqual([]);
    instance.world.answer = () => ({ outcome: "unchanged", fault: null });
  });

  it("is given up, or deleted, though that was interrupted", async () => {
    const { world } = instance;
    const [stopped, deleted] = [await watch("e.example"), await watch("f.example")];
    await instance.sql(
      `UPDATE sync_worker.watch SET failures = CASE id WHEN $1 THEN 4 ELSE 5 END, fault = $2,
        is_missing = true, when_gone = CASE id WHEN $1 THEN 'keep' ELSE 'remove' END`,
      [stopped.id, JSON.stringify(missing)],
    );
    world.documents.get(stopped.documentId)!.watch = "stopped";
    const asked = world.refreshed.length;
    await instance.hurry();
    await poll(() => find(stopped.documentId)).toMatchObject({ state: "stopped", failures: 5 });
    await poll(() => world.stopped.at(-1)).toMatchObject({
      documentId: stopped.documentId,
      isRemoved: false,
      fault: missing,
    });
    await poll(() => world.purged.at(-1)).toBe(deleted.documentId);
    await poll(() => instance.sql("SELECT id FROM sync_worker.watch")).toEqual([
      { id: stopped.id },
    ]);
    // The deletion had been told already.
    expect(world.stopped.map(({ documentId }) => documentId)).not.toContain(deleted.documentId);
    expect(world.refreshed).toHaveLength(asked);
    await forget(stopped.documentId);
  });

  it("is left alone while live sync is off, and dropped once no workspace holds it", async () => {
    const { id, documentId } = await watch("d.example");
    await instance.turn(false);
    await expect(instance.request(listSyncQueues, {})).rejects.toMatchObject({ kind: "FORBIDDEN" });
    await expect(instance.request(syncNow, ofWatch(id))).rejects.toMatchObject({
      code: "watch.disabled",
    });
    expect(await instance.request(listWatches, { slug: "w7" })).toMatchObject({
      enabled: false,
      watches: [{ id, state: "waiting" }],
    });
    const asked = instance.world.refreshed.length;
    await instance.hurry();
    instance.world.documents.get(documentId)!.workspaceIds = [];
    await instance.turn(true);
    await poll(() => instance.sql("SELECT id FROM sync_worker.watch")).toEqual([]);
    expect(instance.world.refreshed).toHaveLength(asked);
    expect(instance.world.documents.get(documentId)?.watch).toBeNull();
  });
});

describe("documents of connectors", () => {
  it("aren't held up by another server of the same kind that is slow", async () => {
    const { world } = instance;
    const add = (server: string, count: number): string[] => {
      const documents = Array.from({ length: count }, () => world.watch(server));
      for (const each of documents)
        each.chunkSource = `confluence://https://${server}/pages/${each.documentId}`;
      return documents.map(({ documentId }) => documentId);
    };
    const slow = add("slow.example", 6);
    const [fast] = add("fast.example", 1);
    const answer = Promise.withResolvers<void>();
    world.answer = async (documentId) => {
      if (documentId !== fast) await answer.promise;
      return { outcome: "unchanged", fault: null };
    };
    await instance.tell(documentWatchChanged, { documentIds: [...slow, fast!] });
    await poll(async () => (await list()).length).toBe(7);
    expect(
      await instance.sql("SELECT DISTINCT connector, host FROM sync_worker.watch ORDER BY 2"),
    ).toEqual([
      { connector: "confluence", host: "fast.example" },
      { connector: "confluence", host: "slow.example" },
    ]);
    await instance.sql(
      "UPDATE sync_worker.watch SET next_sync_at = now() - interval '1 hour' WHERE host = 'slow.example'",
    );
    await poll(async () => (await list()).filter(({ state }) => state === "syncing").length).toBe(
      4,
    );
    const { id } = (await find(fast!))!;
    await instance.request(syncNow, ofWatch(id));
    await poll(() => find(fast!)).toMatchObject({ state: "waiting", lastStatus: "success" });
    answer.resolve();
    world.answer = () => ({ outcome: "unchanged", fault: null });
    for (const documentId of [...slow, fast!]) world.documents.delete(documentId);
    await instance.tell(documentWatchChanged, { documentIds: [...slow, fast!] });
    await poll(list).toEqual([]);
  });
});

describe("what somebody asks for", () => {
  it("comes before everything else that is due, and sources have places of their own", async () => {
    const { world } = instance;
    const answers = new Map<string, () => void>();
    world.answer = (documentId) =>
      new Promise((resolve) =>
        answers.set(documentId, () => resolve({ outcome: "unchanged", fault: null })),
      );
    const add = (host: string, count: number) =>
      Array.from({ length: count }, () => world.watch(host).documentId);
    const busy = Array.from({ length: 8 }, (_, n) => add(`busy${n}.example`, 4)).flat();
    const late = Array.from({ length: 8 }, (_, n) => add(`late${n}.example`, 4)).flat();
    const [asked] = add("late0.example", 1);
    const documentIds = [...busy, ...late, asked!];
    await instance.tell(documentWatchChanged, { documentIds });
    await poll(async () => (await list()).length).toBe(documentIds.length);
    const hasten = (ids: string[]) =>
      instance.sql(
        "UPDATE sync_worker.watch SET next_sync_at = now() - interval '1 hour' WHERE document_id = ANY($1)",
        [ids],
      );
    await hasten(busy);
    await poll(() => answers.size).toBe(32);
    await hasten(late);

    const connectionId = randomUUID();
    const createdAt = "2026-11-29T00:00:00.000Z";
    world.runs.set(connectionId, {
      id: randomUUID(),
      connectionId,
      state: "finished",
      isListed: true,
      found: 1,
      fetched: 0,
      unchanged: 1,
      skipped: 0,
      failed: 0,
      removed: 0,
      bytes: 0,
      startedBy: null,
      createdAt,
      startedAt: createdAt,
      endedAt: createdAt,
      waitsUntil: null,
      fault: null,
    });
    const source = { slug: "w7", connectionId };
    const { watch: added } = await instance.request(watchSource, { ...source, watched: true });
    await instance.request(syncNow, ofWatch(added!.id));
    const ofSource = async () => (await list()).find((each) => each.connectionId === connectionId);
    await poll(ofSource).toMatchObject({ state: "waiting", lastStatus: "success" });

    const count = world.refreshed.length;
    await instance.request(syncNow, ofWatch((await find(asked!))!.id));
    answers.get(busy[0]!)!();
    await poll(() => world.refreshed[count]).toBe(asked);

    world.answer = () => ({ outcome: "unchanged", fault: null });
    for (const answer of answers.values()) answer();
    await instance.request(watchSource, { ...source, watched: false });
    for (const documentId of documentIds) world.documents.delete(documentId);
    await instance.tell(documentWatchChanged, { documentIds });
    await poll(list).toEqual([]);
  }, 30_000);
});
