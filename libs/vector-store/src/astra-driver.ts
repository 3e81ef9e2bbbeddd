import type { Collection, Db, FetcherRequestInfo } from "@datastax/astra-db-ts";
import { StoreConnection } from "./store-connection.ts";
import type { DriverQuery, DriverRow, VectorDriver } from "./vector-driver.ts";
import {
  VectorStoreError,
  requireDimensions,
  type ScoredId,
  type VectorModel,
} from "./vector-store.ts";

/** Data API limits: vector length, hits per vector search, values in one `$in`. */
const most = { dimensions: 4_096, hits: 1_000, listed: 100 };

/** A document in the collection. */
interface Row {
  _id: string;
  workspace: number;
  document: string;
  version: number;
  $vector: number[];
}

export async function openAstra({
  name,
  url,
  token,
}: {
  name: string;
  url: string;
  token: string;
}): Promise<VectorDriver> {
  const connection = new StoreConnection(name, [new URL(url).origin], [token]);
  const { DataAPIClient } = await import("@datastax/astra-db-ts");
  const client = new DataAPIClient(token, {
    logging: [],
    httpOptions: { client: "custom", fetcher: { fetch: (info) => send(connection, info) } },
  });
  return new AstraDriver(connection, client.db(url));
}

async function send(
  connection: StoreConnection,
  { url, body, method, headers, timeout, mkTimeoutError }: FetcherRequestInfo,
) {
  const signal = AbortSignal.timeout(timeout);
  try {
    const reply = await connection.fetch(url, {
      method,
      headers,
      signal,
      ...(body === undefined ? {} : { body }),
    });
    return {
      body: await reply.text(),
      headers: Object.fromEntries(reply.headers),
      status: reply.status,
      url,
      httpVersion: 1 as const,
      statusText: reply.statusText,
    };
  } catch (fault) {
    throw signal.aborted ? mkTimeoutError() : fault;
  }
}

/** One collection per model; only the fields used in filters are indexed. */
class AstraDriver implements VectorDriver {
  readonly batchSize = 100;
  private readonly collections = new Map<string, Collection<Row>>();

  constructor(
    private readonly connection: StoreConnection,
    private readonly db: Db,
  ) {}

  ensure(table: string, dimensions: number): Promise<boolean> {
    return this.run(async () => {
      const names = await this.db.listCollections({ nameOnly: true });
      if (names.includes(nameOf(table))) return false;
      requireDimensions("Astra DB", dimensions, most.dimensions);
      await this.db.createCollection(nameOf(table), {
        vector: { dimension: dimensions, metric: "cosine" },
        indexing: { allow: ["workspace", "document", "version"] },
      });
      return true;
    });
  }

  /** Inserts fail on existing ids, so delete those first. */
  async upsert(table: string, rows: DriverRow[], first: boolean): Promise<void> {
    const documents = rows.map((row): Row => ({
      _id: row.id,
      workspace: row.workspaceId,
      document: row.documentId,
      version: row.version,
      $vector: row.vector,
    }));
    await this.run(async () => {
      const collection = this.collection(table);
      if (!first)
        for (let start = 0; start < rows.length; start += most.listed)
          await collection.deleteMany({
            _id: { $in: rows.slice(start, start + most.listed).map((row) => row.id) },
          });
      try {
        await collection.insertMany(documents, { ordered: false });
      } catch (fault) {
        if (!first || !/already exists|DOCUMENT_ALREADY_EXISTS/i.test(String(fault))) throw fault;
        // An earlier attempt was cut off after writing some of them.
        for (const { _id, ...document } of documents)
          await collection.replaceOne({ _id }, document, { upsert: true });
      }
    });
  }

  async search(
    table: string,
    { workspaceId, vector, limit, documentIds }: DriverQuery,
  ): Promise<ScoredId[]> {
    const isListed = documentIds && documentIds.length <= most.listed;
    const found = await this.run(() =>
      this.collection(table)
        .find(
          { workspace: workspaceId, ...(isListed && { document: { $in: [...documentIds] } }) },
          {
            sort: { $vector: vector },
            limit: Math.min(limit, most.hits),
            includeSimilarity: true,
            projection: { _id: 1 },
          },
        )
        .toArray(),
    );
    // The Data API returns (1 + cosine) / 2.
    return found.map((row) => ({ id: String(row._id), score: 2 * Number(row.$similarity) - 1 }));
  }

  async deleteByDocument(
    table: string,
    workspaceId: number,
    documentId: string,
    exceptVersion: number | undefined,
  ): Promise<void> {
    await this.run(() =>
      this.collection(table).deleteMany({
        workspace: workspaceId,
        document: documentId,
        ...(exceptVersion === undefined ? {} : { version: { $ne: exceptVersion } }),
      }),
    );
  }

  async deleteWorkspace(table: string, workspaceId: number): Promise<void> {
    await this.run(() => this.collection(table).deleteMany({ workspace: workspaceId }));
  }

  async drop(table: string): Promise<void> {
    this.collections.delete(table);
    await this.run(() => this.db.dropCollection(nameOf(table)));
  }

  isMissing(fault: unknown): boolean {
    return (
      fault instanceof VectorStoreError &&
      /COLLECTION_NOT_EXIST|collection does not exist/i.test(
        `${fault.message} ${String((fault.cause as Error | undefined)?.message)}`,
      )
    );
  }

  async check(model: VectorModel | undefined): Promise<void> {
    if (model) requireDimensions("Astra DB", model.dimensions, most.dimensions);
    await this.run(() => this.db.listCollections({ nameOnly: true }));
  }

  async close(): Promise<void> {
    this.collections.clear();
  }

  private run<T>(work: () => Promise<T>): Promise<T> {
    return this.connection.run(work);
  }

  private collection(table: string): Collection<Row> {
    let collection = this.collections.get(table);
    if (!collection)
      this.collections.set(table, (collection = this.db.collection<Row>(nameOf(table))));
    return collection;
  }
}

/** Letters, digits and `_`; at most 48 characters. */
const nameOf = (table: string): string =>
  `carrel_${table.slice(-40).replace(/^-+/, "").replaceAll("-", "_")}`;
