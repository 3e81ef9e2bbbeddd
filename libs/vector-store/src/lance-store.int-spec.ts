import { randomUUID } from "node:crypto";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { poll, waitFor } from "@carrel/testing";
import { afterAll, describe, expect, it, jest } from "@jest/globals";
import { textIndexConformance } from "../test/text-index.conformance.ts";
import { vectorIndexConformance } from "../test/vector-index.conformance.ts";
import { LanceCaches } from "./lance-caches.ts";
import { openLanceStore } from "./lance-store.ts";
import type { VectorStore } from "./vector-store.ts";

const folders: string[] = [];
const folder = async () => {
  const made = await mkdtemp(join(tmpdir(), "carrel-lance-"));
  folders.push(made);
  return made;
};
afterAll(() => Promise.all(folders.map((made) => rm(made, { recursive: true, force: true }))));
const open = async () => openLanceStore({ folder: join(await folder(), "index") });

const openInFiles = async () =>
  openLanceStore({ folder: join(await folder(), "index"), memoryBytes: 0 });

describe("LanceDB text index", () => textIndexConformance(open));
describe("LanceDB vector index", () => vectorIndexConformance(open));
describe("LanceDB text index, searched in files", () => textIndexConformance(openInFiles, 2_400));
describe("LanceDB vector index, searched in files", () =>
  vectorIndexConformance(openInFiles, 2_400));

