import { useRouterState } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import type { TurnView } from "./turn-view.ts";

/** The turn that was found stays marked for so long (ms). */
const marked = 2500;

/**
 * An address that ends in `#chat-123` (a message that a search found) brings that turn into view,
 * and earlier pages of the
 * thread with it; once for each time that one goes there. A turn that is not in the thread is let
 * be. Gives the key of the
 * turn that is marked now.
 */
export function useFoundTurn(
  turns: TurnView[],
  earlier: { load: () => void; loading: boolean } | null,
  show: (index: number) => void,
): string | null {
  const visit = useRouterState({
    select: ({ location }) => {
      const id = /^chat-(\d+)$/.exec(location.hash)?.[1];
      return id === undefined ? null : `${id} ${location.state.__TSR_key ?? ""}`;
    },
  });
  const done = useRef<string | null>(null);
  const asked = useRef<string | undefined>(undefined);
  const [found, setFound] = useState<string | null>(null);
  const first = turns[0];
  useEffect(() => {
    if (visit === null || done.current === visit) return;
    const id = Number.parseInt(visit, 10);
    const index = turns.findIndex((turn) => turn.chatId === id);
    const turn = turns[index];
    if (turn) {
      done.current = visit;
      show(index);
      requestAnimationFrame(() => setFound(turn.key));
    } else if (earlier && first && (first.chatId ?? Infinity) > id) {
      // asked once for each place: a failure is not repeated
      if (earlier.loading || asked.current === first.key) return;
      asked.current = first.key;
      earlier.load();
    } else {
      done.current = visit;
    }
  }, [visit, turns, earlier, first, show]);
  useEffect(() => {
    if (found === null) return;
    const timer = setTimeout(() => setFound(null), marked);
    return () => clearTimeout(timer);
  }, [found]);
  return found;
}
