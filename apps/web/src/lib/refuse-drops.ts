/**
 * Keeps the browser from opening a file dropped where nothing accepts it, which would close the app
 * and lose what was typed. File fields accept drops themselves.
 */
export function refuseDrops(): void {
  const refuse = (event: DragEvent): void => {
    const isField = event.target instanceof HTMLInputElement && event.target.type === "file";
    if (!isField && event.dataTransfer?.types.includes("Files")) event.preventDefault();
  };
  addEventListener("dragover", refuse);
  addEventListener("drop", refuse);
}
