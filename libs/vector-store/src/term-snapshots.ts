import type { Table } from "@lancedb/lancedb";
import { TableSnapshots } from "./table-snapshots.ts";
import { TermPostings } from "./term-postings.ts";

/** Bytes of a chunk of usual length, for refusing large workspaces before they are read. */
const expectedBytesPerRow = 700;
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
    _count: number,
    isCurrent: () => boolean,
  ): Promise<TermPostings | null> {
    const postings = new TermPostings(this.o.maxBytes.workspace);
    for await (const batch of table.query().where(filter).select(["id", "document_id", "terms"])) {
      const ids = batch.getChild("id"),
        documents = batch.getChild("document_id"),
        terms = batch.getChild("terms");
      for (let row = 0; row < batch.numRows; row++) {
        if (!isCurrent()) return null;
        if (row % rowsInTurn === 0) await new Promise<void>((resolve) => setImmediate(resolve));
        postings.add({
          id: String(ids?.get(row)),
          document_id: String(documents?.get(row)),
          terms: terms?.get(row),
        });
      }
    }
    await postings.build();
    return postings;
  }
}
