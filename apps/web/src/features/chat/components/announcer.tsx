import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Phase } from "../state/generation.ts";
import { finishedSentences } from "../state/sentences.ts";

/**
 * Announces the answer to screen readers in sentences, at most once a second, instead of in tokens.
 */
export function Announcer({ text, phase }: { text: string; phase: Phase | null }) {
  const { t } = useTranslation("chat");
  const [spoken, setSpoken] = useState("");
  const at = useRef(0);
  const latest = useRef(text);
  useEffect(() => {
    latest.current = text;
  }, [text]);
  useEffect(() => {
    const timer = setInterval(() => {
      if (latest.current.length < at.current) at.current = 0;
      const { words, to } = finishedSentences(latest.current, at.current);
      if (!words) return;
      at.current = to;
      setSpoken(words);
    }, 1000);
    return () => clearInterval(timer);
  }, []);
  const status =
    phase === "done"
      ? t("answerDone")
      : phase === "failed"
        ? t("failed")
        : phase === "stopped"
          ? t("stopped")
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
