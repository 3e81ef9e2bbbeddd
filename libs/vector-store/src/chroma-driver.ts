import { routeFetch } from "@carrel/egress";
import type { ChromaClient, Collection, Where } from "chromadb";
import { StoreConnection } from "./store-connection.ts";
import type { DriverQuery, DriverRow, VectorDriver } from "./vector-driver.ts";
import type { ScoredId } from "./vector-store.ts";

/** Chroma's collection names have 3 to 512 characters; on older servers, up to 63. */
const namePart = 40;
/** Candidates per graph search: nearly exact for a workspace of typical size. */
const searchedNeighbours = 200;
/** Number of collection handles to cache. */
const keptHandles = 1_000;

export async function openChroma(o: {
  name: string;
  url: string;
  header: string | undefined;
  key: string | undefined;
}): Promise<VectorDriver> {
  routeFetch();
  const chroma = await import("chromadb");
  const url = new URL(o.url);
  const header = o.header ?? "X-Api-Key";
  const value =
    header.toLowerCase() === "authorization" && o.key && !/^\S+ \S/.test(o.key)
      ? `Bearer ${o.key}`
      : o.key;
  const client = new chroma.ChromaClient({
    ...partsOf(url),
    tenant: "default_tenant",
    database: "default_database",
    headers: value ? { [header]: value } : {},
  });
  return new ChromaDriver(
    new StoreConnection(o.name, [url.origin], [o.key]),
    client,
    { hnsw: { space: "cosine", ef_search: searchedNeighbours } },
    { rows: 500, hits: 10_000 },
  );
}

export async function openChromaCloud(o: {
  name: string;
  url: string;
  key: string;
  tenant: string;
  database: string;
}): Promise<VectorDriver> {
  routeFetch();
  const chroma = await import("chromadb");
  const url = new URL(o.url);
  const client = new chroma.ChromaClient({
    ...partsOf(url),
    headers: { "x-chroma-token": o.key },
    tenant: o.tenant,
    database: o.database,
  });
  return new ChromaDriver(
    new StoreConnection(o.name, [url.origin], [o.key]),
    client,
    { spann: { space: "cosine" } },
    { rows: 250, hits: 300 },
  );
}

const partsOf = ({ hostname, port, protocol }: URL) => ({
  host: hostname,
  port: Number(port) || (protocol === "https:" ? 443 : 80),
  ssl: protocol === "https:",
});

/** Maximum rows written and hits returned per request; Chroma Cloud allows 300 of each. */
interface Most {
  rows: number;
  hits: number;
}
type Configuration = NonNullable<Parameters<ChromaClient["createCollection"]>[0]["configuration"]>;

/**
 * One collection per model and workspace: Chroma filters while it walks its graph, so a small
 * workspace would get few hits from a shared collection. An empty collection per model marks that
 * the model has vectors.
 */
class ChromaDriver implements VectorDriver {
  readonly batchSize: number;
  private readonly handles = new Map<string, Collection>();

  constructor(
    private readonly connection: StoreConnection,
    private readonly client: ChromaClient,
    private readonly configuration: Configuration,
    private readonly most: Most,
  ) {
    this.batchSize = most.rows;
  }

  async ensure(table: string, dimensions: number): Promise<boolean> {
    const name = markOf(table);
    this.handles.delete(name);
    return this.run(async () => {
      if (await this.find(name)) return false;
      await this.client.getOrCreateCollection({
        name,
        embeddingFunction: null,
        metadata: { dimensions },
      });
      return true;
    });
  }

  async upsert(table: string, rows: DriverRow[]): Promise<void> {
    for (const [workspaceId, own] of byWorkspace(rows)) {
      await this.run(async () => {
        const collection = await this.make(partOf(table, workspaceId));
        await collection.upsert({
          ids: own.map((row) => row.id),
          embeddings: own.map((row) => row.vector),
          metadatas: own.map((row) => ({ document: row.documentId, version: row.version })),
        });
      });
    }
  }

