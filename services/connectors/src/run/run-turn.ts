import { CarrelError, type Fault } from "@carrel/contracts";
import { StatementBatches } from "@carrel/database";
import type { ConnectionRun } from "../connection/connection-run.entity.ts";
import type { Connection } from "../connection/connection.entity.ts";
import type { HostTurnRepository } from "../connection/host-turn.repository.ts";
import type { FinishedItem, ItemOutcome, ItemRepository } from "../connection/item.repository.ts";
import { outages } from "../connection/run-items.repository.ts";
import type { SourceItem } from "../connection/source-item.entity.ts";
import {
  ItemBusyError,
  MarkLostError,
  nobody,
  type Connector,
  type Fetched,
  type ListedPage,
  type Source,
} from "../connector/connector.ts";
import {
  isBusy,
  isSourceBusy,
  isWorthRetrying,
  toSourceFault,
  waitOf,
} from "../connector/source-fault.ts";
import type { FetchPlaces } from "./fetch-places.ts";
import type { ItemImporter } from "./item-importer.ts";

/** Length of a turn; other sources get theirs in between. */
const turnMs = 15_000;
/** How often an item is begun, counting processes that were killed meanwhile. */
const maxAttempts = 5;
const maxTries = 3;
const backoffMs = 500;

interface TurnParts {
  run: ConnectionRun;
  connection: Connection;
  connector: Connector;
  source: Source;
  /** Where its documents go; the library's first folder by default. */
  folder?: string;
  signal: AbortSignal;
  /** Of the source. */
  host: string;
  hosts: HostTurnRepository;
  items: ItemRepository;
  importer: ItemImporter;
  places: FetchPlaces;
  /** Places of those that list. */
  listings: FetchPlaces;
  /** Has the run list everything instead of changes. */
  listWhole(): Promise<void>;
  /** Called after each page and item. */
  onProgress(): void;
}

/** Some seconds of a run: lists its source and fetches what it found, side by side. */
export class RunTurn {
  private readonly endAt = performance.now() + turnMs;
  private readonly busy = new Map<string, Promise<void>>();
  /** Each locks the run, so items that are done meanwhile share a commit instead of waiting for it. */
  private readonly finished: StatementBatches<FinishedItem, boolean>;
  private documents: number;
  private isListed: boolean;
  private isListing = true;
  /** Set when the source or ingest asks to wait. */
  waitMs: number | null = null;
  /** Whether it was the source that asked. */
  isSourceBusy = false;
  private pageSaved = Promise.withResolvers<void>();

  constructor(private readonly parts: TurnParts) {
    const { run, items } = parts;
    this.finished = new StatementBatches({
      run: async (finished) => ({ outputs: await items.finish(run, finished) }),
      concurrency: 1,
    });
    this.documents = run.fetched + run.unchanged;
    this.isListed = run.isListed;
  }

  /** Whether the source has as many documents as it may. */
  get isFull(): boolean {
    return this.documents >= this.parts.source.limits.maxDocuments;
  }

  /** Throws what keeps the source from being listed; faults of items are recorded with them. */
  async run(): Promise<void> {
    const listing = this.list().finally(() => {
      this.isListing = false;
      this.pageSaved.resolve();
    });
    // Reported below, once the items in progress are done.
    listing.catch(() => undefined);
    await this.fetchAll();
    await listing;
  }

  private get isOver(): boolean {
    return (
      this.waitMs !== null ||
      this.parts.signal.aborted ||
      performance.now() > this.endAt ||
      this.isFull
    );
  }

  private async list(): Promise<void> {
    const { run, connection, source, items } = this.parts;
    let { cursor } = run;
    while (!this.isListed && !this.isOver) {
      const page = await this.listPage(cursor);
      if (page === null) return;
      const { items: listed, leftOut, ...listing } = page;
      await items.saveListed(run, listed, source.limits.maxItems, {
        from: cursor,
        ...listing,
        // What is known from other settings isn't what these left out.
        ...(leftOut && !connection.isChanged && { leftOut }),
      });
      cursor = page.next;
      this.isListed = cursor === null;
      this.parts.onProgress();
      const saved = this.pageSaved;
      this.pageSaved = Promise.withResolvers();
      saved.resolve();
    }
  }

  private async listPage(cursor: string | null): Promise<ListedPage | null> {
    const { run, source } = this.parts;
    try {
      if (!(await this.mayAsk())) return null;
      const { since } = run;
      return await this.parts.listings.run(run.connectionId, () =>
        since !== null && source.changes ? source.changes(since, cursor) : source.list(cursor),
      );
    } catch (error) {
      if (error instanceof MarkLostError && run.since !== null) {
        await this.parts.listWhole();
        // The next turn begins the listing.
        return null;
      }
      const fault = toSourceFault(error);
      if (!isBusy(fault)) throw fault;
      this.wait(fault);
      return null;
    }
  }

  private async fetchAll(): Promise<void> {
    const { run, source, items } = this.parts;
    const { parallel, maxDocuments } = source.limits;
    let queue: SourceItem[] = [];
    while (!this.isOver) {
      // Read before claiming: a page that is saved meanwhile is claimed in the next round.
      const { isListing, pageSaved } = this;
      const room = Math.min(parallel * 4, maxDocuments - this.documents - this.busy.size);
      if (queue.length === 0 && room > 0 && this.busy.size < parallel)
        queue = await items.claim(run, room, [...this.busy.keys()]);
      while (queue.length > 0 && this.busy.size < parallel) this.begin(queue.shift()!);
      const next = [...this.busy.values(), ...(isListing ? [pageSaved.promise] : [])];
      if (next.length === 0) break;
      await Promise.race(next);
    }
    await Promise.all(this.busy.values());
    await items.release(
      run.id,
      queue.map(({ key }) => key),
    );
  }

