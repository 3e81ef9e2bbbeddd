import {
  activateTurn,
  cancelGeneration,
  deleteChats,
  explainRating,
  forkThread,
  getThreadGeneration,
  hideChat,
  listTurns,
  rateChat,
  updateChat,
  updateThreadChat,
  type FeedbackReason,
  type TurnWire,
} from "@carrel/contracts";
import { infiniteQueryOptions, queryOptions, useMutation } from "@tanstack/react-query";
import i18next from "i18next";
import { call } from "../../../lib/api.ts";
import { optimistic } from "../../../lib/query-client.ts";
import { threadKeys, turnKeys } from "../../../lib/query-keys.ts";
import { shareTurns, type TurnPages } from "../state/generation.ts";
import { dropGeneration, getGeneration, type ThreadAddress } from "../state/generations.ts";

/** One stable function for all renders, so that pages are joined only when one of them changed. */
const joinPages = (data: TurnPages): { turns: TurnWire[] } => ({
  turns: [...data.pages].reverse().flatMap((page) => page.turns),
});

/** Pages of turns: newest page first in the cache, oldest turn first within a page. */
export const turnsQuery = (slug: string, threadSlug: string | null) =>
  infiniteQueryOptions({
    queryKey: turnKeys.list(slug, threadSlug),
    queryFn: ({ pageParam, signal }) =>
      call(
        listTurns,
        {
          slug,
          ...(threadSlug ? { thread: threadSlug } : {}),
          ...(pageParam ? { before: pageParam } : {}),
          limit: 50,
        },
        { signal },
      ),
    initialPageParam: 0,
    getNextPageParam: (last) => (last.hasMore ? last.turns[0]?.id : undefined),
    select: joinPages,
    structuralSharing: shareTurns,
  });

/** The generation running in this thread, whichever device started it. */
export const currentGenerationQuery = (slug: string, threadSlug: string | null) =>
  queryOptions({
    queryKey: turnKeys.generation(slug, threadSlug),
    queryFn: ({ signal }) =>
      call(getThreadGeneration, { slug, threadSlug: threadSlug ?? "default" }, { signal }),
    select: (reply) => reply.generation,
  });

const actionFailed = (message: string): string => i18next.t("chat:notDone", { message });

/** Shows a changed turn before the server confirms it. */
const optimisticTurn = <Variables extends { chatId: number }>(
  { slug, threadSlug }: ThreadAddress,
  change: (variables: Variables) => Partial<TurnWire>,
) =>
  optimistic(turnsQuery(slug, threadSlug).queryKey, (data, variables: Variables) => ({
    ...data,
    pages: data.pages.map((page) => ({
      ...page,
      turns: page.turns.map((turn) =>
        turn.id === variables.chatId ? { ...turn, ...change(variables) } : turn,
      ),
    })),
  }));

interface AnswerEdit {
  chatId: number;
  text: string;
  /** Whether the answer has reasoning, which isn't part of the text. */
  hasThoughts: boolean;
}

/** Edits an answer in place. */
export const useEditAnswer = (thread: ThreadAddress) => {
  const { slug, threadSlug } = thread;
  return useMutation({
    mutationFn: ({ chatId, text: newText, hasThoughts }: AnswerEdit) => {
      const edit = {
        slug,
        chatId,
        newText,
        role: "assistant",
        ...(hasThoughts && { keepReasoning: true }),
      } as const;
      return threadSlug ? call(updateThreadChat, { ...edit, threadSlug }) : call(updateChat, edit);
    },
    ...optimisticTurn(thread, ({ text }: AnswerEdit) => ({ answer: text })),
    meta: { invalidates: [turnKeys.list(slug, threadSlug)], errorToast: actionFailed },
  });
};

/** One after the other: a rating that arrived after its explanation could remove it. */
const ratingScope = ({ slug, threadSlug }: ThreadAddress) => ({
  id: `rate ${slug} ${threadSlug ?? ""}`,
});

export const useRateAnswer = (thread: ThreadAddress) =>
  useMutation({
    mutationFn: (rating: { chatId: number; feedback: boolean | null }) =>
      call(rateChat, { slug: thread.slug, ...rating }),
    ...optimisticTurn(thread, ({ feedback }: { chatId: number; feedback: boolean | null }) => ({
      feedback,
      ...(feedback === false ? {} : { feedbackReason: null }),
    })),
    scope: ratingScope(thread),
    meta: { errorToast: actionFailed },
  });

export interface RatingExplanation extends FeedbackReason {
  chatId: number;
}

/** Says why an answer was rated as bad. */
export const useExplainRating = (thread: ThreadAddress) =>
  useMutation({
    mutationFn: (explanation: RatingExplanation) =>
      call(explainRating, { slug: thread.slug, ...explanation }),
    ...optimisticTurn(thread, ({ reason, comment }: RatingExplanation) => ({
      feedback: false,
      feedbackReason: { reason, comment },
    })),
    scope: ratingScope(thread),
    meta: { errorToast: actionFailed },
  });

/** Shows another version of a question or an answer. */
export const useShowBranch = ({ slug, threadSlug }: ThreadAddress) =>
  useMutation({
    mutationFn: (chatId: number) => call(activateTurn, { slug, chatId }),
    meta: { invalidates: [turnKeys.list(slug, threadSlug)], errorToast: actionFailed },
  });

export interface RemovedTurn {
  chatId: number;
  /** Removes the turn from the conversation and the prompt; the instance's records keep it. */
  hides: boolean;
}

export const useRemoveTurn = (thread: ThreadAddress) => {
  const { slug, threadSlug } = thread;
  return useMutation({
    mutationFn: async ({ chatId, hides }: RemovedTurn): Promise<void> => {
      await (hides
        ? call(hideChat, { id: chatId })
        : call(deleteChats, { slug, chatIds: [chatId] }));
    },
    onSuccess: (_data, { chatId }) => {
      if (getGeneration(slug, threadSlug)?.chatId === chatId) dropGeneration(thread);
    },
    meta: { invalidates: [turnKeys.list(slug, threadSlug)], errorToast: actionFailed },
  });
};

/** Removes a question from the queue before its answer has started. */
export const useRemoveQueued = ({ slug, threadSlug }: ThreadAddress) =>
  useMutation({
    mutationFn: async (queued: { chatId: number; generationId: string }): Promise<void> => {
      // If it has started in the meantime, keep its answer.
      await call(cancelGeneration, { id: queued.generationId }).catch(() => undefined);
      await call(deleteChats, { slug, chatIds: [queued.chatId] });
    },
    meta: { invalidates: [turnKeys.list(slug, threadSlug)], errorToast: actionFailed },
  });

/** Copies the conversation up to this turn into a new thread and returns its slug. */
export const useForkThread = ({ slug, threadSlug }: ThreadAddress) =>
  useMutation({
    mutationFn: async (chatId: number): Promise<string> =>
      (await call(forkThread, { slug, chatId, threadSlug })).newThreadSlug,
    meta: { invalidates: [threadKeys.list(slug)], errorToast: actionFailed },
  });
