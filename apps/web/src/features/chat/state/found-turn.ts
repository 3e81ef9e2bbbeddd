import { useRouterState } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import type { TurnView } from "./turn-view.ts";

/** How long a found turn stays highlighted (ms). */
const marked = 2500;

/**
 * Scrolls to the turn in an address that ends in `#chat-123` (a message found by search), loading
 * earlier pages of the thread if needed; once per navigation. Ignores turns that are not in the
 * thread. Returns the key of the highlighted turn.
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
      // Once per position: a failure is not repeated.
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
