import { constants, type Stats } from "node:fs";
import { lstat, open, opendir, realpath, type FileHandle } from "node:fs/promises";
import path from "node:path";
import type { AgentFolder } from "./agent-folders.ts";
import { fileError, showPath, toFileError } from "./file-fault.ts";

const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;
const maxParts = 60;
const longestPath = 4_000;
const maxEntries = 10_000;

/** A path as the model writes it, within an allowed folder. */
export interface FolderPath {
  folder: AgentFolder;
  /** The names below the folder; empty: the folder itself. */
  parts: string[];
  /** `<folder>/a/b`. */
  text: string;
}

export interface FolderEntry {
  name: string;
  kind: "file" | "folder" | "link" | "other";
}

/**
 * Finds the folder of `<folder>/relative/path`. Throws ToolError for anything that leads elsewhere,
 * whether or not it exists.
 */
export function parseFolderPath(folders: readonly AgentFolder[], text: string): FolderPath {
  const params = { path: showPath(text) };
  const advice = `Start paths with the name of a folder: ${folders.map((each) => each.name).join(", ")}`;
  if (text.length > longestPath || text.includes("\0"))
    throw fileError({ code: "agent-file.name-unusable", params });
  const [name = "", ...rest] = text.split("/");
  const folder =
    folders.find((each) => each.name === name) ??
    folders.find((each) => each.name.toLowerCase() === name.toLowerCase());
  if (folder === undefined) throw fileError({ code: "agent-file.not-allowed", params }, advice);
  const parts = rest.filter((part) => part !== "" && part !== ".");
  if (parts.includes("..")) throw fileError({ code: "agent-file.not-allowed", params }, advice);
  if (parts.length > maxParts) throw fileError({ code: "agent-file.name-unusable", params });
  return { folder, parts, text: [folder.name, ...parts].join("/") };
}

/** A folder that is open, so that nothing can put another one in its place. */
export interface OpenFolder {
  /** Where a name in it lies, for calls that don't follow links at the end of a path. */
  at(name: string): string;
  /** The folder itself. */
  place: string;
}

/**
 * Runs work on a folder within an allowed one, which is opened one name after another without
 * following links. Throws ToolError.
 */
export async function withFolder<T>(
  wanted: FolderPath,
  work: (folder: OpenFolder) => Promise<T>,
): Promise<T> {
  const handles: FileHandle[] = [];
  try {
    // An admin may allow a folder by a link to it.
    const root = await realpath(wanted.folder.path);
    let current = await openFolder(root, handles);
    for (const part of wanted.parts) {
      const next = await openFolder(current.at(part), handles, current.path, part);
      // The others aren't needed any longer.
      await handles.shift()!.close();
      current = next;
    }
    return await work({ at: current.at, place: current.place });
  } catch (error) {
    throw toFileError(error, wanted.text);
  } finally {
    for (const handle of handles) await handle.close().catch(() => undefined);
  }
}

/** Linux reaches what is in an open folder by its number, wherever it has been moved. */
const hasHandlePaths = process.platform === "linux";

interface FoundFolder extends OpenFolder {
  path: string;
}

async function openFolder(
  place: string,
  handles: FileHandle[],
  parent?: string,
  name?: string,
): Promise<FoundFolder> {
  const handle = await open(place, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK);
  handles.push(handle);
  const real = parent === undefined ? place : path.join(parent, name!);
  if (hasHandlePaths) {
    const own = `/proc/self/fd/${handle.fd}`;
    return { at: (each) => `${own}/${each}`, place: own, path: real };
  }
  // Elsewhere the path is resolved once more; a swap within the call itself isn't noticed.
  if ((await realpath(real)) !== real) throw Object.assign(new Error("link"), { code: "ELOOP" });
  return { at: (each) => path.join(real, each), place: real, path: real };
}

/** The folder around a path, and its last name. Throws ToolError for an allowed folder itself. */
export function splitPath(wanted: FolderPath): { parent: FolderPath; name: string } {
  const parts = wanted.parts.slice(0, -1);
  const name = wanted.parts.at(-1);
  if (name === undefined)
    throw fileError({ code: "agent-file.not-a-file", params: { path: wanted.text } });
  const text = [wanted.folder.name, ...parts].join("/");
  return { parent: { folder: wanted.folder, parts, text }, name };
}

/** Throws ToolError for what is no regular file, without opening it: opening may do something. */
export async function openFile(
  folder: OpenFolder,
  name: string,
  text: string,
): Promise<FileHandle> {
  requireFile(await lstat(folder.at(name)), text);
  const handle = await open(folder.at(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    requireFile(await handle.stat(), text);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

export function requireFile(stats: Stats, text: string): void {
  const params = { path: showPath(text) };
  if (stats.isSymbolicLink()) throw fileError({ code: "agent-file.link", params });
  if (!stats.isFile()) throw fileError({ code: "agent-file.not-a-file", params });
}

/** In the order of their names. */
export async function listFolder(
  folder: OpenFolder,
): Promise<{ entries: FolderEntry[]; isCut: boolean }> {
  const entries: FolderEntry[] = [];
  for await (const entry of await opendir(folder.place)) {
    if (entries.length === maxEntries) return { entries: entries.toSorted(byName), isCut: true };
    const kind = entry.isDirectory()
      ? "folder"
      : entry.isSymbolicLink()
        ? "link"
        : entry.isFile()
          ? "file"
          : "other";
    entries.push({ name: entry.name, kind });
  }
  return { entries: entries.toSorted(byName), isCut: false };
}

const byName = (a: FolderEntry, b: FolderEntry): number =>
  a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
