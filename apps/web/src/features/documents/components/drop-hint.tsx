import { useQuery } from "@tanstack/react-query";
import { Upload } from "lucide-react";
import { useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { cn } from "../../../lib/cn.ts";
import { foldersQuery } from "../api/library.ts";
import { folderPath, rootFolder } from "../state/folder-tree.ts";
import type { SelectedDocuments } from "../state/selected-documents.ts";

/**
 * What is being dragged between the page's lists. Browsers reveal a drag's data only on drop, so it
 * is kept here.
 */
interface Dragged {
  from: "library" | "workspace";
  selected: SelectedDocuments;
  count: number;
  label: string;
  /** Number of documents in a folder and its subfolders. */
  deepCount: (folder: string) => number;
}
let dragged: Dragged | null = null;

const type = "application/x-carrel-documents";
const readDragged = (event: { dataTransfer: DataTransfer | null }): Dragged | null =>
  event.dataTransfer?.types.includes(type) ? dragged : null;
const carriesFiles = (event: { dataTransfer: DataTransfer | null }): boolean =>
  event.dataTransfer?.types.includes("Files") ?? false;

/** Starts a drag with the document count shown at the pointer. */
export function startDrag(event: { dataTransfer: DataTransfer }, what: Dragged): void {
  dragged = what;
  event.dataTransfer.effectAllowed = "copyMove";
  event.dataTransfer.setData(type, String(what.count));
  event.dataTransfer.setData("text/plain", what.label);
  const ghost = document.createElement("div");
  ghost.className =
    "fixed start-0 -top-[100px] max-w-[280px] overflow-hidden rounded-sm border border-accent-line bg-overlay px-3 py-1.5 font-medium text-ellipsis whitespace-nowrap text-fg-1";
  ghost.textContent = what.label;
  document.body.append(ghost);
  event.dataTransfer.setDragImage(ghost, -12, -8);
  setTimeout(() => ghost.remove());
}
export const endDrag = (): void => {
  dragged = null;
};

/**
 * Where a drag is and what it carries. `folder` is the library folder under the pointer; null is
 * the root.
 */
interface DragPlace {
  what: "files" | "documents";
  count: number;
  zone: "library" | "workspace";
  folder: string | null;
}
interface DropHandlers {
  files: (transfer: DataTransfer, zone: "library" | "workspace", folder: string | null) => void;
  documents: (dragged: Dragged, zone: "library" | "workspace", folder: string | null) => void;
  /** Opens a closed folder while something hovers over it. */
  hover: (folder: string) => void;
}

/** Milliseconds to hover over a closed folder before it opens. */
const expandDelayMs = 700;

const dropTarget = (event: DragEvent): { zone: "library" | "workspace"; folder: string | null } => {
  const target = event.target instanceof Element ? event.target : null;
  // Drops outside both lists go into the workspace: someone who drops a file on this page wants to
  // ask about it.
  return {
    zone:
      target?.closest<HTMLElement>("[data-zone]")?.dataset.zone === "library"
        ? "library"
        : "workspace",
    folder: target?.closest<HTMLElement>("[data-folder]")?.dataset.folder ?? null,
  };
};

/** Tracks files and list rows dragged over the page, and hands over what is dropped. */
export function useDragZones(handlers: DropHandlers | null): DragPlace | null {
  const [place, setPlace] = useState<DragPlace | null>(null);
  const latest = useRef(handlers);
  useLayoutEffect(() => {
    latest.current = handlers;
  });
  useLayoutEffect(() => {
    let depth = 0;
    let timer: ReturnType<typeof setTimeout> | null = null;
    let over = "";
    const leaveAll = (): void => {
      depth = 0;
      over = "";
      if (timer) clearTimeout(timer);
      timer = null;
      setPlace(null);
    };
    const enter = (event: DragEvent): void => {
      if (carriesFiles(event) || readDragged(event)) depth += 1;
    };
    const leave = (event: DragEvent): void => {
      if (carriesFiles(event) || readDragged(event)) depth -= 1;
      if (depth <= 0) leaveAll();
    };
    const move = (event: DragEvent): void => {
      const files = carriesFiles(event);
      const dragged = readDragged(event);
      if (!files && !dragged) return;
      const { zone, folder } = dropTarget(event);
      // The workspace's documents can't be dropped back into it. Files are intercepted even if
      // nothing accepts them, so that the browser doesn't replace the app with them.
      const isAccepted =
        latest.current !== null && (files || zone === "library" || dragged?.from === "library");
      if (isAccepted || files) event.preventDefault();
      if (event.dataTransfer)
        event.dataTransfer.dropEffect = isAccepted
          ? files || zone === "workspace"
            ? "copy"
            : "move"
          : "none";
      const name = isAccepted ? `${zone}\n${folder ?? ""}` : "";
      if (name === over) return;
      over = name;
      if (timer) clearTimeout(timer);
      timer =
        folder === null ? null : setTimeout(() => latest.current?.hover(folder), expandDelayMs);
      setPlace(
        isAccepted
          ? {
              what: files ? "files" : "documents",
              count: files ? (event.dataTransfer?.items.length ?? 0) : (dragged?.count ?? 0),
              zone,
              folder,
            }
          : null,
      );
    };
    const drop = (event: DragEvent): void => {
      const dragged = readDragged(event);
      const files = carriesFiles(event);
      if (!files && !dragged) return;
      event.preventDefault();
      const { zone, folder } = dropTarget(event);
      leaveAll();
      if (files && event.dataTransfer) latest.current?.files(event.dataTransfer, zone, folder);
      else if (dragged) latest.current?.documents(dragged, zone, folder);
      endDrag();
    };
    addEventListener("dragenter", enter);
    addEventListener("dragleave", leave);
    addEventListener("dragover", move);
    addEventListener("drop", drop);
    addEventListener("dragend", leaveAll);
    return () => {
      leaveAll();
      removeEventListener("dragenter", enter);
      removeEventListener("dragleave", leave);
      removeEventListener("dragover", move);
      removeEventListener("drop", drop);
      removeEventListener("dragend", leaveAll);
    };
  }, []);
  return place;
}

/** Says where the dragged items will go. */
export function DropHint({
  place,
  name,
  library,
}: {
  place: DragPlace;
  /** The workspace's name. */
  name: string;
  /** Whether My documents is on the page too. */
  library: boolean;
}) {
  const { t } = useTranslation(["documents-manager", "documents"]);
  const zone = library ? place.zone : "workspace";
  const folders = useQuery({ ...foldersQuery, enabled: false }).data?.tree;
  const folder =
    place.folder && place.folder !== rootFolder
      ? folderPath(folders, place.folder)
      : t("myDocuments");
  const isFiles = place.what === "files";
  return (
    <div
      className={cn(
        "pointer-events-none absolute inset-2 z-(--layer-sheet) grid content-end justify-center rounded-lg border-2 border-dashed border-accent-solid bg-accent-solid/5 pb-6",
        library &&
          (zone === "library"
            ? "end-auto w-[388px] @max-[901px]/documents:end-2 @max-[901px]/documents:w-auto"
            : "start-[412px] @max-[901px]/documents:start-2"),
      )}
      aria-hidden="true"
    >
      <span className="flex max-w-full flex-wrap items-center gap-2.5 rounded-md border border-line bg-overlay px-4 py-2.5 shadow-float">
        <Upload className="text-accent" />
        <b className="font-medium">
          {zone === "library"
            ? t(isFiles ? "dropLibrary" : "dropMoveFolder", { folder })
            : t(isFiles ? "dropWorkspace" : "dropMove", { name })}
        </b>
        {isFiles && (
          <span className="text-fg-2">
            {place.count > 0
              ? t("documents:dropFiles", { count: place.count })
              : t("documents:dropHere")}
          </span>
        )}
      </span>
    </div>
  );
}
