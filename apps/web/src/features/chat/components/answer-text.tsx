import { useMemo } from "react";
import { cutParts, type Thought as ThoughtView } from "../state/thoughts.ts";
import Markdown, { type Citations } from "./markdown.tsx";
import { Thought } from "./thought.tsx";

/** An answer's text, and what the model thought, each at its place. */
export function AnswerText({
  id,
  text,
  thoughts,
  growing,
  citations,
  count,
}: {
  /** Of the turn. */
  id: string;
  text: string;
  thoughts: readonly ThoughtView[];
  growing: boolean;
  citations: Citations;
  count: number | null;
}) {
  const parts = useMemo(() => cutParts(text, thoughts), [text, thoughts]);
  return parts.map((part, index) => (
    <div
      key={index}
      className={index > 0 ? "mt-3" : undefined}
      data-growing={growing && index === parts.length - 1 ? "" : undefined}
    >
      {part.thought && <Thought id={`${id}/${index}`} thought={part.thought} />}
      {part.text && (
        <Markdown
          text={part.text}
          growing={growing && index === parts.length - 1}
          citations={citations}
          count={count}
        />
      )}
    </div>
  ));
}
