import { closeSync, fstatSync, openSync } from "node:fs";
import { appendFile, mkdir, open, readdir, stat, unlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { crc32 } from "node:zlib";
import type { Data, RecordBatch, Table, Utf8 } from "apache-arrow";
import { arrow } from "./arrow.ts";
import { isMissing } from "./lance-fault.ts";

/**
 * Rows that a delete removes: all of a workspace, or only those of some documents or other
 * versions.
 */
export interface Deletion {
  workspaceId: number;
  documentIds?: readonly string[];
  exceptVersion?: number;
}

/** What one write changed in a table. `maintained`: changed files or indexes, but no rows. */
export type TableChange =
  | ({ kind: "added" } & AddedRows)
  | ({ kind: "deleted" } & Deletion)
  | { kind: "maintained" }
  | { kind: "cleared" };

interface AddedRows {
  rows: number;
  /** Whether rows with the same id may have existed, in any workspace. */
  isReplacing: boolean;
  /** Read from the log only when called. */
  read(): Table;
}

/** A change and the table's versions before and after it. */
export interface LoggedChange {
  from: number;
  to: number;
  change: TableChange;
}

/** A text column's values by row. */
export function textColumn(batch: RecordBatch, name: string): (row: number) => string {
  const column = batch.getChild(name);
  return (row) => String(column?.get(row));
}

/** A text column's values by row, as UTF-8. */
export function bytesColumn(batch: RecordBatch, name: string): (row: number) => Uint8Array {
  const { values, valueOffsets } = batch.getChild(name)!.data[0] as Data<Utf8>;
  return (row) => values.subarray(valueOffsets[row], valueOffsets[row + 1]);
}

export const integerColumn = (batch: RecordBatch, name: string): Int32Array =>
  batch.getChild(name)!.toArray() as Int32Array;

/** Once a file reaches this many bytes, the next entry starts another one. */
const fileBytes = 8 << 20;
/** Files kept for readers that are behind; within the changes in these, they can catch up. */
const keptFiles = 4;
/** An entry's header: lengths of its description and of its rows, and a checksum of both. */
const headerBytes = 12;

/** A place between two entries. */
export interface LogPosition {
  file: number;
  offset: number;
}

/** As stored. `next`: the log continues in the next file. */
type Description =
  | { kind: "next" }
  | ({ from: number; to: number } & (
      | Exclude<TableChange, { kind: "added" }>
      | { kind: "added"; rows: number; isReplacing: boolean }
    ));

/**
 * What the processes that share an index folder wrote to one table, in order, so that each can
 * update what it has in memory. Written by the holder of the write lease after its commit; a crash
 * in between shows as a gap between the versions of two entries. Old entries are deleted.
 */
export class ChangeLog {
  constructor(private readonly folder: string) {}

  /** The end of the log; creates the log if it is missing. */
  async end(): Promise<LogPosition> {
    await mkdir(this.folder, { recursive: true });
    const files = (await readdir(this.folder)).map(Number).filter(Number.isSafeInteger);
    if (files.length === 0) {
      await this.create(1);
      return { file: 1, offset: 0 };
    }
    const found = await this.read({ file: Math.max(...files), offset: 0 });
    return found?.position ?? this.end();
  }

  /**
   * Whether there is nothing after a position. Synchronous, 20 µs on a local disk: every search
   * asks this, and would otherwise wait for threads that are reading documents.
   */
  isEnd({ file, offset }: LogPosition): boolean {
    let handle: number | null = null;
    try {
      // Opened each time, because a network file system looks for changes only then.
      handle = openSync(this.pathOf(file), "r");
      return fstatSync(handle).size === offset;
    } catch {
      return false;
    } finally {
      if (handle !== null) closeSync(handle);
    }
  }

  /**
   * The entries after a position, and the end of the last one. Null if they have been deleted. An
   * entry that is still being written isn't read yet; one that a crash cut off is passed over, and
   * shows as a gap.
   */
  async read(
    from: LogPosition,
  ): Promise<{ changes: LoggedChange[]; position: LogPosition } | null> {
    const changes: LoggedChange[] = [];
    let { file, offset } = from;
    for (;;) {
      const bytes = await this.readFile(file, offset);
      if (!bytes) return null;
      let at = 0;
      let isNext = false;
      for (let entry = parseEntry(bytes, at); entry; entry = parseEntry(bytes, at)) {
        at = entry.end;
        if (entry.change) changes.push(entry.change);
        else isNext = true;
      }
      const isCut = at < bytes.length && (await this.exists(file + 1));
      if (!isNext && !isCut) return { changes, position: { file, offset: offset + at } };
      file++;
      offset = 0;
    }
  }

  /**
   * Adds an entry. Returns its end if nothing had been added after `at`; otherwise `at`, from where
   * the entry is then read.
   */
  async append(at: LogPosition, change: LoggedChange): Promise<LogPosition> {
    const found = await this.read(at);
    let { file, offset } = found?.position ?? (await this.end());
    const { size } = await stat(this.pathOf(file));
    const isCut = size > offset;
    if (isCut || offset >= fileBytes) {
      await this.create(file + 1);
      if (!isCut) await appendFile(this.pathOf(file), makeEntry({ kind: "next" }));
      await unlink(this.pathOf(file + 1 - keptFiles)).catch(() => undefined);
      file++;
      offset = 0;
    }
    const entry = makeEntry(...describe(change));
    await appendFile(this.pathOf(file), entry);
    return found?.changes.length === 0 ? { file, offset: offset + entry.length } : at;
  }

  private pathOf(file: number): string {
    return path.join(this.folder, String(file));
  }

  private async create(file: number): Promise<void> {
    await writeFile(this.pathOf(file), "", { flag: "a" });
  }

  private exists(file: number): Promise<boolean> {
    return stat(this.pathOf(file)).then(
      () => true,
      () => false,
    );
  }

  private async readFile(file: number, from: number): Promise<Buffer | null> {
    let handle;
    try {
      handle = await open(this.pathOf(file));
    } catch (cause) {
      if (isMissing(cause)) return null;
      throw cause;
    }
    try {
      const { size } = await handle.stat();
      const bytes = Buffer.allocUnsafe(Math.max(0, size - from));
      let length = 0;
      while (length < bytes.length) {
        const { bytesRead } = await handle.read(
          bytes,
          length,
          bytes.length - length,
          from + length,
        );
        if (bytesRead === 0) break;
        length += bytesRead;
      }
      return bytes.subarray(0, length);
    } finally {
      await handle.close();
    }
  }
}

function describe({ from, to, change }: LoggedChange): [Description, Uint8Array?] {
  if (change.kind !== "added") return [{ from, to, ...change }];
  const { kind, rows, isReplacing } = change;
  return [{ from, to, kind, rows, isReplacing }, arrow.tableToIPC(change.read(), "stream")];
}

function makeEntry(description: Description, rows: Uint8Array = Buffer.alloc(0)): Buffer {
  const text = Buffer.from(JSON.stringify(description));
  const header = Buffer.alloc(headerBytes);
  header.writeUInt32LE(text.length, 0);
  header.writeUInt32LE(rows.length, 4);
  header.writeUInt32LE(crc32(rows, crc32(text)), 8);
  return Buffer.concat([header, text, rows]);
}

/** Null if there is no complete entry. With `change` null, the log continues in the next file. */
function parseEntry(
  bytes: Buffer,
  at: number,
): { change: LoggedChange | null; end: number } | null {
  if (at + headerBytes > bytes.length) return null;
  const textEnd = at + headerBytes + bytes.readUInt32LE(at),
    end = textEnd + bytes.readUInt32LE(at + 4);
  if (end > bytes.length || textEnd === at + headerBytes) return null;
  const text = bytes.subarray(at + headerBytes, textEnd),
    rows = bytes.subarray(textEnd, end);
  if (crc32(rows, crc32(text)) !== bytes.readUInt32LE(at + 8)) return null;
  const description = JSON.parse(text.toString()) as Description;
  if (description.kind === "next") return { change: null, end };
  const { from, to, ...change } = description;
  return {
    change: {
      from,
      to,
      change:
        change.kind === "added" ? { ...change, read: () => arrow.tableFromIPC(rows) } : change,
    },
    end,
  };
}
