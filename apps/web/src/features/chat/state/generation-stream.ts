import {
  attachGenerationStream,
  type ChatMode,
  type FaultWire,
  type GenerationFrame,
  listTurns,
  type StoredAttachment,
  streamChat,
  streamThreadChat,
  type TurnWire,
} from "@carrel/contracts";
import i18next from "i18next";
import { addressOf } from "../../../lib/address.ts";
import { ApiError, authorization, call, failureOf, watchStatus } from "../../../lib/api.ts";
import { backoff, pause, readEvents } from "../../../lib/event-stream.ts";
import { errorMessage, translateFault } from "../../../lib/fault.ts";
import { queryClient } from "../../../lib/query-client.ts";
import { turnKeys } from "../../../lib/query-keys.ts";
import { startTrace } from "../../../lib/trace.ts";
import { isContent, isSettled, isTerminal, type TurnPages } from "./generation.ts";
import type { QuestionChoices } from "./mentions.ts";

export interface QuestionInput {
  slug: string;
  threadSlug: string | null;
  message: string;
  mode: ChatMode;
  /** Images, as data URLs. */
  attachments?: StoredAttachment[];
  choices?: QuestionChoices | null;
  /**
   * The turn of which this is a new version; the server keeps its images if none are sent, and its
   * choices.
   */
  replaces?: number | null;
  /** The new version keeps the steps of that turn before this one. */
  fromStep?: number | null;
  /** With the same key, a question that is sent again is asked only once. */
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

/** Why a stream ended without an answer. */
export class StreamFailure extends Error {
  override readonly name = "StreamFailure";
  private constructor(
    message: string,
    /** The fault named by the server; null if only the status is known or the connection broke. */
    readonly fault: FaultWire | null = null,
    /** The connection broke, so it's unknown whether the server has the question. */
    readonly isDropped = false,
  ) {
    super(message);
  }

  static async ofReply(response: Response): Promise<StreamFailure> {
    const { status } = response;
    const received = (await failureOf(response)).fault;
    const fault = received !== null && translateFault(received) !== null ? received : null;
    return status >= 400 && status < 500 && status !== 429
      ? new StreamFailure(i18next.t("chat:streamRejected", { status }), fault)
      : new StreamFailure(i18next.t("chat:streamFailed"), fault);
  }

  static ofConnection(cause: unknown): StreamFailure {
    return new StreamFailure(
      cause instanceof Error
        ? i18next.t("chat:streamBroken", { details: errorMessage(cause) })
        : i18next.t("chat:streamFailed"),
      null,
      true,
    );
  }
}

/** The message to show for an error thrown by a stream. */
export const describeStreamError = (error: unknown): FaultWire | string =>
  (error instanceof StreamFailure ? error.fault : null) ?? errorMessage(error);

/** Newest turns to look for a question in. */
const lookedAt = 20;

/**
 * Sends a question and follows the answer to its end. If the connection breaks before the server
 * has confirmed the question, checks for it once the server is reachable; the person decides
 * whether to send it again.
 */
export async function sendQuestion(
  question: QuestionInput,
  listener: StreamListener,
  options: StreamOptions,
): Promise<void> {
  const newest = findNewest(question);
  try {
    await streamAnswer(question, listener, options);
  } catch (error) {
    if (!(error instanceof StreamFailure) || !error.isDropped) throw error;
    listener.onConnection("reconnecting");
    const turn = await findAsked(question, newest, options);
    if (options.signal.aborted) return;
    if (turn === null) throw error;
    const { id: chatId, generationId, state } = turn;
    listener.onConnection("live");
    listener.onFrame({
      type: "generationStarted",
      generationId,
      chatId,
      queued: state === "queued",
    });
    await resumeStream(generationId, null, listener, options);
  }
}

/** The newest turn that this tab has loaded; null if it has loaded none. */
export function findNewest({ slug, threadSlug }: QuestionInput): number | null {
  const data = queryClient.getQueryData<TurnPages>(turnKeys.list(slug, threadSlug));
  return data ? Math.max(0, ...data.pages.flatMap(({ turns }) => turns.map(({ id }) => id))) : null;
}

/** Null if the server doesn't have it, or can't be reached. */
async function findAsked(
  { slug, threadSlug, message }: QuestionInput,
  newest: number | null,
  { signal, wait = (attempt) => pause(backoff(attempt), signal) }: StreamOptions,
): Promise<(TurnWire & { generationId: string }) | null> {
  const isAsked = (turn: TurnWire): turn is TurnWire & { generationId: string } =>
    turn.generationId !== null &&
    turn.question === message &&
    (newest === null ? !isSettled(turn.state) : turn.id > newest);
  for (let attempt = 0; ; attempt += 1) {
    await wait(attempt, signal);
    if (signal.aborted) return null;
    try {
      const { turns } = await call(
        listTurns,
        { slug, ...(threadSlug ? { thread: threadSlug } : {}), limit: lookedAt },
        { signal },
      );
      return turns.filter(isAsked).at(-1) ?? null;
    } catch (error) {
      const status = error instanceof ApiError ? error.status : null;
      const isTemporary = status === 0 || status === 429 || (status !== null && status >= 500);
      if (!isTemporary) return null;
    }
  }
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

/** Posts a question and follows the answer to its end, reconnecting as often as needed. */
export async function streamAnswer(
  question: QuestionInput,
  listener: StreamListener,
  options: StreamOptions,
): Promise<void> {
  const {
    slug,
    threadSlug,
    message,
    mode,
    replaces = null,
    fromStep = null,
    requestKey,
  } = question;
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
          ...(fromStep === null ? {} : { fromStep }),
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
