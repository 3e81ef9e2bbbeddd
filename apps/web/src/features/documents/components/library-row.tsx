import type { LibraryDocument } from "@carrel/contracts";
import {
  Check as Tick,
  CircleAlert,
  Download,
  Ellipsis,
  FileText,
  FolderInput,
  ListPlus,
  Plus,
  RotateCcw,
  Tag,
  Trash2,
} from "lucide-react";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { useFaultText } from "../../../components/fault-text.tsx";
import { Button, IconButton } from "../../../components/ui/button.tsx";
import { Checkbox } from "../../../components/ui/choices.tsx";
import { Menu } from "../../../components/ui/overlays.tsx";
import { Skeleton } from "../../../components/ui/progress.tsx";
import { cn } from "../../../lib/cn.ts";
import { fileTag, isMisnamed } from "../../../lib/file-tag.ts";
import { joinFacts, joinNames, phraseComma } from "../../../lib/format.ts";
import { rootFolder } from "../state/folder-tree.ts";
import { isReadable } from "../state/library-rows.ts";
import {
  dataText,
  handledByRow,
  openRowMenu,
  rowActions,
  rowEnd,
  swap,
  treeRow,
  treeRowStyle,
  type TreeRowProps,
} from "../state/row-navigation.ts";
import { mainNote } from "./document-status.tsx";

// Text beside the name is drawn from `data-text`: the row's own label already says it, and an
// accessible label must contain the visible text.

