export interface FakeRow {
  id: string;
  vector: Float32Array;
  payload: Record<string, unknown>;
}

/** Rows of a fake vector database, searched by full scan. */
export class RowTable {
  readonly rows = new Map<string, FakeRow>();

  constructor(readonly dimensions: number) {}

  put(id: string, vector: number[], payload: Record<string, unknown>): void {
    if (vector.length !== this.dimensions)
      throw new Error(`dimension ${vector.length} of a vector is not ${this.dimensions}`);
    this.rows.set(id, { id, vector: Float32Array.from(vector), payload });
  }

  nearest(
    vector: number[],
    limit: number,
    isWanted: (row: FakeRow) => boolean,
  ): { id: string; score: number }[] {
    if (vector.length !== this.dimensions)
      throw new Error(`dimension ${vector.length} of the query is not ${this.dimensions}`);
    const hits: { id: string; score: number }[] = [];
    for (const row of this.rows.values())
      if (isWanted(row))
        hits.push({
          id: row.id,
          score: row.vector.reduce((sum, value, place) => sum + value * vector[place]!, 0),
        });
    return hits.sort((a, b) => b.score - a.score).slice(0, limit);
  }

  deleteWhere(isGone: (row: FakeRow) => boolean): number {
    const before = this.rows.size;
    for (const row of [...this.rows.values()]) if (isGone(row)) this.rows.delete(row.id);
    return before - this.rows.size;
  }
}