  private begin(item: SourceItem): void {
    const work = this.fetchInTurn(item).finally(() => {
      this.busy.delete(item.key);
      this.parts.onProgress();
    });
    // Awaited with the others; one that fails beside another must not end the process.
    work.catch(() => undefined);
    this.busy.set(item.key, work);
  }

  /** Waits for the host and its source before it takes a place that another source could use. */
  private async fetchInTurn(item: SourceItem): Promise<void> {
    const mayAsk = await this.mayAsk().catch((error: unknown) => {
      if (!this.parts.signal.aborted) throw error;
      return false;
    });
    if (!mayAsk) return this.parts.items.release(item.runId, [item.key]);
    const { connection, source, connector, places } = this.parts;
    try {
      if (!this.isOver) await source.prepare?.(connector.item.parse(item.item));
    } catch (error) {
      return this.settle(item, toSourceFault(error));
    }
    return places.run(connection.id, () => this.fetchOne(item));
  }

  /** Waits for as long as the source's host asks to; false if that is for too long. */
  private async mayAsk(): Promise<boolean> {
    const { source, hosts, host, signal } = this.parts;
    const { pauseMs = 0 } = source.limits;
    const waitMs = pauseMs === 0 ? null : await hosts.take(host, pauseMs, signal);
    if (waitMs !== null) this.waitMs = Math.max(this.waitMs ?? 0, waitMs);
    return waitMs === null;
  }

  private async fetchOne(item: SourceItem): Promise<void> {
    const { run, connection, connector, source, items, importer } = this.parts;
    if (this.isOver) return items.release(run.id, [item.key]);
    try {
      if (item.attempts > maxAttempts)
        throw new CarrelError("source.interrupted", { runs: maxAttempts });
      // Unchanged pages don't show their links, which a run that was stopped didn't follow.
      const isKnown = item.documentId !== null && !connection.isChanged;
      const parsed = connector.item.parse(item.item);
      const told = await source.fetch(parsed, isKnown ? item.version : null);
      const fetched = connection.mirrorPermissions ? await withAccess(source, parsed, told) : told;
      // Before the item is done: what it leads to must not get lost with this process.
      if (fetched.discovered?.length)
        await items.saveListed(run, fetched.discovered, source.limits.maxItems);
      const outcome = keepDocument(
        await importer.import(fetched, item, connection, this.parts.folder),
        item,
      );
      const isRecorded = await this.finished.add({ key: item.key, outcome });
      if (!isRecorded) return await importer.discard(outcome, item);
      if (outcome.state === "fetched" || outcome.state === "unchanged") this.documents += 1;
    } catch (error) {
      await this.settle(item, toSourceFault(error));
    }
  }

  private async settle(item: SourceItem, fault: unknown): Promise<void> {
    const { items, signal } = this.parts;
    if (signal.aborted) return items.release(item.runId, [item.key]);
    const isItemBusy = fault instanceof ItemBusyError;
    if (isBusy(fault) && !isItemBusy) {
      await items.postpone(item, this.wait(fault), false);
    } else if ((isItemBusy || isWorthRetrying(fault)) && item.attempts < maxTries) {
      const waitMs = isItemBusy ? waitOf(fault) : backoffMs * 2 ** item.attempts;
      await items.postpone(item, waitMs, true);
    } else {
      const known: Fault =
        fault instanceof CarrelError ? fault.toFault() : { code: "request.failed" };
      // A dead link, what its owner forbids, or what turns out too large is no failure. What is
      // missing loses its document at the run's end, unless almost everything is.
      const isOutOfReach = outOfReach.has(known.code) && item.documentId === null;
      const outcome = { state: isOutOfReach ? "skipped" : "failed", fault: known } as const;
      await this.finished.add({ key: item.key, outcome });
    }
  }

  private wait(fault: CarrelError): number {
    const waitMs = waitOf(fault);
    this.isSourceBusy ||= isSourceBusy(fault);
    this.waitMs = Math.max(this.waitMs ?? 0, waitMs);
    return waitMs;
  }
}

const outOfReach = new Set([
  "egress.page-too-large",
  "source.denied",
  "source.file-unreadable",
  "source.missing",
]);

/**
 * What was a document remains one while it is archived, and for now if the source may be down: at
 * its end, the run knows how much is like this.
 */
const keepDocument = (outcome: ItemOutcome, { documentId }: SourceItem): ItemOutcome =>
  outcome.state === "skipped" &&
  documentId !== null &&
  (outages.has(outcome.fault.code) || outcome.fault.code === "source.archived")
    ? { state: "failed", fault: outcome.fault }
    : outcome;

/** A source that tells who may see an item in a request of its own is asked before registration. */
export async function withAccess(
  source: Source,
  item: unknown,
  fetched: Fetched,
): Promise<Fetched> {
  if (fetched.kind !== "document" || fetched.access !== undefined || source.access === undefined)
    return fetched;
  try {
    const [access] = await source.access([item]);
    return { ...fetched, access: access ?? nobody };
  } catch (error) {
    fetched.body.destroy();
    throw error;
  }
}
