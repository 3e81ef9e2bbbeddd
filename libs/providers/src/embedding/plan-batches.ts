export interface BatchLimits {
  /** Texts per request. */
  texts: number;
  /** Tokens of all texts of a request; undefined if only the texts are limited. */
  tokens?: number | undefined;
}

/**
 * More than most texts have: English has a token per four bytes, Chinese one per two or three. Counting
 * exactly would take every vendor's tokenizer.
 */
const estimateMost = (text: string): number => Math.ceil(Buffer.byteLength(text) / 2);

/** Cuts texts into requests, in order; one text alone always is a request. */
export function planBatches(texts: readonly string[], limits: BatchLimits): string[][] {
  const batches: string[][] = [];
  let tokens = Infinity;
  for (const text of texts) {
    const own = limits.tokens === undefined ? 0 : estimateMost(text);
    const batch = batches.at(-1);
    if (!batch || batch.length >= limits.texts || tokens + own > (limits.tokens ?? Infinity)) {
      batches.push([text]);
      tokens = own;
    } else {
      batch.push(text);
      tokens += own;
    }
  }
  return batches;
}