describe("LanceDB folder", () => {
  const row = (terms: string) => ({
    id: randomUUID(),
    workspaceId: 1,
    documentId: "d",
    version: 1,
    terms: terms.split(" "),
  });

  it("keeps written rows across a restart", async () => {
    const path = await folder();
    const first = await openLanceStore({ folder: path });
    await first.text.upsert([row("kept")]);
    await first.close();
    const second = await openLanceStore({ folder: path });
    expect(await second.text.search({ workspaceId: 1, terms: ["kept"], limit: 5 })).toHaveLength(1);
    await second.close();
  });

  it("sees another process's writes, in hits and statistics", async () => {
    const path = await folder();
    // A process that is writing or compacting doesn't check for other writes.
    const writer = await openLanceStore({ folder: path, optimizeEveryMs: 1e9 });
    const reader = await openLanceStore({ folder: path, optimizeEveryMs: 1e9 });
    await writer.text.upsert([row("first")]);
    expect(
      (await reader.text.statistics({ workspaceId: 1, terms: ["second"] })).documentCount,
    ).toBe(1);
    await writer.text.upsert([row("second")]);
    await poll(() =>
      reader.text.search({ workspaceId: 1, terms: ["second"], limit: 5 }),
    ).toHaveLength(1);
    expect(
      (await reader.text.statistics({ workspaceId: 1, terms: ["second"] })).frequencies.get(
        "second",
      ),
    ).toBe(1);
    await writer.close();
    await reader.close();
  });

  it("keeps indexes and metadata in the caches it limits", async () => {
    const store = await openLanceStore({ folder: await folder() });
    await store.text.upsert([row("kept in memory")]);
    await store.optimize();
    expect(await store.text.search({ workspaceId: 1, terms: ["memory"], limit: 5 })).toHaveLength(
      1,
    );
    expect(store.home.caches.bytes).toBeGreaterThan(0);
    await store.close();
  });

  it("keeps working after its caches are replaced, with smaller ones", async () => {
    const store = await openLanceStore({ folder: await folder(), optimizeEveryMs: 1e9 });
    const vectors = store.vectors({ model: "m", dimensions: 4 });
    const find = () => store.text.search({ workspaceId: 1, terms: ["kept"], limit: 5 });
    for (let version = 0; version < 10; version++) {
      await store.text.upsert([row("kept")]);
      await store.optimize();
      expect(await find()).toHaveLength(Math.min(5, version + 1));
    }
    const old = store.home.connection;
    const before = store.home.caches.bytes;
    await Promise.all([
      store.home.caches.renew(),
      find(),
      store.text.upsert([row("kept")]),
      vectors.upsert([
        {
          id: randomUUID(),
          workspaceId: 1,
          documentId: "d",
          version: 1,
          vector: Float32Array.of(1, 0, 0, 0),
        },
      ]),
    ]);
    expect(store.home.connection).not.toBe(old);
    expect(store.home.caches.bytes).toBeLessThan(before);
    expect(await find()).toHaveLength(5);
    await store.text.upsert([row("later")]);
    expect(await store.text.search({ workspaceId: 1, terms: ["later"], limit: 5 })).toHaveLength(1);
    expect(
      await vectors.search({ workspaceId: 1, vector: Float32Array.of(1, 0, 0, 0), limit: 5 }),
    ).toHaveLength(1);
    await store.close();
  });

  it("drops the caches when most entries are obsolete, and when idle", async () => {
    const caches = await LanceCaches.open(await folder(), 20);
    const bytes = jest.spyOn(caches, "bytes", "get").mockReturnValue(30e6);
    await caches.noteVersion();
    const first = caches.connection;
    bytes.mockReturnValue(80e6);
    await caches.noteVersion();
    expect(caches.connection).toBe(first);
    bytes.mockReturnValue(100e6);
    await caches.noteVersion();
    const second = caches.connection;
    expect(second).not.toBe(first);
    caches.noteUse();
    await waitFor(() => caches.connection !== second);
    await caches.close();
  });

  it("finds the same in partitions as in a full scan, within the workspace, including later rows", async () => {
    const store = await openLanceStore({
      folder: await folder(),
      optimizeEveryMs: 1e9,
      memoryBytes: 0,
    });
    const vectors = store.vectors({ model: "m", dimensions: 16 });
    const random = (seed: number) =>
      Float32Array.from({ length: 16 }, (_, i) => Math.sin(seed * 12.9898 + i * 78.233));
    const rows = Array.from({ length: 5000 }, (_, n) => ({
      id: randomUUID(),
      workspaceId: n % 3,
      documentId: "d",
      version: 1,
      vector: random(n),
    }));
    const exact = (wanted: typeof rows, seed: number) => {
      const unit = (v: Float32Array) => {
        const length = Math.hypot(...v);
        return v.map((x) => x / length);
      };
      const query = unit(random(seed));
      return wanted
        .map((r) => ({
          id: r.id,
          score: unit(r.vector).reduce((sum, x, i) => sum + x * query[i]!, 0),
        }))
        .sort((a, b) => b.score - a.score)
        .slice(0, 20)
        .map((r) => r.id);
    };
    const find = async (seed: number) =>
      (await vectors.search({ workspaceId: 1, vector: random(seed), limit: 20 })).map(
        (hit) => hit.id,
      );
    await vectors.upsert(rows.slice(0, 4500));
    await store.optimize();
    for (const seed of [5000.5, 6000.5])
      expect(await find(seed)).toEqual(
        exact(
          rows.slice(0, 4500).filter((r) => r.workspaceId === 1),
          seed,
        ),
      );
    await vectors.upsert(rows.slice(4500));
    const all = rows.filter((r) => r.workspaceId === 1);
    for (const seed of [7000.5, 5000.5]) expect(await find(seed)).toEqual(exact(all, seed));
    await store.optimize();
    for (const seed of [7000.5, 5000.5]) expect(await find(seed)).toEqual(exact(all, seed));
    await store.close();
  });

  it("finds the same terms after rows were read, replaced and compacted", async () => {
    const store = await openLanceStore({
      folder: await folder(),
      optimizeEveryMs: 1e9,
      memoryBytes: 0,
    });
    const rows = Array.from({ length: 50 }, (_, n) => row(`word${n} common`));
    const find = async (terms: string[]) =>
      (await store.text.search({ workspaceId: 1, terms, limit: 60 })).map((hit) => ({
        id: hit.id,
        terms: hit.terms,
      }));
    for (const one of rows) await store.text.upsert([one]);
    expect(await find(["common"])).toHaveLength(50);
    await store.text.upsert([{ ...rows[7]!, terms: ["changed", "common"] }]);
    expect(await find(["changed"])).toEqual([{ id: rows[7]!.id, terms: ["changed", "common"] }]);
    await store.optimize();
    expect(await find(["changed"])).toEqual([{ id: rows[7]!.id, terms: ["changed", "common"] }]);
    expect(await find(["common"])).toHaveLength(50);
    await store.text.drop();
    await store.text.upsert([row("anew common")]);
    expect((await find(["common"])).map((hit) => hit.terms)).toEqual([["anew", "common"]]);
    await store.close();
  });

  it("recreates a deleted folder and moves a damaged table aside; both change its name", async () => {
    const path = await folder();
    const first = await openLanceStore({ folder: path });
    await first.text.upsert([row("lost")]);
    const name = await first.identity();
    expect(await first.identity()).toBe(name);
    await rm(path, { recursive: true });
    await first.text
      .search({ workspaceId: 1, terms: ["lost"], limit: 5 })
      .catch((error) => expect(error).toMatchObject({ isRetryable: true }));
    await first.text.upsert([row("new")]).catch(() => first.text.upsert([row("new")]));
    expect(
      await first.text.search({ workspaceId: 1, terms: ["new", "lost"], limit: 5 }),
    ).toHaveLength(1);
    expect(await first.identity()).not.toBe(name);
    await first.close();
    for (const part of await readdir(join(path, "text.lance", "_versions")))
      await writeFile(join(path, "text.lance", "_versions", part), "garbage");
    const second = await openLanceStore({ folder: path });
    expect(await second.text.search({ workspaceId: 1, terms: ["new"], limit: 5 })).toEqual([]);
    await second.text.upsert([row("again")]);
    expect(await second.text.search({ workspaceId: 1, terms: ["again"], limit: 5 })).toHaveLength(
      1,
    );
    expect(await readdir(join(path, "damaged"))).toEqual([expect.stringMatching(/^text-/)]);
    await second.close();
    const third = await openLanceStore({ folder: path });
    const before = await third.identity();
    // Make the rows unreadable behind a readable head.
    for (const part of await readdir(join(path, "text.lance", "data")))
      await writeFile(join(path, "text.lance", "data", part), "garbage");
    await third.close();
    const fourth = await openLanceStore({ folder: path });
    for (let n = 0; n < 3; n++)
      await expect(
        fourth.text.search({ workspaceId: 1, terms: ["again"], limit: 5 }),
      ).rejects.toMatchObject({ name: "VectorStoreError" });
    expect(await fourth.text.search({ workspaceId: 1, terms: ["again"], limit: 5 })).toEqual([]);
    expect(await fourth.identity()).not.toBe(before);
    await fourth.close();
    const file = join(await folder(), "file");
    await writeFile(file, "");
    await expect(openLanceStore({ folder: file })).rejects.toThrow(/Can't use the folder/);
  });

  it("moves a damaged table aside once, however many searches of two processes fail", async () => {
    const path = await folder();
    let last = Promise.resolve();
    const writer = (work: () => Promise<void>): Promise<void> => {
      const run = last.then(work);
      last = run.catch(() => undefined);
      return run;
    };
    const first = await openLanceStore({ folder: path, writer });
    await first.text.upsert([row("again")]);
    await first.close();
    for (const part of await readdir(join(path, "text.lance", "data")))
      await writeFile(join(path, "text.lance", "data", part), "garbage");
    const stores = await Promise.all([1, 2].map(() => openLanceStore({ folder: path, writer })));
    const search = ({ text }: VectorStore) =>
      text.search({ workspaceId: 1, terms: ["again"], limit: 5 }).catch(() => null);
    for (let round = 0; round < 4; round++)
      await Promise.all(Array.from({ length: 16 }, (_, n) => search(stores[n % 2]!)));
    expect(await readdir(join(path, "damaged"))).toHaveLength(1);
    await stores[0]!.text.upsert([row("again")]);
    for (const store of stores) expect(await search(store)).toHaveLength(1);
    await Promise.all(stores.map((store) => store.close()));
  });
});
