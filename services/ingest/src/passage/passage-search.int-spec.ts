import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  candidateFate,
  describePlaces,
  listLeadPassages,
  listRetrievalFacets,
  type SearchTrace,
} from "@carrel/contracts";
import type { Logger } from "@carrel/observability";
import { openVectorStore } from "@carrel/vector-store";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import {
  startTestIngest,
  textsOf,
  workspaceScope,
  type TestIngest,
} from "../../test/test-ingest.ts";
import { ChunkSampleRepository } from "../chunking/chunk.repository.ts";
import type { IndexStore } from "../index/index-store.ts";
import { SearchWarmer } from "./passage.module.ts";

let ingest: TestIngest;
let ids: Record<"pump" | "copy" | "boiler" | "sheet" | "other", string>;
const pump =
  "The heat pump in the cellar runs at a flow temperature of 48 degrees. It was installed by Anna Becker in spring, and it is serviced each autumn before the first frost.";

beforeAll(async () => {
  ingest = await startTestIngest();
  const add = async (name: string, text: string, folder?: string): Promise<string> => {
    const id = await ingest.upload(1, name, text, folder === undefined ? {} : { folder });
    await ingest.until(1, id, "embedded");
    return id;
  };
  ids = {
    pump: await add("pump.md", pump, "house"),
    copy: await add("pump-copy.txt", `${pump}\n`, "house/old"),
    boiler: await add(
      "boiler.txt",
      "The old boiler ran at a flow temperature of 70 degrees until the heat pump took its place.",
      "archive",
    ),
    sheet: await add("readings.csv", "day,flow temperature\nMonday,47\nTuesday,49\n", "house"),
    other: await add("cake.txt", "A cake of apples and cinnamon is baked for an hour."),
  };
  await ingest.sql(
    `UPDATE ingest.document SET tags = '{Heating,Winter}' WHERE id = ANY($1::uuid[])`,
    [[ids.pump, ids.boiler]],
  );
  await ingest.sql(`UPDATE ingest.document SET created_at = '2020-05-05T12:00:00Z' WHERE id = $1`, [
    ids.boiler,
  ]);
});
afterAll(async () => {
  await ingest?.stop();
});

const question = "What is the flow temperature of the heat pump?";
const search = async (more: Parameters<TestIngest["search"]>[2] = {}) =>
  ingest.search(1, question, { similarityThreshold: 0, topN: 10, ...more });
const found = async (
  filter: NonNullable<Parameters<TestIngest["search"]>[2]>["filter"],
): Promise<string[]> => (await search({ filter })).passages.map((passage) => passage.documentId);
const fatesOf = ({ documents, candidates }: SearchTrace): [string, string][] =>
  candidates.map((row) => [documents[row[0]!]!, candidateFate.options[row[11]!]!]);

