/** About what a distinct term takes in the heap. */
const bytesPerTerm = 90;
/** An array that is full grows by this factor. */
const growth = 1.25;

/** The terms of chunks in their order, as numbers: half of what arrays of shared strings take. */
export class TermLists {
  private readonly numbers = new Map<string, number>();
  private readonly terms: string[] = [];
  private readonly ends: number[] = [];
  private list = new Int32Array(4_096);

  /** Number of lists. */
  get size(): number {
    return this.ends.length;
  }
  /** Number of distinct terms. */
  get vocabulary(): number {
    return this.terms.length;
  }
  get bytes(): number {
    return this.list.byteLength + this.terms.length * bytesPerTerm;
  }
  /** Total length of the lists. */
  get length(): number {
    return this.ends.at(-1) ?? 0;
  }

  /** All lists, one after the other. A new array once it is full. */
  get all(): Int32Array {
    return this.list;
  }
  startOf(row: number): number {
    return row === 0 ? 0 : this.ends[row - 1]!;
  }
  endOf(row: number): number {
    return this.ends[row]!;
  }

  numberOf(term: string): number | undefined {
    return this.numbers.get(term);
  }

  add(terms: readonly string[]): void {
    const start = this.length,
      end = start + terms.length;
    if (end > this.list.length) {
      const larger = new Int32Array(Math.max(end, Math.ceil(this.list.length * growth)));
      larger.set(this.list.subarray(0, start));
      this.list = larger;
    }
    for (const [n, term] of terms.entries()) {
      let number = this.numbers.get(term);
      if (number === undefined) {
        // A substring would keep the whole joined string alive.
        const own = Buffer.from(term).toString();
        number = this.terms.push(own) - 1;
        this.numbers.set(own, number);
      }
      this.list[start + n] = number;
    }
    this.ends.push(end);
  }

  termsOf(row: number): string[] {
    const terms: string[] = [];
    for (let at = this.startOf(row); at < this.endOf(row); at++)
      terms.push(this.terms[this.list[at]!]!);
    return terms;
  }
}
