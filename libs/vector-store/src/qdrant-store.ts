import { randomUUID } from "node:crypto";
import { QdrantClient } from "@qdrant/js-client-rest";
import { vectorTableName } from "./lance-vector-index.ts";
import {
  QdrantCollection,
  isQdrantStatus,
  tenantFilter,
  tenantKey,
  type QdrantServer,
} from "./qdrant-collection.ts";
import { QdrantTextIndex } from "./qdrant-text-index.ts";
import type { TableRegister } from "./remote-vector-index.ts";
import { GuardedConnection, StoreBreaker } from "./store-breaker.ts";
import { StoreConnection } from "./store-connection.ts";
import {
  VectorStoreError,
  checkVector,
  normalised,
  requireDimensions,
  toNumbers,
  type ScoredId,
  type VectorIndex,
  type VectorModel,
  type VectorRow,
  type VectorStore,
} from "./vector-store.ts";

/**
 * One collection per embedding model; each workspace is a tenant with its own graph (`payload_m`),
 * and there is no global one.
 */
class QdrantVectorIndex implements VectorIndex {
  private readonly collection: QdrantCollection;

  constructor(
    server: QdrantServer,
    prefix: string,
    private readonly model: VectorModel,
  ) {
    this.collection = new QdrantCollection(
      server,
      `${prefix}${vectorTableName(model)}`,
      {
        vectors: { size: model.dimensions, distance: "Cosine" },
        hnsw_config: { m: 0, payload_m: 16 },
      },
      {},
    );
  }

  ensure(): Promise<void> {
    return this.collection.ensure();
  }
  recheck(): Promise<void> {
    return this.collection.recheck();
  }

  async upsert(rows: VectorRow[]): Promise<void> {
    for (const row of rows) checkVector(row.vector, this.model);
    await this.collection.upsert(
      rows.map((row) => ({
        id: row.id,
        vector: toNumbers(normalised(row.vector)),
        payload: {
          workspace: tenantKey(row.workspaceId),
          document: row.documentId,
          version: row.version,
        },
      })),
    );
  }

  async search({
    workspaceId,
    vector,
    limit,
    documentIds,
  }: {
    workspaceId: number;
    vector: Float32Array;
    limit: number;
    documentIds?: readonly string[];
  }): Promise<ScoredId[]> {
    checkVector(vector, this.model);
    const unit = normalised(vector);
    if (limit < 1 || documentIds?.length === 0 || unit.every((value) => value === 0)) return [];
    const found = await this.collection.runBriefly((client) =>
      client.query(this.collection.name, {
        query: toNumbers(unit),
        filter: tenantFilter(workspaceId, documentIds),
        limit,
        with_payload: false,
      }),
    );
    return found.points.map((point) => ({
      id: String(point.id),
      score: Math.max(-1, Math.min(1, point.score)),
    }));
  }

  deleteByDocument(
    workspaceId: number,
    documentId: string,
    options: { exceptVersion?: number } = {},
  ): Promise<void> {
    return this.collection.deleteByDocument(workspaceId, documentId, options);
  }
  deleteWorkspace(workspaceId: number): Promise<void> {
    return this.collection.deleteWorkspace(workspaceId);
  }
  drop(): Promise<void> {
    return this.collection.drop();
  }
  health(): Promise<void> {
    return this.collection.health();
  }
}

const point = "00000000-0000-4000-8000-000000000001";
interface Register {
  name: string;
  tables: string[];
}

/**
 * A single-point collection on the server: a random name and every collection ever created. The
 * name changes when one of them is missing or the server has lost everything. All replicas see the
 * same register.
 */
class QdrantRegister implements TableRegister {
  private changes: Promise<void> = Promise.resolve();

  constructor(
    private readonly connection: GuardedConnection,
    private readonly client: QdrantClient,
    private readonly collection: string,
  ) {}

  async identity(): Promise<string> {
    const found = await this.read();
    if (found) return found.name;
    await this.change((register) => register);
    return (await this.read())?.name ?? "";
  }

  add(table: string): Promise<void> {
    return this.change(({ name, tables }) =>
      tables.includes(table)
        ? { name: randomUUID(), tables }
        : { name, tables: [...tables, table] },
    );
  }

  remove(table: string): Promise<void> {
    return this.change(({ name, tables }) => ({
      name,
      tables: tables.filter((one) => one !== table),
    }));
  }

  private change(build: (register: Register) => Register): Promise<void> {
    const changed = this.changes.then(async () => {
      const found = await this.read();
      const register = build(found ?? { name: randomUUID(), tables: [] });
      if (found && JSON.stringify(found) === JSON.stringify(register)) return;
      await this.run(async () => {
        // When two replicas create it at once, the conflict means that it exists.
        if (!found)
          await this.client
            .createCollection(this.collection, { vectors: {} })
            .catch((fault: unknown) => {
              if (!isQdrantStatus(fault, 409)) throw fault;
            });
        await this.client.upsert(this.collection, {
          wait: true,
          points: [{ id: point, vector: {}, payload: { ...register } }],
        });
      });
    });
    this.changes = changed.catch(() => undefined);
    return changed;
  }

  private async read(): Promise<Register | null> {
    const points = await this.run(() =>
      this.client
        .retrieve(this.collection, { ids: [point], with_payload: true, with_vector: false })
        .catch((fault: unknown) => {
          if (isQdrantStatus(fault, 404)) return [];
          throw fault;
        }),
    );
    const { name, tables } = points[0]?.payload ?? {};
    return typeof name === "string" && Array.isArray(tables)
      ? { name, tables: tables.map(String) }
      : null;
  }

  private run<T>(work: () => Promise<T>): Promise<T> {
    return this.connection.run(work);
  }
}

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
