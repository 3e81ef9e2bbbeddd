import { answerReserve } from "./fit-context-window.ts";

/**
 * Returns how many o200k tokens `fitContextWindow` may fill: the window minus the server's reserve
 * for the answer (at most half of it) and the images (at most a quarter).
 * @param factor tokens of the model per o200k token
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
