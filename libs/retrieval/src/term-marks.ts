/**
 * A value for each marked term number; unmarked ones have 0. Most terms of a text aren't marked,
 * and a bit says so: all bits fit into the processor's cache, but all values don't.
 */
export class TermMarks {
  private readonly bits: Uint32Array;
  private readonly values: Int32Array;
  private readonly marked: number[] = [];

  constructor(readonly size: number) {
    this.bits = new Uint32Array((size + 31) >>> 5);
    this.values = new Int32Array(size);
  }

  get(number: number): number {
    return (this.bits[number >>> 5]! >>> (number & 31)) & 1 ? this.values[number]! : 0;
  }

  set(number: number, value: number): void {
    this.bits[number >>> 5]! |= 1 << (number & 31);
    this.values[number] = value;
    this.marked.push(number);
  }

  /** Clears all marks for the next use. */
  clear(): void {
    for (const number of this.marked) this.bits[number >>> 5] = 0;
    this.marked.length = 0;
  }
}
