import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { poll } from "@carrel/testing";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { connect } from "@lancedb/lancedb";
import { cosine, randomSource, randomVector } from "../test/fixture.ts";
import { holdReads } from "../test/hold-reads.ts";
import { writerTurns } from "../test/writer-turns.ts";
import { rescore } from "./bm25.ts";
import { openLanceStore, type LanceStore } from "./lance-store.ts";
import type { LanceTextIndex } from "./lance-text-index.ts";
import type { LanceVectorIndex } from "./lance-vector-index.ts";

const dimensions = 24;
const model = { model: "made-up", dimensions };
const words = ["crane", "ferry", "harbour", "quay", "buoy", "tide"];
const random = randomSource(11);
const pick = (below: number): number => Math.floor(random() * below);

interface Row {
  id: string;
  workspaceId: number;
  documentId: string;
  version: number;
  terms: string[];
  vector: Float32Array;
}
const makeRow = (documentId = `document${pick(12)}`, workspaceId = 1 + pick(2)): Row => ({
  id: randomUUID(),
  workspaceId,
  documentId,
  version: 1 + pick(2),
  terms: Array.from({ length: 3 + pick(9) }, () => words[pick(words.length)]!),
  vector: randomVector(random, dimensions),
});
const makeRows = (count: number): Row[] => Array.from({ length: count }, () => makeRow());

let folder: string;
let turns: ReturnType<typeof writerTurns>;
const stores: LanceStore[] = [];
const open = async (memoryBytes = 64 << 20): Promise<Opened> => {
  const store = await openLanceStore({
    folder,
    optimizeEveryMs: 1e9,
    writer: turns.writer,
    memoryBytes,
  });
  stores.push(store);
  return new Opened(store);
};
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "carrel-snapshots-"));
  turns = writerTurns();
});
afterEach(async () => {
  await Promise.all(stores.splice(0).map((store) => store.close()));
  await rm(folder, { recursive: true, force: true });
});

/** Both indexes of a store. */
class Opened {
  readonly text: LanceTextIndex;
  readonly vectors: LanceVectorIndex;

  constructor(readonly store: LanceStore) {
    this.text = store.text as LanceTextIndex;
    this.vectors = store.vectors(model) as LanceVectorIndex;
  }

  private get indexes(): [LanceTextIndex, LanceVectorIndex] {
    return [this.text, this.vectors];
  }

  async upsert(rows: Row[], first = false): Promise<void> {
    await Promise.all([this.text.upsert(rows, { first }), this.vectors.upsert(rows, { first })]);
  }
  async each(work: (index: LanceTextIndex | LanceVectorIndex) => Promise<void>): Promise<void> {
    await Promise.all(this.indexes.map(work));
  }

  async search(workspaceId: number, terms: string[], vector: Float32Array, documents?: string[]) {
    const asked = { workspaceId, limit: 5_000, ...(documents && { documentIds: documents }) };
    const [text, dense] = await Promise.all([
      this.text.search({ ...asked, terms }),
      this.vectors.search({ ...asked, vector }),
    ]);
    return { text, dense };
  }

  /** Counts the queries of both tables from now on. */
  async countQueries(): Promise<() => number> {
    let queries = 0;
    for (const { table } of this.indexes) {
      const opened = await table.open();
      for (const name of ["query", "vectorSearch"] as const) {
        const method = opened[name].bind(opened) as (...args: unknown[]) => unknown;
        Object.assign(opened, {
          [name]: (...args: unknown[]) => {
            queries++;
            return method(...args);
          },
        });
      }
    }
    return () => queries;
  }

  /** Searches until both workspaces are in memory. */
  async load(): Promise<() => number> {
    const queries = await this.countQueries();
    await poll(async () => {
      const before = queries();
      for (const workspaceId of [1, 2]) await this.search(workspaceId, words, random1);
      return queries() - before;
    }).toBe(0);
    return queries;
  }
}
const random1 = randomVector(random, dimensions);

