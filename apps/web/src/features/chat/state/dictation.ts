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

/**
 * Why dictation ended without a result: not allowed, no microphone, or the browser's service is
 * unreachable.
 */
export type DictationProblem = "denied" | "missing" | "failed";
const problems: Record<string, DictationProblem | undefined> = {
  "not-allowed": "denied",
  "service-not-allowed": "denied",
  "audio-capture": "missing",
  network: "failed",
  "language-not-supported": "failed",
};

/**
 * Listens until stopped. `onWords` receives everything heard so far, which may still change until
 * the end. Returns the function that stops it.
 */
export function dictate(on: {
  words: (text: string) => void;
  problem: (problem: DictationProblem) => void;
  end: () => void;
}): () => void {
  const Recognizer = findRecognition();
  if (!Recognizer) {
    on.end();
    return () => undefined;
  }
  const recognition = new Recognizer();
  recognition.lang = navigator.language;
  recognition.continuous = true;
  recognition.interimResults = true;
  recognition.onresult = ({ results }) =>
    on.words(
      [...Array.from(results)]
        .map((result) => result[0].transcript)
        .join("")
        .trim(),
    );
  recognition.onerror = ({ error }) => {
    const problem = problems[error];
    if (problem) on.problem(problem);
  };
  recognition.onend = on.end;
  recognition.start();
  return () => recognition.stop();
}