  async search(
    table: string,
    { workspaceId, vector, limit, documentIds }: DriverQuery,
  ): Promise<ScoredId[]> {
    const found = await this.inPart(table, workspaceId, (collection) =>
      collection.query({
        queryEmbeddings: [vector],
        nResults: Math.min(limit, this.most.hits),
        include: ["distances"],
        ...(documentIds && { where: { document: { $in: [...documentIds] } } }),
      }),
    );
    if (!found) return [];
    return (found.ids[0] ?? []).map((id, place) => ({
      id,
      score: 1 - (found.distances[0]?.[place] ?? Number.NaN),
    }));
  }

  async deleteByDocument(
    table: string,
    workspaceId: number,
    documentId: string,
    exceptVersion: number | undefined,
  ): Promise<void> {
    const document: Where = { document: { $eq: documentId } };
    await this.inPart(table, workspaceId, (collection) =>
      collection.delete({
        where:
          exceptVersion === undefined
            ? document
            : { $and: [document, { version: { $ne: exceptVersion } }] },
      }),
    );
  }

  async deleteWorkspace(table: string, workspaceId: number): Promise<void> {
    await this.run(() => this.remove(partOf(table, workspaceId)));
  }

  async drop(table: string): Promise<void> {
    await this.run(async () => {
      const names: string[] = [];
      const page = 100;
      for (let offset = 0; ; offset += page) {
        const collections = await this.client.listCollections({ limit: page, offset });
        names.push(
          ...collections
            .map((collection) => collection.name)
            .filter((name) => name === markOf(table) || name.startsWith(`${markOf(table)}-w`)),
        );
        if (collections.length < page) break;
      }
      for (const name of names) await this.remove(name);
    });
  }

  /** Missing collections are created or skipped in this class. */
  isMissing(): boolean {
    return false;
  }

  async check(): Promise<void> {
    await this.run(() => this.client.countCollections());
  }
  async close(): Promise<void> {
    this.handles.clear();
  }

  private run<T>(work: () => Promise<T>): Promise<T> {
    return this.connection.run(work);
  }

  /**
   * Returns null when the workspace has no vectors here. A collection that was recreated in the
   * meantime has a new id.
   */
  private inPart<T>(
    table: string,
    workspaceId: number,
    work: (collection: Collection) => Promise<T>,
  ): Promise<T | null> {
    const name = partOf(table, workspaceId);
    return this.run(async () => {
      for (let attempt = 1; ; attempt++) {
        const collection = await this.find(name);
        if (!collection) return null;
        try {
          return await work(collection);
        } catch (fault) {
          if (!isNotFound(fault) || attempt > 1) throw fault;
          this.handles.delete(name);
        }
      }
    });
  }

  private async find(name: string): Promise<Collection | null> {
    const known = this.handles.get(name);
    if (known) return known;
    try {
      return this.keep(name, await this.client.getCollection({ name }));
    } catch (fault) {
      if (isNotFound(fault)) return null;
      throw fault;
    }
  }

  private async make(name: string): Promise<Collection> {
    // Not cached: rows written through the handle of a deleted collection would be lost.
    return this.keep(
      name,
      await this.client.getOrCreateCollection({
        name,
        embeddingFunction: null,
        configuration: this.configuration,
      }),
    );
  }

  private keep(name: string, collection: Collection): Collection {
    if (this.handles.size >= keptHandles) this.handles.clear();
    this.handles.set(name, collection);
    return collection;
  }

  private async remove(name: string): Promise<void> {
    this.handles.delete(name);
    await this.client.deleteCollection({ name }).catch((fault: unknown) => {
      if (!isNotFound(fault)) throw fault;
    });
  }
}

const markOf = (table: string): string => `carrel-${table.slice(-namePart).replace(/^-+/, "")}`;
const partOf = (table: string, workspaceId: number): string => `${markOf(table)}-w${workspaceId}`;
const isNotFound = (fault: unknown): boolean =>
  fault instanceof Error && fault.name === "ChromaNotFoundError";

export function byWorkspace(rows: DriverRow[]): Map<number, DriverRow[]> {
  const parts = new Map<number, DriverRow[]>();
  for (const row of rows) {
    const part = parts.get(row.workspaceId);
    if (part) part.push(row);
    else parts.set(row.workspaceId, [row]);
  }
  return parts;
}