describe("a search", () => {
  it("scores passages as if the question had no fillers", async () => {
    const scoresOf = async (asked: string): Promise<(number | null)[]> =>
      (await ingest.search(1, asked, { mode: "text" })).passages.map(({ textScore }) => textScore);
    const scores = await scoresOf(question);
    expect(scores.length).toBeGreaterThan(0);
    const asked = "Hello, what's the flow temperature of the heat pump, and what else? Thanks!";
    expect(await scoresOf(asked)).toEqual(scores);
  });

  it("lists the beginnings of the newest documents, of one workspace only and without scores", async () => {
    const list = async (workspaceId: number, documents: number) =>
      (
        await ingest.client.request(
          listLeadPassages,
          { documents, passages: 2 },
          { scope: workspaceScope(workspaceId) },
        )
      ).passages;
    const [newest] = await list(1, 1);
    expect(newest).toMatchObject({ documentId: ids.other, score: 0, textScore: null });
    expect(newest!.text).toContain("A cake of apples");
    expect(new Set((await list(1, 50)).map(({ documentId }) => documentId)).size).toBe(5);
    expect(await list(2, 50)).toEqual([]);
  });

  it("drops duplicates of a better passage and reports them in the trace", async () => {
    const { passages, trace } = await search({ trace: 50 });
    const either = passages.filter(
      ({ documentId }) => documentId === ids.pump || documentId === ids.copy,
    );
    expect(either).toHaveLength(1);
    const fates = fatesOf(trace!);
    const duplicate = fates.find(([, fate]) => fate === "duplicate");
    expect([ids.pump, ids.copy]).toContain(duplicate?.[0]);
    const row = trace!.candidates[fates.indexOf(duplicate!)]!;
    expect(trace!.documents[trace!.candidates[row[12]! - 1]![0]!]).toBe(either[0]!.documentId);
    expect(trace).toMatchObject({
      query: question,
      topN: 10,
      threshold: 0,
      documentCount: 5,
      candidateCount: fates.length,
      rerank: { kind: "built-in" },
    });
    expect(trace!.embedder).not.toBeNull();
    expect(trace!.words.map(({ text }) => text)).toEqual(
      expect.arrayContaining(["flow", "temperature", "pump"]),
    );
    expect(trace!.words.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1, 2);
  });

  it("names the candidates of a trace for someone who looks at it now", async () => {
    const { trace, names } = await search({ trace: 50, names: true });
    const places = trace!.candidates.map(([document, start, end]) => ({
      documentId: trace!.documents[document!]!,
      start: start!,
      end: end!,
    }));
    const described = await ingest.client.request(
      describePlaces,
      { places },
      { scope: workspaceScope(1) },
    );
    expect(names!.map((name) => name?.title)).toContain("pump.md");
    expect(described.places).toEqual(
      names!.map((name) => ({ ...name, excerpt: expect.any(String) as unknown })),
    );
    expect((await search({ trace: 50 })).names).toBeUndefined();
  });

  it("reports candidates below the threshold, beyond top N and already in the prompt", async () => {
    const { passages, trace } = await search({
      trace: 50,
      topN: 1,
      similarityThreshold: 0.6,
      mode: "text",
      excludeDocumentIds: [ids.pump, ids.copy],
    });
    expect(passages.map(({ documentId }) => documentId)).not.toContain(ids.pump);
    const fates = fatesOf(trace!);
    expect(fates).toEqual(
      expect.arrayContaining([
        [ids.pump, "in-prompt"],
        [ids.copy, "in-prompt"],
      ]),
    );
    expect(trace!.embedder).toBeNull();
    expect(
      (await search({ trace: 50, topN: 1 })).trace!.candidates.map(
        (row) => candidateFate.options[row[11]!],
      ),
    ).toEqual(expect.arrayContaining(["kept", "over-top-n"]));
    const strict = (await search({ trace: 50, similarityThreshold: 1 })).trace!;
    expect(strict.candidates.some((row) => row[7]! < 1)).toBe(true);
    expect(
      strict.candidates
        .filter((row) => row[7]! < 1)
        .map((row) => candidateFate.options[row[11]!]!)
        .filter((fate) => fate !== "below-threshold"),
    ).toEqual([]);
    expect((await search({ trace: 2 })).trace!.candidates).toHaveLength(2);
    expect((await search()).trace).toBeNull();
  });

  it("searches only documents that match the filter", async () => {
    expect(new Set(await found({ folders: ["archive"] }))).toEqual(new Set([ids.boiler]));
    // Includes subfolders, but not folders that merely share the prefix.
    const inHouse = await found({ folders: ["house"] });
    expect(inHouse).toContain(ids.sheet);
    expect(inHouse).not.toContain(ids.boiler);
    expect(await found({ folders: ["hous"] })).toEqual([]);
    expect(await found({ folders: ["house/old"] })).toEqual([ids.copy]);
    expect(await found({ types: ["csv"] })).toEqual([ids.sheet]);
    expect(await found({ types: [".CSV"] })).toEqual([ids.sheet]);
    expect(new Set(await found({ types: ["text/*"], folders: ["archive", "house/old"] }))).toEqual(
      new Set([ids.boiler, ids.copy]),
    );
    expect(new Set(await found({ tags: ["heating"] }))).toEqual(new Set([ids.pump, ids.boiler]));
    expect(await found({ tags: ["heating", "summer"], addedUntil: "2020-05-05" })).toEqual([
      ids.boiler,
    ]);
    expect(await found({ addedFrom: "2020-05-05", addedUntil: "2020-05-05T11:00:00Z" })).toEqual(
      [],
    );
    expect(await found({ addedFrom: "2020-05-06" })).not.toContain(ids.boiler);
    expect(await found({ addedFrom: "0000-01-01", addedUntil: "9999-12-31" })).toContain(
      ids.boiler,
    );
    expect(
      await found({ folders: ["%", "ho_se", "\\"], types: ["*/*", "/"], tags: ["\ud800"] }),
    ).toEqual([]);
    expect(await found({ documentIds: [ids.other] })).toEqual([ids.other]);
    expect(await found({ folders: [], tags: [] })).toContain(ids.boiler);
    const places = { documentIds: [ids.boiler], folders: ["house/old"] };
    expect(new Set(await found({ places }))).toEqual(new Set([ids.boiler, ids.copy]));
    const nothing = await search({ filter: { folders: ["nowhere"] }, trace: 5 });
    const { passages, trace, documentCount } = nothing;
    expect([passages, trace?.documentCount, documentCount]).toEqual([[], 0, 5]);
  });

  it("lists the available filter values", async () => {
    const facets = await ingest.client.request(
      listRetrievalFacets,
      { slug: "w1" },
      { scope: workspaceScope(1) },
    );
    expect(facets.folders.find(({ value }) => value === "house")).toEqual({
      value: "house",
      documents: 2,
    });
    expect(facets.tags).toEqual([
      { value: "Heating", documents: 2 },
      { value: "Winter", documents: 2 },
    ]);
    expect(facets.types.reduce((sum, { documents }) => sum + documents, 0)).toBe(5);
    expect(
      await ingest.client.request(
        listRetrievalFacets,
        { slug: "w2" },
        { scope: workspaceScope(2) },
      ),
    ).toEqual({ folders: [], types: [], tags: [] });
  });

  it("uses the built-in reranker if no model is configured", async () => {
    const { trace, passages } = await search({ rerank: true, trace: 50 });
    expect(trace!.rerank).toMatchObject({
      kind: "built-in",
      model: null,
      fault: null,
      count: trace!.candidates.length,
    });
    expect(trace!.candidates.every((row) => row[10] !== null)).toBe(true);
    expect(textsOf(passages)[0]).toContain("flow temperature");
  });

  it("warms up the largest workspaces, logs errors and leaves them to the first search", async () => {
    const rows = await ingest.sql<{ workspace_id: number; chunks: string }>(
      `SELECT workspace_id, sum(chunk_count) AS chunks
      FROM ingest.workspace_document
      WHERE index_version IS NOT NULL
      GROUP BY 1`,
    );
    const chunks = new ChunkSampleRepository(ingest.source);
    const folder = await mkdtemp(path.join(tmpdir(), "carrel-warm-"));
    const store = await openVectorStore({ settings: {}, folder });
    const warned: object[] = [];
    const logger = { warn: (details: object) => warned.push(details) } as unknown as Logger;
    const warmerOf = (text: () => Promise<typeof store.text>): SearchWarmer =>
      new SearchWarmer(chunks, { text } as IndexStore, logger);
    const warmer = warmerOf(() => Promise.resolve(store.text));
    expect(rows.map((row) => row.workspace_id)).toEqual([1]);
    expect(await warmer.warm(Number(rows[0]!.chunks))).toEqual([1]);
    expect(await warmer.warm(Number(rows[0]!.chunks) + 1)).toEqual([]);
    expect(warned).toEqual([]);
    expect(await warmerOf(() => Promise.reject(new Error("unreachable"))).warm(1)).toEqual([]);
    expect(warned).toEqual([{ err: new Error("unreachable"), counted: [] }]);
    await store.close();
    await rm(folder, { recursive: true });
  });

  it("searches deeper if rows of removed documents filled all places", async () => {
    const note = await ingest.upload(
      2,
      "note.txt",
      "A note beside the cellar door, about wine and apples, says in its last line: look at the flow temperature.",
    );
    const paragraph =
      "The flow temperature of the heat pump is the flow temperature of the heat pump. ".repeat(12);
    const long = await ingest.upload(
      2,
      "long.md",
      Array.from({ length: 90 }, (_, n) => `# Part ${n}\n\n${paragraph}\n`).join("\n"),
    );
    for (const id of [note, long]) await ingest.until(2, id, "embedded");
    // Simulates the time between a removal and the index sweep, when only PostgreSQL knows.
    await ingest.sql(
      `DELETE FROM ingest.workspace_document WHERE workspace_id = 2 AND document_id = $1`,
      [long],
    );
    for (const mode of ["text", "hybrid"] as const)
      expect(
        (await ingest.search(2, question, { mode, topN: 4, similarityThreshold: 0 })).passages.map(
          ({ documentId }) => documentId,
        ),
      ).toEqual([note]);
  });

  it("describes only places in its own workspace", async () => {
    const places = [
      { documentId: ids.pump, start: 0, end: 40 },
      { documentId: ids.other, start: 0, end: 9_999 },
      { documentId: "00000000-0000-4000-8000-000000000000", start: 0, end: 5 },
    ];
    const described = await ingest.client.request(
      describePlaces,
      { places },
      { scope: workspaceScope(1) },
    );
    expect(described.places.map((place) => place && [place.title, place.excerpt])).toEqual([
      ["pump.md", pump.slice(0, 40)],
      ["cake.txt", "A cake of apples and cinnamon is baked for an hour."],
      null,
    ]);
    expect(
      (await ingest.client.request(describePlaces, { places }, { scope: workspaceScope(2) }))
        .places,
    ).toEqual([null, null, null]);
  });
});
