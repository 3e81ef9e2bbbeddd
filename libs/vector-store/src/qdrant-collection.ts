import type { QdrantClient, Schemas } from "@qdrant/js-client-rest";
import type { TableRegister } from "./remote-vector-index.ts";
import type { GuardedConnection } from "./store-breaker.ts";
import { VectorStoreError, invalidCall } from "./vector-store.ts";

/** Points per request: about 2 MB of 1,024-dimensional vectors as JSON. */
const batchSize = 250;

/**
 * Payload of every point. The tenant is a keyword because Qdrant groups storage by tenant only for
 * keywords.
 */
export interface QdrantPayload {
  workspace: string;
  document: string;
  version: number;
  [key: string]: unknown;
}
export const tenantKey = (workspaceId: number): string => {
  if (!Number.isSafeInteger(workspaceId)) throw invalidCall(`Not a workspace id: ${workspaceId}`);
  return String(workspaceId);
};
export const tenantFilter = (
  workspaceId: number,
  documentIds?: readonly string[],
): Schemas["Filter"] & { must: Schemas["Condition"][] } => ({
  must: [
    { key: "workspace", match: { value: tenantKey(workspaceId) } },
    ...(documentIds ? [{ key: "document", match: { any: [...documentIds] } }] : []),
  ],
});

/**
 * One Qdrant collection, created on first use and recreated if it was dropped. Failures are
 * `VectorStoreError`.
 */
export class QdrantCollection {
  private ready: Promise<void> | null = null;

  constructor(
    private readonly server: QdrantServer,
    readonly name: string,
    private readonly definition: Schemas["CreateCollection"],
    private readonly payloadIndexes: Record<string, Schemas["PayloadFieldSchema"]>,
  ) {}

  ensure(): Promise<void> {
    const ready = (this.ready ??= this.create());
    ready.catch(() => {
      if (this.ready === ready) this.ready = null;
    });
    return ready;
  }

  /**
   * Checks again whether the collection exists. Requests don't wait for it: with a server that
   * hangs, they would take as long as this.
   */
  async recheck(): Promise<void> {
    if (this.ready && !(await this.exists())) this.ready = null;
    await this.ensure();
  }

  /** Brief, because searches wait for the collection too. */
  private async exists(): Promise<boolean> {
    const { connection, client } = this.server;
    return (await connection.runBriefly(() => client.collectionExists(this.name))).exists;
  }

  private async create(): Promise<void> {
    const isThere = await this.exists();
    const isMade = await this.server.connection.run(async () => {
      const { client } = this.server;
      let made = false;
      if (!isThere) {
        // When several replicas start at once, a conflict means another one has created it.
        await client.createCollection(this.name, this.definition).then(
          () => {
            made = true;
          },
          (fault: unknown) => {
            if (!isQdrantStatus(fault, 409)) throw fault;
          },
        );
      }
      for (const [field_name, field_schema] of Object.entries({
        workspace: { type: "keyword", is_tenant: true } as const,
        document: "keyword" as const,
        version: "integer" as const,
        ...this.payloadIndexes,
      })) {
        await client.createPayloadIndex(this.name, { field_name, field_schema, wait: true });
      }
      return made;
    });
    if (isMade) await this.server.register.add(this.name);
  }

  run<T>(work: (client: QdrantClient) => Promise<T>): Promise<T> {
    return this.recreating((isKnown) =>
      this.server.connection.run(() => work(this.server.client), isKnown),
    );
  }

  /** For requests that somebody waits for. */
  runBriefly<T>(work: (client: QdrantClient) => Promise<T>): Promise<T> {
    return this.recreating((isKnown) =>
      this.server.connection.runBriefly(() => work(this.server.client), isKnown),
    );
  }

  private async recreating<T>(
    send: (isKnown: (fault: unknown) => boolean) => Promise<T>,
  ): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      await this.ensure();
      try {
        return await send((fault) => isQdrantStatus(fault, 404) && attempt === 1);
      } catch (fault) {
        if (fault instanceof VectorStoreError) throw fault;
        this.ready = null;
      }
    }
  }

  async upsert(points: (Schemas["PointStruct"] & { payload: QdrantPayload })[]): Promise<void> {
    const unique = [...new Map(points.map((point) => [point.id, point])).values()];
    for (let start = 0; start < unique.length; start += batchSize) {
      await this.run((client) =>
        client.upsert(this.name, { wait: true, points: unique.slice(start, start + batchSize) }),
      );
    }
  }

  async deleteByDocument(
    workspaceId: number,
    documentId: string,
    { exceptVersion }: { exceptVersion?: number } = {},
  ): Promise<void> {
    const filter: Schemas["Filter"] = {
      must: [...tenantFilter(workspaceId).must, { key: "document", match: { value: documentId } }],
    };
    if (exceptVersion !== undefined)
      filter.must_not = [{ key: "version", match: { value: exceptVersion } }];
    await this.run((client) => client.delete(this.name, { wait: true, filter }));
  }

  async deleteWorkspace(workspaceId: number): Promise<void> {
    await this.run((client) =>
      client.delete(this.name, { wait: true, filter: tenantFilter(workspaceId) }),
    );
  }

  async drop(): Promise<void> {
    this.ready = null;
    await this.server.register.remove(this.name);
    await this.server.connection.run(() =>
      this.server.client.deleteCollection(this.name).catch((fault: unknown) => {
        if (!isQdrantStatus(fault, 404)) throw fault;
      }),
    );
  }

  async health(): Promise<void> {
    await this.server.connection.runBriefly(() => this.server.client.getCollections());
  }
}

/** Shared by all collections on one server. */
export interface QdrantServer {
  connection: GuardedConnection;
  client: QdrantClient;
  register: TableRegister;
}

export const isQdrantStatus = (fault: unknown, status: number): boolean =>
  typeof fault === "object" && fault !== null && "status" in fault && fault.status === status;
