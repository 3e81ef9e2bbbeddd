import { rm, writeFile, readdir } from "node:fs/promises";
import path from "node:path";
import { removeWorkspaceDocument, searchDocumentTexts } from "@carrel/contracts";
import { waitFor } from "@carrel/testing";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { connect } from "@lancedb/lancedb";
import {
  libraryScope,
  startTestIngest,
  textsOf,
  workspaceScope,
  type TestIngest,
} from "../test/test-ingest.ts";
import { serviceScope } from "./document/workspace-scope.ts";
import { IndexGarbage } from "./index/index-garbage.ts";

type Replica = Awaited<ReturnType<TestIngest["startReplica"]>>;

const paragraphs = (n: number) =>
  `Report ${n} mentions the keyword zebra${n} once.\n\n${Array.from({ length: 60 }, (_, i) => `Paragraph ${i} of report ${n} tells what happened at the harbour on day ${i} and what the crew of ship ${n} did about it. `).join("\n\n")}`;

/** One instance for all four tests, in order: each start of a replica takes seconds. */
describe("replicas of ingest on one data folder", () => {
  let ingest: TestIngest;
  let first: Replica;
  let second: Replica;
  let uploaded = 0;
  beforeAll(async () => {
    ingest = await startTestIngest({ elsewhere: true });
    [first, second] = await Promise.all([ingest.startReplica(), ingest.startReplica()]);
  });
  afterAll(async () => {
    await ingest?.stop();
  });

  /** Uploads that many new reports; `ids` by number of report. */
  const uploadAll = async (count: number): Promise<Map<number, string>> => {
    const numbers = Array.from({ length: count }, (_, n) => uploaded + n);
    uploaded += count;
    const ids = await Promise.all(
      numbers.map((n) => ingest.upload(1, `report-${n}.txt`, paragraphs(n))),
    );
    return new Map(numbers.map((n, i) => [n, ids[i]!]));
  };

  const countOf = async (states: string[]) =>
    (
      await ingest.sql<{ n: number }>(
        `SELECT count(*)::int AS n FROM ingest.workspace_document WHERE state = ANY($1)`,
        [states],
      )
    )[0]!.n;
  const until = (count: number, states: string[]) =>
    waitFor(async () => (await countOf(states)) >= count || null, {
      timeoutMs: 90_000,
      intervalMs: 10,
      what: `${count} documents to be ${states.join(" or ")}`,
    });

  /** Every live chunk is in both indexes exactly once, and nothing else is. */
  async function expectEachOnce(documents: number): Promise<void> {
    const chunks = await ingest.sql<{ id: string }>(
      `SELECT c.id FROM ingest.chunk c
      JOIN ingest.workspace_document w ON w.id = c.workspace_document_id
        AND w.index_version = c.version
      ORDER BY 1`,
    );
    const live = chunks.map((chunk) => chunk.id);
    expect((await ingest.sql(`SELECT 1 FROM ingest.document WHERE state = 'parsed'`)).length).toBe(
      documents,
    );
    expect(live.length).toBeGreaterThan(documents);
    const connection = await connect(path.join(ingest.config.CARREL_HOME, "index"));
    for (const name of await connection.tableNames()) {
      const table = await connection.openTable(name);
      const rows = (await table.query().select(["id"]).toArray()) as { id: string }[];
      expect(rows.map((row) => row.id).sort()).toEqual(live);
      table.close();
    }
    expect(await connection.tableNames()).toHaveLength(2);
    connection.close();
  }

  it("write one at a time", async () => {
    const uploading = uploadAll(16);
    const holders: number[] = [];
    let done = false;
    const watching = (async () => {
      while (!done) {
        const rows = await ingest.sql(
          `SELECT pid FROM pg_locks
          WHERE locktype = 'advisory'
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
            AND objid = 7304
            AND classid = 0
            AND granted`,
        );
        holders.push(rows.length);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    })();
    await uploading;
    await until(uploaded, ["embedded"]);
    done = true;
    await watching;
    expect(Math.max(...holders)).toBe(1);
    await expectEachOnce(uploaded);
  }, 120_000);

  it("when one of two is killed midway, the other takes over, and nothing is lost or duplicated", async () => {
    const before = uploaded;
    const [wanted] = [...(await uploadAll(16)).keys()].slice(9);
    await until(before + 4, ["searchable", "embedding", "embedded"]);
    await first.kill();
    expect(await countOf(["queued", "indexing", "searchable", "embedding"])).toBeGreaterThan(0);
    await until(uploaded, ["embedded"]);
    await expectEachOnce(uploaded);
    const { passages } = await ingest.search(1, `zebra${wanted}`, { mode: "text" });
    expect(textsOf(passages)[0]).toContain(`zebra${wanted} `);
  }, 120_000);

  it("when the only one is killed amid sixteen documents, it completes each exactly once after a restart", async () => {
    const before = uploaded;
    await uploadAll(16);
    await until(before + 4, ["searchable", "embedding", "embedded"]);
    await second.kill();
    expect(await countOf(["embedded"])).toBeLessThan(uploaded);
    await ingest.startReplica();
    await until(uploaded, ["embedded"]);
    await expectEachOnce(uploaded);
  }, 120_000);

  it("stop finding a removed document as soon as its removal is confirmed", async () => {
    await ingest.startReplica();
    const ids = await uploadAll(8);
    await until(uploaded, ["embedded"]);
    const search = (n: number, mode: "text" | "dense" | "hybrid") =>
      ingest.search(1, `zebra${n} at the harbour`, { mode, similarityThreshold: 0, topN: 20 });
    for (const [n, documentId] of ids) {
      await search(n, "hybrid");
      expect(
        await ingest.client.request(
          removeWorkspaceDocument,
          { slug: "w1", documentId, purge: n % 2 === 0 },
          { scope: workspaceScope(1) },
        ),
      ).toEqual({ success: true });
      // Either replica may answer, so several searches reach both.
      const found = await Promise.all(
        (["text", "dense", "hybrid", "text", "dense", "hybrid"] as const).map((mode) =>
          search(n, mode),
        ),
      );
      expect(
        found
          .flatMap(({ passages }) => passages)
          .filter((passage) => passage.documentId === documentId),
      ).toEqual([]);
    }
  }, 120_000);
});

describe("a superseded run", () => {
  let ingest: TestIngest | undefined;
  afterEach(async () => {
    await ingest?.stop();
    ingest = undefined;
  }, 60_000);

  it("doesn't affect the newer run's publication", async () => {
    ingest = await startTestIngest();
    await ingest.upload(1, "overtaken.txt", paragraphs(1));
    await waitFor(
      async () =>
        (await ingest!.sql(`SELECT 1 FROM ingest.workspace_document WHERE state = 'embedded'`))
          .length > 0 || null,
      { timeoutMs: 30_000, intervalMs: 20, what: "the document to be embedded" },
    );
    const [row] = await ingest.sql<{ id: number; version: number }>(
      `SELECT id, version FROM ingest.workspace_document`,
    );
    const { source } = ingest;
    const abandon = (version: number) =>
      source.transaction((manager) =>
        new IndexGarbage().abandon(serviceScope(1), manager, row!.id, version),
      );
    await abandon(row!.version);
    expect(await ingest.sql(`SELECT 1 FROM ingest.index_garbage`)).toEqual([]);
    // Rows of any other version are garbage.
    await abandon(row!.version + 7);
    expect(await ingest.sql(`SELECT 1 FROM ingest.index_garbage`)).toHaveLength(1);
    expect(textsOf((await ingest.search(1, "zebra1", { mode: "text" })).passages)[0]).toContain(
      "zebra1",
    );
  }, 60_000);
});

/** Lets no document be indexed, until the returned function is called. */
async function pauseIndexing({ sql }: TestIngest): Promise<() => Promise<unknown>> {
  await sql(`CREATE FUNCTION ingest.skip() RETURNS trigger LANGUAGE plpgsql
    AS 'BEGIN RETURN NULL; END'`);
  await sql(`CREATE TRIGGER pause BEFORE UPDATE ON ingest.workspace_document
    FOR EACH ROW WHEN (NEW.state = 'indexing') EXECUTE FUNCTION ingest.skip()`);
  return () => sql("DROP FUNCTION ingest.skip CASCADE");
}

describe("a lost index", () => {
  let ingest: TestIngest | undefined;
  afterEach(async () => {
    await ingest?.stop();
    ingest = undefined;
  }, 60_000);

  it("is rebuilt from PostgreSQL, whether its folder is missing or its table is damaged", async () => {
    ingest = await startTestIngest();
    const index = path.join(ingest.config.CARREL_HOME, "index");
    const id = await ingest.upload(
      1,
      "notes.txt",
      "The harbour crane was painted turquoise in spring.",
    );
    await ingest.until(1, id, "embedded");
    const works = () =>
      waitFor(
        async () => {
          const found = await ingest!
            .search(1, "What colour is the harbour crane?")
            .catch(() => null);
          return found?.fallback === null &&
            found.dense &&
            found.passages[0]?.text.includes("turquoise") &&
            found.passages[0].textScore !== null &&
            found.passages[0].denseScore !== null
            ? found
            : null;
        },
        { timeoutMs: 30_000, what: "search to work again" },
      );
    await works();
    const resume = await pauseIndexing(ingest);
    await ingest.restart(() => rm(index, { recursive: true }));
    // Until then, questions search the stored text and say so.
    const seen = await waitFor(
      async () => {
        const found = await ingest!.search(1, "What colour is the harbour crane?");
        return found.fallback && found;
      },
      { timeoutMs: 30_000, what: "the loss to be noticed" },
    );
    expect(seen.fallback).toEqual({
      store: "LanceDB",
      searched: "stored-text",
      isRebuilding: true,
    });
    expect(seen.passages[0]?.text).toContain("turquoise");
    const findText = () =>
      ingest!.client.request(
        searchDocumentTexts,
        { searchTerm: "turquoise" },
        { scope: libraryScope },
      );
    expect(await findText()).toEqual({ hits: [], isRebuilding: true });
    await resume();
    await works();
    expect(await findText()).toMatchObject({ hits: [{ workspace: {} }], isRebuilding: false });
    await ingest.restart(async () => {
      for (const name of await readdir(path.join(index, "text.lance", "_versions")))
        await writeFile(path.join(index, "text.lance", "_versions", name), "garbage");
    });
    await works();
    expect(await readdir(path.join(index, "damaged"))).toHaveLength(1);
    await ingest.restart(async () => {
      const vectors = (await readdir(index)).find((name) => name.startsWith("vector-"))!;
      await rm(path.join(index, vectors), { recursive: true });
    });
    await works();
    expect(
      (await ingest.sql<{ n: number }>(`SELECT count(*)::int AS n FROM ingest.chunk`))[0]!.n,
    ).toBe(1);
  }, 120_000);
});
