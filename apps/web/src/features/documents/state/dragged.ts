import type { Chosen } from "./chosen.ts";

/**
 * What is being dragged between lists of this page. A browser shows what a drag carries only when
 * it is dropped, so it is kept here.
 */
export interface Dragged {
  from: "library" | "workspace";
  chosen: Chosen;
  count: number;
  label: string;
  /** Documents of a folder with all below it. */ deepCount: (folder: string) => number;
}
let dragged: Dragged | null = null;

const type = "application/x-carrel-documents";
export const readDragged = (event: { dataTransfer: DataTransfer | null }): Dragged | null =>
  event.dataTransfer?.types.includes(type) ? dragged : null;
export const carriesFiles = (event: { dataTransfer: DataTransfer | null }): boolean =>
  event.dataTransfer?.types.includes("Files") ?? false;

/** Begins to drag; the pointer carries how many there are. */
export function startDrag(event: { dataTransfer: DataTransfer }, what: Dragged): void {
  dragged = what;
  event.dataTransfer.effectAllowed = "copyMove";
  event.dataTransfer.setData(type, String(what.count));
  event.dataTransfer.setData("text/plain", what.label);
  const ghost = document.createElement("div");
  ghost.className = "drag-ghost";
  ghost.textContent = what.label;
  document.body.append(ghost);
  event.dataTransfer.setDragImage(ghost, -12, -8);
  setTimeout(() => ghost.remove());
}
export const endDrag = (): void => {
  dragged = null;
};
