import type { JSX } from "preact";
import { memo } from "./memo.ts";
import { faultText, isFinal, splitThoughts, type Message } from "../chat/message.ts";
import type { Config } from "../config/read-config.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { useWords } from "../words/words-context.ts";
import { Sources } from "./sources.tsx";

interface MessageRowProps {
  message: Message;
  config: Config;
  name: string;
  /** Of the last message. */
  onRetry: (() => void) | null;
}

function Waiting(): JSX.Element {
  const words = useWords();
  return (
    <span class="waiting">
      <i />
      <i />
      <i />
      <span class="hidden">{words.thinking}</span>
    </span>
  );
}

function Answer({ message, config }: { message: Message; config: Config }): JSX.Element | null {
  const words = useWords();
  const { thoughts, answer } = splitThoughts(message);
  const isWriting = message.state === "writing";
  const hasThoughts = config.showThoughts && thoughts !== "";
  if (answer === "" && !isWriting && !hasThoughts) return null;
  return (
    <div class="bubble" dir="auto">
      {hasThoughts && (
        <details class="thoughts">
          <summary>{words.thoughts}</summary>
          <p class="plain">{thoughts}</p>
        </details>
      )}
      {answer === "" ? isWriting && <Waiting /> : <Markdown text={answer} />}
      <Sources sources={message.sources} />
    </div>
  );
}

function Row({ message, config, name, onRetry }: MessageRowProps): JSX.Element {
  const words = useWords();
  const { role, text, state, fault } = message;
  if (role === "user")
    return (
      <li class="message user">
        <span class="hidden">{words.you}:</span>
        <div class="bubble plain" dir="auto">
          {text}
        </div>
      </li>
    );
  return (
    <li class="message assistant" aria-busy={state === "writing"}>
      {config.assistantIcon !== null && <img class="avatar" src={config.assistantIcon} alt="" />}
      <div class="column">
        <span class="hidden">{name}:</span>
        <Answer message={message} config={config} />
        {state === "stopped" && <p class="note">{words.stopped}</p>}
        {fault !== null && (
          <div class="note fault">
            <p dir="auto">{faultText(fault, words)}</p>
            {onRetry !== null && !isFinal(fault) && (
              <button type="button" class="text-button" onClick={onRetry}>
                {words.retry}
              </button>
            )}
          </div>
        )}
      </div>
    </li>
  );
}

export const MessageRow = memo(Row);
