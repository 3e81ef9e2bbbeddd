import { splitChunkTerms } from "./chunk-terms.ts";

/**
 * A chunk's terms as numbers (`termNumbers`): those of title and headings, and those of its text in
 * their order.
 */
export interface NumberedTerms {
  context: Int32Array;
  body: Int32Array;
}

/** Distinct terms that are known at most, some 150 bytes each; then all is numbered anew. */
const mostTerms = 300_000;
/** Arrays kept for the next search, and how much longer than needed they are made. */
const mostSpare = 4,
  growth = 1.25;

/**
 * A number for every term, so that ranking compares and counts numbers instead of strings: a search
 * reads some ten thousand
 * terms. A chunk is numbered once, for as long as the array of its terms lives.
 */
export class TermNumbers {
  readonly #numbers = new Map<string, number>();
  #names: string[] = [];
  #spare: Int32Array[] = [];
  #chunks = new WeakMap<readonly string[], NumberedTerms>();

  /** Every number is below it. */
  get size(): number {
    return this.#names.length;
  }
  nameOf(number: number): string {
    return this.#names[number]!;
  }

  find(term: string): number | undefined {
    return this.#numbers.get(term);
  }

  of(term: string): number {
    let number = this.#numbers.get(term);
    if (number === undefined) {
      number = this.#names.length;
      // Cut from a longer string, a term would keep all of that string alive.
      const own = Buffer.from(term).toString();
      this.#numbers.set(own, number);
      this.#names.push(own);
    }
    return number;
  }

  read(terms: string[]): NumberedTerms {
    const known = this.#chunks.get(terms);
    if (known) return known;
    const { context, body } = splitChunkTerms(terms);
    const numbered = {
      context: Int32Array.from(context, (term) => this.of(term)),
      body: Int32Array.from(body, (term) => this.of(term)),
    };
    this.#chunks.set(terms, numbered);
    return numbered;
  }

  /**
   * An array of zeros for every number; kept for the next who asks by `giveBack`, which is told
   * what was written to.
   */
  take(): Int32Array {
    const spare = this.#spare.pop();
    return spare !== undefined && spare.length >= this.size
      ? spare
      : new Int32Array(Math.ceil(this.size * growth));
  }

  giveBack(marks: Int32Array, touched: Iterable<number>): void {
    for (const number of touched) marks[number] = 0;
    if (this.#spare.length < mostSpare) this.#spare.push(marks);
  }

  /**
   * Forgets everything where it grew too large. Between two searches, never in one: numbers then
   * mean other terms.
   */
  shrink(most = mostTerms): void {
    if (this.#names.length <= most) return;
    this.#numbers.clear();
    this.#names = [];
    this.#chunks = new WeakMap();
    this.#spare = [];
  }
}

/** The numbers of this process. */
export const termNumbers = new TermNumbers();
