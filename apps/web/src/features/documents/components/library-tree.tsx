import { type DragEvent } from "react";
import { useTranslation } from "react-i18next";
import { formatNumber } from "../../../lib/format.ts";
import {
  countChosen,
  goesWithFolder,
  holds,
  holdsFolder,
  isEmpty,
  isWhole,
} from "../state/chosen.ts";
import { endDrag, startDrag } from "../state/dragged.ts";
import { parentOf, rootFolder } from "../state/folder-tree.ts";
import type { LibraryActions } from "../state/library-actions.ts";
import { useLibraryKeys } from "../state/library-keys.ts";
import type { LibraryRows } from "../state/library-rows.ts";
import type { LibrarySelection } from "../state/library-selection.ts";
import { useStableCallbacks } from "../state/stable-callbacks.ts";
import { FolderRow } from "./folder-row.tsx";
import { LibraryRow } from "./library-row.tsx";
import type { LibraryRowCallbacks } from "./tree-row.ts";

/** The rows in view of the folder tree or of a flat list of results. */
export function LibraryTree({
  rows,
  selection,
  actions,
  workspaceId,
  over,
}: {
  rows: LibraryRows;
  selection: LibrarySelection;
  actions: LibraryActions;
  workspaceId: number | undefined;
  /** The folder under the dragged items. */
  over: string | null;
}) {
  const { t } = useTranslation("library");
  const { flat, virtual } = rows;
  const { chosen, deepCount } = selection;
  const keys = useLibraryKeys(rows, selection, actions.row, () => actions.ask("purge", chosen));
  const callbacks = useStableCallbacks<LibraryRowCallbacks>({
    ...actions.row,
    click: keys.onRowClick,
    measure: (row) => virtual.virtualizer.measureElement(row as HTMLDivElement | null),
    drag: (event: DragEvent<HTMLElement>, index) => {
      const dragged = selection.around(index);
      if (!dragged) return event.preventDefault();
      const row = rows.rowAt(index);
      const count = countChosen(dragged.chosen, deepCount);
      startDrag(event, {
        from: "library",
        chosen: dragged.chosen,
        count,
        deepCount,
        label: dragged.isSelection
          ? t("selected", { count, text: formatNumber(count) })
          : row?.kind === "folder"
            ? row.node.label
            : (rows.documentAt(index)?.title ?? ""),
      });
    },
  });
  return (
    <div
      className="group/tree relative mx-2"
      data-choosing={isEmpty(chosen) ? undefined : ""}
      role="tree"
      aria-multiselectable="true"
      aria-label={flat ? t("rowsFound") : t("tree")}
      style={{ blockSize: virtual.virtualizer.getTotalSize() }}
      onKeyDown={keys.onKeyDown}
      onFocus={keys.onFocus}
      onDragEnd={endDrag}
    >
      {virtual.items.map(({ index, start }, n) => {
        const row = rows.rowAt(index);
        const place = {
          index,
          top: start,
          level: row?.level ?? 0,
          active: index === virtual.active,
          callbacks,
        };
        if (row?.kind === "folder")
          return (
            <FolderRow
              key={rows.keys[n]}
              {...place}
              node={row.node}
              open={rows.expanded.has(row.node.name)}
              ticked={holdsFolder(chosen, row.node.name)}
              within={goesWithFolder(chosen, parentOf(row.node.name))}
              over={over === row.node.name}
            />
          );
        const document = rows.documentAt(index);
        const folder = document?.folder ?? row?.folder ?? rootFolder;
        return (
          <LibraryRow
            key={rows.keys[n]}
            {...place}
            document={document}
            folder={folder}
            here={
              workspaceId !== undefined && (document?.workspaces.includes(workspaceId) ?? false)
            }
            flat={flat}
            ticked={
              document !== null
                ? holds(chosen, document.documentId, flat ? undefined : folder)
                : flat
                  ? isWhole(chosen)
                  : holdsFolder(chosen, folder)
            }
            within={!flat && goesWithFolder(chosen, folder)}
          />
        );
      })}
    </div>
  );
}
