import { useVirtualizer } from "@tanstack/react-virtual";
import { ArrowDown } from "lucide-react";
import {
  memo,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type ReactNode,
} from "react";
import { useTranslation } from "react-i18next";
import { useFoundTurn } from "../state/found-turn.ts";
import { isOpen } from "../state/generation.ts";
import { estimateHeight } from "../state/turn-height.ts";
import type { TurnView } from "../state/turn-view.ts";
import { Answer, type AnswerActions } from "./answer.tsx";
import { Announcer } from "./announcer.tsx";
import { Question } from "./question.tsx";

const Turn = memo(function Turn({
  turn,
  activeSource,
  actions,
}: {
  turn: TurnView;
  activeSource: number | null;
  actions: AnswerActions;
}) {
  return (
    <>
      <Question turn={turn} actions={actions} />
      <Answer turn={turn} activeSource={activeSource} actions={actions} />
    </>
  );
});

/** Within this distance of the end (px), the reader counts as being at the end. */
const near = 72;
/**
 * Space above the first turn and below the last; larger above when there is a button for earlier
 * turns.
 */
const margin = { top: 16, topWithButton: 60, bottom: 4 };
/** Turns rendered beyond the viewport on each side. */
const overscan = 3;

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
  dock,
}: {
  turns: TurnView[];
  open: { key: string; number: number } | null;
  actions: AnswerActions;
  earlier: { load: () => void; loading: boolean } | null;
  dock: ReactNode;
}) {
  const { t } = useTranslation("chat");
  const log = useRef<HTMLDivElement>(null);
  const rows = useRef<HTMLDivElement>(null);
  const following = useRef(true);
  const lastTop = useRef(0);
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

  const toEnd = useCallback(() => {
    const box = log.current;
    if (box) box.scrollTop = box.scrollHeight;
  }, []);
  const onScroll = (): void => {
    const box = log.current;
    if (!box) return;
    // Only the reader scrolls up: while the answer grows, a late event of our own scrolling must
    // not count as leaving the end.
    const up = box.scrollTop < lastTop.current - 1;
    lastTop.current = box.scrollTop;
    if (box.scrollHeight - box.scrollTop - box.clientHeight < near) following.current = true;
    else if (up) following.current = false;
    setAway(!following.current);
  };
  useEffect(() => {
    if (!rows.current || !log.current) return;
    const observer = new ResizeObserver(() => {
      if (following.current) toEnd();
    });
    observer.observe(rows.current);
    observer.observe(log.current);
    return () => observer.disconnect();
  }, [toEnd]);
  const asking = last?.key === "asking" ? turns.length : 0;
  useLayoutEffect(() => {
    following.current = true;
    toEnd();
  }, [asking, toEnd]);

  const show = useCallback(
    (index: number) => {
      following.current = false;
      setAway(true);
      virtual.scrollToIndex(index, { align: "start" });
    },
    [virtual],
  );
  const found = useFoundTurn(turns, earlier, show);

  // Scrolling up loads earlier turns automatically; once per position, so that a failure is not
  // repeated.
  const items = virtual.getVirtualItems();
  const isAtBeginning = away && (items[0]?.index ?? overscan) < overscan;
  const first = turns[0]?.key;
  const asked = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (!isAtBeginning || !earlier || earlier.loading || asked.current === first) return;
    asked.current = first;
    earlier.load();
  }, [isAtBeginning, earlier, first]);

  return (
    <>
      <div
        className="log"
        ref={log}
        onScroll={onScroll}
        role="log"
        aria-label={t("conversation")}
        aria-live="off"
        tabIndex={0}
      >
        <div className="col" ref={rows} style={{ blockSize: virtual.getTotalSize() }}>
          {earlier && (
            <button
              type="button"
              className="btn quiet sm earlier"
              disabled={earlier.loading}
              onClick={earlier.load}
            >
              {earlier.loading ? t("loadingEarlier") : t("earlier")}
            </button>
          )}
          <div className="turns" style={{ insetBlockStart: items[0]?.start ?? 0 }}>
            {items.map(({ index, key }) => {
              const turn = turns[index];
              return (
                turn && (
                  <div
                    key={key}
                    className={turn.key === found ? "turn is-found" : "turn"}
                    data-index={index}
                    ref={virtual.measureElement}
                  >
                    <Turn
                      turn={turn}
                      activeSource={open?.key === turn.key ? open.number : null}
                      actions={actions}
                    />
                  </div>
                )
              );
            })}
          </div>
        </div>
      </div>
      <Announcer text={last && isOpen(last.phase) ? last.answer : ""} phase={last?.phase ?? null} />
      <div className="dock">
        <div className="col">
          {away && (
            <button
              type="button"
              className="btn sm jump"
              onClick={() => {
                following.current = true;
                toEnd();
              }}
            >
              <ArrowDown className="i sm" aria-hidden="true" />
              {last && isOpen(last.phase) ? t("jumpWriting") : t("jump")}
            </button>
          )}
          {dock}
        </div>
      </div>
    </>
  );
}
