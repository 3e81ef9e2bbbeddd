import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Config } from "../config/read-config.ts";
import { useWords } from "../words/words-context.ts";
import { Icon } from "./icon.tsx";

interface HeaderProps {
  config: Config;
  name: string;
  canReset: boolean;
  onReset: () => void;
  /** None on a page of its own. */
  onClose?: (() => void) | undefined;
}

export function Header({ config, name, canReset, onReset, onClose }: HeaderProps): JSX.Element {
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
