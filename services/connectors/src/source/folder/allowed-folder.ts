import { constants, type Dirent } from "node:fs";
import { lstat, open, opendir, readlink, realpath, type FileHandle } from "node:fs/promises";
import path from "node:path";
import { CarrelError } from "@carrel/contracts";

/** More names than this aren't held in memory. */
const maxEntries = 100_000;

export interface FolderEntry {
  name: string;
  kind: "file" | "folder" | "link" | "other";
}
export interface FolderEntries {
  /** In the order of their names. */
  entries: FolderEntry[];
  /** There are more. */
  isCut: boolean;
}

/**
 * A folder of the server within those that the administrator allowed. What is opened in it lies in
 * it, whatever becomes a symbolic link meanwhile: where something lies is asked once it is open.
 */
export class AllowedFolder {
  private constructor(
    /** Without symbolic links. */
    readonly root: string,
  ) {}

  /** Throws `source.folder-not-allowed`, without telling what else there is on the server. */
  static async find(wanted: string, allowed: readonly string[]): Promise<AllowedFolder> {
    const place = path.resolve(wanted);
    const params = { path: wanted };
    const around = allowed.filter((each) => isWithin(path.resolve(each), place));
    if (around.length === 0) throw new CarrelError("source.folder-not-allowed", params);
    const root = await realpath(place).catch((error: unknown) => {
      throw toFault(error, new CarrelError("source.folder-missing", params));
    });
    for (const each of around) {
      const real = await realpath(each).catch(() => null);
      if (real !== null && isWithin(real, root)) return new AllowedFolder(root);
    }
    throw new CarrelError("source.folder-not-allowed", params);
  }

  /** The path of something in it, for people. */
  pathOf(relative: string): string {
    return path.join(this.root, relative);
  }

  /** Throws `source.missing` if there is no such folder, and `source.file-unreadable`. */
  async read(relative: string): Promise<FolderEntries> {
    const handle = await this.open(relative, constants.O_DIRECTORY);
    try {
      const entries: FolderEntry[] = [];
      const place = canAskHandles ? handlePath(handle) : this.pathOf(relative);
      for await (const entry of await opendir(place)) {
        if (entries.length === maxEntries) break;
        entries.push({ name: entry.name, kind: kindOf(entry) });
      }
      return { entries: entries.toSorted(byName), isCut: entries.length === maxEntries };
    } finally {
      await handle.close();
    }
  }

  /** Throws `source.symbolic-link`, `source.type-unwanted` for what is no file, and as `read` does. */
  async openFile(relative: string): Promise<FileHandle> {
    // Opening a device may do something.
    const before = await lstat(this.pathOf(relative)).catch((error: unknown) => {
      throw toFault(error);
    });
    if (before.isSymbolicLink()) throw new CarrelError("source.symbolic-link");
    if (!before.isFile()) throw new CarrelError("source.type-unwanted");
    const handle = await this.open(relative, constants.O_NONBLOCK);
    if ((await handle.stat()).isFile()) return handle;
    await handle.close();
    throw new CarrelError("source.type-unwanted");
  }

  private async open(relative: string, flags: number): Promise<FileHandle> {
    const place = this.pathOf(relative);
    if (!isWithin(this.root, place))
      throw new CarrelError("source.folder-not-allowed", { path: relative });
    let handle: FileHandle;
    try {
      handle = await open(place, constants.O_RDONLY | constants.O_NOFOLLOW | flags);
    } catch (error) {
      throw toFault(error);
    }
    try {
      const real = await (canAskHandles ? readlink(handlePath(handle)) : realpath(place));
      if (real === place) return handle;
    } catch (error) {
      await handle.close();
      throw toFault(error);
    }
    await handle.close();
    throw new CarrelError("source.symbolic-link");
  }
}

/** Linux tells where an open file lies; elsewhere, its path is resolved right after it was opened. */
const canAskHandles = process.platform === "linux";
const handlePath = ({ fd }: FileHandle): string => `/proc/self/fd/${fd}`;

const isWithin = (folder: string, place: string): boolean =>
  place === folder || place.startsWith(folder.endsWith("/") ? folder : `${folder}/`);

const byName = (a: FolderEntry, b: FolderEntry): number =>
  a.name < b.name ? -1 : a.name > b.name ? 1 : 0;

/** Some file systems don't tell; such an entry shows what it is when it is opened. */
function kindOf(entry: Dirent): FolderEntry["kind"] {
  if (entry.isDirectory()) return "folder";
  if (entry.isSymbolicLink()) return "link";
  return entry.isFIFO() || entry.isSocket() || entry.isBlockDevice() || entry.isCharacterDevice()
    ? "other"
    : "file";
}

/** What a file system's error means for an item; others stay as they are. */
export function toFault(
  error: unknown,
  missing: CarrelError = new CarrelError("source.missing", { host: "The folder" }),
): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case "ENOENT":
    case "ENOTDIR":
    case "ENAMETOOLONG":
      return missing;
    case "ELOOP":
      return new CarrelError("source.symbolic-link");
    case "EACCES":
    case "EPERM":
      return new CarrelError("source.file-unreadable");
    default:
      return error;
  }
}
