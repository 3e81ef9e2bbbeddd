import { vectorTableName } from "./lance-vector-index.ts";
import {
  QdrantCollection,
  tenantFilter,
  tenantKey,
  type QdrantServer,
} from "./qdrant-collection.ts";
import {
  type ScoredId,
  type VectorIndex,
  type VectorModel,
  type VectorRow,
} from "./vector-index.ts";
import { checkVector, normalised, toNumbers } from "./normalised.ts";

/**
 * One collection per embedding model; each workspace is a tenant with its own graph (`payload_m`),
 * and there is no global one.
 */
export class QdrantVectorIndex implements VectorIndex {
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
