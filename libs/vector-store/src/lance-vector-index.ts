import { createHash } from "node:crypto";
import { clipText } from "@carrel/contracts";
import { Index, type Table } from "@lancedb/lancedb";
import { arrow } from "./arrow.ts";
import type { LanceHome } from "./lance-home.ts";
import { ofDocuments, tenant } from "./lance-row.ts";
import { LanceTable } from "./lance-table.ts";
import { RowCache } from "./row-cache.ts";
import { TableSnapshots } from "./table-snapshots.ts";
import { VectorMatrix } from "./vector-matrix.ts";
import {
  checkVector,
  normalised,
  type First,
  type ScoredId,
  type VectorIndex,
  type VectorModel,
  type VectorRow,
} from "./vector-store.ts";

/** The vectors of recently searched workspaces. */
class VectorSnapshots extends TableSnapshots<VectorMatrix> {
  protected override readonly columns = ["vector"];

  constructor(
    private readonly dimensions: number,
    ...options: ConstructorParameters<typeof TableSnapshots<VectorMatrix>>
  ) {
    super(...options);
  }

  protected override estimate(rows: number): number {
    return VectorMatrix.estimate(rows, this.dimensions);
  }

  protected override make(expectedRows: number): VectorMatrix {
    return new VectorMatrix(expectedRows, this.dimensions);
  }
}

/**
 * With this many rows or more, vectors are kept in memory in partitions. With fewer, reading the
 * files is as fast.
 */
const partitionFromRows = 4_096;
const rowsInPartition = 1_000;
const minPartitions = 8;
/**
 * Up to this many partitions are all searched, which is exact. Beyond that, the nearest ones are,
 * and more while hits are missing.
 */
const searchedPartitions = 128;
/** Partitions are rebuilt when their ideal number has grown by this factor. */
const regrow = 4;
/**
 * Once a workspace's vectors take this many bytes in memory, those in LanceDB's cache are useless.
 */
const largeBytes = 16 << 20;
/** Ids cached by row address, about 150 bytes each. */
const keptIds = 100_000;

/**
 * One table per model. Searches use the vectors in memory (`VectorSnapshots`) once they are
 * loaded. Both ways are exact up to about 128,000 chunks, so the workspace filter costs no recall.
 */
export class LanceVectorIndex implements VectorIndex {
  readonly table: LanceTable;
  private readonly rows = new RowCache({
    columns: ["id"],
    read: (column) => ({ id: column("id") }),
    maxSize: keptIds,
    sizeOf: () => 1,
  });

  private readonly snapshots: VectorSnapshots;

  constructor(
    home: LanceHome,
    private readonly model: VectorModel,
  ) {
    this.snapshots = new VectorSnapshots(model.dimensions, home.memory, (bytes) => {
      // The partitions in LanceDB's cache take the same amount again.
      if (bytes > largeBytes) home.caches.dropUnused();
    });
    this.table = new LanceTable(
      home,
      vectorTableName(model),
      new arrow.Schema([
        new arrow.Field("id", new arrow.Utf8(), false),
        new arrow.Field("workspace_id", new arrow.Int32(), false),
        new arrow.Field("document_id", new arrow.Utf8(), false),
        new arrow.Field("version", new arrow.Int32(), false),
        new arrow.Field(
          "vector",
          new arrow.FixedSizeList(
            model.dimensions,
            new arrow.Field("item", new arrow.Float32(), true),
          ),
          false,
        ),
      ]),
      () => ({ id: Index.btree(), workspace_id: Index.bitmap(), document_id: Index.btree() }),
      {
        changed: async (change) => {
          // Addresses stay valid until the table is recreated.
          if (change.kind === "cleared") this.rows.clear();
          await this.snapshots.changed(change);
        },
        lost: () => this.snapshots.lost(),
        optimized: async (table) => {
          await this.rows.moved(table);
          await this.partition(table);
        },
      },
    );
  }

