import type { Query, Table, TakeQuery } from "@lancedb/lancedb";
import { integerColumn, textColumn, type TableChange } from "./change-log.ts";
import { quote, tenant, type LanceRow } from "./lance-row.ts";
import type { LanceTable } from "./lance-table.ts";
import { Pause } from "./store-breaker.ts";
import type { TermStatistics } from "./vector-store.ts";

/** Document frequency of each term in one workspace. */
export class TermCounts {
  /** Number of chunks in the workspace; more than were counted if they were sampled. */
  chunks = 0;
  /** Changes were missed, so terms may be missing. */
  isOutdated = false;
  private counted = 0;
  private totalLength = 0;
  private readonly places = new Map<string, number>();
  private readonly counts: number[] = [];
  /** The last list in which each term was counted, so that it counts once per list. */
  private readonly last: number[] = [];
  private lists = 0;

  get isSample(): boolean {
    return this.isOutdated || this.chunks > this.counted;
  }
  /** Number of distinct terms. */
  get size(): number {
    return this.places.size;
  }

  /** Counts the terms of one chunk that was added or, with `by` -1, removed. */
  add(terms: string[], by: 1 | -1 = 1): void {
    this.chunks += by;
    this.count(terms, by);
  }

  /** Counts the terms of one sampled chunk; the caller sets `chunks`. */
  sample(terms: string[]): void {
    this.count(terms, 1);
  }

  private count(terms: string[], by: 1 | -1): void {
    this.counted += by;
    this.totalLength += by * terms.length;
    const list = ++this.lists;
    for (const term of terms) {
      let place = this.places.get(term);
      if (place === undefined) {
        place = this.counts.push(0) - 1;
        this.last.push(0);
        // A substring longer than 12 characters would keep the whole joined string alive.
        this.places.set(term.length > 12 ? Buffer.from(term).toString() : term, place);
      }
      if (this.last[place] === list) continue;
      this.last[place] = list;
      this.counts[place] = Math.max(0, this.counts[place]! + by);
    }
  }

  statistics(terms: string[]): TermStatistics {
    const scale = this.counted > 0 ? this.chunks / this.counted : 1;
    const frequencies = new Map<string, number>();
    for (const term of terms) {
      const place = this.places.get(term);
      const count = place === undefined ? 0 : this.counts[place]!;
      if (count > 0) frequencies.set(term, Math.round(count * scale));
    }
    return {
      documentCount: this.chunks,
      frequencies,
      averageLength: this.counted > 0 ? this.totalLength / this.counted : 0,
      ...(this.isSample && { isSample: true }),
    };
  }
}

/**
 * Maximum rows read for a workspace's counts. Larger workspaces are sampled evenly and scaled up;
 * the first search, which waits for it, samples fewer.
 */
const defaultCountedRows = 20_000,
  firstSample = 2_000;
/** Consecutive rows per run of a sample, and sampled rows read together. */
const drawnRun = 50,
  addressesPerFetch = 2_000;
/**
 * Distinct terms cached across all workspaces (about 80 bytes each); the least recently searched
 * workspaces are evicted first.
 */
const maxTerms = 2_000_000;
/** Pause before counting again: this multiple of the duration, and a minimum in ms. */
const restFactor = 20,
  minRestMs = 1_000;
const idsPerQuery = 500;

interface Counted {
  counts: TermCounts;
  /** When outdated counts may be counted again, in the background. */
  refreshFrom: number;
}

/**
 * Counts for searched workspaces whose terms aren't in memory (yet). They follow the table's
 * changes if the removed terms are known. A search waits only for the first count.
 */
export class TermCountCache {
  private readonly loaded = new Map<number, Counted>();
  private readonly loading = new Map<
    number,
    { counts: Promise<TermCounts>; isOutdated: boolean }
  >();

  constructor(
    private readonly table: Pick<LanceTable, "read">,
    private readonly countedRows = defaultCountedRows,
  ) {}

  async get(workspaceId: number): Promise<TermCounts> {
    const known = this.loaded.get(workspaceId);
    if (!known) return this.load(workspaceId, Math.min(firstSample, this.countedRows));
    this.loaded.delete(workspaceId);
    this.loaded.set(workspaceId, known);
    if (known.counts.isOutdated && performance.now() >= known.refreshFrom)
      // The next search that must read the table reports that it can't be read.
      void this.load(workspaceId, this.countedRows).catch(() => undefined);
    return known.counts;
  }

  delete(workspaceId: number): void {
    this.loaded.delete(workspaceId);
  }

  lost(): void {
    for (const { counts } of this.loaded.values()) counts.isOutdated = true;
    for (const load of this.loading.values()) load.isOutdated = true;
  }

