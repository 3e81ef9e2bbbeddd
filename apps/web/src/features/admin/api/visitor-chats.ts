import {
  deleteWidgetChat,
  deleteWidgetSession,
  listWidgetChats,
  listWidgetSessions,
  type ChatExportType,
  type Out,
} from "@carrel/contracts";
import { splitWritten } from "@carrel/contracts/reasoning-tags";
import { infiniteQueryOptions, useMutation } from "@tanstack/react-query";
import i18next from "i18next";
import { call } from "../../../lib/api.ts";
import { downloadChats } from "./recorded-chats.ts";
import { widgetKeys } from "./widgets.ts";

export type VisitorSession = Out<typeof listWidgetSessions>["sessions"][number];
export interface VisitorChat {
  id: number;
  prompt: string;
  answer: string;
  /** What the model thought, in steps. */
  reasoning: string[];
  /** false for refused questions, and once the visitor has reset the session. */
  include: boolean;
  createdAt: string;
}

const visitorKeys = {
  all: ["admin", "visitor-chats"],
  sessions: (widgetId: number) => ["admin", "visitor-chats", widgetId],
  chats: (widgetId: number, sessionId: string) => [
    "admin",
    "visitor-chats",
    widgetId,
    "session",
    sessionId,
  ],
} as const;

/** Most recent first. Always refetched, because visitors keep asking. */
export const sessionsQuery = (widgetId: number) =>
  infiniteQueryOptions({
    queryKey: visitorKeys.sessions(widgetId),
    queryFn: ({ pageParam, signal }) =>
      call(
        listWidgetSessions,
        { id: widgetId, ...(pageParam && { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: "",
    getNextPageParam: (last) => last.nextCursor ?? undefined,
    staleTime: 0,
  });

const chatsPerPage = 50;

/** Newest first. */
export const sessionChatsQuery = (widgetId: number, sessionId: string) =>
  infiniteQueryOptions({
    queryKey: visitorKeys.chats(widgetId, sessionId),
    queryFn: ({ pageParam, signal }) =>
      call(
        listWidgetChats,
        { embed_id: widgetId, session_id: sessionId, offset: pageParam, limit: chatsPerPage },
        { signal },
      ),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.hasPages ? pages.length : undefined),
    staleTime: 0,
  });

/** The answer is JSON in the record. */
export const readVisitorChat = ({
  id,
  prompt,
  response,
  include,
  createdAt,
}: Out<typeof listWidgetChats>["chats"][number]): VisitorChat => {
  const { text = "" } = JSON.parse(response) as { text?: string };
  const { answer, reasoning } = splitWritten(text);
  return {
    id,
    prompt,
    answer,
    reasoning: reasoning.map((step) => step.text),
    include,
    createdAt,
  };
};

const deleteFailed = (message: string): string =>
  i18next.t("widgets:chats.deleteFailed", { message });
const deletion = { invalidates: [visitorKeys.all, widgetKeys.list], errorToast: deleteFailed };

export const useDeleteVisitorChat = () =>
  useMutation({
    mutationFn: (chatId: number) => call(deleteWidgetChat, { chatId }),
    meta: deletion,
  });

export const useDeleteVisitorSession = () =>
  useMutation({
    mutationFn: (session: { id: number; sessionId: string }) => call(deleteWidgetSession, session),
    meta: deletion,
  });

/** All chats of a widget, or one visitor's. */
export const useExportVisitorChats = () =>
  useMutation({
    mutationFn: ({
      type,
      ...which
    }: {
      type: ChatExportType;
      embedId: number;
      sessionId?: string;
    }) => downloadChats(type, { chatType: "embed", ...which }, "visitor-chats"),
    meta: { errorToast: (message) => i18next.t("widgets:chats.exportFailed", { message }) },
  });
