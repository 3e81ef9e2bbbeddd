import { transcribeAudio, type Out } from "@carrel/contracts";
import { addressOf, routeOf } from "../../../lib/address.ts";
import { ApiError, authorization, failureOf, isFailure, watchStatus } from "../../../lib/api.ts";
import type { DictationListener, DictationProblem } from "./dictation.ts";
import { voiceTag } from "./spoken-language.ts";

const everyMs = 60;
/** Anything quieter is silence: the root mean square of samples from -1 to 1. */
const threshold = 0.015;
/** Volume that counts as the full level. */
const loudest = 0.2;

interface Silence {
  /** Whether anybody has spoken. */
  spoken: boolean;
  /** How long it has been silent since, in ms. */
  forMs: number;
}

/**
 * Reports the level of a microphone, and how long it has been silent. Returns a function that stops
 * it.
 */
export function watchLevel(
  stream: MediaStream,
  on: { level: (level: number) => void; silence: (silence: Silence) => void },
): () => void {
  const context = new AudioContext();
  const analyser = context.createAnalyser();
  analyser.fftSize = 1024;
  context.createMediaStreamSource(stream).connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  let spoken = false;
  let heardAt = performance.now();
  const timer = setInterval(() => {
    analyser.getFloatTimeDomainData(samples);
    const loudness = Math.sqrt(
      samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length,
    );
    on.level(Math.min(1, loudness / loudest));
    const now = performance.now();
    if (loudness >= threshold) {
      spoken = true;
      heardAt = now;
    }
    on.silence({ spoken, forMs: now - heardAt });
  }, everyMs);
  return () => {
    clearInterval(timer);
    void context.close();
  };
}

/** Throws a DOMException: NotAllowedError, NotFoundError. */
export const openMicrophone = (): Promise<MediaStream> =>
  navigator.mediaDevices.getUserMedia({
    audio: { echoCancellation: true, noiseSuppression: true, autoGainControl: true },
  });

export function closeMicrophone(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

/** Vendors recognise the format by the extension. */
const extensions: Partial<Record<string, string>> = { "audio/ogg": "ogg", "audio/mp4": "m4a" };

/** Returns the words of a recording. Throws ApiError. */
async function transcribe(recording: Blob, signal: AbortSignal): Promise<string> {
  const extension = extensions[recording.type.split(";")[0]!] ?? "webm";
  const form = new FormData();
  form.set("audio", recording, `dictation.${extension}`);
  const reply = await fetch(addressOf(transcribeAudio, {}).url, {
    method: routeOf(transcribeAudio).method,
    headers: authorization(),
    body: form,
    signal,
  }).catch(() => {
    throw new ApiError(0);
  });
  watchStatus(reply);
  if (isFailure(reply)) throw await failureOf(reply);
  return ((await reply.json()) as Out<typeof transcribeAudio>).text.trim();
}

/** A pause this long ends dictation. */
const pauseMs = 2_500;
/** How long to wait for somebody to speak. */
const silentMs = 8_000;
/** People who stop sooner have changed their mind. */
const shortestMs = 500;
/** About 5 MB. */
const longestMs = 5 * 60_000;

/** Chromium and Firefox record WebM or Ogg, Safari records MP4. */
const types = ["audio/webm;codecs=opus", "audio/ogg;codecs=opus", "audio/mp4"];

/**
 * Records until it is silent or stopped, and has the server transcribe it. Returns a function that
 * stops it. If `leaving` aborts, the recording is dropped.
 */
export function recordSpeech(on: DictationListener, leaving: AbortSignal): () => void {
  let stop: () => void = () => undefined;
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  leaving.addEventListener("abort", stop, { once: true });
  void record(on, stopped, stop, leaving)
    .catch(() => on.problem("failed"))
    .finally(() => {
      leaving.removeEventListener("abort", stop);
      on.end();
    });
  return stop;
}

async function record(
  on: DictationListener,
  stopped: Promise<void>,
  stop: () => void,
  leaving: AbortSignal,
): Promise<void> {
  let stream: MediaStream;
  try {
    stream = await openMicrophone();
  } catch (error) {
    const isDenied = error instanceof DOMException && error.name === "NotAllowedError";
    return on.problem(isDenied ? "denied" : "missing");
  }
  const startedAt = performance.now();
  let spoken = false;
  let isAbandoned = false;
  let unwatch: () => void = () => undefined;
  const timer = setTimeout(stop, longestMs);
  let recording: Blob;
  try {
    unwatch = watchLevel(stream, {
      level: on.level,
      silence: (silence) => {
        spoken = silence.spoken;
        if (silence.forMs <= (spoken ? pauseMs : silentMs)) return;
        isAbandoned = !spoken;
        stop();
      },
    });
    recording = await recordUntil(stream, stopped);
  } finally {
    clearTimeout(timer);
    unwatch();
    closeMicrophone(stream);
  }
  if (leaving.aborted) return;
  if (isAbandoned) return on.problem("silent");
  // A quiet voice may be below the level of speech, so a recording stopped by hand is sent.
  if (!spoken && performance.now() - startedAt < shortestMs) return;
  on.waiting();
  try {
    const text = await transcribe(recording, leaving);
    if (text === "") on.problem("silent");
    else on.words(text);
  } catch (error) {
    if (leaving.aborted) return;
    on.problem("failed", error instanceof ApiError ? error.message : undefined);
  }
}

async function recordUntil(stream: MediaStream, stopped: Promise<void>): Promise<Blob> {
  const type = types.find((each) => MediaRecorder.isTypeSupported(each));
  const recorder = new MediaRecorder(stream, type === undefined ? {} : { mimeType: type });
  const parts: Blob[] = [];
  recorder.ondataavailable = ({ data }) => parts.push(data);
  const ended = new Promise<void>((resolve) => {
    recorder.onstop = () => resolve();
  });
  recorder.start();
  await stopped;
  if (recorder.state !== "inactive") recorder.stop();
  await ended;
  return new Blob(parts, { type: recorder.mimeType });
}

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
const speechPauseMs = 4_000;

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
  recognition.lang = voiceTag();
  recognition.continuous = true;
  recognition.interimResults = true;
  let pause: ReturnType<typeof setTimeout> | undefined;
  const unwatch = showLevel(on.level);
  recognition.onresult = ({ results }) => {
    clearTimeout(pause);
    pause = setTimeout(() => recognition.stop(), speechPauseMs);
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
