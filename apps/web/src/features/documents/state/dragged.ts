import type { SelectedDocuments } from "./selected-documents.ts";

/**
 * What is being dragged between the page's lists. Browsers reveal a drag's data only on drop, so it
 * is kept here.
 */
export interface Dragged {
  from: "library" | "workspace";
  selected: SelectedDocuments;
  count: number;
  label: string;
  /** Number of documents in a folder and its subfolders. */
  deepCount: (folder: string) => number;
}
let dragged: Dragged | null = null;

const type = "application/x-carrel-documents";
export const readDragged = (event: { dataTransfer: DataTransfer | null }): Dragged | null =>
  event.dataTransfer?.types.includes(type) ? dragged : null;
export const carriesFiles = (event: { dataTransfer: DataTransfer | null }): boolean =>
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
