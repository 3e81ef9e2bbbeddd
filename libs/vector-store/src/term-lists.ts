import { Int32List } from "./row-register.ts";

/** Approximate bytes of a distinct term's string on the heap. */
const bytesPerString = 40;
/** Hash slots per term, so that most lookups take one or two probes. */
const minSlotsPerTerm = 2;

const encoder = new TextEncoder();

/**
 * Numbers for distinct terms, in the order in which they were first seen. Found by their UTF-8
 * bytes, as they come from the table: making a string of each and looking it up in a map took three
 * quarters of a workspace's load time.
 */
class Vocabulary {
  private readonly terms: string[] = [];
  private text = Buffer.alloc(2_048);
  private readonly ends = new Int32List();
  private readonly hashes = new Int32List();
  /** By hash: a term's number plus 1, or 0. */
  private slots = new Int32Array(256);

  get size(): number {
    return this.terms.length;
  }
  get bytes(): number {
    return (
      this.text.byteLength +
      this.ends.bytes +
      this.hashes.bytes +
      this.slots.byteLength +
      this.terms.length * bytesPerString
    );
  }

  term(number: number): string {
    return this.terms[number]!;
  }

  find(term: string): number | undefined {
    const bytes = encoder.encode(term);
    const number = this.slots[this.slotOf(bytes, 0, bytes.length, hashOf(bytes, 0, bytes.length))]!;
    return number === 0 ? undefined : number - 1;
  }

  /** The number of the term in these bytes; a new term is added. */
  number(bytes: Uint8Array, start: number, end: number): number {
    const hash = hashOf(bytes, start, end);
    const slot = this.slotOf(bytes, start, end, hash);
    const known = this.slots[slot]!;
    return known === 0 ? this.add(bytes, start, end, hash, slot) : known - 1;
  }

  private add(bytes: Uint8Array, start: number, end: number, hash: number, slot: number): number {
    const from = this.startOf(this.size),
      to = from + end - start;
    if (to > this.text.length) {
      const larger = Buffer.alloc(Math.ceil(to * 1.5));
      this.text.copy(larger, 0, 0, from);
      this.text = larger;
    }
    this.text.set(bytes.subarray(start, end), from);
    this.ends.push(to);
    this.hashes.push(hash);
    const number = this.terms.push(this.text.toString("utf8", from, to)) - 1;
    this.slots[slot] = number + 1;
    if (this.size * minSlotsPerTerm > this.slots.length) this.makeSlots();
    return number;
  }

  private startOf(number: number): number {
    return number === 0 ? 0 : this.ends.values[number - 1]!;
  }

  /** The term's slot, or the empty slot where it belongs. */
  private slotOf(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const { slots, text } = this,
      mask = slots.length - 1,
      hashes = this.hashes.values,
      ends = this.ends.values;
    next: for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const number = slots[slot]! - 1;
      if (number < 0) return slot;
      if (hashes[number] !== hash) continue;
      const from = number === 0 ? 0 : ends[number - 1]!;
      if (ends[number]! - from !== end - start) continue;
      for (let n = start, at = from; n < end; n++, at++) if (bytes[n] !== text[at]) continue next;
      return slot;
    }
  }

  private makeSlots(): void {
    const mask = this.slots.length * 2 - 1;
    this.slots = new Int32Array(mask + 1);
    for (let number = 0; number < this.size; number++) {
      let slot = this.hashes.values[number]! & mask;
      while (this.slots[slot] !== 0) slot = (slot + 1) & mask;
      this.slots[slot] = number + 1;
    }
  }
}

/** FNV-1a, 32 bits. */
function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let n = start; n < end; n++) hash = Math.imul(hash ^ bytes[n]!, 0x01000193);
  // Its low bits choose the slot, but are the weakest.
  return hash ^ (hash >>> 15);
}

const space = 0x20;
/** Lists are packed into blocks of this many bytes; a longer list has its own block. */
const blockBits = 16,
  blockBytes = 1 << blockBits;
