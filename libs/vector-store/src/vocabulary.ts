import { Int32List } from "./int32-list.ts";

/** About what a distinct term's string takes in the heap. */
const bytesPerString = 40;
/** Hash slots per term, so that most searches look at one or two. */
const minSlotsPerTerm = 2;

const encoder = new TextEncoder();

/**
 * Numbers for distinct terms, in the order in which they were first seen. Found by their UTF-8 bytes,
 * as they come from the table: making a string of each and looking it up in a map took three
 * quarters of the time in which a workspace is loaded.
 */
export class Vocabulary {
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

  /** The number of the term in these bytes, which is added if it is new. */
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

  /** The term's slot, or the empty one where it would be. */
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
  // Its low bits are the weakest, and they choose the slot.
  return hash ^ (hash >>> 15);
}
