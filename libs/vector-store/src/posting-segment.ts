import type { Pause } from "./store-breaker.ts";
import type { TermLists } from "./term-lists.ts";

/** A term that a chunk repeats more often counts this many times. */
const maxCount = 255;
const bits = 7,
  more = 1 << bits;

/**
 * The rows of a range that contain each term, and how often. For each row: the distance to the
 * previous one times two, plus 1 if a count other than 1 follows. Distances take a byte for every
 * seven bits.
 */
export interface PostingSegment {
  /** The range: its first row and its number of rows. */
  first: number;
  size: number;
  /** The numbers of the terms that occur, in ascending order. */
  terms: Int32Array;
  /** Where the rows of each term start; has one more entry, at the end. */
  starts: Uint32Array;
  packed: Uint8Array;
}

export const segmentBytes = ({ terms, starts, packed }: PostingSegment): number =>
  terms.byteLength + starts.byteLength + packed.byteLength;

/** Where a term's rows start and end in `packed`; equal if it doesn't occur. */
export function rangeOf({ terms, starts }: PostingSegment, term: number): [number, number] {
  let low = 0,
    high = terms.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (terms[middle]! < term) low = middle + 1;
    else high = middle;
  }
  return terms[low] === term ? [starts[low]!, starts[low + 1]!] : [0, 0];
}

/** Orders rows by term. Rows may be added and searched meanwhile. */
export async function buildSegment(
  lists: TermLists,
  first: number,
  size: number,
  isGone: (row: number) => boolean,
  pause: Pause,
): Promise<PostingSegment> {
  const builder = new SegmentBuilder(lists, first);
  // Both passes must see the same rows, even if some are deleted meanwhile.
  const skipped = Uint8Array.from({ length: size }, (_, n) => Number(isGone(first + n)));
  for (let n = 0; n < size; n++) {
    if (pause.isDue) await pause.rest();
    if (skipped[n] === 0) builder.measure(first + n);
  }
  const { terms, starts } = builder.place();
  for (let n = 0; n < size; n++) {
    if (pause.isDue) await pause.rest();
    if (skipped[n] === 0) builder.write(first + n);
  }
  return { first, size, terms, starts, packed: builder.packed };
}

class SegmentBuilder {
  packed = new Uint8Array(0);
  /** By term: first its bytes, then its place in `packed`. */
  private readonly places: Uint32Array;
  /** By term: the last row that has it, and how often the current row does. */
  private readonly last: Int32Array;
  private readonly counts: Uint8Array;

  constructor(
    private readonly lists: TermLists,
    private readonly first: number,
  ) {
    const { vocabulary } = lists;
    this.places = new Uint32Array(vocabulary);
    this.last = new Int32Array(vocabulary).fill(first);
    this.counts = new Uint8Array(vocabulary);
  }

  measure(row: number): void {
    const { places, last, counts } = this;
    const length = this.lists.lengthOf(row),
      numbers = this.count(row, length);
    for (let n = 0; n < length; n++) {
      const term = numbers[n]!,
        count = counts[term]!;
      if (count === 0) continue;
      counts[term] = 0;
      let taken = count > 1 ? 2 : 1;
      for (let left = (row - last[term]!) * 2; left >= more; left >>>= bits) taken++;
      places[term]! += taken;
      last[term] = row;
    }
  }

  place(): Pick<PostingSegment, "terms" | "starts"> {
    const { places } = this;
    let present = 0;
    for (let term = 0; term < places.length; term++) if (places[term]! > 0) present++;
    const terms = new Int32Array(present),
      starts = new Uint32Array(present + 1);
    for (let term = 0, n = 0; term < places.length; term++) {
      if (places[term] === 0) continue;
      terms[n] = term;
      starts[n + 1] = starts[n]! + places[term]!;
      places[term] = starts[n++]!;
    }
    this.packed = new Uint8Array(starts[present]!);
    this.last.fill(this.first);
    return { terms, starts };
  }

  write(row: number): void {
    const { places, last, counts, packed } = this;
    const length = this.lists.lengthOf(row),
      numbers = this.count(row, length);
    for (let n = 0; n < length; n++) {
      const term = numbers[n]!,
        count = counts[term]!;
      if (count === 0) continue;
      counts[term] = 0;
      let at = places[term]!,
        left = (row - last[term]!) * 2 + (count > 1 ? 1 : 0);
      for (; left >= more; left >>>= bits) packed[at++] = left | more;
      packed[at++] = left;
      if (count > 1) packed[at++] = count;
      places[term] = at;
      last[term] = row;
    }
  }

  private count(row: number, length: number): Int32Array {
    const { counts } = this,
      numbers = this.lists.numbersOf(row);
    for (let n = 0; n < length; n++) {
      const term = numbers[n]!;
      if (counts[term]! < maxCount) counts[term]!++;
    }
    return numbers;
  }
}
