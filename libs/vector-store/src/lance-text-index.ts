import { Index, MatchQuery, type Query, type Table, type TakeQuery } from "@lancedb/lancedb";
import { arrow } from "./arrow.ts";
import { rescore } from "./bm25.ts";
import type { LanceHome } from "./lance-home.ts";
import { tenant, type LanceRow } from "./lance-row.ts";
import { LanceTable } from "./lance-table.ts";
import { documentFilter, ofDocuments } from "./lance-vector-index.ts";
import { RowCache } from "./row-cache.ts";
import { sampleRows, TermCountCache, TermCounts } from "./term-counts.ts";
import { TermSnapshots } from "./term-snapshots.ts";
import type { TermStatistics, TextHit, TextIndex, TextRow } from "./text-index.ts";
import type { First } from "./vector-index.ts";

/**
 * More candidates are read than requested, because the store ranks them by the IDF of all tenants.
 */
const overfetch = 2;
const minCandidates = 100;
/**
 * Terms cached by row address: about 40,000 chunks, 50 MB. A workspace with more is read from the
 * table at every search.
 */
const keptTerms = 5_000_000;
const internedTerms = 200_000;
/** Consecutive rows per run of a sample, and sampled rows read together. */
const drawnRun = 50,
  addressesPerFetch = 2_000;

/**
 * Terms are stored as one string that the store only splits at white space; stemming and folding
 * are up to the analyser. Candidates are ranked by the workspace's own statistics, which are kept in
 * memory and updated by our writes. Searches use the terms in memory (`TermSnapshots`) once they are
 * loaded.
 */
export class LanceTextIndex implements TextIndex {
  readonly table: LanceTable;
  /**
   * One string per term wherever it occurs: saves memory, and its hash is already computed on
   * lookup.
   */
  private readonly interned = new Map<string, string>();
  private readonly rows = new RowCache({
    columns: ["id", "terms"],
    read: (column) => ({
      id: column("id"),
      terms: column("terms")
        .split(" ")
        .map((term) => this.intern(term)),
    }),
    maxSize: keptTerms,
    sizeOf: (row) => row.terms.length,
  });
  private readonly snapshots = new TermSnapshots();
  private readonly counts = new TermCountCache((workspaceId, done) => this.load(workspaceId, done));

  constructor(
    home: LanceHome,
    private readonly countedRows = sampleRows,
  ) {
    this.table = new LanceTable(
      home,
      "text",
      new arrow.Schema([
        new arrow.Field("id", new arrow.Utf8(), false),
        new arrow.Field("workspace_id", new arrow.Int32(), false),
        new arrow.Field("document_id", new arrow.Utf8(), false),
        new arrow.Field("version", new arrow.Int32(), false),
        new arrow.Field("terms", new arrow.Utf8(), false),
      ]),
      () => ({
        id: Index.btree(),
        workspace_id: Index.bitmap(),
        document_id: Index.btree(),
        terms: Index.fts({
          baseTokenizer: "whitespace",
          withPosition: false,
          lowercase: false,
          stem: false,
          removeStopWords: false,
          asciiFolding: false,
          maxTokenLength: 256,
        }),
      }),
      {
        commit: (rows, replaced) => this.follow(rows, replaced),
        foreign: () => {
          this.counts.clear();
          this.rows.clear();
          this.snapshots.clear();
        },
        optimized: (table) => this.rows.moved(table),
      },
    );
  }

  async ensure(): Promise<void> {
    await this.table.open();
  }

  async upsert(rows: TextRow[], options: { first?: First } = {}): Promise<void> {
    for (const row of rows) tenant(row.workspaceId);
    await this.table.upsert(
      rows.map((row) => ({
        id: row.id,
        workspace_id: row.workspaceId,
        document_id: row.documentId,
        version: row.version,
        terms: row.terms.join(" "),
      })),
      options.first,
    );
  }

  async search({
    workspaceId,
    terms,
    limit,
    documentIds,
  }: {
    workspaceId: number;
    terms: string[];
    limit: number;
    documentIds?: readonly string[];
  }): Promise<TextHit[]> {
    const asked = terms.filter(Boolean);
    if (!asked.length || limit < 1) return [];
    const statistics = await this.statistics({ workspaceId, terms: asked });
    // Terms that occur in no chunk of the workspace add work but no score. A sample cannot tell
    // which those are.
    const present = statistics.isSample
      ? asked
      : asked.filter((term) => statistics.frequencies.has(term));
    if (!present.length) return [];
    const inMemory = await this.table.read(async (table) => {
      await this.table.watch();
      const postings = this.snapshots.find(table, workspaceId);
      return postings?.search(present, statistics, limit, documentIds) ?? null;
    });
    if (inMemory) return inMemory;
    const candidates = await this.table.read(async (table) => {
      const query = () =>
        table
          .query()
          .fullTextSearch(new MatchQuery([...new Set(present)].join(" "), "terms"))
          .where(ofDocuments(workspaceId, documentIds))
          .limit(Math.max(minCandidates, limit * overfetch));
      const found = await query().select(["_score"]).withRowId().toArrow();
      return (
        (await this.rows.find(table, found, tenant(workspaceId))) ??
        this.rows.readAll(await query().select(["id", "terms", "_score"]).toArrow())
      );
    });
    return rescore(
      [...new Map(candidates.map((row) => [row.id, row])).values()],
      present,
      statistics,
    ).slice(0, limit);
  }

