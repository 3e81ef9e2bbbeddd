import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { chmod, lstat, mkdir, open, rename, rm } from "node:fs/promises";
import path from "node:path";
import { CarrelError } from "@carrel/contracts";
import { AllowedFolder } from "../source/folder/allowed-folder.ts";
import { tooLarge } from "./bundle-files.ts";
import type { FileTree, TreeName } from "./file-tree.ts";

/** A folder of the server, among those that its administrator allowed. */
export class FolderTree implements FileTree {
  private constructor(
    private readonly folder: AllowedFolder,
    private readonly umask: number | undefined,
  ) {}

  /** Without `umask`, what is written gets the process's. */
  static async find(
    wanted: string,
    allowed: readonly string[],
    umask?: number,
  ): Promise<FolderTree> {
    return new FolderTree(await AllowedFolder.find(wanted, allowed), umask);
  }

  async read(folder: string): Promise<TreeName[]> {
    const found = await this.folder.read(folder).catch(nullIfMissing);
    return found?.entries ?? [];
  }

  async open(file: string, maxBytes: number): Promise<Buffer | null> {
    const handle = await this.folder.openFile(file).catch(nullIfMissing);
    if (handle === null) return null;
    try {
      // One more, so that a growing file isn't cut.
      const piece = Buffer.alloc(Math.min(maxBytes, (await handle.stat()).size) + 1);
      let bytes = 0;
      for (;;) {
        const { bytesRead } = await handle.read(piece, bytes, piece.length - bytes, bytes);
        if (bytesRead === 0) return piece.subarray(0, bytes);
        bytes += bytesRead;
        if (bytes === piece.length) throw tooLarge();
      }
    } finally {
      await handle.close();
    }
  }

  async write(file: string, content: string, mayExist: boolean): Promise<boolean> {
    try {
      const { place, isNew } = await this.makeFolder(path.dirname(file));
      if (!isNew && !mayExist) return false;
      try {
        await writeWhole(path.join(place, path.basename(file)), content, this.umask);
      } catch (error) {
        if (isNew) await rm(place, { recursive: true, force: true });
        throw error;
      }
      return true;
    } catch (cause) {
      const params = { path: this.folder.root };
      switch ((cause as NodeJS.ErrnoException).code) {
        case "EACCES":
        case "EPERM":
        case "EROFS":
          throw new CarrelError("hub.folder-read-only", params, { cause });
        // This folder may be on a disk of its own, so Carrel's aren't said to be full.
        case "ENOSPC":
        case "EDQUOT":
        case "Unknown system error -122": // Node has no name for Linux's exceeded quota.
          throw new CarrelError("hub.folder-full", params, { cause });
        case "ENOENT":
        case "ENOTDIR":
        case "EISDIR":
          throw new CarrelError("source.folder-missing", params, { cause });
        default:
          throw cause;
      }
    }
  }

  /** Its path, and whether it wasn't there. Nothing is made behind a link. */
  private async makeFolder(relative: string): Promise<{ place: string; isNew: boolean }> {
    const segments = relative.split("/");
    let place = "";
    let isNew = false;
    for (let count = 1; count <= segments.length; count += 1) {
      place = this.folder.pathOf(segments.slice(0, count).join("/"));
      isNew = await mkdir(place).then(() => true, falseIfTaken);
      const found = await lstat(place);
      if (found.isSymbolicLink()) throw new CarrelError("source.symbolic-link");
      // A folder in one of a group keeps the group's bit.
      if (isNew && this.umask !== undefined)
        await chmod(place, (found.mode & 0o7000) | (0o777 & ~this.umask));
    }
    return { place, isNew };
  }
}

/** At once: whoever reads the folder finds all of it, or nothing. */
async function writeWhole(
  target: string,
  content: string,
  umask: number | undefined,
): Promise<void> {
  const part = path.join(path.dirname(target), `.${randomUUID()}.part`);
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
  const handle = await open(part, flags | constants.O_NOFOLLOW, 0o666);
  try {
    if (umask !== undefined) await handle.chmod(0o666 & ~umask);
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(part, target);
}

function falseIfTaken(error: NodeJS.ErrnoException): false {
  if (error.code === "EEXIST") return false;
  throw error;
}

function nullIfMissing(error: unknown): null {
  if (error instanceof CarrelError && error.code === "source.missing") return null;
  throw error;
}