  async ensure(): Promise<void> {
    await this.table.open();
  }

  async upsert(rows: VectorRow[], options: { first?: First } = {}): Promise<void> {
    for (const row of rows) {
      checkVector(row.vector, this.model);
      tenant(row.workspaceId);
    }
    await this.table.upsert(
      rows.map((row) => ({
        id: row.id,
        workspace_id: row.workspaceId,
        document_id: row.documentId,
        version: row.version,
        vector: normalised(row.vector),
      })),
      options.first,
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
    if (limit < 1 || unit.every((value) => value === 0)) return [];
    return this.table.followed((current) => {
      const snapshot = this.snapshots.find(current, workspaceId);
      return snapshot
        ? snapshot.search(unit, limit, documentIds)
        : this.searchFiles(workspaceId, unit, limit, documentIds);
    });
  }

  private searchFiles(
    workspaceId: number,
    unit: Float32Array,
    limit: number,
    documentIds?: readonly string[],
  ): Promise<ScoredId[]> {
    return this.table.read(async (table) => {
      const query = () =>
        table
          .vectorSearch(unit)
          .distanceType("dot")
          .where(ofDocuments(workspaceId, documentIds))
          .nprobes(searchedPartitions)
          .limit(limit);
      let found = await query().select(["_distance"]).withRowId().toArrow();
      let rows = await this.rows.find(table, found);
      if (!rows) {
        found = await query().select(["id", "_distance"]).toArrow();
        rows = this.rows.readAll(found);
      }
      const distances = found.getChild("_distance");
      const hits = new Map(
        rows.map(({ id }, row) => [id, { id, score: clamp(1 - Number(distances?.get(row))) }]),
      );
      return [...hits.values()].filter((hit) => Number.isFinite(hit.score));
    });
  }

  deleteByDocument(
    workspaceId: number,
    documentId: string,
    { exceptVersion }: { exceptVersion?: number } = {},
  ): Promise<void> {
    return this.table.delete({
      workspaceId,
      documentIds: [documentId],
      ...(exceptVersion !== undefined && { exceptVersion }),
    });
  }
  deleteByDocuments(workspaceId: number, documentIds: readonly string[]): Promise<void> {
    return this.table.delete({ workspaceId, documentIds });
  }
  async deleteWorkspace(workspaceId: number): Promise<void> {
    await this.table.delete({ workspaceId });
  }
  drop(): Promise<void> {
    return this.table.drop();
  }
  async health(): Promise<void> {
    await this.table.read((table) => table.version(), false);
  }

  /** Waits for running reads and writes. */
  async close(): Promise<void> {
    await this.snapshots.close();
    await this.table.close();
  }

  /**
   * Flat partitions: uncompressed vectors, grouped and kept in memory. The index name holds their
   * number.
   */
  private async partition(table: Table): Promise<void> {
    const rows = await table.countRows();
    if (rows < partitionFromRows) return;
    const wanted = Math.max(minPartitions, Math.ceil(rows / rowsInPartition));
    const present = (await table.listIndices()).find((index) => index.columns.includes("vector"));
    const has = Number(/^vector_(\d+)$/.exec(present?.name ?? "")?.[1] ?? 0);
    if (wanted < has * regrow) return;
    await table.createIndex("vector", {
      config: Index.ivfFlat({ distanceType: "dot", numPartitions: wanted }),
      name: `vector_${wanted}`,
    });
    if (present && present.name !== `vector_${wanted}`) await table.dropIndex(present.name);
  }
}

/**
 * Readable and unique: models whose names differ only in characters not allowed in file names get
 * different tables.
 */
export function vectorTableName({ model, dimensions }: VectorModel): string {
  const words = model
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  const readable = clipText(words, 40) || "model";
  return `vector-${readable}-${dimensions}-${createHash("sha256").update(model).digest("hex").slice(0, 8)}`;
}

const clamp = (score: number): number => Math.max(-1, Math.min(1, score));
