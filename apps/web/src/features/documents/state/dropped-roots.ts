/** A dropped file or folder before its contents are read. */
export interface DroppedRoot {
  entry: FileSystemEntry | null;
  file: File | null;
}

/** Entries are only available during the drop event, so take both right away. */
export const takeRoots = (items: readonly DataTransferItem[]): DroppedRoot[] =>
  items
    .filter((item) => item.kind === "file")
    .map((item) => ({ entry: item.webkitGetAsEntry?.() ?? null, file: item.getAsFile() }));
