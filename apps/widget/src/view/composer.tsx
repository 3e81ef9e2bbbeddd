import type { JSX, Ref } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { useWords } from "../words/words-context.ts";
import { keep, recall } from "../wire/browser-storage.ts";
import { Icon } from "./icon.tsx";

interface ComposerProps {
  placeholder: string;
  /** Where a text that was not sent is kept when the page is left. */
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

export function Composer(props: ComposerProps): JSX.Element {
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
