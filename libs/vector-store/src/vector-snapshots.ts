import type { Table } from "@lancedb/lancedb";
import { TableSnapshots } from "./table-snapshots.ts";
import { VectorMatrix } from "./vector-matrix.ts";

/** Rows converted before yielding to the event loop: about 1 ms. */
const rowsInTurn = 500;

/** The vectors of recently searched workspaces. */
export class VectorSnapshots extends TableSnapshots<VectorMatrix> {
  constructor(
    private readonly dimensions: number,
    o?: ConstructorParameters<typeof TableSnapshots>[0],
  ) {
    super(o);
  }

  protected override estimate(rows: number): number {
    return VectorMatrix.bytes(rows, this.dimensions);
  }

  protected override async read(
    table: Table,
    filter: string,
    count: number,
    isCurrent: () => boolean,
  ): Promise<VectorMatrix | null> {
    const matrix = new VectorMatrix(count, this.dimensions);
    const query = table.query().where(filter).select(["id", "document_id", "vector"]);
    for await (const batch of query) {
      const ids = batch.getChild("id"),
        documents = batch.getChild("document_id");
      const vectors = batch.getChild("vector")?.getChildAt(0)?.toArray() as
        | Float32Array
        | undefined;
      if (vectors?.length !== batch.numRows * this.dimensions) return null;
      for (let row = 0; row < batch.numRows; row++) {
        if (!isCurrent()) return null;
        if (row % rowsInTurn === 0) await new Promise<void>((resolve) => setImmediate(resolve));
        matrix.append(
          String(ids?.get(row)),
          String(documents?.get(row)),
          vectors,
          row * this.dimensions,
        );
      }
    }
    return matrix;
  }
}
