import type { JSX, Ref } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Conversation, ConversationState } from "../chat/conversation.ts";
import { faultText, splitThoughts, type Message } from "../chat/message.ts";
import type { Config } from "../config/read-config.ts";
import { parse, plainText } from "../markdown/parse.ts";
import { keep, recall } from "../wire/browser-storage.ts";
import { useWords } from "../words/words-context.ts";
import { Icon } from "./icon.tsx";
import { Messages } from "./messages.tsx";
import { useOnline } from "./use-media.ts";

interface ChatProps {
  config: Config;
  conversation: Conversation;
  name: string;
  onClose?: () => void;
  fieldRef: Ref<HTMLTextAreaElement>;
}

export function Chat({ config, conversation, name, onClose, fieldRef }: ChatProps): JSX.Element {
  const words = useWords();
  const state = useConversation(conversation);
  const isOnline = useOnline();
  useEffect(() => {
    if (isOnline) void conversation.load();
  }, [conversation, isOnline]);
  const send = (text: string): void => void conversation.send(text);
  const sponsor = config.noSponsor ? null : config.sponsorText;
  return (
    <>
      <Header
        config={config}
        name={name}
        canReset={state.messages.length > 0}
        onReset={() => void conversation.clear()}
        onClose={onClose}
      />
      <Messages
        config={config}
        name={name}
        state={state}
        onSend={send}
        onRetry={() => void conversation.retry()}
        onReload={() => void conversation.load()}
      />
      <Announcer message={state.messages.at(-1)} />
      {!isOnline && (
        <p class="offline" role="status">
          {words.offline}
        </p>
      )}
      <Composer
        placeholder={config.sendMessageText ?? words.placeholder}
        draftKey={`carrel_${config.embedId}_draft`}
        maxLength={state.session?.maxMessageLength ?? undefined}
        isWriting={state.isWriting}
        canSend={isOnline && state.phase === "ready"}
        isOpening={isOnline && (state.phase === "new" || state.phase === "loading")}
        onSend={send}
        onStop={() => conversation.stop()}
        fieldRef={fieldRef}
      />
      {sponsor !== null && (
        <p class="sponsor">
          {config.sponsorLink === null ? (
            sponsor
          ) : (
            <a href={config.sponsorLink} target="_blank" rel="noopener noreferrer">
              {sponsor}
            </a>
          )}
        </p>
      )}
    </>
  );
}

/** Renders once per frame, however fast an answer arrives. */
function useConversation(conversation: Conversation): ConversationState {
  const [state, setState] = useState(conversation.state);
  useEffect(() => {
    let frame = 0;
    const draw = (): void => {
      frame = 0;
      setState(conversation.state);
    };
    const end = conversation.subscribe(() => {
      // A hidden tab has no frames, and its screen reader still reads.
      if (document.hidden) draw();
      else frame ||= requestAnimationFrame(draw);
    });
    draw();
    return () => {
      end();
      cancelAnimationFrame(frame);
    };
  }, [conversation]);
  return state;
}

interface AnnouncerProps {
  message: Message | undefined;
}

/**
 * Reads answers out block by block: each once it is complete, rather than every few letters. Only
 * answers written while the conversation is open.
 */
function Announcer({ message }: AnnouncerProps): JSX.Element {
  const words = useWords();
  const region = useRef<HTMLDivElement>(null);
  const progress = useRef({ id: "", said: 0 });
  useEffect(() => {
    const say = (text: string): void => {
      if (text.trim() === "") return;
      const line = document.createElement("p");
      line.textContent = text;
      region.current!.append(line);
    };
    if (message === undefined || message.role !== "assistant") return;
    const isWriting = message.state === "writing";
    if (progress.current.id !== message.id) {
      if (!isWriting) return;
      progress.current = { id: message.id, said: 0 };
      region.current!.replaceChildren();
      say(words.thinking);
    } else if (progress.current.said < 0) return;
    const { answer } = splitThoughts(message);
    const blocks = (parse(answer) ?? []).filter(({ type }) => type !== "space");
    for (const block of blocks.slice(progress.current.said, isWriting ? -1 : undefined))
      say(plainText(block));
    progress.current.said = Math.max(progress.current.said, blocks.length - (isWriting ? 1 : 0));
    if (isWriting) return;
    if (message.state === "stopped") say(words.stopped);
    if (message.fault !== null) say(faultText(message.fault, words));
    progress.current.said = -1;
  }, [message, words]);
  return (
    <div class="hidden" role="status" aria-live="polite" aria-relevant="additions" ref={region} />
  );
}

