import type { Deletion } from "./change-log.ts";

/** A full list grows by this factor. */
const growth = 1.5;

/** Integers in an array that grows. */
export class Int32List {
  /** Only the first `length` are set. */
  values: Int32Array;
  length = 0;

  constructor(capacity = 64) {
    this.values = new Int32Array(capacity);
  }

  get bytes(): number {
    return this.values.byteLength;
  }

  push(value: number): void {
    if (this.length === this.values.length) {
      const larger = new Int32Array(Math.ceil(this.values.length * growth) + 1);
      larger.set(this.values);
      this.values = larger;
    }
    this.values[this.length++] = value;
  }
}

/** Approximate bytes of a document's id and its map entry. */
const bytesPerDocument = 150;
/** Hash slots per row, so that finding an id usually takes one or two probes. */
const minSlotsPerRow = 2;
/** Stands for a document's number if the row is gone. */
const gone = -1;

/**
 * Ids, documents and versions by row. A row keeps its number; deleted and replaced ones are left
 * out. Ids are kept as bytes and found by hash: as strings in a map, they took 140 bytes a row.
 */
export class RowRegister {
  private text = Buffer.alloc(2_048);
  private readonly ends = new Int32List();
  private readonly hashes = new Int32List();
  private readonly versions = new Int32List();
  /** By row: a number for its document, or `gone`. */
  private readonly documents = new Int32List();
  private readonly documentNumbers = new Map<string, number>();
  /** By hash: a row's number plus 1, or 0. */
  private slots = new Int32Array(256);
  private goneCount = 0;

  /** Rows ever added. */
  get size(): number {
    return this.ends.length;
  }
  /** Number of rows that still exist. */
  get count(): number {
    return this.size - this.goneCount;
  }
  get bytes(): number {
    return (
      this.text.byteLength +
      this.slots.byteLength +
      this.ends.bytes +
      this.hashes.bytes +
      this.versions.bytes +
      this.documents.bytes +
      this.documentNumbers.size * bytesPerDocument
    );
  }

  /** Returns the row's number. The id must be new. */
  add(id: string, documentId: string, version: number): number {
    const row = this.size;
    const start = this.startOf(row);
    const most = start + id.length * 3;
    if (most > this.text.length) {
      const larger = Buffer.alloc(Math.ceil(most * 1.5));
      this.text.copy(larger, 0, 0, start);
      this.text = larger;
    }
    this.ends.push(start + this.text.write(id, start));
    this.versions.push(version);
    let document = this.documentNumbers.get(documentId);
    if (document === undefined)
      this.documentNumbers.set(documentId, (document = this.documentNumbers.size));
    this.documents.push(document);
    this.hashes.push(hashOf(id));
    if (this.size * minSlotsPerRow > this.slots.length) this.makeSlots();
    else this.fillSlot(row);
    return row;
  }

  /** The row with this id; -1 if there is none. */
  find(id: string): number {
    const hash = hashOf(id);
    for (let slot = hash; ; slot++) {
      const row = this.slots[slot & (this.slots.length - 1)]! - 1;
      if (row < 0) return -1;
      if (this.hashes.values[row] === hash && !this.isGone(row) && this.idOf(row) === id)
        return row;
    }
  }

  isGone(row: number): boolean {
    return this.documents.values[row] === gone;
  }

  remove(row: number): void {
    if (this.isGone(row)) return;
    this.documents.values[row] = gone;
    this.goneCount++;
  }

  /** The rows that a deletion of this workspace removes. */
  matching({ documentIds, exceptVersion }: Deletion): number[] {
    const wanted = documentIds && this.numbersOf(documentIds);
    const rows: number[] = [];
    for (let row = 0; row < this.size; row++) {
      const document = this.documents.values[row]!;
      if (
        document !== gone &&
        (!wanted || wanted[document] === 1) &&
        (exceptVersion === undefined || this.versions.values[row] !== exceptVersion)
      )
        rows.push(row);
    }
    return rows;
  }

  idOf(row: number): string {
    return this.text.toString("utf8", this.startOf(row), this.ends.values[row]);
  }

  /** Sets the score of rows that are gone, or not in a requested document, to `leftOut`. */
  leaveOut(
    scores: Int32Array | Float32Array,
    leftOut: number,
    documentIds?: readonly string[],
  ): void {
    if (!documentIds && this.goneCount === 0) return;
    const wanted = documentIds && this.numbersOf(documentIds);
    const { size } = this,
      { values } = this.documents;
    for (let row = 0; row < size; row++) {
      const document = values[row]!;
      if (document === gone || (wanted && wanted[document] === 0)) scores[row] = leftOut;
    }
  }

  private startOf(row: number): number {
    return row === 0 ? 0 : this.ends.values[row - 1]!;
  }

  /** 1 for each of these documents, by number. */
  private numbersOf(documentIds: readonly string[]): Uint8Array {
    const wanted = new Uint8Array(this.documentNumbers.size);
    for (const id of documentIds) {
      const number = this.documentNumbers.get(id);
      if (number !== undefined) wanted[number] = 1;
    }
    return wanted;
  }

  private makeSlots(): void {
    let length = this.slots.length;
    while (length < this.size * minSlotsPerRow * 2) length *= 2;
    this.slots = new Int32Array(length);
    for (let row = 0; row < this.size; row++) if (!this.isGone(row)) this.fillSlot(row);
  }

  private fillSlot(row: number): void {
    const mask = this.slots.length - 1;
    let slot = this.hashes.values[row]! & mask;
    while (this.slots[slot] !== 0) slot = (slot + 1) & mask;
    this.slots[slot] = row + 1;
  }
}

/** FNV-1a, 32 bits. */
function hashOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let n = 0; n < id.length; n++) hash = Math.imul(hash ^ id.charCodeAt(n), 0x01000193);
  // Its low bits choose the slot, but are the weakest.
  return hash ^ (hash >>> 15);
}
