import { randomUUID } from "node:crypto";
import { mkdir, open, unlink, type FileHandle } from "node:fs/promises";
import path from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { extract, type Entry } from "tar-stream";

/** Unpacked, with everything that isn't kept. */
const maxUnpackedBytes = 8_000_000_000;
const maxKeptBytes = 4_000_000_000;
const maxFiles = 200_000;
/** Of what stands between two files: names and headers. A longer one would be held in memory. */
const maxHeaderBytes = 1_000_000;
const blockBytes = 512;
/** Read of a file at once. */
const pieceBytes = 256_000;

/** An archive that can't be used; files are fetched one by one then. */
export class ArchiveError extends Error {
  override readonly name = "ArchiveError";
}

/** What archives may take of the disk. */
export class ScratchSpace {
  private used = 0;

  constructor(private readonly maxBytes: number) {}

  /** Whether another archive may not find enough. */
  get isTight(): boolean {
    return this.used > this.maxBytes / 2;
  }

  take(bytes: number): void {
    if (this.used + bytes > this.maxBytes)
      throw new ArchiveError("other archives take too much of the disk");
    this.used += bytes;
  }

  give(bytes: number): void {
    this.used -= bytes;
  }
}

/**
 * The files of a tar.gz archive, kept in one file on disk that has no name: it is gone when the
 * process ends, however that happens. Names in the archive are only looked up, never opened.
 */
export class ArchiveFile {
  private readonly files = new Map<string, { at: number; bytes: number }>();
  private end = 0;
  private taken = 0;

  private constructor(
    private readonly handle: FileHandle,
    private readonly space: ScratchSpace,
  ) {}

  /** Keeps the files up to `maxFileBytes`. Throws ArchiveError, or why the download failed. */
  static async unpack(
    download: Readable,
    folder: string,
    maxFileBytes: number,
    space: ScratchSpace,
  ): Promise<ArchiveFile> {
    let kept: ArchiveFile | null = null;
    // It may fail before it is read, which then tells so; unheard, that would end the process.
    download.on("error", () => undefined);
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const name = path.join(folder, `${randomUUID()}.archive`);
      kept = new ArchiveFile(await open(name, "wx+", 0o600), space);
      await unlink(name);
      await kept.read(download, maxFileBytes);
      return kept;
    } catch (error) {
      await kept?.close();
      throw error;
    } finally {
      download.destroy();
    }
  }

  private async read(download: Readable, maxFileBytes: number): Promise<void> {
    const unpacked = createGunzip();
    const entries = extract();
    const limits = new HeaderLimit();
    let [cut, unread]: [unknown, unknown] = [null, null];
    const piped = pipeline(download, unpacked, limits, entries).catch((error: unknown) => {
      cut = error;
      entries.destroy(error as Error);
    });
    try {
      for await (const entry of entries) {
        const { size = 0 } = entry.header;
        // The library would wait for these forever.
        if (!Number.isSafeInteger(size) || size < 0) throw new ArchiveError("a size is invalid");
        limits.pass(size);
        await this.keep(entry, maxFileBytes);
      }
    } catch (error) {
      unread = error;
    }
    await piped;
    const fault = unread instanceof ArchiveError ? unread : (cut ?? unread);
    if (fault !== null) throw toArchiveError(fault);
  }

  private async keep(entry: Entry, maxFileBytes: number): Promise<void> {
    const { name, size = 0, type } = entry.header;
    const isFile = type === "file" || type === "contiguous-file";
    // Everything is in a folder that is named for the repository.
    const own = name.slice(name.indexOf("/") + 1);
    if (!isFile || size > maxFileBytes || own === "") {
      entry.resume();
      return;
    }
    if (this.files.size >= maxFiles || this.end + size > maxKeptBytes)
      throw new ArchiveError("the archive has too many files");
    const at = this.end;
    for await (const piece of entry) {
      this.space.take(piece.length);
      this.taken += piece.length;
      await this.handle.write(piece, 0, piece.length, this.end);
      this.end += piece.length;
    }
    this.files.set(own, { at, bytes: this.end - at });
  }

  get names(): string[] {
    return [...this.files.keys()];
  }

  /** The content of a file; null if the archive doesn't have it. */
  async open(name: string): Promise<Readable | null> {
    const file = this.files.get(name);
    if (file === undefined) return null;
    const { at, bytes } = file;
    const first = await this.readPiece(at, Math.min(bytes, pieceBytes));
    // The handle's own stream would close it for all files once it is destroyed.
    const pieces = async function* (this: ArchiveFile) {
      if (bytes > 0) yield first;
      for (let read = first.length; read < bytes; read += pieceBytes)
        yield await this.readPiece(at + read, Math.min(bytes - read, pieceBytes));
    };
    return Readable.from(pieces.call(this), { objectMode: false });
  }

  private async readPiece(at: number, bytes: number): Promise<Buffer> {
    const piece = Buffer.alloc(bytes);
    const { bytesRead } = await this.handle.read(piece, 0, bytes, at);
    if (bytesRead !== bytes) throw new ArchiveError("the archive's copy is cut");
    return piece;
  }

  close(): Promise<void> {
    this.space.give(this.taken);
    this.taken = 0;
    return this.handle.close();
  }
}

/** Stops archives that unpack to too much, or to names that would fill the memory. */
class HeaderLimit extends Transform {
  private sent = 0;
  /** Where the last entry ends. */
  private known = 0;

  /** An entry has been reached. */
  pass(size: number): void {
    this.known = this.sent + Math.ceil(size / blockBytes) * blockBytes;
  }

  override _transform(
    piece: Buffer,
    _encoding: string,
    done: (error: Error | null, piece?: Buffer) => void,
  ) {
    this.sent += piece.length;
    if (this.sent > maxUnpackedBytes) done(new ArchiveError("the archive unpacks to too much"));
    else if (this.sent - this.known > maxHeaderBytes)
      done(new ArchiveError("a name in the archive is too long"));
    else done(null, piece);
  }
}

/** Faults of the network stay, because the same download may work later. */
function toArchiveError(fault: unknown): unknown {
  const { code, message } = fault as NodeJS.ErrnoException;
  const isUnreadable =
    /^Z_|^ENOSPC$/.test(code ?? "") || /^(Invalid|Unknown|Unexpected end of data)/.test(message);
  return isUnreadable ? new ArchiveError(message, { cause: fault }) : fault;
}
