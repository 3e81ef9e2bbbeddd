import type { ChatMode } from "@carrel/contracts";
import { ALargeSmall, ArrowUp, ChevronDown, LoaderCircle, Mic } from "lucide-react";
import { useEffect, useImperativeHandle, useRef, useState, type Ref, type RefObject } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../components/ui/button.tsx";
import { ClosedDoor } from "../../../components/ui/closed-door.tsx";
import { Menu } from "../../../components/ui/overlays.tsx";
import { Segmented } from "../../../components/ui/segmented.tsx";
import { cn } from "../../../lib/cn.ts";
import { keys, readStored, writeStored } from "../../../lib/session-storage.ts";
import { useDictationPlace } from "../../../lib/setup.ts";
import { createStore, useStore } from "../../../lib/store.ts";
import { toast } from "../../../lib/toast.ts";
import { useIsPhone } from "../../../lib/use-is-phone.ts";
import { followField, type DictationListener, type DictationProblem } from "../state/dictation.ts";

const canRecognize = "SpeechRecognition" in globalThis || "webkitSpeechRecognition" in globalThis;
const canRecord =
  "MediaRecorder" in globalThis && navigator.mediaDevices?.getUserMedia !== undefined;

const starters = {
  browser: async () => (await import("../state/dictation-recordings.ts")).recognizeSpeech,
  server: async () => (await import("../state/dictation-recordings.ts")).recordSpeech,
};

/** Replaces the field's selection with what somebody dictates, and shows the volume. */
export function DictateButton({
  field,
  endRef,
  onText,
}: {
  field: RefObject<HTMLTextAreaElement | null>;
  /** Receives a function that turns the microphone off once the text is sent. */
  endRef: Ref<() => void>;
  onText: (text: string) => void;
}) {
  const { t } = useTranslation("chat");
  const place = useDictationPlace();
  const [phase, setPhase] = useState<"off" | "listening" | "waiting">("off");
  const stop = useRef<(() => void) | null>(null);
  const meter = useRef<HTMLSpanElement>(null);
  const leaving = useRef<AbortController | null>(null);
  useEffect(() => () => leaving.current?.abort(), []);
  useImperativeHandle(
    endRef,
    () => () => {
      if (phase !== "listening") return;
      // What a browser heard is already in the sent text. A recording's words are still to come.
      if (place === "server" && stop.current) stop.current();
      else leaving.current?.abort();
    },
    [phase, place],
  );
  // Browsers hide the microphone on insecure pages; the button stays to explain why.
  const isInsecure = place === "server" && !isSecureContext;
  if (place === "browser" ? !canRecognize : !canRecord && !isInsecure)
    return (
      <ClosedDoor door="dictation">
        <IconButton label={t("mic")}>
          <Mic />
        </IconButton>
      </ClosedDoor>
    );

  const problems: Record<DictationProblem, string> = {
    denied: t("micDenied"),
    missing: t("micMissing"),
    failed: t(place === "browser" ? "micFailed" : "micFailedServer"),
    silent: t("micSilent"),
  };
  const listen = async (): Promise<void> => {
    if (isInsecure) return toast.error(t("micInsecure"));
    if (stop.current) return stop.current();
    const area = field.current;
    if (!area || phase !== "off") return;
    setPhase("listening");
    const { signal } = (leaving.current = new AbortController());
    const follow = followField(area);
    const on: DictationListener = {
      words: (words) => {
        const { text, end } = follow(words);
        // Flushed, so that the field never lags behind what was heard.
        flushSync(() => onText(text));
        area.setSelectionRange(end, end);
      },
      level: (level) => meter.current?.style.setProperty("--level", String(level)),
      waiting: () => {
        stop.current = null;
        setPhase("waiting");
      },
      problem: (problem, message) => toast.error(message ?? problems[problem]),
      end: () => {
        stop.current = null;
        setPhase("off");
      },
    };
    try {
      const start = await starters[place]();
      if (signal.aborted) on.end();
      else stop.current = start(on, signal);
    } catch {
      on.problem("failed");
      on.end();
    }
  };
  const labels = { off: t("mic"), listening: t("micStop"), waiting: t("micWaiting") };
  return (
    <IconButton
      className="relative"
      label={labels[phase]}
      aria-pressed={phase === "listening"}
      disabled={phase === "waiting"}
      onClick={() => void listen()}
    >
      {phase === "listening" && (
        <span
          ref={meter}
          data-level
          className="absolute inset-0 rounded-full bg-accent-solid/25 transition-transform duration-75 [scale:calc(0.6+var(--level,0)*0.9)]"
        />
      )}
      {phase === "waiting" ? (
        <LoaderCircle className="animate-spin" />
      ) : (
        <Mic className="relative" />
      )}
    </IconButton>
  );
}

