import path from "node:path";
import type { LanceOptions, LanceStore } from "./lance-store.ts";
import { RemoteVectorIndex } from "./remote-vector-index.ts";
import { StoreBreaker } from "./store-breaker.ts";
import type { StoreOptions } from "./store.ts";
import type { DriverQuery, DriverRow, VectorDriver } from "./vector-driver.ts";
import type {
  ScoredId,
  TextIndex,
  VectorIndex,
  VectorModel,
  VectorStore,
  VectorStoreError,
} from "./vector-store.ts";

/** A driver whose calls are rejected at once while its server can't be reached. */
class GuardedDriver implements VectorDriver {
  constructor(
    private readonly driver: VectorDriver,
    private readonly breaker: StoreBreaker,
  ) {}

  get batchSize(): number {
    return this.driver.batchSize;
  }
  get batchBytes(): number {
    return this.driver.batchBytes ?? Infinity;
  }

  ensure(table: string, dimensions: number): Promise<boolean> {
    return this.breaker.run(() => this.driver.ensure(table, dimensions));
  }

  upsert(table: string, rows: DriverRow[], first: boolean): Promise<void> {
    return this.breaker.run(() => this.driver.upsert(table, rows, first));
  }

  search(table: string, query: DriverQuery): Promise<ScoredId[]> {
    return this.breaker.runBriefly(() => this.driver.search(table, query));
  }

  deleteByDocument(
    table: string,
    workspaceId: number,
    documentId: string,
    exceptVersion: number | undefined,
  ): Promise<void> {
    return this.breaker.run(() =>
      this.driver.deleteByDocument(table, workspaceId, documentId, exceptVersion),
    );
  }

  deleteWorkspace(table: string, workspaceId: number): Promise<void> {
    return this.breaker.run(() => this.driver.deleteWorkspace(table, workspaceId));
  }

  drop(table: string): Promise<void> {
    return this.breaker.run(() => this.driver.drop(table));
  }

  isMissing(fault: unknown): boolean {
    return this.driver.isMissing(fault);
  }

  check(model: VectorModel | undefined): Promise<void> {
    return this.breaker.runBriefly(() => this.driver.check(model));
  }

  close(): Promise<void> {
    return this.driver.close();
  }
}

const open = new Map<string, { store: Promise<LanceStore>; users: number }>();

/**
 * This process's only open LanceDB for a folder. `close` releases it; the last user to release it
 * closes it.
 */
async function shareLance(
  options: LanceOptions,
): Promise<{ store: LanceStore; close(): Promise<void> }> {
  const folder = path.resolve(options.folder);
  const entry = open.get(folder) ?? {
    store: import("./lance-store.ts").then((library) => library.openLanceStore(options)),
    users: 0,
  };
  entry.users++;
  open.set(folder, entry);
  let isClosed = false;
  const close = async (): Promise<void> => {
    if (isClosed) return;
    isClosed = true;
    if (--entry.users > 0) return;
    open.delete(folder);
    await (await entry.store.catch(() => null))?.close();
  };
  try {
    return { store: await entry.store, close };
  } catch (fault) {
    await close();
    throw fault;
  }
}

/** LanceDB itself, shared with the stores that keep their text index in its folder. */
export async function openSharedLance(options: StoreOptions): Promise<VectorStore> {
  const { store, close } = await shareLance(options);
  return {
    text: store.text,
    fault: null,
    vectors: (model) => store.vectors(model),
    check: () => store.check(),
    identity: () => store.identity(),
    optimize: () => store.optimize(),
    close,
  };
}

/**
 * Vectors in a separate vector database (at `place`, as `vectorPlace` names it), text in LanceDB.
 */
export async function openPairedStore(
  name: string,
  driver: VectorDriver,
  place: string,
  options: StoreOptions,
): Promise<VectorStore> {
  const { store, close } = await shareLance(options);
  const breaker = new StoreBreaker(name);
  return new PairedStore(new GuardedDriver(driver, breaker), breaker, store, place, close);
}

class PairedStore implements VectorStore {
  private readonly vectorIndexes = new Map<string, RemoteVectorIndex>();

  constructor(
    private readonly driver: VectorDriver,
    private readonly breaker: StoreBreaker,
    private readonly lance: LanceStore,
    private readonly place: string,
    private readonly release: () => Promise<void>,
  ) {}

  get text(): TextIndex {
    return this.lance.text;
  }

  get fault(): VectorStoreError | null {
    return this.breaker.fault;
  }

  vectors(model: VectorModel): VectorIndex {
    const key = JSON.stringify([model.model, model.dimensions]);
    let index = this.vectorIndexes.get(key);
    if (!index) {
      const { home } = this.lance;
      const named = (table: string): string => `${this.place} ${table}`;
      index = new RemoteVectorIndex(this.driver, model, {
        add: (table) =>
          home.writer(async () => {
            await home.noteLoss(named(table));
            await home.registerTable(named(table));
          }),
        remove: (table) => home.writer(() => home.forgetTable(named(table))),
      });
      this.vectorIndexes.set(key, index);
    }
    return index;
  }

  check(model?: VectorModel): Promise<void> {
    return this.driver.check(model);
  }

  async identity(): Promise<string> {
    // A missing table is recreated and changes the register's name; a server that doesn't answer
    // has lost nothing yet.
    await Promise.all(
      [...this.vectorIndexes.values()].map((index) => index.recheck().catch(() => undefined)),
    );
    return this.lance.identity();
  }

  optimize(): Promise<void> {
    return this.lance.optimize();
  }

  async close(): Promise<void> {
    await this.driver.close();
    await this.release();
  }
}
