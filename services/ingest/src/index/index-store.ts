import { AsyncLocalStorage } from "node:async_hooks";
import { CarrelError } from "@carrel/contracts";
import { withReservedConnections } from "@carrel/database";
import { CONFIG } from "@carrel/runtime";
import {
  VectorStoreError,
  isSharedStore,
  storeName,
  textPlace,
  type TextIndex,
  type VectorIndex,
  type VectorModel,
  type VectorStore,
} from "@carrel/vector-store";
import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from "@nestjs/common";
import { DataSource, type QueryRunner } from "typeorm";
import type { IngestConfig } from "../ingest.config.ts";
import { IndexDirectory } from "./index-directory.ts";
import { IndexFolder } from "./index-folder.ts";
import type { SearchIndex } from "./search-index.ts";

/** The turn ends after this long without writes. */
const idleMs = 50;
/** A waiting replica gets its turn after this long, as soon as current writes finish. */
const longestTurnMs = 500;
const lockKey = 7304;

/**
 * The right to write to LanceDB's folder, held by one of the processes that share it: a PostgreSQL
 * session lock, taken for a turn of many writes. It ends with the process's connection, so a killed
 * replica releases it immediately; waiting replicas get it in order.
 */
@Injectable()
export class WriterLease implements OnApplicationShutdown {
  private readonly inside = new AsyncLocalStorage<true>();
  private turn: {
    lock: Promise<QueryRunner>;
    begun: number;
    users: number;
    over: PromiseWithResolvers<void>;
  } | null = null;
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly dataSource: DataSource) {}

  /**
   * Runs the work within a turn; nested work shares the turn. Throws if PostgreSQL is unreachable.
   */
  async hold(work: () => Promise<void>): Promise<void> {
    if (this.inside.getStore()) return work();
    while (this.turn && this.turn.users > 0 && performance.now() - this.turn.begun > longestTurnMs)
      await this.turn.over.promise;
    const turn = (this.turn ??= {
      // All writers wait for a turn, so its queries don't wait for theirs.
      lock: withReservedConnections(() => this.take()),
      begun: performance.now(),
      users: 0,
      over: Promise.withResolvers<void>(),
    });
    turn.users++;
    try {
      await turn.lock;
      await this.inside.run(true, () => withReservedConnections(work));
    } finally {
      if (--turn.users === 0) this.endSoon(turn);
    }
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.turn?.users === 0) await this.end(this.turn);
  }

  private endSoon(turn: NonNullable<typeof this.turn>): void {
    if (this.timer) clearTimeout(this.timer);
    if (performance.now() - turn.begun > longestTurnMs) void this.end(turn);
    else
      this.timer = setTimeout(() => {
        if (turn.users === 0) void this.end(turn);
      }, idleMs).unref();
  }

  private async take(): Promise<QueryRunner> {
    const runner = this.dataSource.createQueryRunner();
    try {
      // Another replica's turn may exceed the usual statement timeout. The timeout restarts with
      // each statement of a query.
      await runner.query(`SET statement_timeout = 0; SELECT pg_advisory_lock(${lockKey})`);
      if (this.turn) this.turn.begun = performance.now();
      return runner;
    } catch (fault) {
      await runner.release();
      throw fault;
    }
  }

  private async end(turn: NonNullable<typeof this.turn>): Promise<void> {
    if (this.turn !== turn) return;
    this.turn = null;
    turn.over.resolve();
    const runner = await turn.lock.catch(() => null);
    if (!runner) return;
    try {
      await runner.query(`SELECT pg_advisory_unlock(${lockKey}); RESET statement_timeout`);
    } catch {
      // The session has ended, and the lock with it.
    } finally {
      await runner.release().catch(() => undefined);
    }
  }
}

/**
 * Time for which a store stays open once no index needs it, since a search may still be using it.
 */
const closeAfterMs = 60_000;

/**
 * The vector stores in use, opened on first use: those of the active, building and previous
 * indexes.
 */
