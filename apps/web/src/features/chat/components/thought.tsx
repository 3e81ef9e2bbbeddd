import { ChevronRight } from "lucide-react";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { LiveDots } from "../../../components/ui/progress.tsx";
import { cn } from "../../../lib/cn.ts";
import { formatDuration } from "../../../lib/format.ts";
import { toggleFold, useIsUnfolded } from "../state/answer-parts.ts";
import type { Thought as ThoughtView } from "../state/thoughts.ts";
import Markdown, { type Citations } from "./markdown.tsx";

/** Brackets in reasoning are the model's notes. */
const noCitations: Citations = { open: null, active: null, sources: [] };
/** Longer reasoning is shown as plain text, because parsing it as Markdown is slow. */
const longestMarkdown = 40_000;
/** Within this distance of the end (px), new text is scrolled into view. */
const endThreshold = 24;

/** What the model thought, collapsed; its title says how long that took or has taken. */
export function Thought({ id, thought }: { id: string; thought: ThoughtView }) {
  const isOpen = useIsUnfolded(id);
  const panel = useId();
  const isLive = thought.since !== null;
  return (
    <div
      className={isOpen ? "mb-3.5" : "mb-2"}
      data-thought={isLive ? "live" : ""}
      data-fold={isLive ? undefined : ""}
    >
      <button
        type="button"
        className="-ms-0.5 inline-flex min-h-6 items-center gap-1.5 rounded-sm px-0.5 py-0.5 text-fg-3 hover:bg-hover hover:text-fg-1 max-md:min-h-8"
        aria-expanded={isOpen}
        aria-controls={isOpen ? panel : undefined}
        onClick={() => toggleFold(id)}
      >
        <ChevronRight
          className={cn(
            "size-3.5 stroke-2 transition-transform duration-150 motion-reduce:transition-none rtl:-scale-x-100",
            isOpen && "rotate-90 rtl:-rotate-90",
          )}
          aria-hidden="true"
        />
        <Title thought={thought} />
        {isLive && <LiveDots />}
      </button>
      {isOpen && <Panel id={panel} text={thought.text} isLive={isLive} />}
    </div>
  );
}

function Title({ thought: { since, milliseconds } }: { thought: ThoughtView }) {
  const { t } = useTranslation("chat");
  if (since !== null) return <Thinking since={since} />;
  return milliseconds === null
    ? t("thought")
    : t("thoughtFor", { time: formatDuration(milliseconds) });
}

/** Counts the seconds spent thinking. */
function Thinking({ since }: { since: number }) {
  const { t } = useTranslation("chat");
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, []);
  const milliseconds = Math.max(0, now - since);
  return (
    <span className="tabular-nums">{t("thinkingFor", { time: formatDuration(milliseconds) })}</span>
  );
}

/** Scrolls inside its own box so that the answer stays in view, and follows new text at its end. */
function Panel({ id, text, isLive }: { id: string; text: string; isLive: boolean }) {
  const { t } = useTranslation("chat");
  const box = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(isLive);
  useLayoutEffect(() => {
    if (isLive && isAtEnd.current && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [text, isLive]);
  return (
    <div
      id={id}
      ref={box}
      role="group"
      aria-label={t("reasoning")}
      tabIndex={0}
      data-growing={isLive ? "" : undefined}
      className="mt-1.5 ms-1.5 max-h-96 overflow-y-auto border-s-2 border-line ps-3.5 text-sm text-fg-2 wrap-anywhere [scrollbar-color:var(--border-default)_transparent] [scrollbar-width:thin] max-md:max-h-72"
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < endThreshold;
      }}
    >
      {text.length > longestMarkdown ? (
        <p className="whitespace-pre-wrap">{text}</p>
      ) : (
        <Markdown text={text} growing={isLive} citations={noCitations} count={0} />
      )}
    </div>
  );
}
