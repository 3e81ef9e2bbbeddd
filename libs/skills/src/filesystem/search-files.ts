import { clipText } from "@carrel/contracts";
import { ToolError } from "../tool.ts";
import { readText } from "./file-text.ts";
import { listFolder, openFile, withFolder, type FolderPath } from "./folder-access.ts";

const most = { hits: 200, entries: 50_000, milliseconds: 10_000, depth: 40, line: 300 };

export interface FileSearch {
  /** Part of a name, or with `*` and `?` the whole name. */
  name: string;
  /** Text in the files; empty: their contents aren't read. */
  content: string;
}

/** Returns `<path>` or `<path>:<line>: <text>` per hit; without following links. */
export async function searchFiles(
  start: FolderPath,
  search: FileSearch,
  signal: AbortSignal,
): Promise<{ hits: string[]; isCut: boolean }> {
  const endAt = performance.now() + most.milliseconds;
  const hits: string[] = [];
  const content = search.content.toLowerCase();
  const due: FolderPath[] = [start];
  let visited = 0;
  let isCut = false;
  const isOver = (): boolean =>
    hits.length >= most.hits || visited >= most.entries || performance.now() > endAt;

  const visitFile = async (file: FolderPath, parent: FolderPath, name: string): Promise<void> => {
    if (content === "") return void hits.push(file.text);
    const { text } = await withFolder(parent, async (folder) => {
      const handle = await openFile(folder, name, file.text);
      try {
        return await readText(handle, file.text);
      } finally {
        await handle.close();
      }
    });
    for (const [at, line] of text.split("\n").entries()) {
      const place = line.toLowerCase().indexOf(content);
      if (place === -1) continue;
      hits.push(`${file.text}:${at + 1}: ${excerpt(line, place)}`);
      if (hits.length >= most.hits) return;
    }
  };

  while (due.length > 0) {
    const at = due.pop()!;
    const listed = await withFolder(at, listFolder).catch((error: unknown) => {
      // What can't be read, or has gone, is left out; the start must be there.
      if (at === start || !(error instanceof ToolError)) throw error;
      return { entries: [], isCut: true };
    });
    isCut ||= listed.isCut;
    for (const { name, kind } of listed.entries) {
      signal.throwIfAborted();
      if (isOver()) return { hits, isCut: true };
      visited += 1;
      const path = { ...at, parts: [...at.parts, name], text: `${at.text}/${name}` };
      if (kind === "folder" && path.parts.length < most.depth) due.push(path);
      if (kind !== "file" && (kind !== "folder" || content !== "")) continue;
      if (!matchesName(search.name.toLowerCase(), name.toLowerCase())) continue;
      if (kind === "folder") hits.push(`${path.text}/`);
      else
        await visitFile(path, at, name).catch((error: unknown) => {
          if (!(error instanceof ToolError)) throw error;
        });
    }
  }
  return { hits, isCut };
}

/** The line around what was found. */
function excerpt(line: string, place: number): string {
  const start = Math.max(0, place - most.line / 2);
  return clipText(line.slice(start), most.line).trim();
}

/** In linear time for each star, whatever the pattern. */
export function matchesName(pattern: string, name: string): boolean {
  if (!/[*?]/.test(pattern)) return name.includes(pattern);
  let [at, place, star, resume] = [0, 0, -1, 0];
  while (place < name.length) {
    if (pattern[at] === "?" || (pattern[at] !== "*" && pattern[at] === name[place])) {
      at += 1;
      place += 1;
    } else if (pattern[at] === "*") {
      star = at;
      resume = place;
      at += 1;
    } else if (star !== -1) {
      at = star + 1;
      resume += 1;
      place = resume;
    } else return false;
  }
  while (pattern[at] === "*") at += 1;
  return at === pattern.length;
}
