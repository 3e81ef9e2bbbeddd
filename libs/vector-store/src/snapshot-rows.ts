import type { LanceRow } from "./lance-row.ts";

export type SnapshotRow = Pick<LanceRow, "id" | "document_id"> & { [column: string]: unknown };

/** What a snapshot keeps of a workspace's rows. */
export interface SnapshotRows {
  /** Memory it takes, including what searches will make of it. */
  readonly bytes: number;
  readonly register: RowRegister;
  add(row: SnapshotRow): void;
}

/** Ids and documents by row. A row keeps its number; deleted and replaced ones are left out. */
export class RowRegister {
  private readonly ids: string[] = [];
  private readonly documents: string[] = [];
  private readonly gone = new Set<number>();

  /** Rows ever added. */
  get size(): number {
    return this.ids.length;
  }
  /** Rows that are still there. */
  get count(): number {
    return this.ids.length - this.gone.size;
  }

  /** Returns the row's number. */
  add(id: string, documentId: string): number {
    // Rows of a document follow each other and share one string.
    const last = this.documents.at(-1);
    this.documents.push(last === documentId ? last : documentId);
    return this.ids.push(id) - 1;
  }

  remove(isGone: (id: string, documentId: string) => boolean): void {
    for (let row = 0; row < this.ids.length; row++)
      if (isGone(this.ids[row]!, this.documents[row]!)) this.gone.add(row);
  }

  idOf(row: number): string {
    return this.ids[row]!;
  }

  /** Sets the score of rows that are gone, or in no document asked for, to `leftOut`. */
  leaveOut(
    scores: Int32Array | Float32Array,
    leftOut: number,
    documentIds?: readonly string[],
  ): void {
    for (const row of this.gone) scores[row] = leftOut;
    if (!documentIds) return;
    const wanted = new Set(documentIds);
    for (let row = 0; row < this.documents.length; row++)
      if (scores[row] !== leftOut && !wanted.has(this.documents[row]!)) scores[row] = leftOut;
  }
}
