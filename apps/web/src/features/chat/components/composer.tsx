import type { ChatMode, McpPromptWire } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { AtSign, Clock, Paperclip, SquareSlash } from "lucide-react";
import {
  Suspense,
  useCallback,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type ClipboardEvent,
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from "react";
import { useTranslation } from "react-i18next";
import { Button, IconButton } from "../../../components/ui/button.tsx";
import { FileInput } from "../../../components/ui/field.tsx";
import { lazyPart } from "../../../lib/lazy-part.ts";
import { useMcpPrompt } from "../api/mcp-prompts.ts";
import type { Commands } from "../api/slash-commands.ts";
import { threadModelQuery } from "../api/thread-model.ts";
import { useDraft, writeDraft } from "../state/draft.ts";
import {
  addMention,
  isForAgent,
  mentionBefore,
  removeLastMention,
  useMentions,
} from "../state/mentions.ts";
import { DictateButton, ModeChoice, SendButtons, TextSizeMenu } from "./composer-buttons.tsx";
import type { ListKeys } from "./composer-list.tsx";

const SlashMenu = lazyPart(() => import("./slash-menu.tsx"));
const MentionMenu = lazyPart(() => import("./mention-menu.tsx"));
const MentionChips = lazyPart(() => import("./mention-chips.tsx"));
const McpPromptDialog = lazyPart(() => import("./mcp-prompt-dialog.tsx"));
const PresetDialog = lazyPart(() => import("./preset-dialog.tsx"));

export interface ComposerProps {
  slug: string;
  threadSlug: string | null;
  draftKey: string;
  placeholder: string;
  rows: number;
  mode: ChatMode;
  onMode: (mode: ChatMode) => void;
  /** The model that answers here, if known. */
  model: ReactNode;
  writing: boolean;
  accept: string;
  /** Shown above the field: files and images. */
  tray: ReactNode;
  commands: Commands;
  /** Images can be sent without text. */
  hasImages: boolean;
  /** Names of attached files that are still being read, and whether any couldn't be read. */
  files: { unread: string[]; hasUnreadable: boolean };
  onSend: (message: string) => void;
  onStop: () => void;
  /** Called for Up in an empty field. Returns false if there is nothing to edit. */
  onEditLast: () => boolean;
  onFiles: (files: File[]) => void;
}

/** Matches only a slash and the beginning of a command. */
const commandLike = /^\/[^\s]*$/;

/**
 * The message field. Enter sends, Shift+Enter inserts a line break, Esc stops, Up in an empty field
 * edits the last question, `/` lists commands, `@` documents, folders and models.
 */
export function Composer(props: ComposerProps) {
  const { t } = useTranslation("chat");
  const id = useId();
  const [text, setText] = useDraft(props.draftKey);
  const [slash, setSlash] = useState(false);
  const [option, setOption] = useState<string | null>(null);
  const [managing, setManaging] = useState<{ initial: string | null } | null>(null);
  const [asking, setAsking] = useState<McpPromptWire | null>(null);
  const prompting = useMcpPrompt(props.slug, { isForm: false });
  const listKeys = useRef<ListKeys | null>(null);
  const mentions = useMentions(props.draftKey);
  const { data: model } = useQuery(threadModelQuery(props.slug, props.threadSlug));
  const [mention, setMention] = useState<string | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (matchMedia("(hover: hover)").matches) field.current?.focus({ preventScroll: true });
  }, [props.draftKey]);
  useFieldHeight(field, text);
  const { onStop, writing, files } = props;
  useStopKey(writing, onStop);

  const change = (next: string, caret = next.length): void => {
    setText(next);
    setMention(mentionBefore(next, caret));
    setSlash(commandLike.test(next) && (slash || next.length >= text.length));
  };
  const isReady = text.trim() !== "" || props.hasImages;
  // Its text stays in the field meanwhile, so a reload keeps it as a draft.
  const [isHeld, setHeld] = useState(false);
  const release = (): void => setHeld(false);
  /** Cleared before sending: the first message remounts the composer elsewhere on the page. */
  const clear = (): void => {
    writeDraft(props.draftKey, "");
    setText("");
    setSlash(false);
    setMention(null);
    release();
  };
  const endDictation = useRef<() => void>(null);
  const sendText = (message: string): void => {
    endDictation.current?.();
    clear();
    props.onSend(message);
  };
  useHeldQuestion(isHeld, files, { send: () => sendText(text.trim()), release });
  const send = (event?: FormEvent): void => {
    event?.preventDefault();
    if (!isReady) return;
    if (files.unread.length > 0) setHeld(true);
    else sendText(text.trim());
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    // During IME composition Enter picks a candidate and must not send.
    if (event.nativeEvent.isComposing) return;
    if (isHeld && event.key === "Escape") return release();
    if ((slash || mention !== null) && listKeys.current?.(event.key)) return event.preventDefault();
    if (event.key === "Enter" && !event.shiftKey) return send(event);
    if (event.key === "Backspace" && text === "") return void removeLastMention(props.draftKey);
    if (event.key === "ArrowUp" && text === "" && props.onEditLast()) event.preventDefault();
  };
  const onPaste = (event: ClipboardEvent): void => {
    const files = [...event.clipboardData.files];
    if (files.length === 0) return;
    event.preventDefault();
    props.onFiles(files);
  };
  const closeList = useCallback(() => {
    setSlash(false);
    setMention(null);
    setOption(null);
    field.current?.focus();
  }, []);
  /** Removes what was typed of the mention. */
  const pickMention = (picked: Parameters<typeof addMention>[1]): void => {
    const caret = field.current?.selectionStart ?? text.length;
    const typed = mentionBefore(text, caret);
    const start = typed === null ? caret : caret - typed.length - 1;
    addMention(props.draftKey, picked);
    setText(text.slice(0, start) + text.slice(caret).replace(/^ /, ""));
    closeList();
  };
  const pickCommand = (command: string, sends: boolean): void => {
    if (sends && files.unread.length === 0) return sendText(command);
    setText(sends ? command : `${command} `);
    closeList();
    if (sends) setHeld(true);
  };
  /** Puts the text into the field without sending it, so that people read what a server wrote. */
  const insertPrompt = (prompt: string): void => {
    const typed = field.current?.value ?? "";
    setText(typed.trim() === "" ? prompt : `${typed}\n\n${prompt}`);
    field.current?.focus();
  };
  const pickPrompt = (prompt: McpPromptWire): void => {
    clear();
    if (prompt.arguments.length > 0) return setAsking(prompt);
    prompting.mutate({ prompt, values: {} }, { onSuccess: (reply) => insertPrompt(reply.text) });
  };
  return (
    <>
      {props.tray}
      <form
        className="relative rounded-lg border border-strong bg-raised shadow-raised focus-within:border-accent-solid focus-within:shadow-[0_0_0_3px_var(--accent-subtle)] focus-within:outline-none"
        data-composer
        onSubmit={send}
      >
        {slash && (
          <Suspense>
            <SlashMenu
              id={`${id}-commands`}
              slug={props.slug}
              typed={text}
              commands={props.commands}
              keysRef={listKeys}
              onActive={setOption}
              onPick={pickCommand}
              onRun={(run) => {
                clear();
                run();
              }}
              onPrompt={pickPrompt}
              onManage={(initial) => {
                clear();
                setManaging({ initial });
              }}
              onClose={closeList}
            />
          </Suspense>
        )}
        {mention !== null && (
          <Suspense>
            <MentionMenu
              id={`${id}-commands`}
              slug={props.slug}
              threadSlug={props.threadSlug}
              typed={mention}
              keysRef={listKeys}
              onActive={setOption}
              onPick={pickMention}
              onAgent={
                mention.length + 1 === text.length
                  ? () => {
                      setText("@agent ");
                      closeList();
                    }
                  : null
              }
              onClose={closeList}
            />
          </Suspense>
        )}
        {(mentions.length > 0 || isForAgent(text)) && (
          <Suspense>
            <MentionChips
              draftKey={props.draftKey}
              mentions={mentions}
              hasAgent={isForAgent(text)}
            />
          </Suspense>
        )}
        <label className="sr-only" htmlFor={id}>
          {t("message")}
        </label>
        <textarea
          className="block max-h-65 min-h-10.75 w-full resize-none bg-transparent px-4 pt-3.25 pb-1.5 text-md outline-none field-sizing-fixed in-data-[slot=hero]:min-h-16.75"
          id={id}
          ref={field}
          rows={props.rows}
          value={text}
          placeholder={props.placeholder}
          readOnly={isHeld}
          dir="auto"
          enterKeyHint="send"
          aria-autocomplete="list"
          aria-haspopup="listbox"
          {...(slash || mention !== null
            ? {
                "aria-controls": `${id}-commands`,
                ...(option ? { "aria-activedescendant": option } : {}),
              }
            : {})}
          onChange={({ target }) => change(target.value, target.selectionStart)}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
        />
        {prompting.isPending && (
          <p className="px-4 pb-1 text-sm text-fg-2" role="status">
            {t("promptInserting")}
          </p>
        )}
        {isHeld && (
          <div className="flex items-center gap-2 px-4 pb-1 text-sm text-fg-2" role="status">
            <Clock className="size-3.5 flex-none stroke-2" aria-hidden="true" />
            <span className="min-w-0 flex-1 wrap-anywhere">
              {files.unread.length === 1
                ? t("waitsForFile", { name: files.unread[0] })
                : t("waitsForFiles", { count: files.unread.length })}
            </span>
            <Button size="sm" onClick={release}>
              {t("cancelWait")}
            </Button>
          </div>
        )}
        <div
          className="group/tools flex items-center gap-0.5 px-2 pt-1 pb-2 max-md:flex-wrap max-md:gap-0 max-md:[&_[data-slot=icon-button]]:size-11 max-md:[&_[role=radio]]:relative max-md:[&_[role=radio]]:h-8 max-md:[&_[role=radio]]:leading-8 max-md:[&_[role=radio]]:after:absolute max-md:[&_[role=radio]]:after:inset-x-0 max-md:[&_[role=radio]]:after:-inset-y-1.5"
          data-tools
        >
          <FileInput
            ref={picker}
            multiple
            accept={props.accept}
            label={t("attach")}
            onFiles={props.onFiles}
          />
          <IconButton label={t("attach")} onClick={() => picker.current?.click()}>
            <Paperclip />
          </IconButton>
          <IconButton
            label={t("commands")}
            disabled={text !== "" && !slash}
            onClick={() => {
              if (slash) return closeList();
              setText("/");
              setSlash(true);
              field.current?.focus();
            }}
          >
            <SquareSlash />
          </IconButton>
          <IconButton
            label={t(model?.mayChoose === false ? "mentionNoModel" : "mention")}
            onClick={() => {
              if (mention !== null) return closeList();
              field.current?.focus();
              change(text === "" || /\s$/.test(text) ? `${text}@` : `${text} @`);
            }}
          >
            <AtSign />
          </IconButton>
          <span className="mx-1.5 h-4 w-px bg-line max-md:hidden" />
          {/* On phones the first of two lines. */}
          <span className="contents max-md:-order-1 max-md:flex max-md:min-h-11 max-md:basis-full max-md:items-center">
            <ModeChoice mode={props.mode} onMode={props.onMode} />
            {props.model}
            <span className="min-w-0 flex-1" />
            <TextSizeMenu />
          </span>
          <span className="flex-1 md:hidden" />
          <DictateButton field={field} endRef={endDictation} onText={setText} />
          <SendButtons writing={writing} isReady={isReady} isHeld={isHeld} onStop={onStop} />
        </div>
      </form>
      <Suspense>
        {asking && (
          <McpPromptDialog
            slug={props.slug}
            prompt={asking}
            onText={insertPrompt}
            onClose={() => setAsking(null)}
          />
        )}
        {managing && (
          <PresetDialog
            initial={managing.initial}
            onClose={() => {
              setManaging(null);
              field.current?.focus();
            }}
          />
        )}
      </Suspense>
    </>
  );
}

