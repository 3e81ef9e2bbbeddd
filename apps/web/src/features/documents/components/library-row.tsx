import type { LibraryDocument } from "@carrel/contracts";
import {
  Check as Tick,
  ChevronRight,
  CircleAlert,
  Download,
  Ellipsis,
  FileText,
  Folder,
  FolderInput,
  FolderPlus,
  ListPlus,
  Pencil,
  Plus,
  RotateCcw,
  Tag,
  Trash2,
} from "lucide-react";
import { memo, type CSSProperties, type DragEvent, type MouseEvent } from "react";
import { useTranslation } from "react-i18next";
import { Menu } from "../../../components/ui/menu.tsx";
import { fileTag, formatNumber } from "../../../lib/format.ts";
import { rootFolder, type FolderNode } from "../state/folder-tree.ts";
import { Check } from "./check.tsx";

export interface LibraryActs {
  toggle: (folder: string) => void;
  open: (document: LibraryDocument) => void;
  /** Adds it right away. */
  add: (document: LibraryDocument) => void;
  /** Stages it to be added together with others. */
  stage: (document: LibraryDocument) => void;
  addFolder: (node: FolderNode) => void;
  move: (document: LibraryDocument) => void;
  tag: (document: LibraryDocument) => void;
  download: (document: LibraryDocument) => void;
  reread: (document: LibraryDocument) => void;
  remove: (document: LibraryDocument) => void;
  makeFolder: (parent: FolderNode) => void;
  renameFolder: (node: FolderNode) => void;
  removeFolder: (node: FolderNode) => void;
  click: (event: MouseEvent<HTMLElement>, index: number) => void;
  drag: (event: DragEvent<HTMLElement>, index: number) => void;
  /** Measures the row: rows that show a reason are taller. */
  measure: (row: HTMLElement | null) => void;
}
interface Place {
  index: number;
  top: number;
  level: number;
  active: boolean;
  ticked: boolean;
  /** Selected through a parent folder. */
  within: boolean;
  over: boolean;
  acts: LibraryActs;
}

const styleOf = (top: number, level: number): CSSProperties =>
  ({ transform: `translateY(${top}px)`, "--level": level }) as CSSProperties;
// Text beside the name is drawn from `data-text`: the row's own label already says it, and an
// accessible label must contain the visible text.
/** Handles the menu key and the right mouse button. */
const openMenu = (event: MouseEvent<HTMLElement>): void => {
  event.preventDefault();
  event.currentTarget.querySelector<HTMLElement>('[aria-haspopup="menu"]')?.click();
};
const nothing = (): void => undefined;
export const isReadable = (document: LibraryDocument): boolean => document.state === "parsed";

export const FolderRow = memo(function FolderRow({
  node,
  open,
  index,
  top,
  level,
  active,
  ticked,
  within,
  over,
  acts,
}: Place & { node: FolderNode; open: boolean }) {
  const { t } = useTranslation("library");
  const tab = active ? 0 : -1;
  return (
    <div
      className={over ? "tr is-over" : ticked ? "tr on" : "tr"}
      role="treeitem"
      aria-level={level + 1}
      aria-expanded={open}
      aria-selected={ticked}
      aria-label={[
        node.label,
        t("holds", { count: node.deep, text: formatNumber(node.deep) }),
        node.failed > 0 ? t("failedIn", { count: node.failed }) : "",
      ]
        .filter(Boolean)
        .join(", ")}
      data-row={index}
      data-index={index}
      data-folder={node.name}
      ref={acts.measure}
      tabIndex={tab}
      style={styleOf(top, level)}
      draggable
      onDragStart={(event) => acts.drag(event, index)}
      onClick={(event) => {
        acts.click(event, index);
        if (
          !(event.target as HTMLElement).closest('input, button, [role="menu"]') &&
          !event.shiftKey &&
          !event.ctrlKey &&
          !event.metaKey
        )
          acts.toggle(node.name);
      }}
      onContextMenu={openMenu}
    >
      <ChevronRight className={open ? "i sm twisted" : "i sm flip"} aria-hidden="true" />
      <span className="swap">
        <Folder className="i folder" aria-hidden="true" />
        <Check
          tabIndex={tab}
          aria-label={t("selectFolder", { name: node.label })}
          checked={ticked}
          disabled={within}
          title={within ? t(ticked ? "withFolder" : "withoutFolder") : undefined}
          onChange={nothing}
        />
      </span>
      <span className="cut" title={node.name}>
        <bdi>{node.label}</bdi>
      </span>
      <span className="end num">
        {node.failed > 0 && (
          <span
            className="bad-count"
            title={t("failedIn", { count: node.failed })}
            aria-hidden="true"
          >
            <CircleAlert className="i sm" />
          </span>
        )}
        <span className="row-acts">
          <Menu
            trigger={
              <button
                type="button"
                className="ib sm"
                tabIndex={tab}
                aria-label={t("menuOf", { name: node.label })}
                title={t("menuOf", { name: node.label })}
              >
                <Ellipsis className="i" aria-hidden="true" />
              </button>
            }
            items={[
              {
                label: t("addFolder"),
                icon: ListPlus,
                run: () => acts.addFolder(node),
                disabled: node.deep === 0,
              },
              {
                label: t("newFolderIn", { name: node.label }),
                icon: FolderPlus,
                run: () => acts.makeFolder(node),
              },
              { label: t("rename"), icon: Pencil, run: () => acts.renameFolder(node) },
              {
                label: t("removeFolder"),
                icon: Trash2,
                danger: true,
                run: () => acts.removeFolder(node),
              },
            ]}
          />
        </span>
        <span aria-hidden="true" data-text={formatNumber(node.deep)} />
      </span>
    </div>
  );
});

