import type { Index, Pinecone } from "@pinecone-database/pinecone";
import { byWorkspace } from "./chroma-driver.ts";
import { StoreConnection } from "./store-connection.ts";
import type { DriverQuery, DriverRow, VectorDriver } from "./vector-driver.ts";
import { VectorStoreError, type ScoredId, type VectorModel } from "./vector-store.ts";

/** Maximum hits per query. */
const maxHits = 10_000;

/** `control`: the address of the control plane, which describes indexes. */
export async function openPinecone({
  name,
  control,
  key,
  index,
}: {
  name: string;
  control: string;
  key: string;
  index: string;
}): Promise<VectorDriver> {
  const connection = new StoreConnection(name, [control], [key]);
  const { Pinecone: Client } = await import("@pinecone-database/pinecone");
  const client = new Client({
    apiKey: key,
    controllerHostUrl: control,
    fetchApi: connection.fetch,
    maxRetries: 0,
  });
  return new PineconeDriver(connection, client, index, new URL(control).protocol === "http:");
}

interface Opened {
  index: Index;
  dimension: number | undefined;
}

/**
 * A single index, created by the operator, whose dimension fits one model. Each model and workspace
 * has its own namespace. Pinecone is eventually consistent: writes become visible after a moment.
 */
class PineconeDriver implements VectorDriver {
  readonly batchSize = 100;
  /** A request may have at most 2 MB. */
  readonly batchBytes = 1_800_000;
  private opened: Promise<Opened> | null = null;

  constructor(
    private readonly connection: StoreConnection,
    private readonly client: Pinecone,
    private readonly name: string,
    private readonly isPlain: boolean,
  ) {}

  async ensure(_table: string, dimensions: number): Promise<boolean> {
    this.requireFit(await this.open(), dimensions);
    return false;
  }

  async upsert(table: string, rows: DriverRow[]): Promise<void> {
    for (const [workspaceId, own] of byWorkspace(rows)) {
      await this.in(table, workspaceId, (index) =>
        index.upsert({
          records: own.map((row) => ({
            id: row.id,
            values: row.vector,
            metadata: { document: row.documentId, version: row.version },
          })),
        }),
      );
    }
  }

  async search(
    table: string,
    { workspaceId, vector, limit, documentIds }: DriverQuery,
  ): Promise<ScoredId[]> {
    const found = await this.in(table, workspaceId, (index) =>
      index.query({
        vector,
        topK: Math.min(limit, maxHits),
        includeMetadata: false,
        includeValues: false,
        ...(documentIds && { filter: { document: { $in: [...documentIds] } } }),
      }),
    );
    return (found?.matches ?? []).map(({ id, score }) => ({ id, score: score ?? Number.NaN }));
  }

  async deleteByDocument(
    table: string,
    workspaceId: number,
    documentId: string,
    exceptVersion: number | undefined,
  ): Promise<void> {
    const document = { document: { $eq: documentId } };
    await this.in(table, workspaceId, (index) =>
      index.deleteMany({
        filter:
          exceptVersion === undefined
            ? document
            : { $and: [document, { version: { $ne: exceptVersion } }] },
      }),
    );
  }

  async deleteWorkspace(table: string, workspaceId: number): Promise<void> {
    await this.in(table, workspaceId, (index) =>
      index.deleteNamespace(namespaceOf(table, workspaceId)),
    );
  }

  async drop(table: string): Promise<void> {
    const { index } = await this.open();
    await this.run(async () => {
      const names: string[] = [];
      for (let token: string | undefined, more = true; more;) {
        const page = await index.listNamespaces({
          limit: 100,
          prefix: `${table}-w`,
          ...(token && { paginationToken: token }),
        });
        names.push(
          ...(page.namespaces ?? [])
            .flatMap((one) => one.name ?? [])
            .filter((name) => name.startsWith(`${table}-w`)),
        );
        token = page.pagination?.next ?? undefined;
        more = token !== undefined && token !== "";
      }
      for (const name of names) await index.deleteNamespace(name);
    });
  }

  /** Namespaces exist only as long as they hold vectors. */
  isMissing(): boolean {
    return false;
  }

  async check(model: VectorModel | undefined): Promise<void> {
    this.opened = null;
    const opened = await this.open();
    if (model) this.requireFit(opened, model.dimensions);
    await this.run(() => opened.index.describeIndexStats());
  }

  async close(): Promise<void> {
    this.opened = null;
  }

  private open(): Promise<Opened> {
    const opened = (this.opened ??= this.describe());
    opened.catch(() => {
      if (this.opened === opened) this.opened = null;
    });
    return opened;
  }

  private async describe(): Promise<Opened> {
    const described = await this.connection
      .run(() => this.client.describeIndex(this.name), isNotFound)
      .catch((fault: unknown) => {
        throw isNotFound(fault)
          ? new VectorStoreError(
              { code: "vector-store.index-missing", params: { index: this.name } },
              { isRetryable: false, cause: fault },
            )
          : fault;
      });
    // The accessors of the index itself throw for indexes with several fields.
    const vectors = Object.values(described.schema.fields).flatMap((field) =>
      "type" in field && field.type === "dense_vector"
        ? [field as { metric?: string; dimension?: number }]
        : [],
    );
    const [dense] = vectors;
    if (!dense || vectors.length > 1 || dense.metric !== "cosine")
      throw new VectorStoreError(
        dense
          ? {
              code: "vector-store.index-metric-wrong",
              params: { index: this.name, metric: String(dense.metric) },
            }
          : { code: "vector-store.index-not-dense", params: { index: this.name } },
        { isRetryable: false },
      );
    if (!described.host)
      throw new VectorStoreError(
        { code: "vector-store.index-not-ready", params: { index: this.name } },
        { isRetryable: true },
      );
    const host = described.host.includes("://") ? described.host : `https://${described.host}`;
    // The key is only sent to Pinecone's own hosts, whatever the response says.
    const isOwn = this.isPlain || /\.pinecone\.io$/.test(new URL(host).hostname);
    if (!isOwn)
      throw new VectorStoreError(
        { code: "vector-store.redirected", params: { store: "Pinecone", address: host } },
        { isRetryable: false },
      );
    this.connection.allow(host);
    return { index: this.client.index({ host }), dimension: dense.dimension };
  }

  private requireFit({ dimension }: Opened, dimensions: number): void {
    if (dimension !== undefined && dimension !== dimensions) {
      throw new VectorStoreError(
        {
          code: "vector-store.index-dimensions-differ",
          params: { index: this.name, found: dimension, dimensions },
        },
        { isRetryable: false },
      );
    }
  }

  private run<T>(work: () => Promise<T>): Promise<T> {
    return this.connection.run(work);
  }

  /** Returns undefined if the workspace has no namespace yet. */
  private async in<T>(
    table: string,
    workspaceId: number,
    work: (index: Index) => Promise<T>,
  ): Promise<T | undefined> {
    const { index } = await this.open();
    try {
      return await this.connection.run(
        () => work(index.namespace(namespaceOf(table, workspaceId))),
        isNotFound,
      );
    } catch (fault) {
      if (isNotFound(fault)) return undefined;
      throw fault;
    }
  }
}

const isNotFound = (fault: unknown): boolean =>
  fault instanceof Error && fault.name === "PineconeNotFoundError";
const namespaceOf = (table: string, workspaceId: number): string => `${table}-w${workspaceId}`;