export const LibraryRow = memo(function LibraryRow({
  document,
  folder,
  path,
  here,
  flat,
  index,
  top,
  level,
  active,
  checked,
  within,
  callbacks,
}: TreeRowProps & {
  /** null while loading. */
  document: LibraryDocument | null;
  folder: string;
  /** The folder's path as shown. */
  path: string;
  /** Already in the workspace. */
  here: boolean;
  /** In a flat list of results rather than the tree. */
  flat: boolean;
}) {
  const { t } = useTranslation("documents-manager");
  const reason = useFaultText(document?.reason ?? null, "");
  const assumed = useFaultText(mainNote(document?.notes ?? []), "");
  const tab = active ? 0 : -1;
  if (!document)
    return (
      <div
        className={cn(treeRow, "hover:bg-hover")}
        role="treeitem"
        aria-level={level + 1}
        aria-selected={checked}
        aria-label={t("loadingRow")}
        data-row={index}
        data-index={index}
        data-folder={folder}
        ref={callbacks.measure}
        tabIndex={tab}
        style={treeRowStyle(top, level)}
        onClick={(event) => callbacks.click(event, index)}
      >
        <span className="w-3.5 flex-none" />
        <Skeleton style={{ inlineSize: `${40 + ((index * 7) % 35)}%` }} />
      </div>
    );
  const { title } = document;
  const canOpen = isReadable(document);
  const failed = document.state === "failed";
  const contents = isMisnamed(title, document.kind)
    ? t(`contents.${document.kind ?? "other"}`)
    : "";
  const note = joinFacts([contents, flat && folder !== rootFolder ? path : "", assumed]);
  return (
    <div
      className={cn(treeRow, checked ? "bg-accent-subtle" : "hover:bg-hover")}
      role="treeitem"
      aria-level={level + 1}
      aria-selected={checked}
      aria-label={[
        title,
        failed ? reason : "",
        failed ? "" : note,
        here ? t("inWorkspace") : "",
        joinNames(document.tags),
      ]
        .filter(Boolean)
        .join(phraseComma())}
      data-row={index}
      data-index={index}
      data-folder={folder}
      ref={callbacks.measure}
      tabIndex={tab}
      style={treeRowStyle(top, level)}
      draggable
      onDragStart={(event) => callbacks.drag(event, index)}
      onClick={(event) => callbacks.click(event, index)}
      onContextMenu={openRowMenu}
    >
      <span className="w-3.5 flex-none" />
      <span className={swap.place}>
        {failed ? (
          <CircleAlert className={cn("text-danger", swap.icon)} aria-hidden="true" />
        ) : (
          <FileText className={cn("text-fg-3", swap.icon)} aria-hidden="true" />
        )}
        <Checkbox
          className={swap.checkbox}
          tabIndex={tab}
          aria-label={t("select", { name: title })}
          checked={checked}
          disabled={within}
          title={within ? t(checked ? "withFolder" : "withoutFolder") : undefined}
          onChange={handledByRow}
        />
      </span>
      <span
        className={cn(
          "min-w-0 shrink grow-0 *:shrink *:grow-0",
          failed
            ? "grid py-[5px]"
            : "flex items-baseline gap-2 [&>:nth-child(2)]:min-w-0 [&>:nth-child(2)]:shrink-100",
        )}
      >
        {canOpen ? (
          <button
            type="button"
            className="truncate rounded-[3px] hover:underline hover:underline-offset-[3px]"
            tabIndex={-1}
            title={title}
            dir="auto"
            onClick={(event) => {
              if (!event.shiftKey && !event.ctrlKey && !event.metaKey) callbacks.open(document);
            }}
          >
            {title}
          </button>
        ) : (
          <span className="truncate" title={title} dir="auto">
            {title}
          </span>
        )}
        {failed ? (
          <>
            {" "}
            <span className="text-xs text-danger">
              <bdi>{reason}</bdi>
            </span>
          </>
        ) : (
          note !== "" && (
            <span
              className={cn("truncate text-xs text-fg-3", dataText)}
              aria-hidden="true"
              data-text={note}
            />
          )
        )}
      </span>
      {document.tags.length > 0 && (
        <span
          className={cn(
            "inline-flex flex-none items-center gap-[3px] rounded-[4px] bg-active px-[5px] text-2xs text-fg-2 tabular-nums",
            dataText,
          )}
          title={joinNames(document.tags)}
          aria-hidden="true"
          data-text={document.tags.length}
        >
          <Tag className="size-[11px]" />
        </span>
      )}
      <span className={rowEnd}>
        <span className={rowActions}>
          {!here && !failed && (
            <Button
              size="sm"
              className="h-6 gap-[3px] ps-[7px] pe-[9px]"
              tabIndex={tab}
              aria-label={t("addNamed", { name: title })}
              onClick={() => callbacks.add(document)}
            >
              <Plus className="size-3.5 stroke-2" aria-hidden="true" />
              <span className={dataText} aria-hidden="true" data-text={t("add")} />
            </Button>
          )}
          <Menu
            trigger={
              <IconButton className="size-6" tabIndex={tab} label={t("menuOf", { name: title })}>
                <Ellipsis aria-hidden="true" />
              </IconButton>
            }
            items={[
              ...(canOpen
                ? [{ label: t("open"), icon: FileText, run: () => callbacks.open(document) }]
                : []),
              ...(!here && !failed
                ? [
                    {
                      label: t("moveToWorkspace"),
                      icon: ListPlus,
                      run: () => callbacks.stage(document),
                    },
                    { label: t("addAtOnce"), icon: Plus, run: () => callbacks.add(document) },
                  ]
                : []),
              { label: t("moveToFolder"), icon: FolderInput, run: () => callbacks.move(document) },
              { label: t("tags"), icon: Tag, run: () => callbacks.tag(document) },
              ...(document.hasOriginal
                ? [
                    {
                      label: t("download"),
                      icon: Download,
                      run: () => callbacks.download(document),
                    },
                  ]
                : []),
              ...(failed && document.hasOriginal
                ? [{ label: t("reparse"), icon: RotateCcw, run: () => callbacks.reparse(document) }]
                : []),
              {
                label: t("remove"),
                icon: Trash2,
                danger: true,
                run: () => callbacks.remove(document),
              },
            ]}
          />
        </span>
        <span
          className={cn(
            "w-7 text-center font-mono text-[10px]/4 font-[400] can-hover:group-focus-within/row:hidden can-hover:group-hover/row:hidden",
            dataText,
          )}
          aria-hidden="true"
          data-text={fileTag(title, document.mime, document.kind)}
        />
        {here ? (
          <span className="flex w-3.5 text-fg-3" title={t("inWorkspace")} aria-hidden="true">
            <Tick className="size-3.5 stroke-2" />
          </span>
        ) : (
          <span className="flex w-3.5 text-fg-3" />
        )}
      </span>
    </div>
  );
});
