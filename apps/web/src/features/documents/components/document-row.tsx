import { documentEncodings, type WatchWire, type WorkspaceDocumentStatus } from "@carrel/contracts";
import i18next from "i18next";
import {
  BookOpen,
  CaseSensitive,
  Download,
  Ellipsis,
  FolderInput,
  OctagonX,
  Pin,
  PinOff,
  RefreshCw,
  RotateCcw,
  Tag,
  Trash2,
  Eye,
  EyeOff,
  Settings2,
} from "lucide-react";
import { memo, type DragEvent, type MouseEvent } from "react";
import { useTranslation } from "react-i18next";
import { FaultText } from "../../../components/fault-text.tsx";
import { FileType } from "../../../components/ui/badge.tsx";
import { IconButton } from "../../../components/ui/button.tsx";
import { Checkbox } from "../../../components/ui/choices.tsx";
import type { MenuItem } from "../../../components/ui/dropdown-menu.tsx";
import { Menu } from "../../../components/ui/overlays.tsx";
import { Skeleton } from "../../../components/ui/progress.tsx";
import { cn } from "../../../lib/cn.ts";
import { fileTag, isMisnamed } from "../../../lib/file-tag.ts";
import { formatAgo, formatBytes, formatNumber, joinFacts } from "../../../lib/format.ts";
import { handledByRow, openRowMenu } from "../state/row-navigation.ts";
import type { ChosenEncoding, WorkspaceRowActions } from "../state/workspace-actions.ts";
import { DocumentStatus, isEncodingNote } from "./document-status.tsx";
import "../../../components/live-sync/texts.ts";
import {
  actionsCell,
  addedCell,
  bodyRow,
  factsLine,
  fileCell,
  selectedRow,
  statusCell,
  statusLink,
  titleLine,
} from "./status-line.tsx";

export interface DocumentRowCallbacks {
  open: (document: WorkspaceDocumentStatus) => void;
  click: (event: MouseEvent<HTMLElement>, index: number) => void;
  drag: (event: DragEvent<HTMLElement>, index: number) => void;
  explainWatching: () => void;
}

const readableStates = new Set(["parsed", "indexing", "searchable", "embedding", "embedded"]);
export const isReadable = (document: WorkspaceDocumentStatus): boolean =>
  readableStates.has(document.state);
const pendingStates = new Set(["queued", "parsing", "parsed", "indexing"]);
const searchableStates = new Set(["searchable", "embedding", "embedded"]);
export interface DocumentRowProps {
  /** null while loading. */
  document: WorkspaceDocumentStatus | null;
  index: number;
  /** Shows a checkbox for selecting it. */
  selectable: boolean;
  checked: boolean;
  active: boolean;
  /** null if it isn't watched, or until that is known. */
  watch: WatchWire | null;
  callbacks: DocumentRowCallbacks;
  /** null if the user may not change documents. */
  change: WorkspaceRowActions | null;
}