/** Checks that searches find the right rows among these, by comparing all of them. */
async function expectFound(opened: Opened, all: readonly Row[], documents?: string[]) {
  for (const workspaceId of [1, 2]) {
    const rows = all.filter((row) => row.workspaceId === workspaceId);
    const wanted = rows.filter(({ documentId }) => documents?.includes(documentId) ?? true);
    const vector = randomVector(random, dimensions);
    const terms = [words[pick(words.length)]!, "quay", "quay"];
    const { text, dense } = await opened.search(workspaceId, terms, vector, documents);
    const frequencies = new Map<string, number>();
    for (const row of rows)
      for (const term of new Set(row.terms))
        frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
    const statistics = {
      documentCount: rows.length,
      frequencies,
      averageLength: rows.reduce((sum, row) => sum + row.terms.length, 0) / (rows.length || 1),
    };
    expect(await opened.text.statistics({ workspaceId, terms: words })).toEqual(statistics);
    expect(text).toEqual(rescore(wanted, terms, statistics));
    const scores = new Map(wanted.map((row) => [row.id, cosine(row.vector, vector)]));
    expect(new Set(dense.map(({ id }) => id))).toEqual(new Set(scores.keys()));
    for (const { id, score } of dense) expect(score).toBeCloseTo(scores.get(id)!, 3);
    expect(dense.map(({ score }) => score)).toEqual(
      dense.map(({ score }) => score).sort((a, b) => b - a),
    );
  }
}

