import { speakChat } from "@carrel/contracts";
import { toSpokenText } from "@carrel/contracts/spoken-text";
import i18next from "i18next";
import { addressOf } from "../../../lib/address.ts";
import { ApiError, authorization, failureOf, isFailure, watchStatus } from "../../../lib/api.ts";
import { languageOf } from "./spoken-language.ts";

/**
 * Plays an answer while its audio arrives; resolves at its end, or with false if the server has no
 * voice. Throws ApiError, or an Error if the audio can't be played.
 */
async function playSpeech(
  turn: { slug: string; chatId: number },
  signal: AbortSignal,
): Promise<boolean> {
  const { url } = addressOf(speakChat, turn);
  const reply = await fetch(url, { headers: authorization(), signal }).catch((cause: unknown) => {
    throw signal.aborted ? cause : new ApiError(0);
  });
  watchStatus(reply);
  if (isFailure(reply)) throw await failureOf(reply);
  if (reply.status === 204 || reply.body === null) return false;
  const type = reply.headers.get("content-type") ?? "audio/mpeg";
  const audio = new Audio();
  const Source = findMediaSource();
  const source = Source?.isTypeSupported(type) ? new Source() : await reply.blob();
  const address = URL.createObjectURL(source);
  try {
    audio.disableRemotePlayback = true; // which ManagedMediaSource requires
    audio.src = address;
    const played = untilEnd(audio, signal);
    const arrived =
      source instanceof Blob ? Promise.resolve() : append(source, type, reply.body, audio, signal);
    await Promise.race([
      Promise.all([played, audio.play().catch(explainRefusal)]),
      // Only a failure ends the wait early.
      arrived.then(() => played),
    ]);
    return true;
  } finally {
    audio.pause();
    audio.removeAttribute("src");
    URL.revokeObjectURL(address);
  }
}

/** iPhones only have ManagedMediaSource. */
const findMediaSource = (): typeof MediaSource | undefined =>
  (globalThis as { ManagedMediaSource?: typeof MediaSource }).ManagedMediaSource ??
  globalThis.MediaSource;

/** Browsers may refuse sound that starts too long after the click. */
function explainRefusal(error: unknown): never {
  const isRefused = error instanceof DOMException && error.name === "NotAllowedError";
  throw isRefused ? new Error(i18next.t("chat:speechBlocked")) : error;
}

function untilEnd(audio: HTMLAudioElement, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    audio.addEventListener("ended", () => resolve(), { once: true });
    audio.addEventListener("error", () => reject(new Error(i18next.t("chat:speechUnplayable"))), {
      once: true,
    });
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
}

const once = (target: EventTarget, event: string): Promise<unknown> =>
  new Promise((resolve) => target.addEventListener(event, resolve, { once: true }));

/** Appends the parts as they arrive. */
async function append(
  source: MediaSource,
  type: string,
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  audio: HTMLAudioElement,
  signal: AbortSignal,
): Promise<void> {
  if (source.readyState !== "open") await once(source, "sourceopen");
  const buffer = source.addSourceBuffer(type);
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read().catch((cause: unknown) => {
      throw signal.aborted ? cause : new Error(i18next.t("chat:speechCutOff"));
    });
    if (done) break;
    await appendPart(buffer, value, audio);
  }
  if (source.readyState === "open") source.endOfStream();
}

/** Browsers buffer about 12 MB: remove what was heard to make room. */
async function appendPart(
  buffer: SourceBuffer,
  part: Uint8Array<ArrayBuffer>,
  audio: HTMLAudioElement,
): Promise<void> {
  for (;;)
    try {
      const appended = once(buffer, "updateend");
      buffer.appendBuffer(part);
      await appended;
      return;
    } catch (error) {
      if (!(error instanceof DOMException) || error.name !== "QuotaExceededError") throw error;
      await once(audio, "timeupdate");
      const heardUntil = audio.currentTime - 5;
      if (heardUntil <= 0) continue;
      const removed = once(buffer, "updateend");
      buffer.remove(0, heardUntil);
      await removed;
    }
}

/**
 * Reads with the server's voice if it has one, otherwise with the browser's; resolves at the end.
 * Throws an Error with a message for people.
 */
export async function readAloud(
  markdown: string,
  stored: { slug: string; chatId: number } | null,
  signal: AbortSignal,
): Promise<void> {
  if (stored !== null && (await playSpeech(stored, signal))) return;
  if (!("speechSynthesis" in globalThis)) return;
  const text = toSpokenText(markdown);
  const language = languageOf(text);
  if (!signal.aborted) await speakHere(splitSpeech(text, language), language, signal);
}

/**
 * Browsers cut off long utterances after some seconds, so the text is spoken in pieces that end
 * with a sentence.
 */
function splitSpeech(text: string, language: string): string[] {
  const sentences = [...new Intl.Segmenter(language, { granularity: "sentence" }).segment(text)]
    .map((each) => each.segment.trim())
    .filter(Boolean);
  return sentences.reduce<string[]>((all, sentence) => {
    const last = all.at(-1);
    if (last !== undefined && last.length + sentence.length < 200)
      all[all.length - 1] = `${last} ${sentence}`;
    else all.push(sentence);
    return all;
  }, []);
}

function speakHere(parts: string[], language: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (parts.length === 0) return resolve();
    signal.addEventListener("abort", () => {
      speechSynthesis.cancel();
      resolve();
    });
    for (const [index, part] of parts.entries()) {
      const utterance = new SpeechSynthesisUtterance(part);
      utterance.lang = language;
      if (index === parts.length - 1) utterance.onend = () => resolve();
      utterance.onerror = ({ error }) => {
        if (error !== "interrupted" && error !== "canceled") resolve();
      };
      speechSynthesis.speak(utterance);
    }
  });
}