export const DocumentRow = memo(function DocumentRow({
  document,
  index,
  selectable,
  checked,
  active,
  watch,
  callbacks: { open, click, drag, explainWatching },
  change,
}: DocumentRowProps) {
  const { t } = useTranslation(["documents", "documents-manager"]);
  const tab = active ? 0 : -1;
  if (!document)
    return (
      <div
        className={cn(bodyRow, "hover:bg-hover")}
        role="row"
        data-row={index}
        tabIndex={tab}
        aria-rowindex={index + 2}
        onClick={(event) => click(event, index)}
      >
        <Skeleton
          className="ms-7"
          role="gridcell"
          aria-label={t("documents-manager:loadingRow")}
          style={{ gridColumn: "1 / -1", inlineSize: `${30 + ((index * 7) % 30)}%` }}
        />
      </div>
    );
  const facts = joinFacts([
    isMisnamed(document.title, document.kind) &&
      t(`documents-manager:contents.${document.kind ?? "other"}`),
    document.pages !== null
      ? t("documents-manager:workspace.pages", { count: document.pages })
      : document.wordCount > 0
        ? t("documents-manager:workspace.words", {
            count: document.wordCount,
            text: formatNumber(document.wordCount),
          })
        : null,
    document.bytes > 0 ? formatBytes(document.bytes) : null,
    ...(document.tags ?? []),
  ]);
  const canOpen = isReadable(document);
  // Without the original there is nothing to parse again, so the document can only be removed.
  const canRetry = document.state === "failed" && document.hasOriginal;
  const canPin = searchableStates.has(document.state);
  const remedy = !change ? null : canRetry ? (
    <button
      type="button"
      className={statusLink}
      tabIndex={tab}
      onClick={() => change.retry(document)}
    >
      {t("retry")}
    </button>
  ) : (
    <button
      type="button"
      className={statusLink}
      tabIndex={tab}
      onClick={() => change.remove(document)}
    >
      {t("documents-manager:workspace.remove")}
    </button>
  );
  return (
    <div
      className={cn(bodyRow, checked ? selectedRow : "hover:bg-hover", selectable && "select-none")}
      role="row"
      data-row={index}
      tabIndex={tab}
      aria-rowindex={index + 2}
      {...(selectable ? { "aria-selected": checked, draggable: true } : {})}
      onClick={(event) => click(event, index)}
      onDragStart={(event) => drag(event, index)}
      onContextMenu={openRowMenu}
    >
      {selectable && (
        <span className="grid" role="gridcell">
          <Checkbox
            tabIndex={tab}
            checked={checked}
            aria-label={t("documents-manager:select", { name: document.title })}
            onChange={handledByRow}
          />
        </span>
      )}
      <FileType className={fileCell} role="gridcell">
        {fileTag(document.title, document.mime, document.kind)}
      </FileType>
      <div className="min-w-0" role="gridcell">
        {canOpen ? (
          <button
            type="button"
            className={cn(titleLine, "rounded-[3px] hover:underline hover:underline-offset-[3px]")}
            tabIndex={tab}
            title={document.title}
            dir="auto"
            onClick={(event) => {
              if (!event.shiftKey && !event.ctrlKey && !event.metaKey) open(document);
            }}
          >
            {document.title}
          </button>
        ) : (
          <b className={titleLine} title={document.title} dir="auto">
            {document.title}
          </b>
        )}
        <span className={factsLine}>{facts}</span>
        {(canOpen || document.state === "failed") && (
          <ReadingNotes
            document={document}
            tabIndex={tab}
            onRead={change && ((encoding) => change.readAs(document, encoding))}
          />
        )}
      </div>
      <div className={statusCell} role="gridcell">
        <DocumentStatus
          document={document}
          watch={watch}
          remedy={remedy}
          onExplain={!change ? null : watch ? () => change.showWatch(document) : explainWatching}
        />
      </div>
      <span className={selectable ? addedCell.selectable : addedCell.plain} role="gridcell">
        {formatAgo(document.addedAt)}
      </span>
      <div className={actionsCell} role="gridcell">
        {selectable && change && canPin && (
          <IconButton
            // On phones, the menu offers it.
            className="max-md:hidden can-hover:opacity-0 can-hover:group-focus-within/row:opacity-100 can-hover:group-hover/row:opacity-100"
            tabIndex={tab}
            label={
              document.pinned
                ? t("documents-manager:unpinNamed", { name: document.title })
                : t("documents-manager:pinNamed", { name: document.title })
            }
            aria-pressed={document.pinned ?? false}
            onClick={() => change.pin(document)}
          >
            <Pin />
          </IconButton>
        )}
        {(canOpen || change) && (
          <Menu
            trigger={
              <IconButton
                tabIndex={tab}
                label={t("documents-manager:workspace.rowMenu", { title: document.title })}
              >
                <Ellipsis />
              </IconButton>
            }
            items={[
              ...(canOpen
                ? [
                    {
                      label: t("documents-manager:workspace.open"),
                      icon: BookOpen,
                      run: () => open(document),
                    },
                  ]
                : []),
              ...(change && canRetry
                ? [{ label: t("retry"), icon: RotateCcw, run: () => change.retry(document) }]
                : []),
              ...(change && canPin
                ? [
                    {
                      label: document.pinned
                        ? t("documents-manager:unpin")
                        : t("documents-manager:pin"),
                      icon: document.pinned ? PinOff : Pin,
                      run: () => change.pin(document),
                    },
                    {
                      label: t("documents-manager:embedAgain"),
                      icon: RefreshCw,
                      run: () => change.reembed(document),
                    },
                  ]
                : []),
              ...(change && pendingStates.has(document.state) && document.docpath !== null
                ? [
                    {
                      label: t("documents-manager:stop"),
                      icon: OctagonX,
                      run: () => change.cancelEmbedding(document),
                    },
                  ]
                : []),
              ...(change ? watchItems(document, watch, change) : []),
              ...(change && selectable
                ? [
                    {
                      label: t("documents-manager:moveToFolder"),
                      icon: FolderInput,
                      run: () => change.move(document),
                    },
                    {
                      label: t("documents-manager:tags"),
                      icon: Tag,
                      run: () => change.tag(document),
                    },
                  ]
                : []),
              ...(change && document.hasOriginal
                ? [
                    {
                      label: t("documents-manager:download"),
                      icon: Download,
                      run: () => change.download(document),
                    },
                  ]
                : []),
              ...(change
                ? [
                    {
                      label: t("documents-manager:workspace.remove"),
                      icon: Trash2,
                      danger: true,
                      run: () => change.remove(document),
                    },
                  ]
                : []),
            ]}
          />
        )}
      </div>
    </div>
  );
});

