import type { ModelPrice, TokenCount } from "@carrel/providers";

/** What a call used in addition to tokens. */
export interface MediaUse {
  /** Read aloud. */
  characters: number;
  /** Length of the recording. */
  audioMs: number;
  searches: number;
}
export const noMedia: MediaUse = { characters: 0, audioMs: 0, searches: 0 };

/** Cost in millionths of a dollar; null if the price of what was used isn't known. */
export function costOf(
  price: ModelPrice,
  tokens: TokenCount,
): { input: number; output: number } | null {
  const { input, output } = price;
  if ((tokens.input > 0 && input === undefined) || (tokens.output > 0 && output === undefined))
    return null;
  const cached = price.cachedInput ?? input ?? 0;
  return {
    input: (tokens.input - tokens.cached) * (input ?? 0) + tokens.cached * cached,
    output: tokens.output * (output ?? 0),
  };
}

/**
 * Like `costOf`, for a whole call. Audio is charged by minutes or tokens, depending on the price.
 */
export function totalCost(
  price: ModelPrice,
  tokens: TokenCount,
  { characters, audioMs }: MediaUse,
): number | null {
  if (characters > 0) return price.characters === undefined ? null : characters * price.characters;
  if (audioMs > 0 && price.audioMinutes !== undefined)
    return (audioMs / 60_000) * price.audioMinutes * 1e6;
  if (audioMs > 0 && tokens.input === 0) return null;
  const cost = costOf(price, tokens);
  return cost === null ? null : cost.input + cost.output;
}
