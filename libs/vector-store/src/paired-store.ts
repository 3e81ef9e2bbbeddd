import type { LanceStore } from "./lance-store.ts";
import type { StoreOptions } from "./open-vector-store.ts";
import { RemoteVectorIndex } from "./remote-vector-index.ts";
import { shareLance } from "./shared-lance.ts";
import { chosenStore, vectorPlace } from "./store-settings.ts";
import type { TextIndex } from "./text-index.ts";
import type { VectorDriver } from "./vector-driver.ts";
import type { VectorIndex, VectorModel } from "./vector-index.ts";
import type { VectorStore } from "./vector-store.ts";

export async function openDriver({ settings, vendors }: StoreOptions): Promise<VectorDriver> {
  const store = chosenStore(settings);
  switch (store) {
    case "chroma":
    case "chromacloud":
      return (await import("./chroma-driver.ts")).openChroma(settings, vendors?.chromaCloud);
    case "pgvector":
      return (await import("./postgres-driver.ts")).openPostgres(settings);
    case "weaviate":
      return (await import("./weaviate-driver.ts")).openWeaviate(settings);
    case "milvus":
    case "zilliz":
      return (await import("./milvus-driver.ts")).openMilvus(settings);
    case "pinecone":
      return (await import("./pinecone-driver.ts")).openPinecone(settings, vendors?.pinecone);
    case "astra":
      return (await import("./astra-driver.ts")).openAstra(settings);
    case "lancedb":
    case "qdrant":
      throw new TypeError(`${store} has a text index of its own`);
  }
}

/** LanceDB itself, shared with the other stores on its folder. */
export async function openSharedLance(options: StoreOptions): Promise<VectorStore> {
  const { store, close } = await shareLance(options);
  return {
    text: store.text,
    vectors: (model) => store.vectors(model),
    check: () => store.check(),
    identity: () => store.identity(),
    optimize: () => store.optimize(),
    close,
  };
}

/** Vectors in a vector database of their own, text in LanceDB. */
export async function openPairedStore(options: StoreOptions): Promise<VectorStore> {
  const driver = await openDriver(options);
  const { store, close } = await shareLance(options);
  return new PairedStore(driver, store, vectorPlace(options.settings), close);
}

class PairedStore implements VectorStore {
  readonly #vectors = new Map<string, RemoteVectorIndex>();

  constructor(
    private readonly driver: VectorDriver,
    private readonly lance: LanceStore,
    private readonly place: string,
    private readonly release: () => Promise<void>,
  ) {}

  get text(): TextIndex {
    return this.lance.text;
  }

  vectors(model: VectorModel): VectorIndex {
    const key = JSON.stringify([model.model, model.dimensions]);
    let index = this.#vectors.get(key);
    if (!index) {
      const { home } = this.lance;
      const named = (table: string): string => `${this.place} ${table}`;
      index = new RemoteVectorIndex(this.driver, model, {
        add: (table) => home.writer(() => home.registerTable(named(table))),
        remove: (table) => home.writer(() => home.forgetTable(named(table))),
      });
      this.#vectors.set(key, index);
    }
    return index;
  }

  check(model?: VectorModel): Promise<void> {
    return this.driver.check(model);
  }

  async identity(): Promise<string> {
    // A table that is gone is made again and gives the register another name; a server that does
    // not answer has lost nothing yet.
    await Promise.all(
      [...this.#vectors.values()].map((index) => index.recheck().catch(() => undefined)),
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
