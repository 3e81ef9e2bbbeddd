import type { WorkspaceDocumentStatus } from "@carrel/contracts";
import {
  BookOpen,
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
} from "lucide-react";
import { memo, type DragEvent, type MouseEvent } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../components/ui/icon-button.tsx";
import { Menu } from "../../../components/ui/menu.tsx";
import { fileTag, formatAgo, formatBytes, formatNumber } from "../../../lib/format.ts";
import { Check } from "./check.tsx";
import { DocumentStatus } from "./document-status.tsx";

type Act = (document: WorkspaceDocumentStatus) => void;
export interface RowActions {
  open: Act;
  click: (event: MouseEvent<HTMLElement>, index: number) => void;
  drag: (event: DragEvent<HTMLElement>, index: number) => void;
  explainWatching: () => void;
  /** null if the user may not change documents. */
  change: {
    retry: Act;
    remove: Act;
    stop: Act;
    pin: Act;
    again: Act;
    move: Act;
    tag: Act;
    download: Act;
  } | null;
}
const readable = new Set(["parsed", "indexing", "searchable", "embedding", "embedded"]);
export const isReadable = (document: WorkspaceDocumentStatus): boolean =>
  readable.has(document.state);
const moving = new Set(["queued", "parsing", "parsed", "indexing"]);
const answers = new Set(["searchable", "embedding", "embedded"]);
const openMenu = (event: MouseEvent<HTMLElement>): void => {
  event.preventDefault();
  event.currentTarget.querySelector<HTMLElement>('[aria-haspopup="menu"]')?.click();
};
const nothing = (): void => undefined;

export interface DocumentRowProps {
  /** null while loading. */
  document: WorkspaceDocumentStatus | null;
  index: number;
  /** Shows a checkbox for selecting it. */
  picks: boolean;
  ticked: boolean;
  active: boolean;
  actions: RowActions;
}

export const DocumentRow = memo(function DocumentRow({
  document,
  index,
  picks,
  ticked,
  active,
  actions: { open, click, drag, change, explainWatching },
}: DocumentRowProps) {
  const { t } = useTranslation(["documents", "library"]);
  const tab = active ? 0 : -1;
  if (!document)
    return (
      <div
        className="d"
        role="row"
        data-row={index}
        tabIndex={tab}
        aria-rowindex={index + 2}
        onClick={(event) => click(event, index)}
      >
        <span
          className="skel ms-7"
          role="gridcell"
          aria-label={t("library:loadingRow")}
          style={{ gridColumn: "1 / -1", inlineSize: `${30 + ((index * 7) % 30)}%` }}
        />
      </div>
    );
  const facts = [
    document.pages !== null
      ? t("library:workspace.pages", { count: document.pages })
      : document.wordCount > 0
        ? t("library:workspace.words", {
            count: document.wordCount,
            text: formatNumber(document.wordCount),
          })
        : null,
    document.bytes > 0 ? formatBytes(document.bytes) : null,
    ...(document.tags ?? []),
  ]
    .filter(Boolean)
    .join(" · ");
  const canOpen = isReadable(document);
  // Without the original there is nothing to parse again; the document can only be removed.
  const canRetry = document.state === "failed" && document.hasOriginal;
  const canPin = answers.has(document.state);
  const remedy = !change ? null : canRetry ? (
    <button type="button" className="link" tabIndex={tab} onClick={() => change.retry(document)}>
      {t("tryAgain")}
    </button>
  ) : (
    <button type="button" className="link" tabIndex={tab} onClick={() => change.remove(document)}>
      {t("library:workspace.remove")}
    </button>
  );
  return (
    <div
      className={ticked ? "d on" : "d"}
      role="row"
      data-row={index}
      tabIndex={tab}
      aria-rowindex={index + 2}
      {...(picks ? { "aria-selected": ticked, draggable: true } : {})}
      onClick={(event) => click(event, index)}
      onDragStart={(event) => drag(event, index)}
      onContextMenu={openMenu}
    >
      {picks && (
        <span className="ck" role="gridcell">
          <Check
            tabIndex={tab}
            checked={ticked}
            aria-label={t("library:select", { name: document.title })}
            onChange={nothing}
          />
        </span>
      )}
      <span className="ft" role="gridcell" aria-hidden="true">
        {fileTag(document.title, document.mime, document.kind)}
      </span>
      <div className="name" role="gridcell">
        {canOpen ? (
          <button
            type="button"
            className="cut title"
            tabIndex={tab}
            title={document.title}
            onClick={(event) => {
              if (!event.shiftKey && !event.ctrlKey && !event.metaKey) open(document);
            }}
          >
            <bdi>{document.title}</bdi>
          </button>
        ) : (
          <b className="cut" title={document.title}>
            <bdi>{document.title}</bdi>
          </b>
        )}
        <span className="cut num">{facts}</span>
      </div>
      <div role="gridcell">
        <DocumentStatus
          document={document}
          remedy={remedy}
          onExplain={change ? explainWatching : null}
        />
      </div>
      <span className="added xs t3 num" role="gridcell">
        {formatAgo(document.addedAt)}
      </span>
      <div className="acts2" role="gridcell">
        {picks && change && canPin && (
          <IconButton
            className={document.pinned ? "on pin" : "pin"}
            tabIndex={tab}
            label={
              document.pinned
                ? t("library:unpinNamed", { name: document.title })
                : t("library:pinNamed", { name: document.title })
            }
            aria-pressed={document.pinned ?? false}
            onClick={() => change.pin(document)}
          >
            <Pin className="i" />
          </IconButton>
        )}
        {(canOpen || change) && (
          <Menu
            trigger={
              <IconButton
                tabIndex={tab}
                label={t("library:workspace.rowMenu", { title: document.title })}
              >
                <Ellipsis className="i" />
              </IconButton>
            }
            items={[
              ...(canOpen
                ? [
                    {
                      label: t("library:workspace.open"),
                      icon: BookOpen,
                      run: () => open(document),
                    },
                  ]
                : []),
              ...(change && canRetry
                ? [{ label: t("tryAgain"), icon: RotateCcw, run: () => change.retry(document) }]
                : []),
              ...(change && canPin
                ? [
                    {
                      label: document.pinned ? t("library:unpin") : t("library:pin"),
                      icon: document.pinned ? PinOff : Pin,
                      run: () => change.pin(document),
                    },
                    {
                      label: t("library:embedAgain"),
                      icon: RefreshCw,
                      run: () => change.again(document),
                    },
                  ]
                : []),
              ...(change && moving.has(document.state) && document.docpath !== null
                ? [{ label: t("library:stop"), icon: OctagonX, run: () => change.stop(document) }]
                : []),
              ...(change && picks
                ? [
                    {
                      label: t("library:moveToFolder"),
                      icon: FolderInput,
                      run: () => change.move(document),
                    },
                    { label: t("library:tags"), icon: Tag, run: () => change.tag(document) },
                  ]
                : []),
              ...(change && document.hasOriginal
                ? [
                    {
                      label: t("library:download"),
                      icon: Download,
                      run: () => change.download(document),
                    },
                  ]
                : []),
              ...(change
                ? [
                    {
                      label: t("library:workspace.remove"),
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
