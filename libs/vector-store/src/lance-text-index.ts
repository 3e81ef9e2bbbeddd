import { Index, MatchQuery } from "@lancedb/lancedb";
import { arrow } from "./arrow.ts";
import { rescore } from "./bm25.ts";
import type { Deletion } from "./change-log.ts";
import type { LanceHome } from "./lance-home.ts";
import { inWorkspaces, ofDocuments, tenant } from "./lance-row.ts";
import { LanceTable } from "./lance-table.ts";
import { RowCache } from "./row-cache.ts";
import { TableSnapshots } from "./table-snapshots.ts";
import { TermCountCache } from "./term-count-cache.ts";
import { TermPostings } from "./term-postings.ts";
import type { First, TermStatistics, TextHit, TextIndex, TextRow } from "./vector-store.ts";

/** Estimated bytes of a typical chunk, to refuse workspaces that don't fit before reading them. */
const expectedBytesPerRow = 700;

/** The terms of recently searched workspaces. */
class TermSnapshots extends TableSnapshots<TermPostings> {
  protected override readonly columns = ["terms"];

  protected override estimate(rows: number): number {
    return rows * expectedBytesPerRow;
  }

  protected override make(): TermPostings {
    return new TermPostings();
  }

  protected override prepare(rows: TermPostings): Promise<void> {
    return rows.build();
  }
}

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

/**
 * Terms are stored as one string that the store only splits at white space; stemming and folding
 * are up to the analyser. Candidates are ranked by the workspace's own statistics, which are kept
 * in memory and updated by our writes. Searches use the terms in memory (`TermSnapshots`) once they
 * are loaded.
 */
export class LanceTextIndex implements TextIndex {
  readonly table: LanceTable;
  /**
   * One string per term wherever it occurs: saves memory, and lookups find its hash already
   * computed.
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
  private readonly snapshots: TermSnapshots;
  private readonly counts: TermCountCache;

  constructor(home: LanceHome, countedRows?: number) {
    this.snapshots = new TermSnapshots(home.memory);
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
        replacing: (table, rows) => this.counts.replacing(table, rows),
        changed: async (change, isOwn) => {
          // Addresses stay valid until the table is recreated.
          if (change.kind === "cleared") this.rows.clear();
          await this.snapshots.changed(change);
          await this.counts.changed(change, isOwn);
        },
        lost: () => {
          this.snapshots.lost();
          this.counts.lost();
        },
        optimized: (table) => this.rows.moved(table),
      },
    );
    this.counts = new TermCountCache(this.table, countedRows);
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
    return this.table.followed((table) => {
      const postings = this.snapshots.find(table, workspaceId);
      return postings
        ? postings.search(asked, postings.statistics(asked), limit, documentIds)
        : this.searchFiles(workspaceId, asked, limit, documentIds);
    });
  }

  private async searchFiles(
    workspaceId: number,
    asked: string[],
    limit: number,
    documentIds?: readonly string[],
  ): Promise<TextHit[]> {
    const statistics = (await this.counts.get(workspaceId)).statistics(asked);
    // Terms that occur in no chunk of the workspace add work but no score. A sample cannot tell
    // which those are.
    const present = statistics.isSample
      ? asked
      : asked.filter((term) => statistics.frequencies.has(term));
    if (!present.length) return [];
    const candidates = await this.table.read(async (table) => {
      const query = () =>
        table
          .query()
          .fullTextSearch(new MatchQuery([...new Set(present)].join(" "), "terms"))
          .where(ofDocuments(workspaceId, documentIds))
          .limit(Math.max(minCandidates, limit * overfetch));
      const found = await query().select(["_score"]).withRowId().toArrow();
      return (
        (await this.rows.find(table, found)) ??
        this.rows.readAll(await query().select(["id", "terms", "_score"]).toArrow())
      );
    });
    return rescore(
      [...new Map(candidates.map((row) => [row.id, row])).values()],
      present,
      statistics,
    ).slice(0, limit);
  }

  /**
   * Always searches the table: many workspaces don't fit into memory, and one query covers them
   * all.
   */
  async searchAcross({
    workspaceIds,
    terms,
    limit,
  }: {
    workspaceIds: readonly number[];
    terms: readonly string[];
    limit: number;
  }): Promise<string[]> {
    const asked = [...new Set(terms)].filter(Boolean);
    if (!asked.length || !workspaceIds.length || limit < 1) return [];
    return this.table.read(async (table) => {
      const found = await table
        .query()
        .fullTextSearch(new MatchQuery(asked.join(" "), "terms"))
        .where(inWorkspaces(workspaceIds))
        .limit(limit)
        .select(["id", "_score"])
        .toArrow();
      const ids = found.getChild("id");
      return Array.from({ length: found.numRows }, (_, row) => String(ids?.get(row)));
    });
  }

  async statistics({
    workspaceId,
    terms,
  }: {
    workspaceId: number;
    terms: string[];
  }): Promise<TermStatistics> {
    return this.table.followed(async (table) => {
      const postings = this.snapshots.find(table, workspaceId);
      if (!postings) return (await this.counts.get(workspaceId)).statistics(terms);
      this.counts.delete(workspaceId);
      return postings.statistics(terms);
    });
  }

  deleteByDocument(
    workspaceId: number,
    documentId: string,
    { exceptVersion }: { exceptVersion?: number } = {},
  ): Promise<void> {
    return this.delete({
      workspaceId,
      documentIds: [documentId],
      ...(exceptVersion !== undefined && { exceptVersion }),
    });
  }
  deleteByDocuments(workspaceId: number, documentIds: readonly string[]): Promise<void> {
    return this.delete({ workspaceId, documentIds });
  }
  async deleteWorkspace(workspaceId: number): Promise<void> {
    await this.delete({ workspaceId });
  }

  private delete(deletion: Deletion): Promise<void> {
    return this.table.delete(deletion, (table, filter) =>
      this.counts.removing(deletion.workspaceId, table, filter),
    );
  }
  drop(): Promise<void> {
    return this.table.drop();
  }
  async health(): Promise<void> {
    await this.table.read((table) => table.version(), false);
  }

  /** Waits for running reads and writes. */
  async close(): Promise<void> {
    await Promise.all([this.snapshots.close(), this.counts.close()]);
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
}