@Injectable()
export class IndexStore implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly opened = new Map<string, Promise<VectorStore>>();
  private readonly leaving = new Map<Promise<VectorStore>, NodeJS.Timeout>();
  private isStopped = false;

  constructor(
    @Inject(CONFIG) private readonly config: IngestConfig,
    private readonly directory: IndexDirectory,
    private readonly lease: WriterLease,
    private readonly folder: IndexFolder,
  ) {}

  /** Throws a VectorStoreError if another replica keeps the index in another folder. */
  async onApplicationBootstrap(): Promise<void> {
    const active = await this.directory.find("active");
    if (active !== null && isInFolder(active)) await this.folder.claimAtStart();
  }

  /** The active full-text index. */
  async text(): Promise<TextIndex> {
    return (await this.open(await this.directory.active())).text;
  }

  /**
   * The active full-text index with its place, which publishing compares in case the index has
   * moved in the meantime.
   */
  async writing(): Promise<{ text: TextIndex; textPlace: string }> {
    const active = await this.directory.active();
    return { text: (await this.open(active)).text, textPlace: active.textPlace };
  }

  /** `model` is the table's name (`SearchIndex.table`). */
  async vectors(model: VectorModel): Promise<VectorIndex> {
    const index = (await this.directory.findTable(model.model)) ?? (await this.directory.active());
    return (await this.open(index)).vectors(model);
  }

  /** Whether the active full-text index is now in another place. */
  async hasMoved(textPlace: string): Promise<boolean> {
    this.directory.forget();
    return (await this.directory.active()).textPlace !== textPlace;
  }

  /** Vectors of one index; null if it never had any. */
  async vectorsOf(index: SearchIndex): Promise<VectorIndex | null> {
    return index.table === null || index.dimensions === null
      ? null
      : (await this.open(index)).vectors({ model: index.table, dimensions: index.dimensions });
  }

  async textOf(index: SearchIndex): Promise<TextIndex> {
    return (await this.open(index)).text;
  }

  /**
   * Throws `VectorStoreError` if the store doesn't answer, refuses the
   * key or can't hold such vectors.
   */
  async check(index: SearchIndex): Promise<void> {
    await (
      await this.open(index)
    ).check(
      index.table !== null && index.dimensions !== null
        ? { model: index.table, dimensions: index.dimensions }
        : undefined,
    );
  }

  /** Why the active index's store couldn't be reached by the last call; null if it was. */
  async fault(): Promise<VectorStoreError | null> {
    return (await this.open(await this.directory.active())).fault;
  }

  /** Like `fault`, if the active full-text index is in that store. */
  async textFault(): Promise<VectorStoreError | null> {
    const { textPlace, vectorPlace } = await this.directory.active();
    return textPlace === vectorPlace ? this.fault() : null;
  }

  /** The vector database that holds the active index's vectors or text. */
  async storeName(part: "vectors" | "text"): Promise<string> {
    const { vectorDatabase, vectorPlace, textPlace } = await this.directory.active();
    return storeName(part === "text" && textPlace !== vectorPlace ? null : vectorDatabase);
  }

  /** Identifies the store and its contents; a changed identity means that rows were lost. */
  async identity(index: SearchIndex): Promise<string> {
    return `${index.vectorPlace} ${await (await this.open(index)).identity()}`;
  }

  /** Closes stores that no index needs. */
  async closeUnused(): Promise<void> {
    const used = new Set((await this.directory.list()).map(keyOf));
    for (const [key, store] of this.opened) {
      if (used.has(key)) continue;
      this.opened.delete(key);
      this.leaving.set(
        store,
        setTimeout(() => {
          this.leaving.delete(store);
          void store.then((old) => old.close()).catch(() => undefined);
        }, closeAfterMs).unref(),
      );
    }
  }

  async onApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    for (const timer of this.leaving.values()) clearTimeout(timer);
    const stores = [...this.opened.values(), ...this.leaving.keys()];
    this.opened.clear();
    this.leaving.clear();
    for (const store of stores) await (await store.catch(() => null))?.close();
  }

  private async open(index: SearchIndex): Promise<VectorStore> {
    if (isInFolder(index)) await this.folder.claim();
    // Work that outlives the service must not reopen the store: nobody would close it, and the next
    // service in this process would share its expired write lease.
    if (this.isStopped) throw new CarrelError("request.stopping");
    const key = keyOf(index);
    const known = this.opened.get(key);
    if (known) return known;
    const { settings } = index;
    if (settings === null && isSharedStore(index.vectorDatabase))
      throw new VectorStoreError(
        { code: "vector-store.settings-unreadable", params: { store: index.vectorDatabase } },
        { isRetryable: false },
      );
    const { CARREL_SEARCH_MEMORY_MB: searchMemory } = this.config;
    const store = import("@carrel/vector-store").then((library) =>
      library.openVectorStore({
        settings: settings?.store ?? {},
        folder: this.folder.path,
        writer: (work) => this.lease.hold(work),
        ...(searchMemory !== undefined && { memoryBytes: searchMemory * 2 ** 20 }),
      }),
    );
    this.opened.set(key, store);
    store.catch(() => {
      if (this.opened.get(key) === store) this.opened.delete(key);
    });
    return store;
  }
}

/** Whether any part of the index is in LanceDB. */
const isInFolder = (index: SearchIndex): boolean => index.textPlace === textPlace({});

const keyOf = (index: SearchIndex): string =>
  `${index.vectorPlace}\n${JSON.stringify(index.settings?.store ?? {})}`;
