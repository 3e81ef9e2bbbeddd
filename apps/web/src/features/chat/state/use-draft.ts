import { useEffect, useState } from "react";
import { readDraft, useRestored, writeDraft } from "./draft.ts";

/** The text of a message field, which survives a reload; a question that failed returns to it. */
export function useDraft(key: string): [text: string, setText: (text: string) => void] {
  const [text, setText] = useState(() => readDraft(key));
  useEffect(() => writeDraft(key, text), [key, text]);
  const restored = useRestored(key);
  const [handled, setHandled] = useState(restored);
  if (restored !== handled) {
    setHandled(restored);
    if (restored && text === "") setText(restored.text);
  }
  return [text, setText];
}