interface HeaderProps {
  config: Config;
  name: string;
  canReset: boolean;
  onReset: () => void;
  /** Absent on a page of its own. */
  onClose?: (() => void) | undefined;
}

function Header({ config, name, canReset, onReset, onClose }: HeaderProps): JSX.Element {
  const words = useWords();
  const [isAsking, setAsking] = useState(false);
  const reset = config.resetChatText ?? words.reset;
  if (isAsking)
    return (
      <div
        class="header asking"
        role="alertdialog"
        aria-label={words.resetConfirm}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.stopPropagation(); // which would close the chat
          event.preventDefault();
          setAsking(false);
        }}
      >
        <p class="name">{words.resetConfirm}</p>
        <button type="button" class="text-button" onClick={() => setAsking(false)}>
          {words.cancel}
        </button>
        <button
          type="button"
          class="text-button danger"
          ref={(element) => element?.focus()}
          onClick={() => {
            setAsking(false);
            onReset();
          }}
        >
          {reset}
        </button>
      </div>
    );
  return (
    <div class={config.noHeader ? "header bare" : "header"}>
      {!config.noHeader && (
        <>
          {config.brandImageUrl !== null && <img class="brand" src={config.brandImageUrl} alt="" />}
          <h2 class="name">{name}</h2>
          {config.supportEmail !== null && (
            <a
              class="icon-button"
              href={`mailto:${encodeURIComponent(config.supportEmail).replaceAll("%40", "@")}`}
              aria-label={words.support}
              title={words.support}
            >
              <Icon name="mail" />
            </a>
          )}
          {canReset && (
            <button
              type="button"
              class="icon-button"
              aria-label={reset}
              title={reset}
              onClick={() => setAsking(true)}
            >
              <Icon name="reset" />
            </button>
          )}
        </>
      )}
      {onClose !== undefined && (
        <button
          type="button"
          class="icon-button"
          aria-label={words.close}
          title={words.close}
          onClick={onClose}
        >
          <Icon name="close" />
        </button>
      )}
    </div>
  );
}

interface ComposerProps {
  placeholder: string;
  /** Where to keep unsent text when the visitor leaves the page. */
  draftKey: string;
  maxLength: number | undefined;
  isWriting: boolean;
  canSend: boolean;
  /** Whether `canSend` is about to become true, so that Enter may be remembered until then. */
  isOpening: boolean;
  onSend: (text: string) => void;
  onStop: () => void;
  fieldRef: Ref<HTMLTextAreaElement>;
}

function Composer(props: ComposerProps): JSX.Element {
  const words = useWords();
  const { draftKey, isWriting, canSend } = props;
  const [text, setText] = useState(() => recall(draftKey, "sessionStorage") ?? "");
  const [isWaiting, setIsWaiting] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const write = (next: string): void => {
    setText(next);
    setIsWaiting(false);
    keep(draftKey, next === "" ? null : next, "sessionStorage");
  };
  useLayoutEffect(() => {
    const field = form.current!.querySelector("textarea")!;
    field.style.height = "auto";
    field.style.height = `${field.scrollHeight}px`;
  }, [text]);
  const isSendable = canSend && !isWriting && text.trim() !== "";
  const send = (): void => {
    if (!isSendable) return setIsWaiting(props.isOpening && text.trim() !== "");
    props.onSend(text);
    write("");
  };
  useEffect(() => {
    if (isWaiting && canSend) send();
  }, [canSend]);
  return (
    <form
      class="composer"
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <textarea
        ref={props.fieldRef}
        rows={1}
        dir="auto"
        autocomplete="off"
        maxLength={props.maxLength}
        aria-label={props.placeholder}
        placeholder={props.placeholder}
        value={text}
        onInput={(event) => write(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
          event.preventDefault();
          send();
        }}
      />
      {isWriting ? (
        <button
          key="stop"
          type="button"
          class="send"
          aria-label={words.stop}
          title={words.stop}
          onClick={(event) => {
            event.currentTarget.form?.querySelector("textarea")?.focus();
            props.onStop();
          }}
        >
          <Icon name="stop" />
        </button>
      ) : (
        <button
          key="send"
          type="submit"
          class="send"
          aria-label={words.send}
          title={words.send}
          aria-disabled={!isSendable}
        >
          <Icon name="send" />
        </button>
      )}
    </form>
  );
}
