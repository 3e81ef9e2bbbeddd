import { type JSX, Component, h, type FunctionComponent } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ConversationState } from "../chat/conversation.ts";
import { newMessage, faultText, isFinal, splitThoughts, type Message } from "../chat/message.ts";
import { type Config, safeUrl } from "../config/read-config.ts";
import { Markdown } from "../markdown/markdown.tsx";
import type { Source } from "../wire/embed-api.ts";
import { useWords } from "../words/words-context.ts";
import { Icon } from "./icon.tsx";

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

interface MessageRowProps {
  message: Message;
  config: Config;
  name: string;
  /** Only for the last message. */
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

const MessageRow = memo(Row);

/** Renders again only if properties change; `preact/compat` has this too, but adds 4 kB. */
function memo<P extends object>(Inner: FunctionComponent<P>): (props: P) => JSX.Element {
  class Memo extends Component<P> {
    override shouldComponentUpdate(next: Readonly<P>): boolean {
      return (Object.keys(next) as (keyof P)[]).some((key) => next[key] !== this.props[key]);
    }

    override render(): JSX.Element {
      return h(Inner, this.props);
    }
  }
  return (props) => h(Memo, props);
}

/** The sources of an answer, if the widget shows them. */
function Sources({ sources }: { sources: Source[] }): JSX.Element | null {
  const words = useWords();
  const shown = sources.filter(({ title }) => typeof title === "string" && title !== "");
  if (shown.length === 0) return null;
  return (
    <details class="sources">
      <summary>
        {words.sources} ({shown.length})
        <Icon name="down" />
      </summary>
      <ol>
        {shown.map(({ title, text, url, number }, index) => (
          <li key={index} value={number ?? index + 1}>
            {typeof url === "string" && /^https?:/i.test(url) ? (
              <a
                href={safeUrl(url) ?? undefined}
                target="_blank"
                rel="noopener noreferrer nofollow"
              >
                {title}
              </a>
            ) : (
              <span dir="auto">{title}</span>
            )}
            {typeof text === "string" && (
              <p class="passage" dir="auto">
                {text}
              </p>
            )}
          </li>
        ))}
      </ol>
    </details>
  );
}
