import { describe, expect, it } from '@jest/globals';
import { fuse } from './fuse.ts';

const random = (seed: number) => () => { seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0; return (seed >>> 8) / 16777216; };

describe('fuse', () => {
  it('passes either half through alone', () => {
    expect(fuse({ text: [], dense: null })).toEqual({ chunks: [], denseShare: 0 });
    expect(fuse({ text: [{ id: 'a', rank: 4, score: 0.5 }, { id: 'b', rank: 2, score: 0.7 }], dense: null }).chunks)
      .toEqual([{ id: 'a', score: 0.5, textScore: 0.5, denseScore: null, rank: 1, textPlace: 1, densePlace: null }, { id: 'b', score: 0.7, textScore: 0.7, denseScore: null, rank: 0.5, textPlace: 2, densePlace: null }]);
    expect(fuse({ text: [], dense: [{ id: 'b', score: 0.4 }, { id: 'a', score: 0.9 }] }).chunks.map(({ id, score }) => [id, score])).toEqual([['a', 0.9], ['b', 0.4]]);
  });

  it('gives the larger of cosine and text score, between 0 and 1', () => {
    const [first, second] = fuse({ text: [{ id: 'a', rank: 1, score: 0.3 }], dense: [{ id: 'a', score: 1.2 }, { id: 'b', score: -0.5 }] }).chunks;
    expect(first).toMatchObject({ id: 'a', score: 1, textScore: 0.3, denseScore: 1 });
    expect(second).toMatchObject({ id: 'b', score: 0, textScore: null, denseScore: 0 });
  });

  /*
   * Made-up collections: a document's score is its relevance plus noise, as much noise as the half is weak. A hybrid
   * must not fall below the better half, for a dense half that is weaker, as good and stronger.
   */
  it.each([['weak', 0.85], ['equal', 0.55], ['strong', 0.46], ['very strong', 0.35]])('is not below either half with %s vectors', (_, noise) => {
    const next = random(11);
    const gaussian = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
    const totals = { text: 0, dense: 0, hybrid: 0 };
    const rounds = 400;
    for (let round = 0; round < rounds; round++) {
      const documents = Array.from({ length: 200 }, (__, n) => ({ id: `d${n}`, relevant: n < 5 }));
      const text = documents.map(({ id, relevant }) => ({ id, rank: Math.max(0, 8 * ((relevant ? 1.2 : 0) + 0.55 * gaussian())), score: 0.5 })).filter(({ rank }) => rank > 0).sort((a, b) => b.rank - a.rank).slice(0, 60);
      const dense = documents.map(({ id, relevant }) => ({ id, score: 0.3 + 0.15 * ((relevant ? 1.2 : 0) + noise * gaussian()) })).sort((a, b) => b.score - a.score).slice(0, 60);
      totals.text += gain(text.map(({ id }) => id));
      totals.dense += gain(dense.map(({ id }) => id));
      totals.hybrid += gain(fuse({ text, dense }).chunks.map(({ id }) => id));
    }
    expect(totals.hybrid / rounds).toBeGreaterThanOrEqual(Math.max(totals.text, totals.dense) / rounds);
  });
});

/** nDCG@10 with documents d0 to d4 relevant. */
function gain(ids: string[]): number {
  let sum = 0, ideal = 0;
  for (let place = 0; place < 10; place++) {
    if (/^d[0-4]$/.test(ids[place] ?? '')) sum += 1 / Math.log2(place + 2);
    if (place < 5) ideal += 1 / Math.log2(place + 2);
  }
  return sum / ideal;
}
