import {
  attachGenerationStream,
  streamChat,
  streamThreadChat,
  type GenerationFrame,
  type StoredAttachment,
} from "@carrel/contracts";
import { addressOf } from "../../../lib/address.ts";
import { authorization, watchStatus } from "../../../lib/api.ts";
import { backoff, pause, readEvents } from "../../../lib/event-stream.ts";
import { startTrace } from "../../../lib/trace.ts";
import { isContent, isTerminal } from "./generation.ts";
import type { QuestionChoices } from "./mentions.ts";
import { StreamFailure } from "./stream-failure.ts";

export interface QuestionInput {
  slug: string;
  threadSlug: string | null;
  message: string;
  mode: "chat" | "query";
  /** Images, as data URLs. */
  attachments?: StoredAttachment[];
  choices?: QuestionChoices | null;
  /**
   * The turn that this is a new version of; the server keeps its images if none are sent, and its
   * choices.
   */
  replaces?: number | null;
  /** Sent again with the same key, the question is asked once. */
  requestKey?: string;
}

export interface StreamListener {
  onFrame: (frame: GenerationFrame) => void;
  /** The stream expired and is replayed from the beginning: discard the text so far. */
  onRestart: () => void;
  onConnection: (state: "live" | "reconnecting") => void;
}

export interface StreamOptions {
  signal: AbortSignal;
  wait?: (attempt: number, signal: AbortSignal) => Promise<void>;
}

const headers = (): Record<string, string> => ({
  Accept: "text/event-stream",
  "X-Carrel-Stream": "1",
  ...authorization(),
});

function parseFrame(data: string): GenerationFrame | null {
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === "object" && value !== null ? (value as GenerationFrame) : null;
  } catch {
    return null; // skip a broken frame; the turn is refetched at the end
  }
}

/** Sends a question and follows the answer to its end, reconnecting as often as needed. */
export async function streamAnswer(
  question: QuestionInput,
  listener: StreamListener,
  options: StreamOptions,
): Promise<void> {
  const { slug, threadSlug, message, mode, replaces = null, requestKey } = question;
  const attachments = (question.attachments ?? []).map(({ name, mime, contentString }) => ({
    name,
    mime,
    contentString,
  }));
  const { url } = threadSlug
    ? addressOf(streamThreadChat, { slug, threadSlug })
    : addressOf(streamChat, { slug });
  let response: Response;
  try {
    response = watchStatus(
      await fetch(url, {
        method: "POST",
        headers: {
          ...headers(),
          ...startTrace(),
          "Content-Type": "application/json",
          ...(requestKey === undefined ? {} : { "Idempotency-Key": requestKey }),
        },
        body: JSON.stringify({
          message,
          mode,
          attachments,
          ...(replaces === null ? question.choices : { replaces }),
        }),
        signal: options.signal,
      }),
    );
  } catch (error) {
    if (options.signal.aborted) return;
    throw StreamFailure.ofConnection(error);
  }
  if (!response.ok || !response.body) throw await StreamFailure.ofReply(response);
  await followToEnd(response.body, null, listener, options);
}

/** Follows a running generation, from the beginning of its stream or after `lastEventId`. */
export async function resumeStream(
  generationId: string,
  lastEventId: string | null,
  listener: StreamListener,
  options: StreamOptions,
): Promise<void> {
  await followToEnd(null, { generationId, lastEventId }, listener, options);
}

async function followToEnd(
  first: ReadableStream<Uint8Array> | null,
  known: { generationId: string; lastEventId: string | null } | null,
  listener: StreamListener,
  options: StreamOptions,
): Promise<void> {
  const wait = options.wait ?? ((attempt, signal) => pause(backoff(attempt), signal));
  let generationId = known?.generationId ?? null;
  let last = known?.lastEventId ?? null;
  let received = false;
  let ended = false;
  let lastError: unknown = null;

  /**
   * `resumed`: after a reconnect, a content frame that is not newer than the last one starts a
   * replay.
   */
  const consume = async (body: ReadableStream<Uint8Array>, resumed: boolean): Promise<void> => {
    let checked = !resumed;
    for await (const { id, data } of readEvents(body)) {
      const frame = parseFrame(data);
      if (!frame) continue;
      if ("type" in frame && frame.type === "generationStarted") generationId = frame.generationId;
      if (!checked && isContent(frame)) {
        checked = true;
        if (received && (id === null || last === null || Number(id) <= Number(last)))
          listener.onRestart();
      }
      if (isContent(frame)) received = true;
      if (id !== null) last = id;
      if (isTerminal(frame)) ended = true;
      listener.onFrame(frame);
    }
  };

  const guard = async (body: ReadableStream<Uint8Array>, resumed: boolean): Promise<void> => {
    try {
      await consume(body, resumed);
      lastError = null;
    } catch (error) {
      lastError = error;
    }
  };

  if (first) await guard(first, false);
  for (let attempt = first ? 0 : -1; !ended && !options.signal.aborted; attempt += 1) {
    if (generationId === null) throw StreamFailure.ofConnection(lastError);
    if (attempt >= 0) {
      listener.onConnection("reconnecting");
      await wait(attempt, options.signal);
      if (options.signal.aborted) return;
    }
    try {
      const { url } = addressOf(attachGenerationStream, { id: generationId });
      const response = watchStatus(
        await fetch(url, {
          headers: { ...headers(), ...(last === null ? {} : { "Last-Event-ID": last }) },
          signal: options.signal,
        }),
      );
      if (response.status >= 400 && response.status < 500 && response.status !== 429)
        throw await StreamFailure.ofReply(response);
      if (!response.ok || !response.body) continue;
      listener.onConnection("live");
      const before = last;
      await guard(response.body, true);
      if (last !== before) attempt = -1; // progress: the next drop gets a fresh series of retries
    } catch (error) {
      if (error instanceof StreamFailure) throw error;
      lastError = error;
    }
  }
}
