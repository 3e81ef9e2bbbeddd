import { listTurns, type TurnWire } from "@carrel/contracts";
import { ApiError, call } from "../../../lib/api.ts";
import { backoff, pause } from "../../../lib/event-stream.ts";
import { queryClient } from "../../../lib/query-client.ts";
import { turnKeys } from "../../../lib/query-keys.ts";
import { isSettled } from "./turn-view.ts";
import {
  resumeStream,
  streamAnswer,
  type QuestionInput,
  type StreamListener,
  type StreamOptions,
} from "./generation-stream.ts";
import type { TurnPages } from "./share-turns.ts";
import { StreamFailure } from "./stream-failure.ts";

/** Newest turns to look for a question in. */
const lookedAt = 20;

/**
 * Sends a question and follows the answer to its end. If the connection breaks before the server has
 * confirmed the question, looks for it there once the server is reachable; whether to send it again
 * is up to the person.
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

/** Null if the server doesn't have it, or can't be asked. */
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
