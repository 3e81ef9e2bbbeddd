import {
  cancelGeneration,
  type ChatMode,
  type FaultWire,
  type GenerationFrame,
  type RenameThreadFrame,
  type StoredAttachment,
} from "@carrel/contracts";
import { call } from "../../../lib/api.ts";
import { queryClient } from "../../../lib/query-client.ts";
import { turnKeys } from "../../../lib/query-keys.ts";
import { createStore, useStore } from "../../../lib/store.ts";
import {
  describeStreamError,
  findNewest,
  resumeStream,
  sendQuestion,
  StreamFailure,
  type QuestionInput,
  type StreamListener,
} from "./generation-stream.ts";
import { applyFrame, isOpen, newGeneration, type Generation } from "./generation.ts";
import type { QuestionChoices } from "./mentions.ts";
import { addPending, failPending, removePending } from "./pending-questions.ts";
import { dropUnsent, keepUnsent, noteFailed, noteRefused } from "./unsent-questions.ts";

/**
 * Answers outlive the page that shows them: they are stored by thread, so that the user can leave
 * and return.
 */
const generations = createStore<Record<string, Generation>>({});
const runs = new Map<string, { controller: AbortController; live: LiveGeneration }>();
/**
 * Streams stopped before the server had sent an id: they stay open until it does, so that they can
 * be cancelled there too.
 */
const stopRequested = new WeakSet<AbortController>();

export const threadKey = (slug: string, threadSlug: string | null): string =>
  `${slug}/${threadSlug ?? ""}`;
export const useGeneration = (slug: string, threadSlug: string | null): Generation | null =>
  useStore(generations, (value) => value[threadKey(slug, threadSlug)] ?? null);
export const getGeneration = (slug: string, threadSlug: string | null): Generation | null =>
  generations.get()[threadKey(slug, threadSlug)] ?? null;

export interface ThreadAddress {
  slug: string;
  threadSlug: string | null;
}
export interface GenerationCallbacks {
  onRename: (slug: string, threadSlug: string, name: string) => void;
}

function setGeneration(key: string, generation: Generation | null): void {
  generations.set((value) => {
    const { [key]: _, ...others } = value;
    return generation ? { ...others, [key]: generation } : others;
  });
}
export function dropGeneration({ slug, threadSlug }: ThreadAddress): void {
  const key = threadKey(slug, threadSlug);
  runs.get(key)?.live.drop();
  setGeneration(key, null);
}

interface LiveGeneration {
  change: (step: (generation: Generation) => Generation) => void;
  /** Shows the changes so far at once. */
  flush: () => void;
  /** From here on nothing is shown: its stream may still be ending. */
  drop: () => void;
}

/** Hundreds of frames may arrive per second, so updates are batched per animation frame. */
function batchFrames(key: string, initial: Generation): LiveGeneration {
  let current = initial;
  let scheduled = false;
  let isDropped = false;
  const flush = (): void => {
    scheduled = false;
    if (!isDropped) setGeneration(key, current);
  };
  // One that was flushed since may have been dropped since, too.
  const flushScheduled = (): void => {
    if (scheduled) flush();
  };
  setGeneration(key, current);
  return {
    flush,
    drop() {
      isDropped = true;
    },
    change(step) {
      current = step(current);
      if (scheduled) return;
      scheduled = true;
      // Animation frames do not run in a hidden page; a timer keeps its state current.
      if (document.hidden) setTimeout(flushScheduled, 200);
      else requestAnimationFrame(flushScheduled);
    },
  };
}