  async statistics({
    workspaceId,
    terms,
  }: {
    workspaceId: number;
    terms: string[];
  }): Promise<TermStatistics> {
    await this.table.watch();
    return (await this.counts.get(workspaceId)).statistics(terms);
  }

  deleteByDocument(
    workspaceId: number,
    documentId: string,
    options: { exceptVersion?: number } = {},
  ): Promise<void> {
    return this.delete(
      workspaceId,
      documentFilter(workspaceId, documentId, options.exceptVersion),
      () => this.snapshots.forget(workspaceId),
    );
  }
  deleteByDocuments(workspaceId: number, documentIds: readonly string[]): Promise<void> {
    const deleted = new Set(documentIds);
    return this.delete(workspaceId, ofDocuments(workspaceId, documentIds), () =>
      this.snapshots.removed(workspaceId, (_id, documentId) => deleted.has(documentId)),
    );
  }

  /** Updates the counts, or reloads them if they were sampled. */
  private delete(workspaceId: number, filter: string, after: () => void): Promise<void> {
    return this.table.delete(filter, {
      before: async (table) => {
        const counts = this.counts.peek(workspaceId);
        if (counts?.isSample) this.counts.delete(workspaceId);
        else if (counts)
          await eachTermList(table.query().where(filter), (terms) => counts.add(terms, -1));
      },
      after,
    });
  }

  async deleteWorkspace(workspaceId: number): Promise<void> {
    await this.table.delete(tenant(workspaceId), {
      before: () => this.counts.delete(workspaceId),
      after: () => this.snapshots.forget(workspaceId),
    });
  }
  drop(): Promise<void> {
    return this.table.drop();
  }
  async health(): Promise<void> {
    await this.table.read((table) => table.version(), false);
  }

  /** Waits for running reads and writes. */
  async close(): Promise<void> {
    await Promise.all([this.snapshots.close(), this.rows.close()]);
    await this.table.close();
  }

  private intern(term: string): string {
    const known = this.interned.get(term);
    if (known !== undefined) return known;
    if (this.interned.size >= internedTerms) this.interned.clear();
    // A substring would keep the whole joined string alive.
    const own = Buffer.from(term).toString();
    this.interned.set(own, own);
    return own;
  }

  private load(workspaceId: number, done: (counts: TermCounts) => void): Promise<void> {
    return this.table.alone(async (table) => {
      const counts = new TermCounts();
      const chunks = await table.countRows(tenant(workspaceId));
      if (chunks <= this.countedRows)
        await eachTermList(table.query().where(tenant(workspaceId)), (terms) => counts.add(terms));
      else
        for (const addresses of await this.draw(table, workspaceId))
          await eachTermList(table.takeRowIds(addresses), (terms) => counts.sample(terms));
      counts.chunks = chunks;
      done(counts);
    });
  }

  /**
   * Row addresses from across the workspace, because chunks added together are about the same
   * topic. Drawn in runs, which read faster than single rows.
   */
  private async draw(table: Table, workspaceId: number): Promise<bigint[][]> {
    const column = (
      await table.query().where(tenant(workspaceId)).select(["version"]).withRowId().toArrow()
    ).getChild("_rowid");
    const length = column?.length ?? 0,
      runs = Math.max(1, Math.ceil(this.countedRows / drawnRun));
    const addresses = Array.from({ length: runs }, (_, run) => {
      const start = Math.floor((run * length) / runs);
      return Array.from({ length: Math.min(drawnRun, length - start) }, (__, row) =>
        BigInt(column!.get(start + row) as bigint),
      );
    }).flat();
    return Array.from({ length: Math.ceil(addresses.length / addressesPerFetch) }, (_, part) =>
      addresses.slice(part * addressesPerFetch, (part + 1) * addressesPerFetch),
    );
  }

  private follow(rows: LanceRow[], replaced: boolean): void {
    this.snapshots.added(rows, replaced);
    for (const row of rows) {
      const counts = this.counts.peek(row.workspace_id);
      // The terms of a replaced row are no longer known: recounted at the next search.
      if (counts && replaced) this.counts.delete(row.workspace_id);
      else counts?.add(String(row["terms"]).split(" "));
    }
  }
}

/**
 * Reads in batches and yields to the event loop between them: counting 10,000 chunks takes about
 * 150 ms.
 */
async function eachTermList(
  query: Query | TakeQuery,
  visit: (terms: string[]) => void,
): Promise<void> {
  for await (const batch of query.select(["terms"])) {
    const column = batch.getChild("terms");
    for (let row = 0; row < batch.numRows; row++) {
      visit(String(column?.get(row)).split(" "));
      if (row % 400 === 399) await new Promise<void>((resolve) => setImmediate(resolve));
    }
  }
}