export const LibraryRow = memo(function LibraryRow({
  document,
  folder,
  here,
  flat,
  index,
  top,
  level,
  active,
  ticked,
  within,
  over,
  acts,
}: Place & {
  /** null while loading. */
  document: LibraryDocument | null;
  folder: string;
  /** Already in the workspace. */
  here: boolean;
  /** In a flat list of results rather than the tree. */
  flat: boolean;
}) {
  const { t } = useTranslation("library");
  const tab = active ? 0 : -1;
  if (!document)
    return (
      <div
        className="tr"
        role="treeitem"
        aria-level={level + 1}
        aria-selected={ticked}
        aria-label={t("loadingRow")}
        data-row={index}
        data-index={index}
        data-folder={folder}
        ref={acts.measure}
        tabIndex={tab}
        style={styleOf(top, level)}
        onClick={(event) => acts.click(event, index)}
      >
        <span className="sp" />
        <span className="skel" style={{ inlineSize: `${40 + ((index * 7) % 35)}%` }} />
      </div>
    );
  const { title } = document;
  const canOpen = isReadable(document);
  const failed = document.state === "failed";
  return (
    <div
      className={over ? "tr is-over" : ticked ? "tr on" : "tr"}
      role="treeitem"
      aria-level={level + 1}
      aria-selected={ticked}
      aria-label={[
        title,
        failed ? document.reason : "",
        flat && folder !== rootFolder ? folder : "",
        here ? t("inWorkspace") : "",
        document.tags.join(", "),
      ]
        .filter(Boolean)
        .join(", ")}
      data-row={index}
      data-index={index}
      data-folder={folder}
      ref={acts.measure}
      tabIndex={tab}
      style={styleOf(top, level)}
      draggable
      onDragStart={(event) => acts.drag(event, index)}
      onClick={(event) => acts.click(event, index)}
      onContextMenu={openMenu}
    >
      <span className="sp" />
      <span className="swap">
        {failed ? (
          <CircleAlert className="i bad" aria-hidden="true" />
        ) : (
          <FileText className="i folder" aria-hidden="true" />
        )}
        <Check
          tabIndex={tab}
          aria-label={t("select", { name: title })}
          checked={ticked}
          disabled={within}
          title={within ? t(ticked ? "withFolder" : "withoutFolder") : undefined}
          onChange={nothing}
        />
      </span>
      <span className={failed ? "tr-name is-bad" : "tr-name"}>
        {canOpen ? (
          <button
            type="button"
            className="cut title"
            tabIndex={-1}
            title={title}
            onClick={(event) => {
              if (!event.shiftKey && !event.ctrlKey && !event.metaKey) acts.open(document);
            }}
          >
            <bdi>{title}</bdi>
          </button>
        ) : (
          <span className="cut" title={title}>
            <bdi>{title}</bdi>
          </span>
        )}
        {failed ? (
          <>
            {" "}
            <span className="xs bad-text">
              <bdi>{document.reason}</bdi>
            </span>
          </>
        ) : (
          flat &&
          folder !== rootFolder && (
            <span className="cut xs t3" aria-hidden="true" data-text={folder} />
          )
        )}
      </span>
      {document.tags.length > 0 && (
        <span
          className="tag num"
          title={document.tags.join(", ")}
          aria-hidden="true"
          data-text={document.tags.length}
        >
          <Tag className="i" />
        </span>
      )}
      <span className="end">
        <span className="row-acts">
          {!here && !failed && (
            <button
              type="button"
              className="btn sm add"
              tabIndex={tab}
              aria-label={t("addNamed", { name: title })}
              onClick={() => acts.add(document)}
            >
              <Plus className="i sm" aria-hidden="true" />
              <span aria-hidden="true" data-text={t("add")} />
            </button>
          )}
          <Menu
            trigger={
              <button
                type="button"
                className="ib sm"
                tabIndex={tab}
                aria-label={t("menuOf", { name: title })}
                title={t("menuOf", { name: title })}
              >
                <Ellipsis className="i" aria-hidden="true" />
              </button>
            }
            items={[
              ...(canOpen
                ? [{ label: t("open"), icon: FileText, run: () => acts.open(document) }]
                : []),
              ...(!here && !failed
                ? [
                    {
                      label: t("moveToWorkspace"),
                      icon: ListPlus,
                      run: () => acts.stage(document),
                    },
                    { label: t("addAtOnce"), icon: Plus, run: () => acts.add(document) },
                  ]
                : []),
              { label: t("moveToFolder"), icon: FolderInput, run: () => acts.move(document) },
              { label: t("tags"), icon: Tag, run: () => acts.tag(document) },
              ...(document.hasOriginal
                ? [{ label: t("download"), icon: Download, run: () => acts.download(document) }]
                : []),
              ...(failed && document.hasOriginal
                ? [{ label: t("reread"), icon: RotateCcw, run: () => acts.reread(document) }]
                : []),
              { label: t("remove"), icon: Trash2, danger: true, run: () => acts.remove(document) },
            ]}
          />
        </span>
        <span
          className="ext"
          aria-hidden="true"
          data-text={fileTag(title, document.mime, document.kind)}
        />
        {here ? (
          <span className="tick" title={t("inWorkspace")} aria-hidden="true">
            <Tick className="i sm" />
          </span>
        ) : (
          <span className="tick" />
        )}
      </span>
    </div>
  );
});
