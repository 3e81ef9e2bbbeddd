import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, open, opendir, readdir, rename, rm, stat, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { BlobMissingError, temporaryPrefix, type BlobStore, type ByteRange } from "./blob-store.ts";

/** The file extension keeps `a` and `a/b` apart on disk; keys contain no dot. */
const ending = ".blob";
/**
 * Blobs being written. The dot keeps keys from reaching this folder, and being on the blobs' file
 * system makes the rename atomic.
 */
const incoming = ".incoming";

const isMissing = (fault: unknown): boolean =>
  (fault as NodeJS.ErrnoException | null)?.code === "ENOENT";

/** Blobs as files in one folder. `CheckedBlobStore` checks the keys. */
export class DiskBlobStore implements BlobStore {
  private readonly folders = new FolderSync();

  constructor(private readonly root: string) {}

  private path(key: string): string {
    return join(this.root, key + ending);
  }

  async put(key: string, body: Readable): Promise<{ bytes: number }> {
    const folder = join(this.root, incoming);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const unfinished = join(folder, randomUUID());
    try {
      const file = createWriteStream(unfinished, { flags: "wx", mode: 0o600, flush: true });
      await pipeline(body, file);
      const target = this.path(key);
      await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      await rename(unfinished, target);
      // A temporary blob may be lost in a crash: the move to its final name makes it durable.
      if (!key.startsWith(temporaryPrefix)) await this.folders.sync(dirname(target));
      return { bytes: file.bytesWritten };
    } catch (fault) {
      await rm(unfinished, { force: true });
      throw fault;
    }
  }

  async get(key: string, range?: ByteRange): Promise<{ body: Readable; bytes: number }> {
    const file = await open(this.path(key), "r").catch((fault: unknown) => {
      throw isMissing(fault) ? new BlobMissingError(key) : fault;
    });
    try {
      const { size } = await file.stat();
      if (!range) return { body: file.createReadStream(), bytes: size };
      const end = Math.min(range.end, size - 1);
      const bytes = Math.max(0, end - range.start + 1);
      if (bytes > 0) return { body: file.createReadStream({ start: range.start, end }), bytes };
      await file.close();
      return { body: Readable.from([]), bytes: 0 };
    } catch (fault) {
      await file.close();
      throw fault;
    }
  }

  async stat(key: string): Promise<{ bytes: number } | null> {
    try {
      return { bytes: (await stat(this.path(key))).size };
    } catch (fault) {
      if (isMissing(fault)) return null;
      throw fault;
    }
  }

  async delete(key: string): Promise<void> {
    await rm(this.path(key), { force: true });
  }

  async move(from: string, to: string): Promise<void> {
    const target = this.path(to);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await rename(this.path(from), target).catch((fault: unknown) => {
      throw isMissing(fault) ? new BlobMissingError(from) : fault;
    });
    await this.folders.sync(dirname(target));
  }

  async *list(prefix: string, options: { updatedBefore?: Date } = {}): AsyncIterable<string> {
    const folder = prefix.slice(0, prefix.lastIndexOf("/") + 1);
    yield* this.walk(folder, prefix, options.updatedBefore);
  }

  private async *walk(
    folder: string,
    prefix: string,
    before: Date | undefined,
  ): AsyncIterable<string> {
    const entries = await opendir(join(this.root, folder)).catch((fault: unknown) => {
      if (isMissing(fault)) return null;
      throw fault;
    });
    if (!entries) return;
    for await (const entry of entries) {
      const name = folder + entry.name;
      if (entry.isDirectory() && entry.name !== incoming) {
        if (`${name}/`.startsWith(prefix) || prefix.startsWith(`${name}/`))
          yield* this.walk(`${name}/`, prefix, before);
      } else if (entry.isFile() && name.endsWith(ending) && name.startsWith(prefix)) {
        if (before && !(await this.isOlder(join(this.root, name), before))) continue;
        yield name.slice(0, -ending.length);
      }
    }
  }

  /** false for a file that has been deleted meanwhile. */
  private async isOlder(path: string, before: Date): Promise<boolean> {
    try {
      return (await stat(path)).mtimeMs < before.getTime();
    } catch (fault) {
      if (isMissing(fault)) return false;
      throw fault;
    }
  }

  async removeUnfinished(before: Date): Promise<number> {
    const folder = join(this.root, incoming);
    const names = await readdir(folder).catch((fault: unknown) => {
      if (isMissing(fault)) return [];
      throw fault;
    });
    let removed = 0;
    for (const name of names) {
      if (!(await this.isOlder(join(folder, name), before))) continue;
      await unlink(join(folder, name)).catch((fault: unknown) => {
        if (!isMissing(fault)) throw fault;
      });
      removed++;
    }
    return removed;
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/**
 * Makes the file names in folders durable. Calls that arrive while a folder is being synced share
 * the next sync, because each one waits for the disk.
 */
export class FolderSync {
  private readonly running = new Map<string, Promise<void>>();
  private readonly waiting = new Map<string, Promise<void>>();

  constructor(private readonly syncOne = syncFolder) {}

  /** Resolves after a sync that started after this call. */
  sync(path: string): Promise<void> {
    const waiting = this.waiting.get(path);
    if (waiting) return waiting;
    const running = this.running.get(path);
    if (!running) return this.start(path);
    const next = running
      .catch(() => undefined)
      .then(() => {
        this.waiting.delete(path);
        return this.start(path);
      });
    this.waiting.set(path, next);
    return next;
  }

  private start(path: string): Promise<void> {
    const running = this.syncOne(path).finally(() => {
      this.running.delete(path);
    });
    this.running.set(path, running);
    return running;
  }
}
