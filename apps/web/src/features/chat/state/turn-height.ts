import type { TurnView } from "./turn-view.ts";

const lineHeight = 25;
const charactersInLine = 86;
/** Collapsed. */
const thoughtHeight = 36;
const linesOf = (text: string): number =>
  text
    .split("\n")
    .reduce((lines, line) => lines + Math.max(1, Math.ceil(line.length / charactersInLine)), 0);
const known = new WeakMap<TurnView, number>();

/**
 * Estimated height of a turn in pixels until it is rendered and measured, so that the scroll bar is
 * accurate from the start.
 */
export function estimateHeight(turn: TurnView | undefined): number {
  if (turn === undefined) return 0;
  const before = known.get(turn);
  if (before !== undefined) return before;
  const extras =
    120 +
    (turn.attachments.length > 0 ? 80 : 0) +
    (turn.choices ? 30 : 0) +
    (turn.sources.length > 0 ? 60 : 0) +
    turn.thoughts.length * thoughtHeight;
  const height = extras + (linesOf(turn.question) + linesOf(turn.answer)) * lineHeight;
  known.set(turn, height);
  return height;
}
