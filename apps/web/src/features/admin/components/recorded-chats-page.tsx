import { chatExportTypes } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { Download, FileText, ThumbsDown, ThumbsUp, Trash2 } from "lucide-react";
import { useMemo, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Badge } from "../../../components/ui/badge.tsx";
import { Button } from "../../../components/ui/button.tsx";
import MentionList from "../../../components/ui/mention-list.tsx";
import { ConfirmDialog, Menu } from "../../../components/ui/overlays.tsx";
import { useRights } from "../../../lib/current-user.ts";
import { formatAgo, formatDateTime, formatNumber, joinNames } from "../../../lib/format.ts";
import { setupQuery } from "../../../lib/setup.ts";
import { toast } from "../../../lib/toast.ts";
import {
  chatsPerPage,
  recordedChatsQuery,
  useDeleteRecordedChat,
  useDeleteRecordedChats,
  useExportChats,
  type RecordedChat,
} from "../api/recorded-chats.ts";
import type { RecordedChatSearch } from "../state/page-search.ts";
import { DataTable, TablePages, type Column } from "./data-table.tsx";
import { RecordedAnswer } from "./recorded-answer.tsx";
import { RecordedChatFilters } from "./recorded-chat-filters.tsx";
import { EmptyList, ListPane } from "./settings-page.tsx";

function RecordedRating({ chat: { feedbackScore, include } }: { chat: RecordedChat }) {
  const { t } = useTranslation("recorded");
  if (feedbackScore === null && include) return null;
  return (
    <span className="flex flex-wrap gap-1">
      {feedbackScore !== null && (
        <Badge tone={feedbackScore ? "success" : "danger"}>
          {feedbackScore ? (
            <ThumbsUp className="size-3 stroke-2" aria-hidden="true" />
          ) : (
            <ThumbsDown className="size-3 stroke-2" aria-hidden="true" />
          )}
          {t(feedbackScore ? "good" : "bad")}
        </Badge>
      )}
      {!include && <Badge title={t("notIncludedHelp")}>{t("notIncluded")}</Badge>}
    </span>
  );
}

/** The answer to a question with its sources and rating. */
function RecordedChatDetails({ chat, onDelete }: { chat: RecordedChat; onDelete: () => void }) {
  const { t } = useTranslation(["recorded", "chat"]);
  const { reason } = chat;
  const why = reason && [t(`chat:feedbackReason.${reason.reason}`), reason.comment];
  return (
    <>
      <dl className="grid max-w-[90ch] gap-3 rounded-md border border-subtle bg-surface px-4 py-3">
        <Part name={t("question")}>
          {chat.mentions.length > 0 && (
            <MentionList label={t("chat:mentionedIn")} mentions={chat.mentions} />
          )}
          {chat.prompt}
        </Part>
        <Part name={t("answer")}>
          <RecordedAnswer answer={chat.answer} reasoning={chat.reasoning} empty={t("noAnswer")} />
        </Part>
        {why && (
          <Part name={t("rating")}>
            {t("badBecause", { reason: why.filter((part) => part).join(": ") })}
          </Part>
        )}
        {chat.sources.length > 0 && (
          <Part name={t("sources")}>
            <ol className="list-decimal ps-5 whitespace-normal">
              {chat.sources.map(({ title, page }, index) => (
                // The same passage may be cited twice.
                <li key={index}>{page === null ? title : t("sourcePage", { title, page })}</li>
              ))}
            </ol>
          </Part>
        )}
        {chat.attachments.length > 0 && (
          <Part name={t("attachments")}>{joinNames(chat.attachments)}</Part>
        )}
        {(chat.model !== null || chat.isQuoting) && (
          <Part name={t("model")}>{chat.isQuoting ? t("quoting") : chat.model}</Part>
        )}
      </dl>
      <Button variant="danger-outline" className="mt-3 max-md:h-11" onClick={onDelete}>
        <Trash2 className="size-3.5 stroke-2" aria-hidden="true" />
        {t("delete")}
      </Button>
    </>
  );
}

const Part = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt className="text-xs text-fg-3">{name}</dt>
    <dd className="wrap-anywhere whitespace-pre-wrap">{children}</dd>
  </div>
);

interface Props {
  search: RecordedChatSearch;
  onSearch: (search: RecordedChatSearch, options?: { replace: boolean }) => void;
}

/** Questions and answers of everyone. Page and filters are in the address. */
export function RecordedChatsPage(props: Props) {
  const { t } = useTranslation("recorded");
  const setup = useQuery(setupQuery);
  if (setup.data?.DisableViewChatHistory === true)
    return (
      <ListPane label={t("list")}>
        <EmptyList title={t("hiddenTitle")} text={t("hiddenText")} />
      </ListPane>
    );
  return <RecordedChats {...props} isKnown={!setup.isPending} />;
}

