import { lstat } from "node:fs/promises";
import { z } from "zod";
import { ToolError, type Tool } from "../tool.ts";
import type { AgentFolder } from "./agent-folders.ts";
import { fileError } from "./file-fault.ts";
import { readText } from "./file-text.ts";
import {
  listFolder,
  openFile,
  parseFolderPath,
  splitPath,
  withFolder,
  type FolderPath,
} from "./folder-access.ts";
import { searchFiles } from "./search-files.ts";

const maxFiles = 20;
const maxListed = 1_000;

const path = z.string().min(1).max(4_000).describe("<folder name>/path/below/it");
const readInput = z.object({
  path,
  head: z.number().int().min(1).optional().describe("Only the first lines."),
  tail: z.number().int().min(1).optional().describe("Only the last lines."),
});
const readManyInput = z.object({ paths: z.array(path).min(1).max(maxFiles) });
const listInput = z.object({
  path: z.string().max(4_000).optional().describe("Leave it out for the folders that there are."),
});
const searchInput = z.object({
  path,
  pattern: z
    .string()
    .max(200)
    .optional()
    .describe("Part of the name, or a whole name with * and ?: report*.md"),
  content: z.string().max(500).optional().describe("Text in the files; case doesn't matter."),
});
const infoInput = z.object({ path });

const reads = {
  skill: "filesystem-agent",
  effect: "none",
  isUntrusted: true,
  isRepeatable: true,
  approval: "never",
} as const;

/** Tools that only read. */
export function createReadingTools(folders: AgentFolder[]): Tool[] {
  const find = (text: string): FolderPath => parseFolderPath(folders, text);
  const there = folders
    .map(({ name, writable }) => `${name} (${writable ? "read and write" : "read only"})`)
    .join(", ");

  const readFile = (wanted: FolderPath): Promise<string> => {
    const { parent, name } = splitPath(wanted);
    return withFolder(parent, async (folder) => {
      const handle = await openFile(folder, name, wanted.text);
      try {
        return (await readText(handle, wanted.text)).text;
      } finally {
        await handle.close();
      }
    }).catch((error: unknown) => {
      throw renamed(error, wanted);
    });
  };

  const read: Tool<z.infer<typeof readInput>> = {
    ...reads,
    name: "filesystem-read-text-file",
    description: `Reads a text file of at most 1 MB. Folders: ${there}.`,
    input: readInput,
    object: (input) => input.path,
    run: async (input) => {
      const text = await readFile(find(input.path));
      if (input.head === undefined && input.tail === undefined) return { text };
      const lines = text.split("\n");
      const part =
        input.head === undefined ? lines.slice(-input.tail!) : lines.slice(0, input.head);
      return { text: `${part.join("\n")}\n\n(${part.length} of ${lines.length} lines)` };
    },
  };

  const readMany: Tool<z.infer<typeof readManyInput>> = {
    ...reads,
    name: "filesystem-read-multiple-files",
    description: `Reads up to ${maxFiles} text files at once. A file that can't be read says why.`,
    input: readManyInput,
    object: ({ paths }) => paths.join(", "),
    run: async ({ paths }, { signal }) => {
      const texts: string[] = [];
      for (const each of paths) {
        signal.throwIfAborted();
        const text = await Promise.resolve()
          .then(() => readFile(find(each)))
          .catch((error: unknown) => {
            if (!(error instanceof ToolError)) throw error;
            return `(${error.message})`;
          });
        texts.push(`${each}:\n${text}`);
      }
      return { text: texts.join("\n\n---\n\n") };
    },
  };

  const list: Tool<z.infer<typeof listInput>> = {
    ...reads,
    name: "filesystem-list-directory",
    description: `Lists the files and folders in a folder. Folders: ${there}.`,
    input: listInput,
    object: (input) => input.path ?? null,
    run: async (input) => {
      if (input.path === undefined || /^[./]*$/.test(input.path))
        return { text: folders.length === 0 ? "No folder is allowed." : there };
      const { entries, isCut } = await withFolder(find(input.path), listFolder);
      const lines = entries
        .slice(0, maxListed)
        .map(({ name, kind }) => (kind === "folder" ? `${name}/` : `${name}${kindNotes[kind]}`));
      if (isCut || entries.length > maxListed)
        lines.push(`(only the first ${lines.length}; search for others)`);
      return { text: lines.length === 0 ? "The folder is empty." : lines.join("\n") };
    },
  };

  const search: Tool<z.infer<typeof searchInput>> = {
    ...reads,
    name: "filesystem-search-files",
    description:
      "Finds files by name, by their text, or both, in a folder and those in it. Text is found in files up to 1 MB.",
    input: searchInput,
    object: ({ pattern, content }) => [pattern, content].filter(Boolean).join(", ") || null,
    run: async (input, { signal }) => {
      const wanted = { name: input.pattern ?? "", content: input.content ?? "" };
      const { hits, isCut } = await searchFiles(find(input.path), wanted, signal);
      const note = isCut ? "\n\n(there may be more: narrow the search)" : "";
      return { text: (hits.length === 0 ? "Nothing found." : hits.join("\n")) + note };
    },
  };

  const info: Tool<z.infer<typeof infoInput>> = {
    ...reads,
    name: "filesystem-get-file-info",
    description: "Returns kind, size and time of change of a file or folder.",
    input: infoInput,
    object: (input) => input.path,
    run: async (input) => {
      const wanted = find(input.path);
      const access = wanted.folder.writable ? "read and write" : "read only";
      if (wanted.parts.length === 0) {
        await withFolder(wanted, async () => undefined);
        return { text: `${wanted.text}: folder, ${access}` };
      }
      const { parent, name } = splitPath(wanted);
      const stats = await withFolder(parent, (folder) => lstat(folder.at(name))).catch(
        (error: unknown) => {
          throw renamed(error, wanted);
        },
      );
      const kind = stats.isFile()
        ? `file, ${stats.size} bytes`
        : stats.isDirectory()
          ? "folder"
          : "neither a file nor a folder, so it can't be opened";
      return { text: `${wanted.text}: ${kind}, changed ${stats.mtime.toISOString()}, ${access}` };
    },
  };

  return [read, readMany, list, search, info] as Tool[];
}

const kindNotes = { file: "", folder: "", link: " (link, not followed)", other: " (no file)" };

/** A name that is missing is that of the file, not of the folder around it. */
export function renamed(error: unknown, { text }: FolderPath): unknown {
  if (!(error instanceof ToolError) || error.fault === null) return error;
  const { code, params } = error.fault;
  return code.startsWith("agent-file.") && params?.path !== undefined && params.path !== text
    ? fileError({ code, params: { ...params, path: text } } as Parameters<typeof fileError>[0])
    : error;
}
