import { answerReserve } from "./fit-context-window.ts";

/**
 * Tokens of o200k that `fitContextWindow` may fill: the window without what the server reserves for
 * the answer (at most half of it) and without the images (at most a quarter).
 * @param factor tokens of the model for one of o200k
 */
export function promptBudget(o: {
  window: number;
  answerTokens: number | null;
  imageTokens: number;
  factor: number;
}): number {
  const reserve = Math.max(answerReserve, Math.min(o.answerTokens ?? 0, Math.floor(o.window / 2)));
  const images = Math.min(o.imageTokens, Math.floor(o.window / 4));
  return Math.floor((o.window - reserve - images) / o.factor) + answerReserve;
}
