import { closeMicrophone, openMicrophone, watchLevel } from "./dictation-recordings.ts";
import type { DictationListener, DictationProblem } from "./dictation.ts";

/**
 * The part of the browser's speech recognition API used here; TypeScript's DOM library has no types
 * for it.
 */
interface Recognition extends EventTarget {
  lang: string;
  continuous: boolean;
  interimResults: boolean;
  onresult:
    | ((event: {
        resultIndex: number;
        results: ArrayLike<{ isFinal: boolean; 0: { transcript: string } }>;
      }) => void)
    | null;
  onerror: ((event: { error: string }) => void) | null;
  onend: (() => void) | null;
  start(): void;
  stop(): void;
  abort(): void;
}
type RecognitionConstructor = new () => Recognition;
const findRecognition = (): RecognitionConstructor | null => {
  const scope = globalThis as Partial<
    Record<"SpeechRecognition" | "webkitSpeechRecognition", RecognitionConstructor>
  >;
  return scope.SpeechRecognition ?? scope.webkitSpeechRecognition ?? null;
};

/** A pause this long ends dictation. */
const pauseMs = 4_000;

const problems: Record<string, DictationProblem | undefined> = {
  "not-allowed": "denied",
  "service-not-allowed": "denied",
  "audio-capture": "missing",
  "no-speech": "silent",
  network: "failed",
  "language-not-supported": "failed",
};

/** Listens until it is silent or stopped, or `leaving` aborts. Returns a function that stops it. */
export function recognizeSpeech(on: DictationListener, leaving: AbortSignal): () => void {
  const Recognizer = findRecognition();
  if (!Recognizer) {
    on.end();
    return () => undefined;
  }
  const recognition = new Recognizer();
  recognition.lang = navigator.language;
  recognition.continuous = true;
  recognition.interimResults = true;
  let pause: ReturnType<typeof setTimeout> | undefined;
  const unwatch = showLevel(on.level);
  recognition.onresult = ({ results }) => {
    clearTimeout(pause);
    pause = setTimeout(() => recognition.stop(), pauseMs);
    on.words(
      [...Array.from(results)]
        .map((result) => result[0].transcript)
        .join("")
        .trim(),
    );
  };
  recognition.onerror = ({ error }) => {
    const problem = problems[error];
    if (problem) on.problem(problem);
  };
  const leave = (): void => recognition.abort();
  leaving.addEventListener("abort", leave, { once: true });
  recognition.onend = () => {
    leaving.removeEventListener("abort", leave);
    clearTimeout(pause);
    unwatch();
    on.end();
  };
  recognition.start();
  return () => recognition.stop();
}

/**
 * Recognition reports no level, so this opens the microphone a second time. If that fails, none is
 * shown.
 */
function showLevel(level: (level: number) => void): () => void {
  let close: () => void = () => undefined;
  let isOver = false;
  openMicrophone().then(
    (stream) => {
      if (isOver) return closeMicrophone(stream);
      const unwatch = watchLevel(stream, { level, silence: () => undefined });
      close = () => {
        unwatch();
        closeMicrophone(stream);
      };
    },
    () => undefined,
  );
  return () => {
    isOver = true;
    close();
  };
}
