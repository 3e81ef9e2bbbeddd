import { useRouterState } from "@tanstack/react-router";
import { useVirtualizer } from "@tanstack/react-virtual";
import { ArrowDown } from "lucide-react";
import {
  memo,
  useCallback,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type MouseEvent,
  type ReactNode,
} from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { column } from "../../../components/ui/styles.ts";
import { cn } from "../../../lib/cn.ts";
import { isOpen } from "../state/generation.ts";
import type { TurnView } from "../state/turn-view.ts";
import type { AnswerActions } from "../state/use-answer-actions.ts";
import { Announcer } from "./announcer.tsx";
import { Answer } from "./answer.tsx";
import { DetailContext } from "./detail.tsx";
import { Question } from "./question.tsx";

/** How long a found turn stays highlighted (ms). */
const highlightMs = 2500;

/**
 * Scrolls to the turn in an address that ends in `#chat-123` (a message found by search), loading
 * earlier pages of the thread if needed; once per navigation. Ignores turns that are not in the
 * thread. Returns the key of the highlighted turn.
 */
function useFoundTurn(
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

const lineHeight = 25;
const charactersInLine = 86;
/** Height of a collapsed thought, or of a step. */
const thoughtHeight = 36;
/** More steps are shown as one line. */
const mostSteps = 7;
const linesOf = (text: string): number =>
  text
    .split("\n")
    .reduce((lines, line) => lines + Math.max(1, Math.ceil(line.length / charactersInLine)), 0);
const known = new WeakMap<TurnView, number>();

/**
 * Estimated height of a turn in pixels until it is rendered and measured, so that the scroll bar is
 * accurate from the start.
 */
function estimateHeight(turn: TurnView | undefined): number {
  if (turn === undefined) return 0;
  const before = known.get(turn);
  if (before !== undefined) return before;
  const extras =
    120 +
    (turn.attachments.length > 0 ? 80 : 0) +
    (turn.choices ? 30 : 0) +
    (turn.sources.length > 0 ? 60 : 0) +
    (turn.steps.length > mostSteps
      ? thoughtHeight
      : (turn.thoughts.length + turn.steps.length) * thoughtHeight);
  const height = extras + (linesOf(turn.question) + linesOf(turn.answer)) * lineHeight;
  known.set(turn, height);
  return height;
}

const Turn = memo(function Turn({
  turn,
  activeSource,
  actions,
  note,
  isScrolling,
}: {
  turn: TurnView;
  activeSource: number | null;
  actions: AnswerActions;
  note: ReactNode;
  isScrolling: () => boolean;
}) {
  // Everything but the words is rendered in slices between frames.
  const isDetailed = useDeferredValue(true, isOpen(turn.phase) || turn.animate || !isScrolling());
  return (
    <DetailContext value={isDetailed}>
      <Question turn={turn} actions={actions} />
      <Answer turn={turn} activeSource={activeSource} actions={actions} />
      {turn.phase === "done" && note}
    </DetailContext>
  );
});

/** Within this distance of the end (px), the reader counts as being at the end. */
const endThreshold = 72;
/**
 * Space above the first turn and below the last; larger above when there is a button for earlier
 * turns.
 */
const margin = { top: 16, topWithButton: 60, bottom: 4 };
/** How many frames the list keeps measuring a turn whose height has changed. */
const settlingFrames = 10;
/** Turns rendered beyond the viewport on each side. */
const overscan = 1;

/**
 * The conversation as a virtualized list. It follows the answer while its end is in view and
 * otherwise keeps the reader's position, even when earlier turns are loaded above; sending a
 * question scrolls to the end again.
 */
export function MessageLog({
  turns,
  open,
  actions,
  earlier,
  note,
  dock,
}: {
  turns: TurnView[];
  open: { key: string; number: number } | null;
  actions: AnswerActions;
  earlier: { load: () => void; loading: boolean } | null;
  /** Shown below the last answer. */
  note: ReactNode;
  dock: ReactNode;
}) {
  // The texts of steps come with the first one.
  const { t } = useTranslation(["chat", "steps"]);
  const log = useRef<HTMLDivElement>(null);
  const rows = useRef<HTMLDivElement>(null);
  const following = useRef(true);
  /** The app scrolled to a turn: until the reader scrolls, that turn stays in place. */
  const jumped = useRef(false);
  const previousTop = useRef(0);
  const [away, setAway] = useState(false);
  const last = turns.at(-1);
  const virtual = useVirtualizer({
    count: turns.length,
    getScrollElement: () => log.current,
    getItemKey: (index) => turns[index]?.key ?? index,
    estimateSize: (index) => estimateHeight(turns[index]),
    overscan,
    paddingStart: earlier ? margin.topWithButton : margin.top,
    paddingEnd: margin.bottom,
    anchorTo: "end",
    // Start at the end: the browser clamps this to the real height.
    initialOffset: () => turns.reduce((sum, turn) => sum + estimateHeight(turn), 0),
  });

  // Turns are in normal flow, so one above the view that changes its height moves what is in view.
  virtual.shouldAdjustScrollPositionOnItemSizeChange = (
    { key, start, end },
    _,
    { itemSizeCache },
  ) => (itemSizeCache.has(key) ? end : start + 1) <= (virtual.scrollOffset ?? 0);
  const isScrolling = useCallback(() => virtual.isScrolling, [virtual]);

  const scrollToEnd = useCallback(() => {
    const box = log.current;
    if (box) box.scrollTop = box.scrollHeight;
  }, []);
  const onScroll = (): void => {
    const box = log.current;
    if (!box) return;
    // Only the reader scrolls up: while the answer grows, a late event of our own scrolling must
    // not count as leaving the end.
    const isUpward = box.scrollTop < previousTop.current - 1;
    const isAtEnd = box.scrollHeight - box.scrollTop - box.clientHeight < endThreshold;
    previousTop.current = box.scrollTop;
    if (isAtEnd && !jumped.current) following.current = true;
    else if (isUpward) following.current = false;
    setAway(!following.current);
  };
  const onReaderScroll = (): void => {
    jumped.current = false;
  };
  /** What opens below the title of a thought or a step moves neither the title nor the reader. */
  const onTitleClick = ({ target }: MouseEvent<HTMLElement>): void => {
    const title = target instanceof Element && target.closest("[data-fold] > button");
    if (!title) return;
    const { top } = title.getBoundingClientRect();
    const keep = (frames: number): void => {
      if (log.current && title.isConnected)
        log.current.scrollTop += Math.round(title.getBoundingClientRect().top - top);
      jumped.current = frames > 0;
      following.current = false;
      if (frames > 0) requestAnimationFrame(() => keep(frames - 1));
      else onScroll();
    };
    keep(settlingFrames);
  };
  useEffect(() => {
    if (!rows.current || !log.current) return;
    const observer = new ResizeObserver(() => {
      if (following.current) scrollToEnd();
    });
    observer.observe(rows.current);
    observer.observe(log.current);
    return () => observer.disconnect();
  }, [scrollToEnd]);
  const asking = last?.key === "asking" ? turns.length : 0;
  const follow = useCallback(() => {
    jumped.current = false;
    following.current = true;
    scrollToEnd();
  }, [scrollToEnd]);
  useLayoutEffect(follow, [asking, follow]);

  const scrollToTurn = useCallback(
    (index: number) => {
      jumped.current = true;
      following.current = false;
      setAway(true);
      virtual.scrollToIndex(index, { align: "start" });
    },
    [virtual],
  );
  const found = useFoundTurn(turns, earlier, scrollToTurn);

  // Scrolling up loads earlier turns automatically; once per position, so that a failure is not
  // repeated.
  const items = virtual.getVirtualItems();
  const isAtBeginning = away && (items[0]?.index ?? overscan) < overscan;
  const first = turns[0]?.key;
  const requestedAt = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (!isAtBeginning || !earlier || earlier.loading || requestedAt.current === first) return;
    requestedAt.current = first;
    earlier.load();
  }, [isAtBeginning, earlier, first]);

  return (
    <>
      <div
        className="flex-1 overflow-auto -outline-offset-2 [scrollbar-color:var(--border-default)_transparent] [scrollbar-width:thin]"
        ref={log}
        onScroll={onScroll}
        onWheel={onReaderScroll}
        onTouchMove={onReaderScroll}
        onPointerDown={onReaderScroll}
        onKeyDown={onReaderScroll}
        onClickCapture={onTitleClick}
        role="log"
        aria-label={t("conversation")}
        aria-live="off"
        tabIndex={0}
      >
        <div
          className={cn(column, "relative [overflow-anchor:none]")}
          ref={rows}
          style={{ blockSize: virtual.getTotalSize() }}
        >
          {earlier && (
            <Button
              variant="quiet"
              size="sm"
              className="absolute inset-x-0 top-4 mx-auto w-max"
              disabled={earlier.loading}
              onClick={earlier.load}
            >
              {earlier.loading ? t("loadingEarlier") : t("earlier")}
            </Button>
          )}
          <div
            className="absolute inset-x-8 max-md:inset-x-4"
            style={{ insetBlockStart: items[0]?.start ?? 0 }}
          >
            {items.map(({ index, key }) => {
              const turn = turns[index];
              return (
                turn && (
                  <div
                    key={key}
                    className={cn(
                      "group/turn grid grid-cols-1 gap-4 pb-4 max-md:gap-5 max-md:pb-5",
                      turn.key === found &&
                        "animate-found rounded-md motion-reduce:bg-accent-subtle",
                    )}
                    data-turn={turn.key === found ? "found" : ""}
                    data-index={index}
                    ref={virtual.measureElement}
                  >
                    <Turn
                      turn={turn}
                      activeSource={open?.key === turn.key ? open.number : null}
                      actions={actions}
                      note={index === turns.length - 1 ? note : null}
                      isScrolling={isScrolling}
                    />
                  </div>
                )
              );
            })}
          </div>
        </div>
      </div>
      <Announcer
        text={last && isOpen(last.phase) ? last.answer : ""}
        phase={last?.phase ?? null}
        thought={last?.thoughts.at(-1) ?? null}
      />
      <div
        className="relative flex-none pb-2 before:pointer-events-none before:absolute before:inset-x-0 before:bottom-full before:h-7 before:bg-[linear-gradient(transparent,var(--bg-surface))]"
        data-dock
      >
        <div className={cn(column, "max-md:px-2")}>
          {away && (
            <Button
              size="sm"
              className="absolute inset-x-0 bottom-[calc(100%+8px)] mx-auto w-max rounded-full bg-overlay shadow-float"
              onClick={follow}
            >
              <ArrowDown className="size-3.5 stroke-2" aria-hidden="true" />
              {last && isOpen(last.phase)
                ? t(
                    last.steps.some(({ state }) => state === "waiting")
                      ? "steps:jumpWaiting"
                      : "jumpWriting",
                  )
                : t("jump")}
            </Button>
          )}
          {dock}
        </div>
      </div>
    </>
  );
}
