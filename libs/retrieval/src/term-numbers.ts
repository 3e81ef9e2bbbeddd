import { splitChunkTerms } from "./chunk-terms.ts";
import { familyKeys, relativesOf } from "./word-family.ts";

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

const buckets = 65_536;
const keysPerTerm = 2;

/**
 * Finds terms that may be related to a word without comparing it with all terms: related ones share
 * a key. Terms are identified by number.
 */
class TermFamilies {
  /** By bucket: its last entry plus 1. An entry is twice a term's number, plus which key. */
  private readonly last = new Int32Array(buckets);
  /** By entry: the previous one in its bucket, plus 1. */
  private before = new Int32Array(4_096);

  add(term: string, number: number): void {
    const keys = familyKeys(term);
    if (keys.length === 0) return;
    const needed = (number + 1) * keysPerTerm;
    if (needed > this.before.length) {
      const larger = new Int32Array(Math.max(needed, this.before.length * 2));
      larger.set(this.before);
      this.before = larger;
    }
    for (let which = 0; which < keys.length; which++) {
      const bucket = keys[which]! & (buckets - 1),
        entry = number * keysPerTerm + which;
      this.before[entry] = this.last[bucket]!;
      this.last[bucket] = entry + 1;
    }
  }

  /** Visits the numbers of terms that share a key with the form, and of some others. */
  visit(form: string, see: (number: number) => void): void {
    for (const key of familyKeys(form))
      for (let entry = this.last[key & (buckets - 1)]!; entry > 0; entry = this.before[entry - 1]!)
        see(Math.floor((entry - 1) / keysPerTerm));
  }
}

/** A chunk's terms as numbers (`termNumbers`): title and headings, and the text in order. */
export interface NumberedTerms {
  context: Int32Array;
  body: Int32Array;
  /** Further terms at positions of `body`, in order, and those positions. */
  shared: Int32Array;
  sharedAt: Int32Array;
}

/** Maximum distinct terms, about 160 bytes each; beyond that, numbering starts over. */
const maxTerms = 300_000;
/** Marks kept for the next search, and how much larger than needed to allocate them. */
const maxSpare = 4,
  growth = 1.25;

/**
 * Maps each term to a number, so that ranking compares and counts numbers instead of strings: a
 * search reads tens of thousands of terms. A chunk is numbered once for the lifetime of its terms
 * array.
 */
export class TermNumbers {
  private readonly numbers = new Map<string, number>();
  private names: string[] = [];
  private spare: TermMarks[] = [];
  private families = new TermFamilies();
  private chunks = new WeakMap<readonly string[], NumberedTerms>();

  /** One above the highest number. */
  get size(): number {
    return this.names.length;
  }
  nameOf(number: number): string {
    return this.names[number]!;
  }

  find(term: string): number | undefined {
    return this.numbers.get(term);
  }

  of(term: string): number {
    let number = this.numbers.get(term);
    if (number === undefined) {
      number = this.names.length;
      // A substring would keep the whole longer string alive.
      const own = Buffer.from(term).toString();
      this.numbers.set(own, number);
      this.names.push(own);
      this.families.add(own, number);
    }
    return number;
  }

  /** Numbers of all terms that are in the word family of a form; may include the form itself. */
  relativesOf(form: string): number[] {
    const isRelative = relativesOf(form);
    const found: number[] = [];
    this.families.visit(form, (number) => {
      if (isRelative(this.names[number]!)) found.push(number);
    });
    return found;
  }

  read(terms: string[]): NumberedTerms {
    const known = this.chunks.get(terms);
    if (known) return known;
    const { context, body, shared } = splitChunkTerms(terms);
    const numbered = {
      context: Int32Array.from(context, (term) => this.of(term)),
      body: Int32Array.from(body, (term) => this.of(term)),
      shared: Int32Array.from(shared, ({ term }) => this.of(term)),
      sharedAt: Int32Array.from(shared, ({ at }) => at),
    };
    this.chunks.set(terms, numbered);
    return numbered;
  }

  /** Marks for all terms so far, none of them marked; `release` them for the next search. */
  acquire(): TermMarks {
    const spare = this.spare.pop();
    return spare !== undefined && spare.size >= this.size
      ? spare
      : new TermMarks(Math.ceil(this.size * growth));
  }

  release(marks: TermMarks): void {
    marks.clear();
    if (this.spare.length < maxSpare) this.spare.push(marks);
  }

  /**
   * Clears everything if it grew too large. Call it between searches, never during one, because
   * numbers then get new meanings.
   */
  shrink(most = maxTerms): void {
    if (this.names.length <= most) return;
    this.numbers.clear();
    this.names = [];
    this.families = new TermFamilies();
    this.chunks = new WeakMap();
    this.spare = [];
  }
}

/** Shared by the whole process. */
export const termNumbers = new TermNumbers();
