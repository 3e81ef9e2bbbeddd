/** About what a distinct term takes in the heap. */
const bytesPerTerm = 90;
/** An array that is full grows by this factor. */
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
  private readonly numbers = new Map<string, number>();
  private readonly terms: string[] = [];
  private packed = new Uint8Array(4_096);
  private readonly ends: number[] = [];
  private readonly lengths: number[] = [];
  private totalLength = 0;
  private buffer = new Int32Array(256);

  /** Number of lists. */
  get size(): number {
    return this.ends.length;
  }
  /** Number of distinct terms. */
  get vocabulary(): number {
    return this.terms.length;
  }
  get bytes(): number {
    return this.packed.byteLength + this.terms.length * bytesPerTerm;
  }
  /** Of all lists. */
  get length(): number {
    return this.totalLength;
  }

  lengthOf(row: number): number {
    return this.lengths[row]!;
  }
  numberOf(term: string): number | undefined {
    return this.numbers.get(term);
  }

  add(terms: readonly string[]): void {
    let at = this.ends.at(-1) ?? 0;
    const most = at + terms.length * maxBytesPerNumber;
    if (most > this.packed.length) {
      const larger = new Uint8Array(Math.max(most, Math.ceil(this.packed.length * growth)));
      larger.set(this.packed.subarray(0, at));
      this.packed = larger;
    }
    for (const term of terms) {
      let left = this.number(term);
      for (; left >= more; left >>>= bits) this.packed[at++] = left | more;
      this.packed[at++] = left;
    }
    this.ends.push(at);
    this.lengths.push(terms.length);
    this.totalLength += terms.length;
    if (terms.length > this.buffer.length) this.buffer = new Int32Array(terms.length * 2);
  }

  /** The numbers of a row's terms: the first `lengthOf(row)` here, until the next call. */
  numbersOf(row: number): Int32Array {
    const { packed, buffer } = this;
    let at = row === 0 ? 0 : this.ends[row - 1]!;
    for (let n = 0, length = this.lengths[row]!; n < length; n++) {
      let byte = packed[at++]!,
        number = byte & (more - 1);
      for (let shift = bits; byte >= more; shift += bits) {
        byte = packed[at++]!;
        number |= (byte & (more - 1)) << shift;
      }
      buffer[n] = number;
    }
    return buffer;
  }

  termsOf(row: number): string[] {
    const numbers = this.numbersOf(row);
    return Array.from({ length: this.lengths[row]! }, (_, n) => this.terms[numbers[n]!]!);
  }

  private number(term: string): number {
    const known = this.numbers.get(term);
    if (known !== undefined) return known;
    // A substring would keep the whole joined string alive.
    const own = Buffer.from(term).toString();
    const number = this.terms.push(own) - 1;
    this.numbers.set(own, number);
    return number;
  }
}
