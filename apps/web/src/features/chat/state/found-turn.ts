import { useRouterState } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import type { TurnView } from "./turn-view.ts";

/** How long a found turn stays highlighted (ms). */
const highlightMs = 2500;

/**
 * Scrolls to the turn in an address that ends in `#chat-123` (a message found by search), loading
 * earlier pages of the thread if needed; once per navigation. Ignores turns that are not in the
 * thread. Returns the key of the highlighted turn.
 */
export function useFoundTurn(
  turns: TurnView[],
  earlier: { load: () => void; loading: boolean } | null,
  scrollTo: (index: number) => void,
): string | null {
  const navigation = useRouterState({
    select: ({ location }) => {
      const id = /^chat-(\d+)$/.exec(location.hash)?.[1];
      return id === undefined ? null : `${id} ${location.state.__TSR_key ?? ""}`;
    },
  });
  const handled = useRef<string | null>(null);
  const requestedAt = useRef<string | undefined>(undefined);
  const [found, setFound] = useState<string | null>(null);
  const first = turns[0];
  useEffect(() => {
    if (navigation === null || handled.current === navigation) return;
    const id = Number.parseInt(navigation, 10);
    const index = turns.findIndex((turn) => turn.chatId === id);
    const turn = turns[index];
    if (turn) {
      handled.current = navigation;
      scrollTo(index);
      requestAnimationFrame(() => setFound(turn.key));
    } else if (earlier && first && (first.chatId ?? Infinity) > id) {
      // Once per position: a failure is not repeated.
      if (earlier.loading || requestedAt.current === first.key) return;
      requestedAt.current = first.key;
      earlier.load();
    } else {
      handled.current = navigation;
    }
  }, [navigation, turns, earlier, first, scrollTo]);
  useEffect(() => {
    if (found === null) return;
    const timer = setTimeout(() => setFound(null), highlightMs);
    return () => clearTimeout(timer);
  }, [found]);
  return found;
}
