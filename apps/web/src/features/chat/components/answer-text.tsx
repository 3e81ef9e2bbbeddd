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
  const before = parts[0]?.thought === null ? 1 : 0;
  return parts.map((part, index) => (
    <div
      // By the thought's number: text may appear before it, or turn out to be a thought.
      key={part.thought ? index - before : "text"}
      className={index > 0 ? "mt-3" : undefined}
      data-growing={growing && index === parts.length - 1 ? "" : undefined}
    >
      {part.thought && <Thought id={`${id}/${index - before}`} thought={part.thought} />}
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