/** What was left out of a document or only assumed; a wrong encoding can be changed here. */
function ReadingNotes({
  document,
  tabIndex,
  onRead,
}: {
  document: WorkspaceDocumentStatus;
  tabIndex: number;
  /** Reads the document again; null if the user may not. */
  onRead: ((encoding: ChosenEncoding) => void) | null;
}) {
  const { t } = useTranslation("documents-manager");
  const notes = (document.notes ?? []).filter((note) => typeof note !== "string");
  return notes.map((note) => (
    <span key={JSON.stringify(note)} className="block text-xs text-fg-3" data-note={note.code}>
      <FaultText fault={note} fallback="" />
      {isEncodingNote(note) && onRead && document.hasOriginal && (
        <>
          {" "}
          <Menu
            trigger={
              <button
                type="button"
                className={statusLink}
                tabIndex={tabIndex}
                aria-label={t("encoding.changeOf", { name: document.title })}
              >
                {t("encoding.change")}
              </button>
            }
            items={documentEncodings.map((encoding) => ({
              label: t("encoding.option", { encoding, writing: t(`encoding.of.${encoding}`) }),
              icon: CaseSensitive,
              checked: note.params?.encoding === encoding,
              run: () => onRead(encoding),
            }))}
          />
        </>
      )}
    </span>
  ));
}

/** What can be done about a document's sync with its source; nothing if it can't be watched. */
function watchItems(
  document: WorkspaceDocumentStatus,
  watch: WatchWire | null,
  {
    watch: toggle,
    syncNow,
    showWatch,
  }: Pick<WorkspaceRowActions, "watch" | "syncNow" | "showWatch">,
): MenuItem[] {
  if (!document.watched)
    return document.canWatch && document.docpath !== null
      ? [{ label: i18next.t("live-sync:watch"), icon: Eye, run: () => toggle(document) }]
      : [];
  return [
    ...(watch?.state === "waiting"
      ? [{ label: i18next.t("live-sync:syncNow"), icon: RefreshCw, run: () => syncNow(document) }]
      : []),
    ...(watch
      ? [
          {
            label: i18next.t("live-sync:settings"),
            icon: Settings2,
            run: () => showWatch(document),
          },
        ]
      : []),
    { label: i18next.t("live-sync:unwatch"), icon: EyeOff, run: () => toggle(document) },
  ];
}
