import { QdrantClient } from "@qdrant/js-client-rest";
import { GuardedConnection } from "./guarded-connection.ts";
import type { QdrantServer } from "./qdrant-collection.ts";
import { QdrantRegister } from "./qdrant-register.ts";
import { QdrantTextIndex } from "./qdrant-text-index.ts";
import { QdrantVectorIndex } from "./qdrant-vector-index.ts";
import { StoreBreaker } from "./store-breaker.ts";
import { StoreConnection } from "./store-connection.ts";
import type { VectorIndex, VectorModel } from "./vector-index.ts";
import { requireDimensions } from "./store-fault.ts";
import { VectorStoreError, type VectorStore } from "./vector-store.ts";

const maxDimensions = 65_536;

/**
 * Qdrant over HTTP. Collections are named `<prefix>text` and `<prefix>vector-<model>`; the prefix
 * keeps instances on a shared server apart. Any number of processes may write.
 */
export async function openQdrantStore({
  url,
  apiKey,
  prefix = "carrel-",
}: {
  url: string;
  apiKey?: string;
  prefix?: string;
}): Promise<VectorStore> {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new VectorStoreError(
      { code: "vector-store.address-invalid", params: { store: "Qdrant", address: url } },
      { isRetryable: false },
    );
  const address = new URL(url);
  // Defaults to Qdrant's own port, except with TLS, where the client would otherwise use it too.
  const port = Number(address.port) || (address.protocol === "https:" ? 443 : 6333);
  address.port = String(port);
  const connection = new StoreConnection("Qdrant", [address.origin], [apiKey]);
  // Passed as `apiKey`, the client would warn on the console about every address without TLS, even
  // loopback.
  const headers = apiKey ? { "api-key": apiKey } : {};
  const client = new QdrantClient({
    url,
    port,
    headers,
    checkCompatibility: false,
    timeout: 60_000,
  });
  const breaker = new StoreBreaker("Qdrant");
  return new QdrantStore(new GuardedConnection(connection, breaker), breaker, client, prefix);
}

class QdrantStore implements VectorStore {
  readonly text: QdrantTextIndex;
  private readonly server: QdrantServer;
  private readonly register: QdrantRegister;
  private readonly vectorIndexes = new Map<string, QdrantVectorIndex>();

  constructor(
    connection: GuardedConnection,
    private readonly breaker: StoreBreaker,
    client: QdrantClient,
    private readonly prefix: string,
  ) {
    this.register = new QdrantRegister(connection, client, `${prefix}register`);
    this.server = { connection, client, register: this.register };
    this.text = new QdrantTextIndex(this.server, `${prefix}text`);
  }

  get fault(): VectorStoreError | null {
    return this.breaker.fault;
  }

  vectors(model: VectorModel): VectorIndex {
    const key = JSON.stringify([model.model, model.dimensions]);
    let index = this.vectorIndexes.get(key);
    if (!index)
      this.vectorIndexes.set(key, (index = new QdrantVectorIndex(this.server, this.prefix, model)));
    return index;
  }

  async check(model?: VectorModel): Promise<void> {
    if (model) requireDimensions("Qdrant", model.dimensions, maxDimensions);
    // Writing the register, which is needed anyway, reveals a read-only key.
    await this.text.health();
    await this.register.identity();
  }

  async identity(): Promise<string> {
    // A missing collection is recreated and changes the register's name.
    for (const index of [this.text, ...this.vectorIndexes.values()]) await index.recheck();
    return this.register.identity();
  }

  /** Qdrant optimises automatically. */
  async optimize(): Promise<void> {
    await this.text.health();
  }
  async close(): Promise<void> {
    this.vectorIndexes.clear();
  }
}
