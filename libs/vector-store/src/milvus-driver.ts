import type { HttpClient } from "@zilliz/milvus2-sdk-node";
import { StoreConnection } from "./store-connection.ts";
import type { DriverQuery, DriverRow, VectorDriver } from "./vector-driver.ts";
import {
  VectorStoreError,
  requireDimensions,
  type ScoredId,
  type VectorModel,
} from "./vector-store.ts";

const maxDimensions = 32_768;
/** Milvus error codes (from internal pkg/merr). */
const codes = { collectionNotFound: 100, unauthenticated: 1_800, forbidden: 1_801 };

/** Milvus and Zilliz Cloud share the same RESTful API (v2). */
export async function openMilvus({
  name,
  url,
  token,
  secrets = [],
}: {
  name: string;
  url: string;
  token: string;
  /** Other secrets to keep out of error messages. */
  secrets?: readonly (string | undefined)[];
}): Promise<VectorDriver> {
  const connection = new StoreConnection(name, [new URL(url).origin], [token, ...secrets]);
  const { HttpClient: Client } = await import("@zilliz/milvus2-sdk-node");
  return new MilvusDriver(
    connection,
    new Client({ endpoint: url, token, timeout: 60_000, fetch: connection.fetch }),
  );
}

/**
 * One collection per model, partitioned by workspace so that a search reads only that workspace's
 * partition.
 */
class MilvusDriver implements VectorDriver {
  readonly batchSize = 500;
  readonly batchBytes = 4_000_000;

  constructor(
    private readonly connection: StoreConnection,
    private readonly client: HttpClient,
  ) {}

  async ensure(table: string, dimensions: number): Promise<boolean> {
    const collectionName = nameOf(table);
    const { data } = await this.run(() =>
      this.client.hasCollection({ collectionName, dbName: "default" }),
    );
    if (data.has) return false;
    requireDimensions("Milvus", dimensions, maxDimensions);
    await this.run(() =>
      this.client.createCollection({
        collectionName,
        schema: {
          autoID: false,
          enabledDynamicField: false,
          fields: [
            {
              fieldName: "id",
              dataType: "VarChar",
              isPrimary: true,
              elementTypeParams: { max_length: 64 },
            },
            { fieldName: "workspace", dataType: "Int64", isPartitionKey: true },
            { fieldName: "document", dataType: "VarChar", elementTypeParams: { max_length: 512 } },
            { fieldName: "version", dataType: "Int64" },
            {
              fieldName: "vector",
              dataType: "FloatVector",
              elementTypeParams: { dim: dimensions },
            },
          ],
        },
        indexParams: [
          {
            fieldName: "vector",
            indexName: "vector",
            metricType: "COSINE",
            params: { index_type: "AUTOINDEX" },
          },
        ],
        // Makes writes visible to the next search.
        params: { consistencyLevel: "Strong" },
      }),
    );
    return true;
  }

  async upsert(table: string, rows: DriverRow[]): Promise<void> {
    await this.run(() =>
      this.client.upsert({
        collectionName: nameOf(table),
        data: rows.map((row) => ({
          id: row.id,
          workspace: row.workspaceId,
          document: row.documentId,
          version: row.version,
          vector: row.vector,
        })),
      }),
    );
  }

  async search(
    table: string,
    { workspaceId, vector, limit, documentIds }: DriverQuery,
  ): Promise<ScoredId[]> {
    const { data } = await this.run(() =>
      this.client.search({
        collectionName: nameOf(table),
        data: [vector],
        annsField: "vector",
        filter: `${ofWorkspace(workspaceId)}${documentIds ? ` and document in ${JSON.stringify(documentIds)}` : ""}`,
        limit: Math.min(limit, 16_384),
        outputFields: ["id"],
      }),
    );
    return (data as { id?: unknown; distance?: unknown }[]).map((hit) => ({
      id: String(hit.id),
      score: Number(hit.distance),
    }));
  }

  async deleteByDocument(
    table: string,
    workspaceId: number,
    documentId: string,
    exceptVersion: number | undefined,
  ): Promise<void> {
    const others =
      exceptVersion === undefined ? "" : ` and version != ${Math.trunc(exceptVersion)}`;
    await this.delete(
      table,
      `${ofWorkspace(workspaceId)} and document == ${JSON.stringify(documentId)}${others}`,
    );
  }

  deleteWorkspace(table: string, workspaceId: number): Promise<void> {
    return this.delete(table, ofWorkspace(workspaceId));
  }

  private async delete(table: string, filter: string): Promise<void> {
    await this.run(() => this.client.delete({ collectionName: nameOf(table), filter }));
  }

  async drop(table: string): Promise<void> {
    await this.run(() => this.client.dropCollection({ collectionName: nameOf(table) }));
  }

  isMissing(fault: unknown): boolean {
    return (
      fault instanceof VectorStoreError &&
      fault.cause instanceof Refusal &&
      fault.cause.code === codes.collectionNotFound
    );
  }

  async check(model: VectorModel | undefined): Promise<void> {
    if (model) requireDimensions("Milvus", model.dimensions, maxDimensions);
    await this.run(() => this.client.listCollections());
  }

  async close(): Promise<void> {
    /* There is no connection to close. */
  }

  /** Refused requests come back with status 200 and an error code in the body. */
  private run<T extends { code: number; message?: string }>(work: () => Promise<T>): Promise<T> {
    return this.connection.run(async () => {
      const answer = await work();
      if (answer.code === 0 || answer.code === 200) return answer;
      const refusal = new Refusal(answer.code, answer.message ?? `code ${answer.code}`);
      if (answer.code === codes.unauthenticated || answer.code === codes.forbidden) {
        throw new VectorStoreError(
          {
            code: "vector-store.login-rejected",
            params: { store: this.connection.name, status: answer.code },
          },
          { isRetryable: false, cause: refusal },
        );
      }
      throw refusal;
    });
  }
}

class Refusal extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

/** Letters, digits and `_`. */
const nameOf = (table: string): string => `carrel_${table.replaceAll("-", "_")}`;
const ofWorkspace = (workspaceId: number): string => `workspace == ${workspaceId}`;
