import type { Table } from "@lancedb/lancedb";
import { TableSnapshots } from "./table-snapshots.ts";
import { TermPostings } from "./term-postings.ts";

/** Bytes of a chunk of usual length, for refusing large workspaces before they are read. */
const expectedBytesPerRow = 600;
/** Rows added before yielding to the event loop: about 1 ms. */
const rowsInTurn = 50;

/** The terms of recently searched workspaces. */
export class TermSnapshots extends TableSnapshots<TermPostings> {
  protected override estimate(rows: number): number {
    return rows * expectedBytesPerRow;
  }

  protected override async read(
    table: Table,
    filter: string,
    count: number,
    isCurrent: () => boolean,
  ): Promise<TermPostings | null> {
    const postings = new TermPostings(this.o.maxBytes.workspace);
    const query = table.query().where(filter).select(["document_id", "terms"]).withRowId();
    for await (const batch of query) {
      const documents = batch.getChild("document_id"),
        terms = batch.getChild("terms"),
        addresses = batch.getChild("_rowid");
      for (let row = 0; row < batch.numRows; row++) {
        if (!isCurrent()) return null;
        if (row % rowsInTurn === 0) await new Promise<void>((resolve) => setImmediate(resolve));
        postings.add(
          BigInt(addresses?.get(row) as bigint),
          String(documents?.get(row)),
          String(terms?.get(row)).split(" "),
        );
      }
    }
    if (postings.size !== count) return null;
    await postings.build();
    return postings;
  }
}