async function run(
  address: ThreadAddress,
  initial: Generation,
  callbacks: GenerationCallbacks,
  stream: (listener: StreamListener, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const key = threadKey(address.slug, address.threadSlug);
  const before = runs.get(key)?.controller;
  if (before && !stopRequested.has(before)) before.abort();
  const controller = new AbortController();
  const live = batchFrames(key, initial);
  runs.set(key, { controller, live });
  const cancelStarted = (frame: GenerationFrame): void => {
    if (!("type" in frame) || frame.type !== "generationStarted") return;
    dropUnsent(key, initial.question);
    void call(cancelGeneration, { id: frame.generationId })
      .catch(() => undefined) // it ended in the meantime: the turns show how
      .then(() =>
        queryClient.invalidateQueries({
          queryKey: turnKeys.list(address.slug, address.threadSlug),
        }),
      );
    if (runs.get(key)?.controller === controller)
      live.change((generation) => ({ ...applyFrame(generation, frame), phase: "stopped" }));
    controller.abort();
  };
  const listener: StreamListener = {
    onFrame: (frame) => {
      if (stopRequested.has(controller)) return cancelStarted(frame);
      if ("action" in frame && frame.action === "rename_thread") {
        const { thread } = frame as RenameThreadFrame;
        callbacks.onRename(address.slug, thread.slug, thread.name);
        return;
      }
      // After `generationStarted`, refusals need not be noted.
      if ("type" in frame && frame.type === "abort") noteRefused(key, initial.question);
      if ("type" in frame && frame.type === "generationStarted") {
        dropUnsent(key, initial.question);
        // Hide the turns that a new version replaces at once, and show the version switcher.
        if (initial.replaces !== null)
          void queryClient.invalidateQueries({
            queryKey: turnKeys.list(address.slug, address.threadSlug),
          });
      }
      live.change((generation) => applyFrame(generation, frame));
    },
    onRestart: () => {
      if (!stopRequested.has(controller))
        live.change((generation) => ({ ...generation, text: "" }));
    },
    onConnection: (state) => {
      if (!stopRequested.has(controller))
        live.change((generation) => ({ ...generation, reconnecting: state === "reconnecting" }));
    },
  };
  try {
    await stream(listener, controller.signal);
  } catch (error) {
    if (!isLost(error)) noteFailed(key, initial.question);
    if (!stopRequested.has(controller))
      live.change((generation) =>
        generation.phase === "stopped"
          ? generation
          : {
              ...generation,
              phase: "failed",
              error: describeStreamError(error),
              isUnsent: isLost(error) && generation.chatId === null,
            },
      );
  }
  if (runs.get(key)?.controller !== controller) return; // a newer run owns this thread
  runs.delete(key);
  live.change((generation) => ({
    ...generation,
    reconnecting: false,
    ...(isOpen(generation.phase) ? { phase: "stopped" } : {}),
  }));
  live.flush();
  await queryClient.invalidateQueries({
    queryKey: turnKeys.list(address.slug, address.threadSlug),
  });
}

/** The connection broke, and the server doesn't have the question. */
const isLost = (error: unknown): boolean => error instanceof StreamFailure && error.isDropped;

const keep = (key: string, question: QuestionInput): QuestionInput => {
  const { message, mode, choices } = question;
  return {
    ...question,
    requestKey: keepUnsent(key, { message, mode, newest: findNewest(question), choices }),
  };
};

export interface Question extends QuestionInput {
  /** Images of the turn being retried: the server already has them. */
  shownAttachments?: StoredAttachment[];
}

/**
 * Sends a question. While an answer is being written in this thread it joins the server's queue,
 * unless it replaces that answer.
 */
export function askQuestion(question: Question, callbacks: GenerationCallbacks): Promise<void> {
  const key = threadKey(question.slug, question.threadSlug);
  const open = generations.get()[key];
  const isCommand = /^\/reset/i.test(question.message);
  if (open && isOpen(open.phase) && (question.replaces ?? null) === null && !isCommand)
    return queueQuestion(key, question);
  const sent = isCommand ? question : keep(key, question);
  const initial = newGeneration(question.message, question.mode, {
    replaces: question.replaces ?? null,
    fromStep: question.fromStep ?? null,
    attachments: question.shownAttachments ?? question.attachments ?? [],
    choices: question.choices ?? null,
  });
  return run(question, initial, callbacks, (listener, signal) =>
    sendQuestion(sent, listener, { signal }),
  );
}

/**
 * Adds a question to the server's queue and closes its stream: browsers limit connections, and the
 * turn itself shows when it starts.
 */
async function queueQuestion(key: string, question: QuestionInput): Promise<void> {
  const id = addPending(key, question);
  const sent = keep(key, question);
  const controller = new AbortController();
  let failure: FaultWire | string | null = null;
  let accepted = false;
  let isUnsent = false;
  const onFrame = (frame: GenerationFrame): void => {
    if (!("type" in frame)) return;
    if (frame.type === "generationFault") failure = frame.fault;
    if (frame.type === "abort") {
      failure ??= frame.error;
      if (!accepted) noteRefused(key, question.message);
    }
    if (frame.type !== "generationStarted") return;
    accepted = true;
    dropUnsent(key, question.message);
    controller.abort();
  };
  try {
    await sendQuestion(
      sent,
      { onFrame, onRestart: () => undefined, onConnection: () => undefined },
      { signal: controller.signal },
    );
  } catch (error) {
    failure = describeStreamError(error);
    isUnsent = isLost(error);
    if (!isUnsent) noteFailed(key, question.message);
  }
  if (failure !== null && !accepted) return failPending(key, id, failure, isUnsent);
  void queryClient.invalidateQueries({
    queryKey: turnKeys.generation(question.slug, question.threadSlug),
  });
  // Until the turn has been read, nothing else shows it.
  await reloadTurns(question);
  removePending(key, id);
}

/** Reloads a thread's turns. Resolves once they have been read, however long the server is down. */
async function reloadTurns({ slug, threadSlug }: ThreadAddress): Promise<void> {
  const queryKey = turnKeys.list(slug, threadSlug);
  // A failed read leaves the query invalidated.
  const isRead = (): boolean => queryClient.getQueryState(queryKey)?.isInvalidated === false;
  const reading = queryClient.invalidateQueries({ queryKey });
  if (queryClient.getQueryState(queryKey) === undefined) return reading;
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = queryClient.getQueryCache().subscribe(() => {
    if (isRead()) resolve();
  });
  if (isRead()) resolve();
  await promise;
  stop();
}

/**
 * Follows a generation already running on the server: started in another tab, before a reload, or
 * before the user left the page.
 */
export function followGeneration(
  address: ThreadAddress,
  known: {
    id: string;
    chatId: number;
    question: string;
    mode: ChatMode;
    queued: boolean;
    sentAt: number;
    attachments: StoredAttachment[];
    choices: QuestionChoices | null;
  },
  callbacks: GenerationCallbacks,
): Promise<void> {
  const initial = newGeneration(known.question, known.mode, {
    id: known.id,
    chatId: known.chatId,
    attachments: known.attachments,
    choices: known.choices,
    phase: known.queued ? "queued" : "searching",
    startedAt: known.sentAt,
  });
  return run(address, initial, callbacks, (listener, signal) =>
    resumeStream(known.id, null, listener, { signal }),
  );
}

/** Stops the answer at once here and on the server, which keeps the text so far. */
export async function stopGeneration({ slug, threadSlug }: ThreadAddress): Promise<void> {
  const key = threadKey(slug, threadSlug);
  const run = runs.get(key);
  run?.live.flush(); // The server's ID may have arrived since the last animation frame.
  const generation = generations.get()[key];
  if (!run || !generation || !isOpen(generation.phase)) return;
  run.live.change((latest) => ({ ...latest, phase: "stopped" }));
  run.live.flush();
  if (generation.id === null) {
    stopRequested.add(run.controller);
    return;
  }
  // If it has ended in the meantime, the turns show how.
  const cancelled = call(cancelGeneration, { id: generation.id }).catch(() => undefined);
  run.controller.abort();
  await cancelled;
  await queryClient.invalidateQueries({ queryKey: turnKeys.list(slug, threadSlug) });
}

/** Ends this tab's stream of an answer that another tab stopped. */
export const closeStream = ({ slug, threadSlug }: ThreadAddress): void =>
  runs.get(threadKey(slug, threadSlug))?.controller.abort();