const maxLines = 10;
const lineHeight = 24;
const padding = 20;

/** Lets a text field grow with its text, up to ten lines. */
function useFieldHeight(field: RefObject<HTMLTextAreaElement | null>, text: string): void {
  useLayoutEffect(() => {
    const area = field.current;
    if (!area) return;
    const highest = maxLines * lineHeight + padding;
    area.style.setProperty("block-size", "auto");
    area.style.setProperty("block-size", `${Math.min(area.scrollHeight, highest)}px`);
    area.style.setProperty("overflow-y", area.scrollHeight > highest ? "auto" : "hidden");
  }, [field, text]);
}

/**
 * Sends a held question once its attached files have been read, or releases it into the field if
 * one couldn't be read. `send` releases it too.
 */
function useHeldQuestion(
  isHeld: boolean,
  { unread, hasUnreadable }: { unread: string[]; hasUnreadable: boolean },
  { send, release }: { send: () => void; release: () => void },
): void {
  const isReady = unread.length === 0;
  const end = useEffectEvent(() => (hasUnreadable ? release() : send()));
  useEffect(() => {
    if (isHeld && isReady) end();
  }, [isHeld, isReady]);
}

/** Esc stops the answer being written, unless it closes a dialog or a menu. */
function useStopKey(writing: boolean, onStop: () => void): void {
  // Set as soon as the button that names the key is shown.
  useLayoutEffect(() => {
    if (!writing) return;
    const listener = (event: globalThis.KeyboardEvent): void => {
      if (
        event.key === "Escape" &&
        !event.defaultPrevented &&
        !document.querySelector('[role="dialog"], [role="menu"]')
      )
        onStop();
    };
    addEventListener("keydown", listener);
    return () => removeEventListener("keydown", listener);
  }, [writing, onStop]);
}