function RecordedChats({ search, onSearch, isKnown }: Props & { isKnown: boolean }) {
  const { t } = useTranslation("recorded");
  const { multiUser } = useRights();
  const [deleting, setDeleting] = useState<RecordedChat | "all" | null>(null);
  const chats = useQuery(recordedChatsQuery(search, isKnown));
  const save = useExportChats();
  const removeOne = useDeleteRecordedChat();
  const removeAll = useDeleteRecordedChats();
  const { page = 1, ...filters } = search;
  const isFiltered = Object.keys(filters).length > 0;
  const columns = useMemo(() => columnsOf(t, multiUser), [t, multiUser]);
  const { chats: shown = [], totalChats: total = 0, hasPages = false } = chats.data ?? {};
  return (
    <ListPane
      label={t("list")}
      head={
        (total > 0 || shown.length > 0) && (
          <>
            <span className="flex-1" />
            <Menu
              trigger={
                <Button disabled={save.isPending}>
                  <Download className="size-3.5 stroke-2" aria-hidden="true" />
                  {t(save.isPending ? "exporting" : "export")}
                </Button>
              }
              items={chatExportTypes.map((type) => ({
                label: t(`as.${type}`),
                icon: FileText,
                run: () => save.mutate({ type, search }),
              }))}
            />
            <Button onClick={() => setDeleting("all")}>
              <Trash2 className="size-3.5 stroke-2" aria-hidden="true" />
              {t(isFiltered ? "deleteMatching" : "deleteAll")}
            </Button>
          </>
        )
      }
    >
      <RecordedChatFilters
        search={search}
        isFiltered={isFiltered}
        onSearch={(next) => onSearch(next, { replace: true })}
      />
      <DataTable
        key={page}
        label={t("list")}
        columns={columns}
        rows={shown}
        keyOf={(chat) => chat.id}
        query={chats}
        words={{ loading: t("loading"), failed: t("loadFailed") }}
        details={{
          of: (chat) => <RecordedChatDetails chat={chat} onDelete={() => setDeleting(chat)} />,
          nameOf: (chat) =>
            t("details", {
              user: chat.user.username,
              when: formatDateTime(Date.parse(chat.createdAt)),
            }),
        }}
        empty={
          <EmptyList
            title={t(isFiltered || page > 1 ? "noMatchTitle" : "emptyTitle")}
            text={t(isFiltered || page > 1 ? "noMatchText" : "emptyText")}
          />
        }
      />
      {(total > 0 || page > 1) && (
        <TablePages
          label={t("list")}
          page={page}
          perPage={chatsPerPage}
          count={shown.length}
          total={total}
          isLast={chats.isPlaceholderData || !hasPages}
          onTurn={(to) => onSearch({ ...search, page: to })}
        />
      )}
      {deleting === "all" && (
        <ConfirmDialog
          open
          title={t(isFiltered ? "deleteMatchingTitle" : "deleteAllTitle")}
          text={t(isFiltered ? "deleteMatchingText" : "deleteAllText", {
            total: formatNumber(total),
          })}
          action={t(isFiltered ? "deleteMatching" : "deleteAll")}
          onClose={() => setDeleting(null)}
          onConfirm={() =>
            removeAll.mutateAsync(search, {
              onSuccess: () => {
                onSearch({}, { replace: true });
                toast.success(t("deletedAll"));
              },
            })
          }
        />
      )}
      {deleting !== null && deleting !== "all" && (
        <ConfirmDialog
          open
          title={t("deleteTitle")}
          text={t("deleteText", { user: deleting.user.username })}
          action={t("delete")}
          onClose={() => setDeleting(null)}
          onConfirm={() =>
            removeOne.mutateAsync(deleting.id, {
              onSuccess: () => toast.success(t("deleted")),
            })
          }
        />
      )}
    </ListPane>
  );
}

const columnsOf = (
  t: ReturnType<typeof useTranslation<"recorded">>["t"],
  hasUser: boolean,
): Column<RecordedChat>[] => [
  {
    id: "question",
    head: t("columnQuestion"),
    width: "minmax(0, 1fr)",
    cell: (chat) => chat.prompt,
  },
  ...(hasUser
    ? [
        {
          id: "user",
          head: t("columnUser"),
          width: "minmax(0, 140px)",
          cell: (chat: RecordedChat) => (
            <span className="block truncate text-fg-2">{chat.user.username}</span>
          ),
        },
      ]
    : []),
  {
    id: "workspace",
    head: t("columnWorkspace"),
    width: "minmax(0, 180px)",
    cell: (chat) => (
      <span className="block truncate text-fg-2" dir="auto">
        {chat.workspace.name}
      </span>
    ),
  },
  {
    id: "rating",
    head: t("rating"),
    width: "132px",
    cell: (chat) => <RecordedRating chat={chat} />,
  },
  {
    id: "when",
    head: t("columnWhen"),
    width: "84px",
    cell: ({ createdAt }) => (
      <time
        className="text-xs text-fg-3 tabular-nums"
        dateTime={createdAt}
        title={formatDateTime(Date.parse(createdAt))}
      >
        {formatAgo(createdAt)}
      </time>
    ),
  },
];
