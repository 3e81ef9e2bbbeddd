import { TableSnapshots } from "./table-snapshots.ts";
import { VectorMatrix } from "./vector-matrix.ts";

/** The vectors of recently searched workspaces. */
export class VectorSnapshots extends TableSnapshots<VectorMatrix> {
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
