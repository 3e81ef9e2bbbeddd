import { chatExportTypes } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { ChevronLeft, ChevronRight, Download, FileText, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { ConfirmDialog } from "../../../components/ui/dialogs.tsx";
import { Menu } from "../../../components/ui/menu.tsx";
import { FailedQuery } from "../../../components/ui/notice.tsx";
import { Skeleton } from "../../../components/ui/progress.tsx";
import { useRights } from "../../../lib/current-user.ts";
import { formatNumber } from "../../../lib/format.ts";
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
import { EmptyList, headRow, scrollArea } from "./data-table.tsx";
import "./recorded-answer.tsx";
import { RecordedChatFilters } from "./recorded-chat-filters.tsx";
import { RecordedChatRow } from "./recorded-chat-row.tsx";
import { ListPane } from "./settings-page.tsx";

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
  const [open, setOpen] = useState<number | null>(null);
  const [deleting, setDeleting] = useState<RecordedChat | "all" | null>(null);
  const chats = useQuery(recordedChatsQuery(search, isKnown));
  const save = useExportChats();
  const removeOne = useDeleteRecordedChat();
  const removeAll = useDeleteRecordedChats();
  const { page = 1, ...filters } = search;
  const isFiltered = Object.keys(filters).length > 0;
  const { chats: shown = [], totalChats: total = 0, hasPages = false } = chats.data ?? {};
  const first = (page - 1) * chatsPerPage + 1;
  return (
    <ListPane
      label={t("list")}
      head={
        (total > 0 || shown.length > 0) && (
          <>
            <span className="text-fg-3 tabular-nums" role="status">
              {shown.length > 0 &&
                t("page", {
                  from: formatNumber(first),
                  to: formatNumber(first + shown.length - 1),
                  total: formatNumber(total),
                })}
            </span>
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
        onSearch={(next) => {
          setOpen(null);
          onSearch(next, { replace: true });
        }}
      />
      <div
        className={scrollArea}
        style={
          {
            "--columns": `minmax(0, 1fr) ${multiUser ? "minmax(0, 140px) " : ""}minmax(0, 180px) 132px 84px`,
          } as Record<string, string>
        }
      >
        {chats.error && (
          <div className="p-6">
            <FailedQuery
              title={t("loadFailed")}
              retryLabel={t("retry")}
              error={chats.error}
              retry={() => void chats.refetch()}
            />
          </div>
        )}
        {chats.isPending && (
          <div className="grid gap-4 p-6" role="status" aria-busy="true" aria-label={t("loading")}>
            {[52, 38, 45].map((width) => (
              <Skeleton key={width} style={{ inlineSize: `${width}%` }} />
            ))}
          </div>
        )}
        {chats.isSuccess && shown.length === 0 && (
          <EmptyList
            title={t(isFiltered || page > 1 ? "noMatchTitle" : "emptyTitle")}
            text={t(isFiltered || page > 1 ? "noMatchText" : "emptyText")}
          />
        )}
        {shown.length > 0 && (
          <div role="table" aria-label={t("list")} aria-busy={chats.isPlaceholderData}>
            <div role="rowgroup">
              <div className={headRow} role="row">
                <span role="columnheader">{t("columnQuestion")}</span>
                {multiUser && <span role="columnheader">{t("columnUser")}</span>}
                <span role="columnheader">{t("columnWorkspace")}</span>
                <span role="columnheader">{t("rating")}</span>
                <span role="columnheader">{t("columnWhen")}</span>
              </div>
            </div>
            <div role="rowgroup">
              {shown.map((chat) => (
                <RecordedChatRow
                  key={chat.id}
                  chat={chat}
                  hasUser={multiUser}
                  isOpen={open === chat.id}
                  onToggle={() => setOpen(open === chat.id ? null : chat.id)}
                  onDelete={() => setDeleting(chat)}
                />
              ))}
            </div>
          </div>
        )}
      </div>
      {(page > 1 || hasPages) && (
        <nav
          className="flex flex-none items-center gap-2 border-t border-subtle px-6 py-3 max-md:px-4"
          aria-label={t("list")}
        >
          <Button
            className="max-md:h-10"
            disabled={page === 1}
            onClick={() => onSearch({ ...search, page: page - 1 })}
          >
            <ChevronLeft className="size-3.5 stroke-2 rtl:-scale-x-100" aria-hidden="true" />
            {t("newer")}
          </Button>
          <span className="flex-1" />
          <Button
            className="max-md:h-10"
            disabled={chats.isPlaceholderData || !hasPages}
            onClick={() => onSearch({ ...search, page: page + 1 })}
          >
            {t("older")}
            <ChevronRight className="size-3.5 stroke-2 rtl:-scale-x-100" aria-hidden="true" />
          </Button>
        </nav>
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
