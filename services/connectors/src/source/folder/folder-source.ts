import type { BigIntStats } from "node:fs";
import { lstat } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { CarrelError, clipText, type KnownFault } from "@carrel/contracts";
import { z } from "zod";
import type { Fetched, ListedItem, ListedPage, Source } from "../../connector/connector.ts";
import { FileRules } from "../../connector/file-rules.ts";
import { toFilename } from "../../connector/file-type.ts";
import {
  toFault,
  type AllowedFolder,
  type FolderEntries,
  type FolderEntry,
} from "./allowed-folder.ts";
import type { FolderSettings } from "./folder-form.ts";

/** A path below the folder, with slashes. */
export const folderItem = z.object({ path: z.string() });
export type FolderItem = z.output<typeof folderItem>;
type Item = ListedItem<FolderItem>;

const pageSize = 500;
/** Entries looked at for one page, most of which may be left out. */
const maxVisited = 20_000;
const maxDocuments = 50_000;
const maxDepth = 60;
/** A page ends after it, so that a slow drive doesn't keep a turn from ending. */
const pageMs = 5_000;
/** Names that are kept of the folders around the one being listed; each may have as many again. */
const maxKept = 200_000;
const longestPath = 1_500;

/** The folder whose entries are due, and the name of the last one that was listed. */
const listCursor = z.object({ folder: z.array(z.string()), after: z.string() });
type ListCursor = z.output<typeof listCursor>;

/**
 * The files of a folder and of those in it, one folder after another in the order of their names, so
 * that a place in it says what is still to be listed.
 */
export class FolderSource implements Source<FolderItem> {
  readonly limits = { parallel: 4, maxDocuments, maxItems: maxDocuments * 2 };
  private readonly rules: FileRules;
  /** The folder that is being listed, after those around it: none is read again for each in it. */
  private opened: { path: string; found: FolderEntries }[] = [];

  constructor(
    private readonly folder: AllowedFolder,
    settings: FolderSettings,
    private readonly signal: AbortSignal,
  ) {
    this.rules = new FileRules(settings);
  }

  async check(): Promise<void> {
    await this.folder.read("");
  }

  async list(cursor: string | null): Promise<ListedPage<FolderItem>> {
    let at: ListCursor | null =
      cursor === null ? { folder: [], after: "" } : listCursor.parse(JSON.parse(cursor));
    if (cursor === null) this.opened = [];
    const items: Item[] = [];
    let isPartial = false;
    const endAt = performance.now() + pageMs;
    let visited = 0;
    const isFull = (): boolean =>
      items.length >= pageSize || visited >= maxVisited || performance.now() > endAt;
    do {
      this.signal.throwIfAborted();
      const { folder, after }: ListCursor = at;
      const { entries, isCut } = await this.readFolder(folder.join("/"));
      isPartial ||= isCut;
      // Such as the place of a volume that isn't mounted; its documents aren't gone.
      if (folder.length === 0 && entries.length === 0)
        throw new CarrelError("source.nothing-found");
      if (isCut && entries.length === 0)
        items.push(this.refuse(folder.join("/"), { code: "source.file-unreadable" }));
      let place = findAfter(entries, after);
      at = place === entries.length ? leave(folder) : at;
      // One at least, however long it took to read the folder.
      for (; place < entries.length && (visited === 0 || !isFull()); place += 1) {
        const entry = entries[place]!;
        visited += 1;
        at = { folder, after: entry.name };
        const relative = [...folder, entry.name].join("/");
        if (this.rules.leavesOut(entry.kind === "folder" ? `${relative}/` : relative)) continue;
        if (entry.kind === "folder" && folder.length < maxDepth && isUsable(relative)) {
          at = { folder: [...folder, entry.name], after: "" };
          break;
        }
        const item = await this.listEntry(relative, entry);
        if (item !== null) items.push(item);
      }
    } while (at !== null && !isFull());
    return {
      items,
      next: at === null ? null : JSON.stringify(at),
      ...(isPartial && { isPartial: true as const }),
    };
  }

  /** A folder that is gone by now has nothing in it; one that can't be read may have something. */
  private async readFolder(relative: string): Promise<FolderEntries> {
    while (this.opened.length > 0 && !isWithin(this.opened.at(-1)!.path, relative))
      this.opened.pop();
    const last = this.opened.at(-1);
    if (last?.path === relative) return last.found;
    const found = await this.folder.read(relative).catch((error: unknown) => {
      const code = error instanceof CarrelError && relative !== "" ? error.code : null;
      const isGone = code === "source.missing" || code === "source.symbolic-link";
      if (!isGone && code !== "source.file-unreadable") throw error;
      return { entries: [], isCut: !isGone };
    });
    this.opened.push({ path: relative, found });
    while (this.opened.length > 1 && countNames(this.opened) > maxKept) this.opened.shift();
    return found;
  }

