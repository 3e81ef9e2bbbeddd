import type { JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ConversationState } from "../chat/conversation.ts";
import { newMessage } from "../chat/message.ts";
import type { Config } from "../config/read-config.ts";
import { useWords } from "../words/words-context.ts";
import { Icon } from "./icon.tsx";
import { MessageRow } from "./message-row.tsx";

interface MessagesProps {
  config: Config;
  name: string;
  state: ConversationState;
  onSend: (text: string) => void;
  onRetry: () => void;
  onReload: () => void;
}

/** Follows the newest text unless the visitor has scrolled up. */
const nearEnd = 48;

export function Messages(props: MessagesProps): JSX.Element {
  const words = useWords();
  const { config, name, state } = props;
  const { messages, phase, session } = state;
  const list = useRef<HTMLDivElement>(null);
  const [isAtEnd, setAtEnd] = useState(true);
  const newest = messages.at(-1);
  const jump = (): void => {
    const element = list.current!;
    element.scrollTop = element.scrollHeight;
    setAtEnd(true);
  };
  useLayoutEffect(() => {
    if (isAtEnd) jump();
  }, [messages, phase]);
  useLayoutEffect(jump, [messages.length]);

  const greeting = config.greeting ?? session?.greeting ?? words.greeting;
  const suggestions =
    config.defaultMessages.length > 0 ? config.defaultMessages : (session?.suggestedMessages ?? []);
  const isEmpty = phase === "ready" && messages.length === 0;
  return (
    <div class="messages">
      <div
        class="scroller"
        ref={list}
        role="log"
        aria-live="off" // the announcer reads it out
        aria-label={name}
        tabIndex={0}
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) =>
          setAtEnd(scrollHeight - scrollTop - clientHeight < nearEnd)
        }
      >
        {phase === "loading" && (
          <p class="note" role="status">
            {words.loading}
          </p>
        )}
        {phase === "failed" && (
          <div class="note fault" role="alert">
            <p dir="auto">{state.refusal ?? words.failed}</p>
            <button type="button" class="text-button" onClick={props.onReload}>
              {words.retry}
            </button>
          </div>
        )}
        {phase === "ready" && (
          <ul>
            <MessageRow message={greetingOf(greeting)} config={config} name={name} onRetry={null} />
            {messages.map((message) => (
              <MessageRow
                key={message.id}
                message={message}
                config={config}
                name={name}
                onRetry={message === newest ? props.onRetry : null}
              />
            ))}
          </ul>
        )}
        {state.isClearFailed && (
          <p class="note fault" role="alert">
            {words.resetFailed}
          </p>
        )}
        {isEmpty && suggestions.length > 0 && (
          <ul class="suggestions" aria-label={words.suggestions}>
            {suggestions.map((text) => (
              <li key={text}>
                <button type="button" dir="auto" onClick={() => props.onSend(text)}>
                  {text}
                </button>
              </li>
            ))}
          </ul>
        )}
      </div>
      {!isAtEnd && (
        <button type="button" class="latest" aria-label={words.latest} onClick={jump}>
          <Icon name="latest" />
        </button>
      )}
    </div>
  );
}

/** The same object for the same text, so that it isn't rendered again. */
const greetings = new Map<string, ReturnType<typeof newMessage>>();
function greetingOf(text: string): ReturnType<typeof newMessage> {
  const message = greetings.get(text) ?? newMessage("assistant", text);
  greetings.set(text, message);
  return message;
}