const growth = 1.25;
/**
 * A number takes a byte for every seven bits; all bytes except its last have the eighth bit set.
 */
const bits = 7,
  more = 1 << bits;
const maxBytesPerNumber = 5;

/**
 * The terms of chunks in their order, as numbers. Terms seen first get the smallest numbers, so
 * most take one or two bytes, an eighth of the references in a list of strings.
 */
export class TermLists {
  private readonly terms = new Vocabulary();
  private readonly blocks: Uint8Array[] = [];
  private blockBytes = 0;
  /** Where the next list starts in the last block. */
  private end = 0;
  /** By row: the number of its block and the offset in it. */
  private readonly starts = new Int32List();
  private readonly lengths = new Int32List();
  private totalLength = 0;
  private buffer = new Int32Array(256);

  /** Number of lists. */
  get size(): number {
    return this.starts.length;
  }
  /** Number of distinct terms. */
  get vocabulary(): number {
    return this.terms.size;
  }
  get bytes(): number {
    return this.blockBytes + this.starts.bytes + this.lengths.bytes + this.terms.bytes;
  }
  /** Length of all lists together. */
  get length(): number {
    return this.totalLength;
  }

  lengthOf(row: number): number {
    return this.lengths.values[row]!;
  }
  /** By row; valid until a list is added. */
  get lengthsByRow(): Int32Array {
    return this.lengths.values;
  }
  numberOf(term: string): number | undefined {
    return this.terms.find(term);
  }

  /** Adds a list from UTF-8 bytes, separated by spaces. */
  add(text: Uint8Array): void {
    let length = 1;
    for (let at = 0; at < text.length; at++) if (text[at] === space) length++;
    const block = this.blockFor(length * maxBytesPerNumber);
    let to = this.end;
    this.starts.push(((this.blocks.length - 1) << blockBits) | to);
    for (let from = 0, at = 0; at <= text.length; at++) {
      if (at < text.length && text[at] !== space) continue;
      let left = this.terms.number(text, from, at);
      for (; left >= more; left >>>= bits) block[to++] = left | more;
      block[to++] = left;
      from = at + 1;
    }
    this.end = to;
    this.lengths.push(length);
    this.totalLength += length;
    if (length > this.buffer.length) this.buffer = new Int32Array(length * 2);
  }

  /** The numbers of a row's terms: the first `lengthOf(row)` here, until the next call. */
  numbersOf(row: number): Int32Array {
    const { buffer } = this;
    const start = this.starts.values[row]!;
    const block = this.blocks[start >>> blockBits]!;
    let at = start & (blockBytes - 1);
    for (let n = 0, length = this.lengths.values[row]!; n < length; n++) {
      let byte = block[at++]!,
        number = byte & (more - 1);
      for (let shift = bits; byte >= more; shift += bits) {
        byte = block[at++]!;
        number |= (byte & (more - 1)) << shift;
      }
      buffer[n] = number;
    }
    return buffer;
  }

  termsOf(row: number): string[] {
    const numbers = this.numbersOf(row);
    return Array.from({ length: this.lengthOf(row) }, (_, n) => this.terms.term(numbers[n]!));
  }

  /**
   * The last block if it has room for this many bytes. The first block grows, to suit small
   * workspaces.
   */
  private blockFor(bytes: number): Uint8Array {
    const last = this.blocks.at(-1);
    const needed = this.end + bytes;
    if (last && this.end < blockBytes && needed <= last.length) return last;
    if (last && this.blocks.length === 1 && needed <= blockBytes) {
      const larger = new Uint8Array(Math.min(blockBytes, Math.ceil(needed * growth)));
      larger.set(last.subarray(0, this.end));
      this.blocks[0] = larger;
      this.blockBytes = larger.length;
      return larger;
    }
    const block = new Uint8Array(
      last || bytes > blockBytes ? Math.max(blockBytes, bytes) : Math.max(4_096, bytes),
    );
    this.blocks.push(block);
    this.blockBytes += block.length;
    this.end = 0;
    return block;
  }
}
