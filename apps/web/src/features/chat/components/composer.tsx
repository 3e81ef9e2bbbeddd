import { cn } from "../../../lib/cn.ts";
import { ArrowUp, Paperclip, SquareSlash } from "lucide-react";
import {
  lazy,
  Suspense,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type ClipboardEvent,
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
} from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../components/ui/icon-button.tsx";
import { Segmented } from "../../../components/ui/segmented.tsx";
import { readDraft, useRestored, writeDraft } from "../state/draft.ts";
import type { BuiltInCommand } from "../state/built-in-commands.ts";
import type { SlashKeys } from "./slash-menu.tsx";
import { useHeldQuestion } from "../state/use-held-question.ts";
import { WaitingForFiles } from "./waiting-for-files.tsx";
import { DictateButton } from "./dictate-button.tsx";
import { TextSizeMenu } from "./text-size-menu.tsx";
import { FileInput } from "../../../components/ui/file-input.tsx";

const sendButton =
  "grid size-8 flex-none place-items-center rounded-full bg-accent-solid text-on-accent ms-1.5 hover:bg-accent-solid-hover disabled:bg-active disabled:text-disabled max-md:size-9 [&_svg]:stroke-[2.25]";

const SlashMenu = lazy(() => import("./slash-menu.tsx"));
const PresetDialog = lazy(() => import("./preset-dialog.tsx"));

export interface ComposerProps {
  draftKey: string;
  placeholder: string;
  rows: number;
  mode: "chat" | "query";
  onMode: (mode: "chat" | "query") => void;
  /** The model that answers here, if known. */
  model: ReactNode;
  writing: boolean;
  accept: string;
  /** Above the field: files and images. */
  tray: ReactNode;
  commands: BuiltInCommand[];
  /** Images alone can be sent too. */
  hasImages: boolean;
  /** Names of the attached files that are still being read, and whether one couldn't be. */
  files: { unread: string[]; hasUnreadable: boolean };
  onSend: (message: string) => void;
  onStop: () => void;
  /** Called for Up in an empty field. Returns false if there is nothing to edit. */
  onEditLast: () => boolean;
  onFiles: (files: File[]) => void;
}

const maxLines = 10;
/** Matches a slash and the beginning of a command, and nothing else. */
const commandLike = /^\/[^\s]*$/;

/**
 * The message field. Enter sends, Shift+Enter inserts a line break, Esc stops, Up in an empty field
 * edits the last question, `/` lists commands.
 */