  /** Called in the turn of a write that replaces these rows. */
  async replacing(table: Table, rows: readonly LanceRow[]): Promise<void> {
    for (const [workspaceId, own] of Map.groupBy(rows, (row) => row.workspace_id))
      if (this.loaded.has(workspaceId))
        for (let at = 0; at < own.length; at += idsPerQuery) {
          const ids = own.slice(at, at + idsPerQuery).map(({ id }) => quote(id));
          await this.removing(
            workspaceId,
            table,
            `${tenant(workspaceId)} AND id IN (${ids.join(", ")})`,
          );
        }
  }

  /** Called in the turn of a write that removes the rows matching this filter. */
  async removing(workspaceId: number, table: Table, filter: string): Promise<void> {
    const known = this.loaded.get(workspaceId);
    if (!known) return;
    const { counts } = known;
    if (counts.isSample) {
      counts.isOutdated = true;
      counts.chunks -= await table.countRows(filter);
      if (counts.chunks <= 0) this.loaded.delete(workspaceId);
    } else await eachTermList(table.query().where(filter), (terms) => counts.add(terms, -1));
  }

  /** Call this in the order of the changes. */
  async changed(change: TableChange, isOwn: boolean): Promise<void> {
    if (change.kind === "cleared") {
      this.loaded.clear();
      for (const load of this.loading.values()) load.isOutdated = true;
    } else if (change.kind === "deleted") this.outdate(change.workspaceId, isOwn);
    else if (change.kind === "added" && this.loaded.size + this.loading.size > 0)
      for (const batch of change.read().batches) {
        const workspaces = integerColumn(batch, "workspace_id"),
          terms = textColumn(batch, "terms");
        for (const workspaceId of new Set(workspaces))
          this.outdate(workspaceId, isOwn || !change.isReplacing);
        const pause = new Pause();
        for (let row = 0; row < batch.numRows; row++) {
          if (pause.isDue) await pause.rest();
          this.loaded.get(workspaces[row]!)?.counts.add(terms(row).split(" "));
        }
      }
  }

  /** Waits for counts in progress, so that the table can be closed. */
  async close(): Promise<void> {
    await Promise.allSettled([...this.loading.values()].map(({ counts }) => counts));
  }

  /** Counts in progress may or may not include the change. */
  private outdate(workspaceId: number, isFollowed: boolean): void {
    const known = this.loaded.get(workspaceId);
    if (known && !isFollowed) known.counts.isOutdated = true;
    const load = this.loading.get(workspaceId);
    if (load) load.isOutdated = true;
  }

  private load(workspaceId: number, sampled: number): Promise<TermCounts> {
    const running = this.loading.get(workspaceId);
    if (running) return running.counts;
    const started = performance.now();
    const load = {
      isOutdated: false,
      counts: this.table
        .read((table) => this.count(table, workspaceId, sampled))
        .then((counts) => {
          const ended = performance.now();
          counts.isOutdated = load.isOutdated || (counts.isSample && sampled < this.countedRows);
          this.loaded.set(workspaceId, {
            counts,
            refreshFrom: ended + Math.max(minRestMs, restFactor * (ended - started)),
          });
          this.shrink();
          return counts;
        })
        .finally(() => this.loading.delete(workspaceId)),
    };
    this.loading.set(workspaceId, load);
    return load.counts;
  }

  private async count(table: Table, workspaceId: number, sampled: number): Promise<TermCounts> {
    const counts = new TermCounts();
    const chunks = await table.countRows(tenant(workspaceId));
    if (chunks <= this.countedRows)
      await eachTermList(table.query().where(tenant(workspaceId)), (terms) => counts.add(terms));
    else
      for (const addresses of await draw(table, workspaceId, sampled))
        await eachTermList(table.takeRowIds(addresses), (terms) => counts.sample(terms));
    counts.chunks = chunks;
    return counts;
  }

  private shrink(): void {
    let terms = 0;
    for (const { counts } of this.loaded.values()) terms += counts.size;
    for (const [id, { counts }] of this.loaded) {
      if (terms <= maxTerms || this.loaded.size === 1) return;
      this.loaded.delete(id);
      terms -= counts.size;
    }
  }
}

/**
 * Row addresses from across the workspace, because chunks added together are about the same topic.
 * Drawn in runs, which read faster than single rows.
 */
async function draw(table: Table, workspaceId: number, rows: number): Promise<bigint[][]> {
  const column = (
    await table.query().where(tenant(workspaceId)).select(["version"]).withRowId().toArrow()
  ).getChild("_rowid");
  const length = column?.length ?? 0,
    runs = Math.max(1, Math.ceil(rows / drawnRun));
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

/** Yields to the event loop: counting 10,000 chunks takes about 150 ms. */
async function eachTermList(
  query: Query | TakeQuery,
  visit: (terms: string[]) => void,
): Promise<void> {
  const pause = new Pause();
  for await (const batch of query.select(["terms"])) {
    const terms = textColumn(batch, "terms");
    for (let row = 0; row < batch.numRows; row++) {
      if (pause.isDue) await pause.rest();
      visit(terms(row).split(" "));
    }
  }
}
