/** What was let go, before its folders are read. */
export interface DroppedRoot {
  entry: FileSystemEntry | null;
  file: File | null;
}

/** Both must be taken while the event lasts. */
export const takeRoots = (items: readonly DataTransferItem[]): DroppedRoot[] =>
  items
    .filter((item) => item.kind === "file")
    .map((item) => ({ entry: item.webkitGetAsEntry?.() ?? null, file: item.getAsFile() }));
