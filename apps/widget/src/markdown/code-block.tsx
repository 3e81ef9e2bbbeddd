import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useWords } from "../words/words-context.ts";
import { Icon } from "../view/icon.tsx";

export function CodeBlock({ text, language }: { text: string; language: string }): JSX.Element {
  const words = useWords();
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch {
      setCopied(false); // not allowed on this page; the text can still be selected
    }
  };
  return (
    <div class="code" dir="ltr">
      <div class="code-bar">
        <span>{language.split(/\s/)[0]}</span>
        <button
          type="button"
          class="icon-button small"
          aria-label={isCopied ? words.copied : words.copy}
          onClick={() => void copy()}
          onBlur={() => setCopied(false)}
        >
          <Icon name={isCopied ? "check" : "copy"} />
        </button>
      </div>
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
    </div>
  );
}
