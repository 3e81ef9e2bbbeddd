/** Words of two texts that correspond, by their positions in each. */
export interface WordPair {
  from: number;
  to: number;
}

const fromMatch = 1;
const afterMatch = 2;
const up = 4;

/**
 * The heaviest common subsequence of two lists of words, by the weights of the first; words that follow each other in both count
 * more, so that a sentence isn't matched by scattered words.
 */
export function alignWords(
  from: readonly string[],
  to: readonly string[],
  weights: readonly number[],
): WordPair[] {
  const width = to.length + 1;
  const steps = new Uint8Array((from.length + 1) * width);
  let best = new Float32Array(width);
  let matched = new Float32Array(width).fill(-Infinity);
  for (let i = 1; i <= from.length; i += 1) {
    const word = from[i - 1]!;
    const weight = weights[i - 1]!;
    const nextBest = new Float32Array(width);
    const nextMatched = new Float32Array(width).fill(-Infinity);
    for (let j = 1; j < width; j += 1) {
      let step = 0;
      let score = nextBest[j - 1]!;
      if (best[j]! > score) {
        score = best[j]!;
        step = up;
      }
      if (to[j - 1] === word) {
        const alone = best[j - 1]! + weight;
        const inRow = matched[j - 1]! + 1.5 * weight;
        const here = Math.max(alone, inRow);
        nextMatched[j] = here;
        if (inRow > alone) step |= afterMatch;
        if (here > score) {
          score = here;
          step |= fromMatch;
        }
      }
      nextBest[j] = score;
      steps[i * width + j] = step;
    }
    best = nextBest;
    matched = nextMatched;
  }
  const pairs: WordPair[] = [];
  let i = from.length;
  let j = to.length;
  let inRow = false;
  while (i > 0 && j > 0) {
    const step = steps[i * width + j]!;
    if (inRow || step & fromMatch) {
      pairs.push({ from: i - 1, to: j - 1 });
      inRow = (step & afterMatch) !== 0;
      i -= 1;
      j -= 1;
    } else if (step & up) i -= 1;
    else j -= 1;
  }
  return pairs.reverse();
}
