import type { FeedbackReason, SourceWire } from "@carrel/contracts";
import { useMemo } from "react";
import { useSpeechPlace } from "../../../lib/setup.ts";
import type { SharedFlow } from "../../../lib/shared-flows.ts";
import { createStore, useStore } from "../../../lib/store.ts";
import { toast } from "../../../lib/toast.ts";
import {
  useEditAnswer,
  useExplainRating,
  useForkThread,
  useRateAnswer,
  useRemoveQueued,
  useShowBranch,
} from "../api/turns.ts";
import { restoreToComposer } from "./draft.ts";
import { askQuestion, dropGeneration, threadKey, type GenerationCallbacks } from "./generations.ts";
import { removePending } from "./pending-questions.ts";
import type { TurnView } from "./turn-view.ts";
import { dropUnsent } from "./unsent-questions.ts";

/** The turn being read aloud; null when silent. */
const speaking = createStore<string | null>(null);
let current: AbortController | null = null;
export const useSpeaking = (key: string): boolean => useStore(speaking, (value) => value === key);
/** Whether the browser has a voice. */
export const canSpeak = (): boolean => "speechSynthesis" in globalThis;

export function stopSpeaking(): void {
  current?.abort();
  current = null;
  speaking.set(() => null);
}

/**
 * Reads an answer aloud. `stored`: where the server finds it, if it has a voice.
 */
async function speak(
  key: string,
  markdown: string,
  stored: { slug: string; chatId: number } | null,
): Promise<void> {
  stopSpeaking();
  const stopping = new AbortController();
  const { signal } = stopping;
  current = stopping;
  speaking.set(() => key);
  try {
    const { readAloud } = await import("./read-aloud.ts");
    await readAloud(markdown, stored, signal);
  } catch (error) {
    if (!signal.aborted) toast.error(error instanceof Error ? error.message : String(error));
  }
  if (!signal.aborted) stopSpeaking();
}

export interface OpenSource {
  turnKey: string;
  sources: SourceWire[];
  index: number;
  tab: "page" | "passages";
  answer: string;
  /** The text that the clicked citation supports; null: all text that cites this source. */
  words: string | null;
}

export interface ChatCallbacks extends GenerationCallbacks {
  onFork: (slug: string, threadSlug: string) => void;
  onInspect: (chatId: number) => void;
  /** Saves the thread as Markdown. */
  onExport: () => void;
  /** Opens the model picker; null for users who may not choose. */
  onChooseModel: (() => void) | null;
  onRunFlow: (flow: SharedFlow) => void;
}

/** Actions available in a conversation. */
export interface AnswerActions {
  /** An answer is being written, so the branch cannot be switched. */
  busy: boolean;
  /** `words`: the text that the clicked citation supports; null for the source as a whole. */
  onOpenSource: (
    turn: TurnView,
    number: number,
    tab: "page" | "passages",
    words: string | null,
  ) => void;
  /** Asks the same question again; the earlier answer is kept as a branch. */
  onRetry: (turn: TurnView) => void;
  /** The same, but keeps the steps before this one. */
  onRetryStep: (turn: TurnView, step: number) => void;
  /** Moves a question that never reached the server back to the composer. */
  onDiscard: (turn: TurnView) => void;
  onEditQuestion: (turn: TurnView, text: string) => void;
  onEditAnswer: (turn: TurnView, text: string) => void;
  onBranch: (chatId: number) => void;
  onDelete: (turn: TurnView) => void;
  onHide: (turn: TurnView) => void;
  onRate: (turn: TurnView, feedback: boolean | null) => void;
  /** Says why an answer was rated as bad. */
  onExplain: (turn: TurnView, reason: FeedbackReason) => void;
  onFork: (turn: TurnView) => void;
  /** Shows what was searched and found for the answer. */
  onInspect: (turn: TurnView) => void;
  onRemoveQueued: (turn: TurnView) => void;
  /** Reads the answer aloud. */
  onSpeak: (turn: TurnView) => void;
}

