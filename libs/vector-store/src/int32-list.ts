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
