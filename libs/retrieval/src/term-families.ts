import { familyKeys } from "./word-family.ts";

const buckets = 65_536;
const keysPerTerm = 2;

/**
 * Finds terms that may be related to a word without comparing it with all: related ones have a key
 * in common. Terms are known by their numbers.
 */
export class TermFamilies {
  /** Of each bucket, the last entry plus 1; an entry is twice a term's number, plus which key. */
  private readonly last = new Int32Array(buckets);
  /** Of each entry, the one before it in its bucket, plus 1. */
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

  /** Numbers of terms that share a key with the form, and of others. */
  visit(form: string, see: (number: number) => void): void {
    for (const key of familyKeys(form))
      for (let entry = this.last[key & (buckets - 1)]!; entry > 0; entry = this.before[entry - 1]!)
        see(Math.floor((entry - 1) / keysPerTerm));
  }
}
