import { listNotices, readNotices, type NoticeWire } from "@carrel/contracts";
import { queryOptions, useMutation } from "@tanstack/react-query";
import i18next from "i18next";
import { call } from "../../../lib/api.ts";
import { optimistic } from "../../../lib/query-client.ts";

export const noticeKeys = { all: ["notices"] } as const;

export const noticesQuery = queryOptions({
  queryKey: noticeKeys.all,
  queryFn: ({ signal }) => call(listNotices, {}, { signal }),
});

const markRead = (notice: NoticeWire): NoticeWire => ({
  ...notice,
  readAt: notice.readAt ?? new Date().toISOString(),
});

/** Marks notices as read; null: all of them. */
export const useReadNotices = () =>
  useMutation({
    mutationFn: (ids: string[] | null) => call(readNotices, ids === null ? {} : { ids }),
    ...optimistic(noticesQuery.queryKey, (reply, ids: string[] | null) => {
      const notices = reply.notices.map((notice) =>
        ids === null || ids.includes(notice.id) ? markRead(notice) : notice,
      );
      return { notices, unread: notices.filter(({ readAt }) => readAt === null).length };
    }),
    meta: {
      invalidates: [noticeKeys.all],
      errorToast: (message) => i18next.t("notices:notMarked", { message }),
    },
  });