describe("terms and vectors in memory", () => {
  it("find what all rows together have, after each write of two processes", async () => {
    const rows = new Map(makeRows(400).map((row) => [row.id, row]));
    const pair = [await open(), await open()];
    await pair[0]!.upsert([...rows.values()]);
    const counters = [await pair[0]!.load(), await pair[1]!.load()];
    const remove = (isGone: (row: Row) => boolean): void => {
      for (const row of [...rows.values()].filter(isGone)) rows.delete(row.id);
    };
    for (let round = 0; round < 16; round++) {
      const writer = pair[pick(2)]!;
      const kind = round % 8;
      if (kind < 2) {
        // In round 9, more rows than fit into one turn of the event loop.
        const added = makeRows(round === 9 ? 900 : 1 + pick(20));
        await writer.upsert(added, kind === 0);
        for (const row of added) rows.set(row.id, row);
      } else if (kind === 2) {
        // Some of them move to the other workspace.
        const ids = Array.from({ length: 7 }, () => [...rows.keys()][pick(rows.size)]!);
        const replaced = [...new Set(ids)].map((id) => ({ ...makeRow(), id }));
        await writer.upsert(replaced);
        for (const row of replaced) rows.set(row.id, row);
      } else if (kind === 3) {
        const gone = [`document${pick(12)}`, `document${pick(12)}`];
        await writer.each((index) => index.deleteByDocuments(1, gone));
        remove((row) => row.workspaceId === 1 && gone.includes(row.documentId));
      } else if (kind === 4) {
        const gone = `document${pick(12)}`;
        await writer.each((index) => index.deleteByDocument(2, gone, { exceptVersion: 2 }));
        remove((row) => row.workspaceId === 2 && row.documentId === gone && row.version !== 2);
      } else if (kind === 5) await writer.store.optimize();
      else if (kind === 6) {
        await Promise.all(
          pair.map(async (one) => {
            const added = makeRows(3);
            for (const row of added) rows.set(row.id, row);
            await one.upsert(added);
          }),
        );
      } else if (round > 8) {
        await writer.each((index) => index.deleteWorkspace(2));
        remove((row) => row.workspaceId === 2);
      }
      for (const opened of pair) {
        await expectFound(opened, [...rows.values()]);
        await expectFound(opened, [...rows.values()], ["document3", "document5", "elsewhere"]);
      }
    }
    // A workspace that has lost most of its rows is read again.
    await poll(async () => {
      const before = counters.map((queries) => queries());
      for (const opened of pair) await expectFound(opened, [...rows.values()]);
      return counters.every((queries, n) => queries() === before[n]);
    }).toBe(true);
  });

  it("answer while they are loaded again, while others write, and while the lease is taken", async () => {
    const rows = new Map(makeRows(300).map((row) => [row.id, row]));
    const opened = await open();
    await opened.upsert([...rows.values()]);
    const queries = await opened.load();
    // As if by a process killed before its entry in the log, or by an older version.
    const missed = makeRow("missed", 1);
    const raw = await connect(folder);
    const table = await raw.openTable("text");
    await table.add([
      {
        id: missed.id,
        workspace_id: 1,
        document_id: missed.documentId,
        version: 1,
        terms: "lighthouse",
      },
    ]);
    const find = () => opened.text.search({ workspaceId: 1, terms: ["lighthouse"], limit: 5 });
    const held = await holdReads(await opened.text.table.open());
    const added = makeRow("added", 1);
    await opened.upsert([added]);
    const before = queries();
    // While the reload is held, the previous terms answer, including what is written meanwhile.
    expect(await find()).toEqual([]);
    await poll(() => held.count()).toBe(1);
    await opened.upsert([{ ...added, terms: ["lantern"] }]);
    const lantern = () => opened.text.search({ workspaceId: 1, terms: ["lantern"], limit: 5 });
    expect((await lantern()).map(({ id }) => id)).toEqual([added.id]);
    // The same while another process has the lease and our write waits for it.
    const release = await turns.hold();
    const waiting = opened.upsert([makeRow("waiting", 1)]);
    expect(await find()).toEqual([]);
    expect((await lantern()).map(({ id }) => id)).toEqual([added.id]);
    release();
    await waiting;
    expect(queries() - before).toBe(1);
    held.release();
    await poll(async () => (await find()).map(({ id }) => id)).toEqual([missed.id]);
    expect((await lantern()).map(({ id }) => id)).toEqual([added.id]);
    raw.close();
  });

  it("don't keep the first searches waiting", async () => {
    const rows = makeRows(300);
    await (await open()).upsert(rows);
    const opened = await open();
    const held = await holdReads(await opened.text.table.open());
    const heldVectors = await holdReads(await opened.vectors.table.open());
    await poll(async () => {
      // The counts of all rows are read with the first search; only loads are held.
      const { text, dense } = await opened.search(1, ["quay"], random1);
      expect(dense).toHaveLength(rows.filter((row) => row.workspaceId === 1).length);
      expect(new Set(text.map(({ id }) => id))).toEqual(
        new Set(
          rows
            .filter((row) => row.workspaceId === 1 && row.terms.includes("quay"))
            .map(({ id }) => id),
        ),
      );
      return [held.count(), heldVectors.count()];
    }).toEqual([1, 1]);
    const added = makeRows(20);
    await opened.upsert(added);
    await opened.text.deleteByDocument(1, "document3");
    await opened.vectors.deleteByDocument(1, "document3");
    held.release();
    heldVectors.release();
    await opened.load();
    const left = [...rows, ...added].filter(
      (row) => row.workspaceId === 2 || row.documentId !== "document3",
    );
    await expectFound(opened, left);
  });

  it("aren't loaded if they don't fit, and found in files", async () => {
    const rows = new Map(makeRows(200).map((row) => [row.id, row]));
    const opened = await open(1_000);
    await opened.upsert([...rows.values()]);
    const queries = await opened.countQueries();
    for (let round = 0; round < 3; round++) {
      const before = queries();
      await expectFound(opened, [...rows.values()]);
      expect(queries()).toBeGreaterThan(before);
      const row = makeRow();
      rows.set(row.id, row);
      await opened.upsert([row]);
    }
  });
});