/** The actions on a thread's turns; the same object until something they depend on changes. */
export function useAnswerActions({
  slug,
  threadSlug,
  busy,
  callbacks,
  onOpenSource,
  onRemove,
}: {
  slug: string;
  threadSlug: string | null;
  busy: boolean;
  callbacks: ChatCallbacks;
  onOpenSource: (open: OpenSource) => void;
  /** Asks before a turn is deleted or hidden. */
  onRemove: (removal: { turn: TurnView; hides: boolean }) => void;
}): AnswerActions {
  const { mutate: editAnswer } = useEditAnswer({ slug, threadSlug });
  const { mutate: rateAnswer } = useRateAnswer({ slug, threadSlug });
  const { mutate: explainRating } = useExplainRating({ slug, threadSlug });
  const { mutate: showBranch } = useShowBranch({ slug, threadSlug });
  const { mutate: removeQueued } = useRemoveQueued({ slug, threadSlug });
  const place = useSpeechPlace();
  const { mutate: fork } = useForkThread({ slug, threadSlug });
  return useMemo<AnswerActions>(() => {
    const thread = { slug, threadSlug };
    const key = threadKey(slug, threadSlug);
    const ask = (turn: TurnView, message: string, fromStep: number | null = null): void => {
      dropGeneration(thread);
      void askQuestion(
        {
          ...thread,
          message,
          mode: turn.mode,
          replaces: turn.chatId ?? turn.replaces,
          fromStep,
          attachments: turn.chatId === null ? turn.attachments : [],
          shownAttachments: turn.attachments,
          choices: turn.choices,
        },
        callbacks,
      );
    };
    return {
      busy,
      onOpenSource: (turn, number, tab, words) =>
        onOpenSource({
          turnKey: turn.key,
          sources: turn.sources,
          index: number - 1,
          tab,
          // Each source of the closest passages is quoted as a whole.
          answer: turn.answerKind === "closest-passages" ? "" : turn.answer,
          words,
        }),
      onRetry: (turn) => {
        if (turn.pendingId === null)
          return ask(turn, turn.question, turn.chatId === null ? turn.fromStep : null);
        const question = removePending(key, turn.pendingId);
        if (question) void askQuestion(question, callbacks);
      },
      onRetryStep: (turn, step) => ask(turn, turn.question, step),
      onDiscard: (turn) => {
        if (turn.pendingId !== null) removePending(key, turn.pendingId);
        else dropGeneration(thread);
        dropUnsent(key, turn.question);
        restoreToComposer(key, turn.question);
      },
      onEditQuestion: (turn, text) => ask(turn, text),
      onEditAnswer: ({ chatId, thoughts }, text) => {
        if (chatId === null) return;
        dropGeneration(thread);
        editAnswer({ chatId, text, hasThoughts: thoughts.length > 0 });
      },
      onBranch: (chatId) => {
        dropGeneration(thread);
        showBranch(chatId);
      },
      onDelete: (turn) => onRemove({ turn, hides: false }),
      onHide: (turn) => onRemove({ turn, hides: true }),
      onRate: ({ chatId }, feedback) => {
        if (chatId !== null) rateAnswer({ chatId, feedback });
      },
      onExplain: ({ chatId }, reason) => {
        if (chatId !== null) explainRating({ chatId, ...reason });
      },
      onFork: ({ chatId }) => {
        if (chatId !== null)
          fork(chatId, { onSuccess: (newThreadSlug) => callbacks.onFork(slug, newThreadSlug) });
      },
      onInspect: ({ chatId }) => {
        if (chatId !== null) callbacks.onInspect(chatId);
      },
      onSpeak: ({ key: turnKey, chatId, answer }) => {
        const stored = place === "browser" || chatId === null ? null : { slug, chatId };
        void speak(turnKey, answer, stored);
      },
      onRemoveQueued: ({ chatId, generationId, question }) => {
        if (chatId === null || generationId === null) return;
        restoreToComposer(key, question);
        removeQueued({ chatId, generationId });
      },
    };
  }, [
    slug,
    threadSlug,
    busy,
    callbacks,
    onOpenSource,
    onRemove,
    editAnswer,
    rateAnswer,
    explainRating,
    showBranch,
    removeQueued,
    fork,
    place,
  ]);
}
