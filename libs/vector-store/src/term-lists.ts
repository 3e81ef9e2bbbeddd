import { Int32List } from "./int32-list.ts";
import { Vocabulary } from "./vocabulary.ts";

const space = 0x20;
/** Lists are packed into blocks of this many bytes; one that is longer has a block of its own. */
const blockBits = 16,
  blockBytes = 1 << blockBits;
const growth = 1.25;
/** A number takes a byte for each seven bits; all bytes but its last have the eighth bit. */
const bits = 7,
  more = 1 << bits;
const maxBytesPerNumber = 5;

/**
 * The terms of chunks in their order, as numbers. Terms seen first get the smallest numbers, so most
 * take one or two bytes, an eighth of the references in a list of strings.
 */
export class TermLists {
  private readonly terms = new Vocabulary();
  private readonly blocks: Uint8Array[] = [];
  private blockBytes = 0;
  /** Where the next list starts in the last block. */
  private end = 0;
  /** By row: the number of its block and the place in it. */
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
  /** Of all lists. */
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

  /** A list from UTF-8 bytes, separated by spaces. */
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

  /** The last block if it has room for this many bytes. The first one grows, for small workspaces. */
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
