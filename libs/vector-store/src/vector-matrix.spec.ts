import { describe, expect, it } from "@jest/globals";
import { cosine, randomSource } from "../test/fixture.ts";
import { VectorMatrix } from "./vector-matrix.ts";
import { normalised } from "./vector-store.ts";

const random = randomSource(7);
const normal = (): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
const randomUnit = (dimensions: number): Float32Array =>
  normalised(Float32Array.from({ length: dimensions }, normal));
const near = (centre: Float32Array, spread: number): Float32Array =>
  normalised(centre.map((value) => value + (spread * normal()) / Math.sqrt(centre.length)));
function fill(vectors: Float32Array[]): VectorMatrix {
  const matrix = new VectorMatrix(vectors.length, vectors[0]!.length);
  for (const [n, vector] of vectors.entries())
    matrix.add(`id-${n}`, `document-${n % 3}`, 1, vector);
  return matrix;
}

describe("a matrix of vectors", () => {
  it.each([1, 3, 16, 100, 384, 1_024])(
    "scores rows of %i numbers by their cosine",
    (dimensions) => {
      const vectors = Array.from({ length: 50 }, () => randomUnit(dimensions));
      const asked = randomUnit(dimensions);
      const hits = fill(vectors).search(asked, 50);
      expect(hits).toHaveLength(50);
      for (const { id, score } of hits)
        expect(score).toBeCloseTo(cosine(vectors[Number(id.slice(3))]!, asked), 3);
      const scores = hits.map((hit) => hit.score);
      expect(scores).toEqual([...scores].sort((a, b) => b - a));
    },
  );

  it("doesn't overflow on vectors that point the same way or the opposite", () => {
    for (const vector of [
      randomUnit(384),
      Float32Array.from({ length: 384 }, (_, n) => +(n === 5)),
    ]) {
      const matrix = fill([vector, vector.map((value) => -value)]);
      const [same, opposite] = matrix.search(vector, 2);
      expect(same).toMatchObject({ id: "id-0" });
      expect(same!.score).toBeCloseTo(1, 3);
      expect(opposite!.score).toBeCloseTo(-1, 3);
    }
  });

  it("matches exact comparison, with recall@10 of at least 0.99", () => {
    const centres = Array.from({ length: 20 }, () => randomUnit(384));
    const vectors = Array.from({ length: 2_000 }, (_, n) => near(centres[n % 20]!, 1));
    const matrix = fill(vectors);
    let found = 0;
    for (const centre of centres) {
      const asked = near(centre, 1.2);
      const exact = vectors
        .map((vector, n) => ({ id: `id-${n}`, score: cosine(vector, asked) }))
        .sort((a, b) => b.score - a.score)
        .slice(0, 10)
        .map(({ id }) => id);
      found += matrix.search(asked, 10).filter(({ id }) => exact.includes(id)).length;
    }
    expect(found / (centres.length * 10)).toBeGreaterThanOrEqual(0.99);
  });

  it("finds only rows of the documents asked for, and each id once", () => {
    const vector = randomUnit(32);
    const matrix = fill(Array.from({ length: 9 }, () => vector));
    expect(matrix.search(vector, 9, ["document-1"]).map(({ id }) => id)).toEqual([
      "id-1",
      "id-4",
      "id-7",
    ]);
    expect(matrix.search(vector, 9, ["elsewhere"])).toEqual([]);
    const twice = new VectorMatrix(2, 32);
    twice.add("same", "document", 1, vector);
    twice.add("same", "document", 2, vector);
    expect(twice.search(vector, 5).map(({ id }) => id)).toEqual(["same"]);
    expect(new VectorMatrix(0, 32).search(vector, 5)).toEqual([]);
  });

  it("grows, and leaves out rows that are gone", () => {
    const vectors = Array.from({ length: 100 }, () => randomUnit(48));
    const full = fill(vectors);
    const grown = new VectorMatrix(0, 48);
    const before = grown.bytes;
    for (const [n, vector] of vectors.entries())
      grown.add(`id-${n}`, `document-${n % 3}`, 1, vector);
    expect(grown.bytes).toBeGreaterThan(before + 100 * 48 * 2);
    for (const vector of vectors.slice(0, 5))
      expect(grown.search(vector, 100)).toEqual(full.search(vector, 100));
    grown.remove(grown.register.find("id-3"));
    for (const row of grown.register.matching({ workspaceId: 1, documentIds: ["document-1"] }))
      grown.remove(row);
    expect(grown.register.find("id-3")).toBe(-1);
    expect(grown.register.find("id-4")).toBe(-1);
    expect(grown.register.count).toBe(66);
    expect(grown.search(vectors[3]!, 100).map(({ id }) => id)).toEqual(
      full
        .search(vectors[3]!, 100)
        .map(({ id }) => id)
        .filter((id) => id !== "id-3" && Number(id.slice(3)) % 3 !== 1),
    );
    expect(grown.search(vectors[3]!, 100, ["document-1"])).toEqual([]);
  });
});
