/**
 * Length of the term sequences that are compared: texts on one topic share words, but few
 * sequences.
 */
const rowLength = 4;
/** Share of the shorter text's sequences the other must contain to count as a duplicate. */
const sameFrom = 0.85;
/** Texts with fewer sequences must match in all terms. */
const minRows = 8;

/**
 * A chunk's content for comparison: its terms as numbers (`termNumbers`) in order, null if only
 * vectors found it.
 */
export interface ChunkContent {
  hash: string;
  terms: Int32Array | null;
}

/**
 * Tracks the content of chunks selected so far to skip near duplicates: copies of a text in other
 * files, files that differ in a date, and footers or notices repeated in a hundred documents.
 */
export class NearDuplicates {
  private readonly hashes = new Map<string, string>();
  private readonly rows = new Map<number, string[]>();
  private readonly sizes = new Map<string, number>();
  /** Of the content looked for last, which is often added next. */
  private last: { content: ChunkContent; rows: Set<number> | null } | null = null;

  /** Id of a selected chunk with the same content, or null. */
  find(content: ChunkContent): string | null {
    const equal = this.hashes.get(content.hash);
    if (equal !== undefined) return equal;
    const rows = this.rowsOf(content);
    if (rows === null || rows.size < minRows) return null;
    const shared = new Map<string, number>();
    for (const row of rows)
      for (const id of this.rows.get(row) ?? []) shared.set(id, (shared.get(id) ?? 0) + 1);
    for (const [id, count] of shared)
      if (count >= sameFrom * Math.min(rows.size, this.sizes.get(id)!)) return id;
    return null;
  }

  add(id: string, content: ChunkContent): void {
    if (!this.hashes.has(content.hash)) this.hashes.set(content.hash, id);
    const rows = this.rowsOf(content);
    if (rows === null || rows.size < minRows) return;
    this.sizes.set(id, rows.size);
    for (const row of rows) {
      const ids = this.rows.get(row);
      if (ids === undefined) this.rows.set(row, [id]);
      else ids.push(id);
    }
  }

  private rowsOf(content: ChunkContent): Set<number> | null {
    if (this.last?.content !== content)
      this.last = { content, rows: content.terms === null ? null : makeRows(content.terms) };
    return this.last.rows;
  }
}

/** A hash of each sequence, which is cheaper than joining terms and collides once in 2³⁰ pairs. */
function makeRows(terms: Int32Array): Set<number> {
  const rows = new Set<number>();
  for (let start = 0; start + rowLength <= terms.length; start++) {
    let hash = 0;
    for (let at = start; at < start + rowLength; at++)
      hash = Math.imul((hash ^ terms[at]!) + (hash >>> 15), 0x9e3779b1);
    // Without the upper bits, V8 stores it in place instead of as an object.
    rows.add(hash & 0x3fffffff);
  }
  return rows;
}
