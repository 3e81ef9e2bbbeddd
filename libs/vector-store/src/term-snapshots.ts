import { TableSnapshots } from "./table-snapshots.ts";
import { TermPostings } from "./term-postings.ts";

/** Bytes of a chunk of usual length, for refusing workspaces that don't fit before they are read. */
const expectedBytesPerRow = 700;

/** The terms of recently searched workspaces. */
export class TermSnapshots extends TableSnapshots<TermPostings> {
  protected override readonly columns = ["terms"];

  protected override estimate(rows: number): number {
    return rows * expectedBytesPerRow;
  }

  protected override make(): TermPostings {
    return new TermPostings();
  }

  protected override prepare(rows: TermPostings): Promise<void> {
    return rows.build();
  }
}
