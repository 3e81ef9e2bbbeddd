import {
  activateTurn,
  deleteChats,
  forkThread,
  getThreadGeneration,
  hideChat,
  listTurns,
  rateChat,
  updateChat,
  updateThreadChat,
  type TurnWire,
} from "@carrel/contracts";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { call } from "../../../lib/api.ts";
import { queryClient } from "../../../lib/query-client.ts";
import { keepTurns, type TurnPages } from "../state/keep-turns.ts";

/** One stable function for all renders, so that pages are joined only when one of them changed. */
const joinPages = (data: TurnPages): { turns: TurnWire[] } => ({
  turns: [...data.pages].reverse().flatMap((page) => page.turns),
});

/** Pages of turns: newest page first in the cache, oldest turn first within a page. */
export const turnsQuery = (slug: string, threadSlug: string | null) =>
  infiniteQueryOptions({
    queryKey: ["turns", slug, threadSlug],
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
    structuralSharing: keepTurns,
  });

/** The generation that is running in this thread, on whichever device it was started. */
export const currentGenerationQuery = (slug: string, threadSlug: string | null) =>
  queryOptions({
    queryKey: ["generation", slug, threadSlug],
    queryFn: ({ signal }) =>
      call(getThreadGeneration, { slug, threadSlug: threadSlug ?? "default" }, { signal }),
    select: (reply) => reply.generation,
  });

export const deleteTurns = (slug: string, chatIds: number[]): Promise<unknown> =>
  call(deleteChats, { slug, chatIds });

/** Removes a turn from the conversation and the prompt; the instance's records keep it. */
export const hideTurn = (chatId: number): Promise<unknown> => call(hideChat, { id: chatId });

/** Updates one turn in the cache, before or instead of a refetch. */
function patchTurn(
  slug: string,
  threadSlug: string | null,
  chatId: number,
  part: Partial<TurnWire>,
): void {
  queryClient.setQueryData<TurnPages>(
    ["turns", slug, threadSlug],
    (data) =>
      data && {
        ...data,
        pages: data.pages.map((page) => ({
          ...page,
          turns: page.turns.map((turn) => (turn.id === chatId ? { ...turn, ...part } : turn)),
        })),
      },
  );
}

export const refreshTurns = (slug: string, threadSlug: string | null): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: ["turns", slug, threadSlug] });

/** Edits an answer in place. */
export async function rewriteAnswer(
  slug: string,
  threadSlug: string | null,
  chatId: number,
  newText: string,
): Promise<void> {
  await (threadSlug
    ? call(updateThreadChat, { slug, threadSlug, chatId, newText, role: "assistant" })
    : call(updateChat, { slug, chatId, newText, role: "assistant" }));
  patchTurn(slug, threadSlug, chatId, { answer: newText });
  await refreshTurns(slug, threadSlug);
}

export async function rateAnswer(
  slug: string,
  threadSlug: string | null,
  chatId: number,
  feedback: boolean | null,
): Promise<void> {
  patchTurn(slug, threadSlug, chatId, { feedback });
  try {
    await call(rateChat, { slug, chatId, feedback });
  } catch (error) {
    await refreshTurns(slug, threadSlug);
    throw error;
  }
}

export async function showBranch(
  slug: string,
  threadSlug: string | null,
  chatId: number,
): Promise<void> {
  await call(activateTurn, { slug, chatId });
  await refreshTurns(slug, threadSlug);
}

/** Returns the slug of the new thread. */
export async function forkAt(
  slug: string,
  threadSlug: string | null,
  chatId: number,
): Promise<string> {
  const { newThreadSlug } = await call(forkThread, { slug, chatId, threadSlug });
  await queryClient.invalidateQueries({ queryKey: ["threads", slug] });
  return newThreadSlug;
}
