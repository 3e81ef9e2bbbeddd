import {
  ChevronRight,
  CircleAlert,
  Ellipsis,
  Folder,
  FolderPlus,
  ListPlus,
  Pencil,
  Trash2,
} from "lucide-react";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../components/ui/button.tsx";
import { Checkbox } from "../../../components/ui/choices.tsx";
import { Menu } from "../../../components/ui/overlays.tsx";
import { cn } from "../../../lib/cn.ts";
import { formatNumber, phraseComma } from "../../../lib/format.ts";
import type { FolderNode } from "../state/folder-tree.ts";
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

// Text beside the name is drawn from `data-text`: the row's own label already says it, and an
// accessible label must contain the visible text.

export const FolderRow = memo(function FolderRow({
  node,
  open,
  index,
  top,
  level,
  active,
  checked,
  within,
  over,
  callbacks,
}: TreeRowProps & {
  node: FolderNode;
  open: boolean;
  /** Whether items are being dragged over it. */
  over: boolean;
}) {
  const { t } = useTranslation("documents-manager");
  const tab = active ? 0 : -1;
  return (
    <div
      className={cn(
        treeRow,
        over
          ? "bg-accent-subtle inset-ring-[1.5px] inset-ring-accent-solid"
          : checked
            ? "bg-accent-subtle"
            : "hover:bg-hover",
      )}
      role="treeitem"
      aria-level={level + 1}
      aria-expanded={open}
      aria-selected={checked}
      aria-label={[
        node.label,
        t("holds", { count: node.deep, text: formatNumber(node.deep) }),
        node.failed > 0 ? t("failedIn", { count: node.failed }) : "",
      ]
        .filter(Boolean)
        .join(phraseComma())}
      data-row={index}
      data-index={index}
      data-folder={node.name}
      ref={callbacks.measure}
      tabIndex={tab}
      style={treeRowStyle(top, level)}
      draggable
      onDragStart={(event) => callbacks.drag(event, index)}
      onClick={(event) => {
        callbacks.click(event, index);
        if (
          !(event.target as HTMLElement).closest('input, button, [role="menu"]') &&
          !event.shiftKey &&
          !event.ctrlKey &&
          !event.metaKey
        )
          callbacks.toggle(node.name);
      }}
      onContextMenu={openRowMenu}
    >
      <ChevronRight
        className={cn("size-3.5 stroke-2 text-fg-3", open ? "rotate-90" : "rtl:-scale-x-100")}
        aria-hidden="true"
      />
      <span className={swap.place}>
        <Folder className={cn("text-fg-3", swap.icon)} aria-hidden="true" />
        <Checkbox
          className={swap.checkbox}
          tabIndex={tab}
          aria-label={t("selectFolder", { name: node.label })}
          checked={checked}
          disabled={within}
          title={within ? t(checked ? "withFolder" : "withoutFolder") : undefined}
          onChange={handledByRow}
        />
      </span>
      <span className="truncate" title={node.path} dir="auto">
        {node.label}
      </span>
      <span className={cn(rowEnd, "tabular-nums")}>
        {node.failed > 0 && (
          <span
            className="inline-flex text-danger"
            title={t("failedIn", { count: node.failed })}
            aria-hidden="true"
          >
            <CircleAlert className="size-3.5 stroke-2" />
          </span>
        )}
        <span className={rowActions}>
          <Menu
            trigger={
              <IconButton
                className="size-6"
                tabIndex={tab}
                label={t("menuOf", { name: node.label })}
              >
                <Ellipsis aria-hidden="true" />
              </IconButton>
            }
            items={[
              {
                label: t("addFolder"),
                icon: ListPlus,
                run: () => callbacks.addFolder(node),
                disabled: node.deep === 0,
              },
              {
                label: t("newFolderIn", { name: node.label }),
                icon: FolderPlus,
                run: () => callbacks.createFolder(node),
              },
              { label: t("rename"), icon: Pencil, run: () => callbacks.renameFolder(node) },
              {
                label: t("removeFolder"),
                icon: Trash2,
                danger: true,
                run: () => callbacks.deleteFolder(node),
              },
            ]}
          />
        </span>
        <span className={dataText} aria-hidden="true" data-text={formatNumber(node.deep)} />
      </span>
    </div>
  );
});
