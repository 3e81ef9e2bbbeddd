import type { JSX, Ref } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Conversation } from "../chat/conversation.ts";
import type { ChatIcon, Config } from "../config/read-config.ts";
import { keep, recall } from "../wire/browser-storage.ts";
import { english, type Words } from "../words/english.ts";
import { directionOf, loadWords } from "../words/language.ts";
import { WordsContext, useWords } from "../words/words-context.ts";
import { Chat } from "./chat.tsx";
import { Icon } from "./icon.tsx";
import { phone, useMedia } from "./use-media.ts";

const openKey = "___anythingllm-chat-widget-open___";

const wasReloaded = (): boolean =>
  performance
    .getEntriesByType("navigation")
    .some((entry) => (entry as PerformanceNavigationTiming).type === "reload");

/** Whether the chat is open when a page is loaded. */
class OpenState {
  readonly isOpen: boolean;
  private readonly closedKey: string;

  constructor({ embedId, openOnLoad }: Config) {
    this.closedKey = `carrel_${embedId}_closed`;
    // On a phone it would cover the next page that the visitor opens.
    const isResumed = recall(openKey) !== null && (!matchMedia(phone).matches || wasReloaded());
    // People who close it mean it, for all pages.
    const isForced = openOnLoad && recall(this.closedKey, "sessionStorage") === null;
    this.isOpen = isResumed || isForced;
  }

  change(isOpen: boolean): void {
    keep(openKey, isOpen ? "1" : null);
    keep(this.closedKey, isOpen ? null : "1", "sessionStorage");
  }
}

interface WidgetProps {
  config: Config;
  conversation: Conversation;
  language: string;
}

/** Sent by pages to ask a question on the visitor's behalf (wire-contract 8.4). */
const sendEvent = "anythingllm-embed-send-prompt";

export function Widget({ config, conversation, language }: WidgetProps): JSX.Element {
  const [words, setWords] = useState<Words>(english);
  useEffect(() => void loadWords(language, config.localesUrl).then(setWords), [language]);
  const [openState] = useState(() => new OpenState(config));
  const [isOpen, setOpen] = useState(openState.isOpen);
  const change = (open: boolean): void => {
    openState.change(open);
    setOpen(open);
  };
  useEffect(() => {
    const onPrompt = (event: Event): void => {
      const { command } = ((event as CustomEvent).detail ?? {}) as { command?: unknown };
      if (typeof command !== "string") return;
      if (config.mode === "button") change(true);
      void conversation.send(command);
    };
    addEventListener(sendEvent, onPrompt);
    return () => removeEventListener(sendEvent, onPrompt);
  }, []);

  const name = config.assistantName ?? words.assistant;
  const field = useRef<HTMLTextAreaElement>(null);
  const chat = { config, conversation, name };
  return (
    <WordsContext.Provider value={words}>
      <div
        class={`root ${config.mode} ${config.position}`}
        data-theme={config.theme}
        dir={directionOf(language)}
        lang={language}
      >
        {config.mode === "page" ? (
          <section class="panel" aria-label={name}>
            <Chat {...chat} fieldRef={field} />
          </section>
        ) : (
          <Floating {...chat} isOpen={isOpen} wasOpen={openState.isOpen} onChange={change} />
        )}
      </div>
    </WordsContext.Provider>
  );
}

interface FloatingProps {
  config: Config;
  conversation: Conversation;
  name: string;
  isOpen: boolean;
  /** Whether it was open when the page loaded; then it must not take focus from the page. */
  wasOpen: boolean;
  onChange: (open: boolean) => void;
}

/** The button and its dialog: next to the page on a desktop, over it on a phone. */
function Floating(props: FloatingProps): JSX.Element {
  const { config, conversation, name, isOpen } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const mayTakeFocus = useRef(!props.wasOpen);
  const isPhone = useMedia(phone) && config.mode !== "preview";
  const isUnread = useUnread(conversation, isOpen);

  useLayoutEffect(() => {
    const element = dialog.current;
    if (element === null) return undefined;
    if (isPhone) element.showModal();
    else if (mayTakeFocus.current) element.show();
    else element.setAttribute("open", "");
    if (mayTakeFocus.current) field.current?.focus();
    return () => element.close();
  }, [isOpen, isPhone]);
  useViewportHeight(dialog, isOpen && isPhone);

  const close = (): void => {
    props.onChange(false);
    dialog.current?.close();
    button.current?.focus();
  };
  return (
    <>
      <Launcher
        icon={config.chatIcon}
        isOpen={isOpen}
        isUnread={isUnread}
        elementRef={button}
        onClick={() => {
          if (isOpen) return close();
          mayTakeFocus.current = true;
          props.onChange(true);
        }}
      />
      {isOpen && (
        <dialog
          class="panel"
          ref={dialog}
          aria-label={name}
          onCancel={(event) => {
            event.preventDefault();
            close();
          }}
          onKeyDown={(event) => {
            if (event.key === "Escape" && !event.isComposing && !event.defaultPrevented) close();
          }}
        >
          <Chat
            config={config}
            conversation={conversation}
            name={name}
            onClose={close}
            fieldRef={field}
          />
        </dialog>
      )}
    </>
  );
}

/** Whether an answer was completed while the chat was closed. */
function useUnread(conversation: Conversation, isOpen: boolean): boolean {
  const [isUnread, setUnread] = useState(false);
  useLayoutEffect(() => {
    if (isOpen) return setUnread(false);
    let wasWriting = conversation.state.isWriting;
    return conversation.subscribe(() => {
      const { isWriting } = conversation.state;
      if (wasWriting && !isWriting) setUnread(true);
      wasWriting = isWriting;
    });
  }, [conversation, isOpen]);
  return isUnread;
}

/** The keyboard of some phones covers the page instead of making it smaller. */
function useViewportHeight(element: { current: HTMLElement | null }, isOn: boolean): void {
  useLayoutEffect(() => {
    const view = window.visualViewport;
    if (!isOn || view === null) return undefined;
    const fit = (): void => {
      element.current?.style.setProperty("height", `${view.height}px`);
      element.current?.style.setProperty("top", `${view.offsetTop}px`);
    };
    fit();
    view.addEventListener("resize", fit);
    view.addEventListener("scroll", fit);
    return () => {
      view.removeEventListener("resize", fit);
      view.removeEventListener("scroll", fit);
      element.current?.style.removeProperty("height");
      element.current?.style.removeProperty("top");
    };
  }, [isOn]);
}

interface LauncherProps {
  icon: ChatIcon;
  isOpen: boolean;
  /** An answer was completed while the chat was closed. */
  isUnread: boolean;
  onClick: () => void;
  elementRef: Ref<HTMLButtonElement>;
}

function Launcher(props: LauncherProps): JSX.Element {
  const words = useWords();
  const { isOpen, isUnread } = props;
  const label = isOpen ? words.close : words.open;
  return (
    <button
      type="button"
      class="launcher"
      ref={props.elementRef}
      aria-haspopup="dialog"
      aria-expanded={isOpen}
      aria-label={isUnread ? `${label} (${words.newAnswer})` : label}
      onClick={props.onClick}
    >
      <Icon name={isOpen ? "down" : props.icon} />
      {isUnread && <span class="dot" />}
    </button>
  );
}