export function Composer(props: ComposerProps) {
  const { t } = useTranslation("chat");
  const id = useId();
  const [text, setText] = useState(() => readDraft(props.draftKey));
  const [slash, setSlash] = useState(false);
  const [option, setOption] = useState<string | null>(null);
  const [managing, setManaging] = useState<{ initial: string | null } | null>(null);
  const slashKeys = useRef<SlashKeys | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  useEffect(() => writeDraft(props.draftKey, text), [props.draftKey, text]);
  const restored = useRestored(props.draftKey);
  const [handled, setHandled] = useState(restored);
  if (restored !== handled) {
    setHandled(restored);
    if (restored && text === "") setText(restored.text);
  }
  useEffect(() => {
    if (matchMedia("(hover: hover)").matches) field.current?.focus({ preventScroll: true });
  }, [props.draftKey]);
  useLayoutEffect(() => {
    const area = field.current;
    if (!area) return;
    area.style.blockSize = "auto";
    const line = 24;
    area.style.blockSize = `${Math.min(area.scrollHeight, maxLines * line + 20)}px`;
    area.style.overflowY = area.scrollHeight > maxLines * line + 20 ? "auto" : "hidden";
  }, [text]);
  const { onStop, writing, files } = props;
  // As soon as the button is shown that names the key.
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

  const change = (next: string): void => {
    setText(next);
    setSlash(commandLike.test(next) && (slash || next.length >= text.length));
  };
  const isReady = text.trim() !== "" || props.hasImages;
  // It stays in the field meanwhile, so a reload keeps it as a draft.
  const [isHeld, setHeld] = useState(false);
  const release = (): void => setHeld(false);
  /** Before sending: the first message remounts the composer elsewhere on the page. */
  const clear = (): void => {
    writeDraft(props.draftKey, "");
    setText("");
    setSlash(false);
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
    if (slash && slashKeys.current?.(event.key)) return event.preventDefault();
    if (event.key === "Enter" && !event.shiftKey) return send(event);
    if (event.key === "ArrowUp" && text === "" && props.onEditLast()) event.preventDefault();
  };
  const onPaste = (event: ClipboardEvent): void => {
    const files = [...event.clipboardData.files];
    if (files.length === 0) return;
    event.preventDefault();
    props.onFiles(files);
  };
  const closeSlash = useCallback(() => {
    setSlash(false);
    setOption(null);
    field.current?.focus();
  }, []);
  const pickCommand = (command: string, sends: boolean): void => {
    if (sends && files.unread.length === 0) return sendText(command);
    setText(sends ? command : `${command} `);
    closeSlash();
    if (sends) setHeld(true);
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
              typed={text}
              builtIn={props.commands}
              keysRef={slashKeys}
              onActive={setOption}
              onPick={pickCommand}
              onRun={(command) => {
                clear();
                command.run();
              }}
              onManage={(initial) => {
                setManaging({ initial });
                setText("");
                setSlash(false);
              }}
              onClose={closeSlash}
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
          {...(slash
            ? {
                "aria-controls": `${id}-commands`,
                ...(option ? { "aria-activedescendant": option } : {}),
              }
            : {})}
          onChange={(event) => change(event.target.value)}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
        />
        {isHeld && <WaitingForFiles names={files.unread} onCancel={release} />}
        <div
          className="group/tools flex items-center gap-0.5 px-2 pt-1 pb-2 max-md:flex-wrap max-md:gap-0 max-md:[&_[data-slot=icon-button]]:size-9 max-md:[&_[role=radio]]:h-7 max-md:[&_[role=radio]]:leading-7"
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
              if (slash) return closeSlash();
              setText("/");
              setSlash(true);
              field.current?.focus();
            }}
          >
            <SquareSlash />
          </IconButton>
          <span className="mx-1.5 h-4 w-px bg-line max-md:hidden" />
          <Segmented
            label={t("mode")}
            value={props.mode}
            onChange={props.onMode}
            options={[
              { value: "chat", label: t("modeChat"), title: t("modeChatHelp") },
              { value: "query", label: t("modeQuery"), title: t("modeQueryHelp") },
            ]}
          />
          <span className="contents max-md:-order-1 max-md:flex max-md:min-h-9 max-md:basis-full">
            {props.model}
          </span>
          <span className="min-w-0 flex-1" />
          <TextSizeMenu />
          <DictateButton field={field} endRef={endDictation} onText={setText} />
          {writing && (
            <button
              type="button"
              className={cn(sendButton, "bg-fg-1 text-surface hover:bg-fg-2")}
              data-stop
              aria-label={t("stop")}
              title={t("stop")}
              onClick={props.onStop}
            >
              <i className="size-2.5 rounded-[2px] bg-current" />
            </button>
          )}
          {(!writing || isReady) && (
            <button
              type="submit"
              className={sendButton}
              aria-label={writing ? t("sendNext") : t("send")}
              title={writing ? t("sendNext") : t("send")}
              disabled={!isReady || isHeld}
            >
              <ArrowUp />
            </button>
          )}
        </div>
      </form>
      {managing && (
        <Suspense>
          <PresetDialog
            initial={managing.initial}
            onClose={() => {
              setManaging(null);
              field.current?.focus();
            }}
          />
        </Suspense>
      )}
    </>
  );
}
