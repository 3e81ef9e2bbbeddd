import type { TFunction } from "i18next";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { formatDuration } from "../../../lib/format.ts";
import type { Phase } from "../state/generation.ts";
import type { Thought } from "../state/thoughts.ts";

/** Without the running seconds. */
const describeThought = (t: TFunction<"chat">, { since, milliseconds }: Thought): string =>
  since !== null
    ? t("thinkingNow")
    : milliseconds === null
      ? t("thought")
      : t("thoughtFor", { time: formatDuration(milliseconds) });

/**
 * Announces the answer to screen readers in sentences, at most once a second, instead of in tokens.
 */
export function Announcer({
  text,
  phase,
  thought,
}: {
  text: string;
  phase: Phase | null;
  /** The model's current or latest thought. */
  thought: Thought | null;
}) {
  const { t } = useTranslation("chat");
  const [spoken, setSpoken] = useState("");
  const at = useRef(0);
  const isThought = phase === "writing" && thought?.since === null && thought.at === 0;
  const latest = useRef({ text, isThought });
  useEffect(() => {
    latest.current = { text, isThought };
  }, [text, isThought]);
  useEffect(() => {
    const timer = setInterval(() => {
      const isTakenBack = latest.current.text.length < at.current;
      // What a lost run writes again isn't read out twice, except for what had been reasoning.
      if (isTakenBack) at.current = latest.current.isThought ? 0 : latest.current.text.length;
      // It has already been read out as the answer.
      if (isTakenBack && latest.current.isThought) return setSpoken(t("wasReasoning"));
      const { words, to } = finishedSentences(latest.current.text, at.current);
      if (!words) return;
      at.current = to;
      setSpoken(words);
    }, 1000);
    return () => clearInterval(timer);
  }, [t]);
  const status =
    phase === "done"
      ? t("answerDone")
      : phase === "failed"
        ? t("failed")
        : phase === "stopped"
          ? t("stopped")
          : phase === "writing" && thought !== null
            ? describeThought(t, thought)
            : "";
  return (
    <>
      <div className="sr-only" aria-live="polite">
        {spoken}
      </div>
      <div className="sr-only" role="status">
        {status}
      </div>
    </>
  );
}

/**
 * The complete sentences of `text` from character `from`; an unfinished last one is left for later.
 */
export function finishedSentences(text: string, from: number): { words: string; to: number } {
  const rest = text.slice(from);
  const segments = [...new Intl.Segmenter(undefined, { granularity: "sentence" }).segment(rest)];
  segments.pop(); // may still grow
  const words = segments.map((segment) => segment.segment).join("");
  return { words: words.replace(/[*_`#>|]|\[\d+\]/g, "").trim(), to: from + words.length };
}
