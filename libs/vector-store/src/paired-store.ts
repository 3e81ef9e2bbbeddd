import { GuardedDriver } from "./guarded-driver.ts";
import type { LanceStore } from "./lance-store.ts";
import { RemoteVectorIndex } from "./remote-vector-index.ts";
import { shareLance } from "./shared-lance.ts";
import { StoreBreaker } from "./store-breaker.ts";
import type { StoreOptions } from "./store-options.ts";
import type { TextIndex } from "./text-index.ts";
import type { VectorDriver } from "./vector-driver.ts";
import type { VectorIndex, VectorModel } from "./vector-index.ts";
import type { VectorStore, VectorStoreError } from "./vector-store.ts";

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

/** Vectors in a separate vector database (at `place`, as `vectorPlace` names it), text in LanceDB. */
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
