import type { Out, listTurns } from "@carrel/contracts";
import { replaceEqualDeep, type InfiniteData } from "@tanstack/react-query";

export type TurnPages = InfiniteData<Out<typeof listTurns>, number>;
const isPages = (data: unknown): data is TurnPages =>
  typeof data === "object" && data !== null && "pages" in data;

/**
 * Turns that did not change stay the same objects, whichever page and place they are in by now, so
 * that only what changed
 * is drawn again. In place of the comparison by position, which takes each turn for another one
 * when earlier ones come in.
 */
export function keepTurns(before: unknown, after: unknown): unknown {
  if (!isPages(before) || !isPages(after)) return after;
  const known = new Map(before.pages.flatMap((page) => page.turns).map((turn) => [turn.id, turn]));
  return {
    ...after,
    pages: after.pages.map((page) => ({
      ...page,
      turns: page.turns.map((turn) => {
        const old = known.get(turn.id);
        return old === undefined ? turn : replaceEqualDeep(old, turn);
      }),
    })),
  };
}
