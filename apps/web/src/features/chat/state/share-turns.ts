import type { Out, listTurns } from "@carrel/contracts";
import { replaceEqualDeep, type InfiniteData } from "@tanstack/react-query";

export type TurnPages = InfiniteData<Out<typeof listTurns>, number>;
const isPages = (data: unknown): data is TurnPages =>
  typeof data === "object" && data !== null && "pages" in data;

/**
 * Keeps unchanged turns identical, whichever page and position they move to, so that only changed
 * ones render again. Replaces structural sharing, which compares by position and therefore treats
 * every turn as changed when earlier ones are loaded.
 */
export function shareTurns(before: unknown, after: unknown): unknown {
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
