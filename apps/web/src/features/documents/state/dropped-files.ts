import { takeRoots, type DroppedRoot } from "./dropped-roots.ts";

/**
 * Maximum files taken from one drop, in case someone drops a whole disk by mistake. Files beyond
 * this are reported as skipped.
 */
export const maxFiles = 100_000;

const fileOf = (entry: FileSystemFileEntry): Promise<File | null> =>
  new Promise((resolve) => entry.file(resolve, () => resolve(null)));

async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const found: FileSystemEntry[] = [];
  for (;;) {
    // Readers return about a hundred entries at a time, and none at the end.
    const some = await new Promise<FileSystemEntry[]>((resolve) =>
      reader.readEntries(resolve, () => resolve([])),
    );
    if (some.length === 0) return found;
    found.push(...some);
  }
}

export interface DroppedFile {
  file: File;
  /** Path of its folder, starting at the dropped one; empty for a file that was dropped without a folder. */
  folder: string;
}
export interface Dropped {
  files: DroppedFile[];
  /** Files from folders that are unsupported or that the browser could not open. */
  skipped: {
    name: string;
    folder: string;
    why: "kind" | "unreadable" | "many";
  }[];
}

const fileExtensions = (accept: string): string[] =>
  accept
    .toLowerCase()
    .split(",")
    .map((kind) => kind.trim())
    .filter((kind) => kind.startsWith("."));
const isSupported = (extensions: string[], name: string): boolean =>
  extensions.length === 0 || extensions.some((ending) => name.toLowerCase().endsWith(ending));

/**
 * Reads dropped files and the supported files of dropped folders, recursively. `accept` lists
 * extensions or MIME types, as in ".pdf,.md"; empty accepts everything.
 */
export const readDropped = (items: DataTransferItem[], accept: string): Promise<Dropped> =>
  readRoots(takeRoots(items), accept);
export async function readRoots(roots: readonly DroppedRoot[], accept: string): Promise<Dropped> {
  const extensions = fileExtensions(accept);
  const dropped: Dropped = { files: [], skipped: [] };
  const pending: { entry: FileSystemEntry; folder: string }[] = [];
  for (const { entry, file } of roots) {
    if (entry?.isDirectory) pending.push({ entry, folder: "" });
    else if (file) dropped.files.push({ file, folder: "" });
  }
  for (let at = 0; at < pending.length; at += 1) {
    const { entry, folder } = pending[at]!;
    const { name } = entry;
    if (name.startsWith(".")) continue; // hidden system files
    if (entry.isDirectory) {
      const inside = folder === "" ? name : `${folder}/${name}`;
      for (const each of await entriesOf(entry as FileSystemDirectoryEntry))
        pending.push({ entry: each, folder: inside });
    } else if (!isSupported(extensions, name)) dropped.skipped.push({ name, folder, why: "kind" });
    else if (dropped.files.length >= maxFiles) dropped.skipped.push({ name, folder, why: "many" });
    else {
      const file = await fileOf(entry as FileSystemFileEntry);
      if (file) dropped.files.push({ file, folder });
      else dropped.skipped.push({ name, folder, why: "unreadable" });
    }
  }
  return dropped;
}

/** Individual files, such as pasted or chosen ones. */
export const asDropped = (files: readonly File[]): Dropped => ({
  files: files.map((file) => ({ file, folder: "" })),
  skipped: [],
});

/** Files of a folder chosen with the button; the browser provides each file's path. */
export function filesOfFolder(files: readonly File[], accept: string): Dropped {
  const extensions = fileExtensions(accept);
  const dropped: Dropped = { files: [], skipped: [] };
  for (const file of files) {
    const path = file.webkitRelativePath;
    const folder = path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
    if (path.split("/").some((part) => part.startsWith("."))) continue;
    if (isSupported(extensions, file.name)) dropped.files.push({ file, folder });
    else dropped.skipped.push({ name: file.name, folder, why: "kind" });
  }
  return dropped;
}