  /** null if it is gone by now. */
  private async listEntry(relative: string, { name, kind }: FolderEntry): Promise<Item | null> {
    if (kind === "folder" || !isUsable(relative))
      return this.refuse(relative, { code: "source.name-unusable" });
    if (kind === "link") return this.refuse(relative, { code: "source.symbolic-link" });
    if (kind === "other") return this.refuse(relative, { code: "source.type-unwanted" });
    let stats: BigIntStats;
    try {
      stats = await lstat(this.folder.pathOf(relative), { bigint: true });
    } catch (error) {
      const fault = toFault(error);
      if (!(fault instanceof CarrelError)) throw error;
      // Not skipped here: a document whose file can't be read for now stays.
      return fault.code === "source.missing" ? null : this.toListed(relative);
    }
    const skip = stats.isFile()
      ? this.rules.refuse({ path: name, bytes: Number(stats.size) })
      : ({ code: "source.type-unwanted" } as const);
    return skip === null
      ? { ...this.toListed(relative), version: versionOf(stats), bytes: Number(stats.size) }
      : this.refuse(relative, skip);
  }

  private refuse(relative: string, skip: KnownFault): Item {
    return { ...this.toListed(clipText(relative, longestPath)), skip };
  }

  private toListed(relative: string): Item {
    return {
      externalId: relative,
      item: { path: relative },
      title: relative,
      address: this.folder.pathOf(relative),
    };
  }

  async fetch(item: FolderItem, version: string | null): Promise<Fetched<FolderItem>> {
    const name = path.posix.basename(item.path);
    const handle = await this.folder.openFile(item.path).catch((error: unknown) => {
      const code = error instanceof CarrelError ? error.code : null;
      if (code === "source.symbolic-link" || code === "source.type-unwanted")
        return { code } as const;
      throw error;
    });
    if ("code" in handle) return { kind: "skipped", fault: handle };
    let stats: BigIntStats;
    try {
      stats = await handle.stat({ bigint: true });
    } catch (error) {
      await handle.close();
      throw error;
    }
    const bytes = Number(stats.size);
    const skip = this.rules.refuse({ path: name, bytes: bytes });
    const current = versionOf(stats);
    if (skip !== null || version === current) {
      await handle.close();
      return skip === null ? { kind: "unchanged" } : { kind: "skipped", fault: skip };
    }
    const place = this.folder.pathOf(item.path);
    const seconds = Number(stats.mtimeMs) / 1_000;
    return {
      kind: "document",
      // What is appended meanwhile changes the version, and is read next time.
      body: handle.createReadStream({ end: bytes - 1 }),
      filename: toFilename(name),
      mime: null,
      source: { kind: "connector", connector: "folder", reference: place },
      metadata: {
        title: name,
        url: pathToFileURL(place).href,
        description: clipText(item.path, 1_000),
        docSource: this.folder.root,
        ...(Math.abs(seconds) < 1e11 && { published: new Date(seconds * 1_000).toISOString() }),
      },
      version: current,
    };
  }
}

/** Names that aren't UTF-8 come with a replacement character, under which nothing is found. */
const isUsable = (relative: string): boolean =>
  relative.length <= longestPath && !relative.includes("\ufffd");

/** A file that replaces another one has another inode, also if its time was set back. */
const versionOf = ({ mtimeNs, size, ino }: BigIntStats): string => `${mtimeNs}-${size}-${ino}`;

const isWithin = (folder: string, relative: string): boolean =>
  folder === "" || relative === folder || relative.startsWith(`${folder}/`);

const countNames = (opened: readonly { found: FolderEntries }[]): number =>
  opened.reduce((sum, { found }) => sum + found.entries.length, 0);

/** Where the names that follow this one begin. */
function findAfter(entries: readonly FolderEntry[], name: string): number {
  let [from, to] = [0, entries.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (entries[middle]!.name > name) to = middle;
    else from = middle + 1;
  }
  return from;
}

/** On with what follows a folder in the one around it; null at the end. */
const leave = (folder: readonly string[]): ListCursor | null =>
  folder.length === 0 ? null : { folder: folder.slice(0, -1), after: folder.at(-1)! };
