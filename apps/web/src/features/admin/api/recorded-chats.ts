import {
  deleteRecordedChats,
  exportRecordedChats,
  listRecordedChats,
  quotingProvider,
  type Args,
  type ChatExportType,
  type FeedbackReason,
  type Out,
  type QuestionMention,
} from "@carrel/contracts";
import { splitWritten } from "@carrel/contracts/reasoning-tags";
import { keepPreviousData, queryOptions, useMutation } from "@tanstack/react-query";
import i18next from "i18next";
import { addressOf } from "../../../lib/address.ts";
import { authorization, call, failureOf, watchStatus } from "../../../lib/api.ts";
import { saveFile } from "../../../lib/download.ts";
import { filterOf, type RecordedChatSearch } from "../state/page-search.ts";

export const chatsPerPage = 20;
type Wire = Out<typeof listRecordedChats>["chats"][number];

export interface RecordedChat extends Wire {
  answer: string;
  /** What the model thought, in steps. */
  reasoning: string[];
  sources: { title: string; page: number | null }[];
  attachments: string[];
  /** What was chosen with `@` for the question. */
  mentions: QuestionMention[];
  model: string | null;
  /** Quotes only, written without a model. */
  isQuoting: boolean;
  reason: FeedbackReason | null;
}

const recordedChatKeys = {
  all: ["admin", "recorded-chats"],
  page: (search: RecordedChatSearch) => ["admin", "recorded-chats", search],
} as const;

/** One page, newest first. Always refetched, because people keep asking. */
export const recordedChatsQuery = (search: RecordedChatSearch, isEnabled: boolean) =>
  queryOptions({
    queryKey: recordedChatKeys.page(search),
    enabled: isEnabled,
    queryFn: ({ signal }) =>
      call(
        listRecordedChats,
        { ...filterOf(search), offset: (search.page ?? 1) - 1, limit: chatsPerPage },
        { signal },
      ),
    select: ({ chats, totalChats, hasPages }) => ({
      chats: chats.map(readChat),
      totalChats,
      hasPages,
    }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

/** The answer and what it was based on are JSON in the record. */
function readChat(chat: Wire): RecordedChat {
  const { text, sources, attachments, mentions, metrics, feedbackReason } = JSON.parse(
    chat.response,
  ) as {
    text?: string;
    sources?: { title?: string; page?: number | null }[];
    attachments?: { name?: string }[];
    mentions?: QuestionMention[];
    metrics?: { model?: string | null; provider?: string | null } | null;
    feedbackReason?: FeedbackReason;
  };
  const { answer, reasoning } = splitWritten(text ?? "");
  return {
    ...chat,
    answer,
    reasoning: reasoning.map((step) => step.text),
    sources: (sources ?? []).map(({ title, page }) => ({ title: title ?? "", page: page ?? null })),
    attachments: (attachments ?? []).map(({ name }) => name ?? ""),
    mentions: mentions ?? [],
    model: metrics?.model ?? null,
    isQuoting: metrics?.provider === quotingProvider || metrics?.model === quotingProvider,
    reason: feedbackReason ?? null,
  };
}

const deleteFailed = (message: string): string => i18next.t("recorded:deleteFailed", { message });

export const useDeleteRecordedChat = () =>
  useMutation({
    mutationFn: (id: number) => call(deleteRecordedChats, { id }),
    meta: { invalidates: [recordedChatKeys.all], errorToast: deleteFailed },
  });

/** Deletes all chats that match the filters. */
export const useDeleteRecordedChats = () =>
  useMutation({
    mutationFn: (search: RecordedChatSearch) =>
      call(deleteRecordedChats, { ...filterOf(search), id: -1 }),
    meta: { invalidates: [recordedChatKeys.all], errorToast: deleteFailed },
  });

const extensions: Record<ChatExportType, string> = {
  csv: "csv",
  json: "json",
  jsonl: "jsonl",
  jsonAlpaca: "json",
};

export async function downloadChats(
  type: ChatExportType,
  filter: Partial<Args<typeof exportRecordedChats>>,
  name: string,
): Promise<void> {
  const { url } = addressOf(exportRecordedChats, { ...filter, type });
  const response = watchStatus(await fetch(url, { headers: authorization() }));
  if (!response.ok) throw await failureOf(response);
  await saveFile(response, `${name}.${extensions[type]}`);
}

export const useExportChats = () =>
  useMutation({
    mutationFn: ({ type, search }: { type: ChatExportType; search: RecordedChatSearch }) =>
      downloadChats(type, filterOf(search), "chats"),
    meta: { errorToast: (message) => i18next.t("recorded:exportFailed", { message }) },
  });