const textSizes = ["small", "normal", "large"] as const;
type TextSize = (typeof textSizes)[number];
const stored = readStored(keys.textSize);
const textSize = createStore<TextSize>(textSizes.find((each) => each === stored) ?? "normal");
const show = (): void => {
  document.documentElement.dataset.textSize = textSize.get();
};
show();

/** Text size of the conversation; stored in this browser. */
const useTextSize = (): TextSize => useStore(textSize, (value) => value);
function chooseTextSize(value: TextSize): void {
  textSize.set(() => value);
  writeStored(keys.textSize, value);
  show();
}

/** Text size of the conversation. */
export function TextSizeMenu() {
  const { t } = useTranslation("chat");
  const size = useTextSize();
  const names = { small: t("textSmall"), normal: t("textNormal"), large: t("textLarge") };
  return (
    <Menu
      trigger={
        <IconButton label={t("textSize")}>
          <ALargeSmall />
        </IconButton>
      }
      items={textSizes.map((each) => ({
        label: names[each],
        icon: ALargeSmall,
        checked: each === size,
        run: () => chooseTextSize(each),
      }))}
    />
  );
}

const sendButton =
  "grid size-8 flex-none place-items-center rounded-full bg-accent-solid text-on-accent ms-1.5 hover:bg-accent-solid-hover disabled:bg-active disabled:text-disabled max-md:size-11 [&_svg]:stroke-[2.25]";

/** Stops the answer being written, sends the message, or offers both. */
export function SendButtons({
  writing,
  isReady,
  isHeld,
  onStop,
}: {
  writing: boolean;
  isReady: boolean;
  /** The message will be sent as soon as its files have been read. */
  isHeld: boolean;
  onStop: () => void;
}) {
  const { t } = useTranslation("chat");
  const label = writing ? t("sendNext") : t("send");
  return (
    <>
      {writing && (
        <button
          type="button"
          className={cn(sendButton, "bg-fg-1 text-surface hover:bg-fg-2")}
          data-stop
          aria-label={t("stop")}
          title={t("stop")}
          onClick={onStop}
        >
          <i className="size-2.5 rounded-[2px] bg-current" />
        </button>
      )}
      {(!writing || isReady) && (
        <button
          type="submit"
          className={sendButton}
          aria-label={label}
          title={label}
          disabled={!isReady || isHeld}
        >
          <ArrowUp />
        </button>
      )}
    </>
  );
}

/** Where questions are answered from: all modes side by side, or on phones the chosen one. */
export function ModeChoice({ mode, onMode }: { mode: ChatMode; onMode: (mode: ChatMode) => void }) {
  const { t } = useTranslation("chat");
  const options = [
    { value: "chat", label: t("modeChat"), title: t("modeChatHelp") },
    { value: "query", label: t("modeQuery"), title: t("modeQueryHelp") },
    { value: "automatic", label: t("modeAutomatic"), title: t("modeAutomaticHelp") },
  ] as const;
  return useIsPhone() ? (
    <span className="relative inline-flex h-11 shrink-0 items-center gap-1 rounded-sm px-2 text-xs font-medium text-fg-2 has-focus-visible:outline-2 has-focus-visible:outline-offset-0">
      <span aria-hidden="true">{options.find(({ value }) => value === mode)?.label}</span>
      <ChevronDown className="size-3 stroke-2 text-fg-3" aria-hidden="true" />
      {/* Unseen above its label: Safari zooms in on a select whose own text is this small. */}
      <select
        className="absolute inset-0 w-full cursor-pointer appearance-none opacity-0"
        aria-label={t("mode")}
        value={mode}
        onChange={({ target }) => onMode(target.value as ChatMode)}
      >
        {options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </span>
  ) : (
    // Wider than its texts in any font: what follows mustn't move when fonts arrive.
    <div className="min-w-50">
      <Segmented<ChatMode>
        label={t("mode")}
        value={mode}
        onChange={onMode}
        options={[...options]}
      />
    </div>
  );
}
