import { randomBytes } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { copyFile, link, lstat, mkdir, open, rename, unlink } from "node:fs/promises";
import { z } from "zod";
import { ToolError, type Tool } from "../tool.ts";
import type { AgentFolder } from "./agent-folders.ts";
import { applyEdits, describeChange, describeEdit } from "./edit-text.ts";
import { fileError, showPath } from "./file-fault.ts";
import { encodeText, maxFileBytes, readText } from "./file-text.ts";
import {
  openFile,
  parseFolderPath,
  requireFile,
  splitPath,
  withFolder,
  type FolderPath,
  type OpenFolder,
} from "./folder-access.ts";
import { renamed } from "./reading-tools.ts";

const path = z.string().min(1).max(4_000).describe("<folder name>/path/below/it");
const overwrite = z.boolean().optional().describe("Whether to replace a file that is there.");
const writeInput = z.object({ path, content: z.string().max(maxFileBytes), overwrite });
const editInput = z.object({
  path,
  edits: z
    .array(
      z.object({
        old_text: z.string().min(1).describe("Exactly as it is in the file, once."),
        new_text: z.string(),
        replace_all: z.boolean().optional().describe("Replace it wherever it is."),
      }),
    )
    .min(1)
    .max(50),
});
const createInput = z.object({ path });
const moveInput = z.object({ source: path, destination: path, overwrite });

const writes = {
  skill: "filesystem-agent",
  effect: "write",
  isUntrusted: false,
  isRepeatable: false,
  approval: "always",
} as const;

type MoveInput = z.infer<typeof moveInput>;

/** Tools that change files, in folders where an admin allows it. */
export function createWritingTools(folders: AgentFolder[]): Tool[] {
  const find = (text: string): FolderPath => {
    const wanted = parseFolderPath(folders, text);
    if (!wanted.folder.writable)
      throw fileError({
        code: "agent-file.folder-read-only",
        params: { folder: wanted.folder.name },
      });
    const hidden = wanted.parts.find((part) => /[\p{Cc}\p{Cf}\u2028\u2029]/u.test(part));
    if (hidden !== undefined)
      throw fileError({ code: "agent-file.name-unusable", params: { path: showPath(text) } });
    return wanted;
  };
  /** The folder in front of the path, as far as it is one. */
  const destination = (text: string): string => text.split("/")[0]!;

  const write: Tool<z.infer<typeof writeInput>> = {
    ...writes,
    name: "filesystem-write-text-file",
    description: "Writes a new text file in UTF-8; with overwrite, it may replace one.",
    input: writeInput,
    object: (input) => input.path,
    describe: (input) => ({
      destination: destination(input.path),
      details: [
        { label: input.overwrite === true ? "Write or replace" : "Create", value: input.path },
        { label: "Content", value: input.content },
      ],
    }),
    run: async (input) => {
      const wanted = find(input.path);
      const bytes = Buffer.from(input.content.toWellFormed());
      if (bytes.length > maxFileBytes)
        throw fileError({
          code: "agent-file.too-large",
          params: { path: wanted.text, megabytes: maxFileBytes / 1_000_000 },
        });
      await inParent(wanted, (folder, name) =>
        replaceFile(folder, name, bytes, wanted.text, input.overwrite === true),
      );
      return { text: `Wrote ${bytes.length} bytes to ${wanted.text}.` };
    },
  };

  const edit: Tool<z.infer<typeof editInput>> = {
    ...writes,
    // The diff quotes the lines around the change.
    isUntrusted: true,
    name: "filesystem-edit-file",
    description:
      "Replaces exact texts in a text file, one edit after another, and returns the diff. If one doesn't fit, nothing is changed.",
    input: editInput,
    object: (input) => input.path,
    describe: (input) => ({
      destination: destination(input.path),
      details: [
        { label: "Change", value: input.path },
        { label: "Diff", value: input.edits.map(describeEdit).join("\n") },
      ],
    }),
    run: async (input) => {
      const wanted = find(input.path);
      const diff = await inParent(wanted, async (folder, name) => {
        const handle = await openFile(folder, name, wanted.text);
        try {
          const before = await readText(handle, wanted.text);
          const text = applyEdits(before.text, input.edits, wanted.text);
          const bytes = encodeText({ ...before, text }, wanted.text);
          if (bytes.length > maxFileBytes)
            throw fileError({
              code: "agent-file.too-large",
              params: { path: wanted.text, megabytes: maxFileBytes / 1_000_000 },
            });
          const diffText = await describeChange(wanted.text, before.text, text);
          await replaceFile(folder, name, bytes, wanted.text, true);
          return diffText;
        } finally {
          await handle.close();
        }
      });
      return { text: diff };
    },
  };

  const createDirectory: Tool<z.infer<typeof createInput>> = {
    ...writes,
    name: "filesystem-create-directory",
    description: "Creates a folder, with those around it that are missing.",
    input: createInput,
    object: (input) => input.path,
    isRepeatable: true,
    describe: (input) => ({
      destination: destination(input.path),
      details: [{ label: "Create folder", value: input.path }],
    }),
    run: async (input) => {
      const wanted = find(input.path);
      for (let length = 1; length <= wanted.parts.length; length += 1) {
        const parts = wanted.parts.slice(0, length);
        const text = [wanted.folder.name, ...parts].join("/");
        await inParent({ folder: wanted.folder, parts, text }, async (folder, name) => {
          await mkdir(folder.at(name)).catch((error: unknown) => {
            if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
          });
        });
      }
      // Fails if the name is that of a file or link.
      await withFolder(wanted, async () => undefined);
      return { text: `The folder ${wanted.text} exists.` };
    },
  };

  const describeMove = (verb: string) => (input: MoveInput) => ({
    destination: destination(input.destination),
    details: [
      { label: verb, value: input.source },
      {
        label: input.overwrite === true ? "To, replacing a file there" : "To",
        value: input.destination,
      },
    ],
  });

  const move: Tool<MoveInput> = {
    ...writes,
    name: "filesystem-move-file",
    description: "Moves or renames a file or folder. With overwrite, it may replace a file.",
    input: moveInput,
    object: (input) => `${input.source} → ${input.destination}`,
    describe: describeMove("Move"),
    run: async (input) => {
      const [from, to] = [find(input.source), find(input.destination)];
      await inParent(from, (source, name) =>
        inParent(to, (target, newName) =>
          moveEntry(source.at(name), target.at(newName), from, to, input.overwrite === true),
        ),
      );
      return { text: `Moved ${from.text} to ${to.text}.` };
    },
  };

  const copy: Tool<MoveInput> = {
    ...writes,
    name: "filesystem-copy-file",
    description: "Copies a file of at most 100 MB. With overwrite, it may replace a file.",
    input: moveInput,
    object: (input) => `${input.source} → ${input.destination}`,
    describe: describeMove("Copy"),
    run: async (input) => {
      const [from, to] = [parseFolderPath(folders, input.source), find(input.destination)];
      await inParent(from, async (source, name) => {
        const handle = await openFile(source, name, from.text);
        try {
          const { size } = await handle.stat();
          if (size > maxCopyBytes)
            throw fileError({
              code: "agent-file.too-large",
              params: { path: from.text, megabytes: maxCopyBytes / 1_000_000 },
            });
          const bytes = Buffer.alloc(size);
          const { bytesRead } = await handle.read(bytes, 0, size, 0);
          await inParent(to, (target, newName) =>
            replaceFile(
              target,
              newName,
              bytes.subarray(0, bytesRead),
              to.text,
              input.overwrite === true,
            ),
          );
        } finally {
          await handle.close();
        }
      });
      return { text: `Copied ${from.text} to ${to.text}.` };
    },
  };

  return [write, edit, createDirectory, move, copy] as Tool[];
}

const maxCopyBytes = 100_000_000;

async function inParent<T>(
  wanted: FolderPath,
  work: (folder: OpenFolder, name: string) => Promise<T>,
): Promise<T> {
  const { parent, name } = splitPath(wanted);
  try {
    return await withFolder(parent, (folder) => work(folder, name));
  } catch (error) {
    throw renamed(error, wanted);
  }
}

const exists = (text: string): ToolError =>
  fileError({ code: "agent-file.exists", params: { path: text } }, "Set overwrite to replace it.");

const statOf = (place: string): Promise<Stats | null> =>
  lstat(place).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  });

/**
 * Writes a file beside it, then gives it the name: readers see the old or the new one, and nothing
 * is written through a link, also a hard one.
 */
async function replaceFile(
  folder: OpenFolder,
  name: string,
  bytes: Uint8Array,
  text: string,
  mayReplace: boolean,
): Promise<void> {
  const before = await statOf(folder.at(name));
  if (before !== null) {
    requireFile(before, text);
    if (!mayReplace) throw exists(text);
  }
  const temporary = folder.at(`.carrel-${randomBytes(8).toString("hex")}.tmp`);
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const handle = await open(temporary, flags, 0o666);
  try {
    try {
      await handle.writeFile(bytes);
      if (before !== null) await handle.chmod(before.mode & 0o777);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await giveName(temporary, folder.at(name), mayReplace);
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw (error as NodeJS.ErrnoException).code === "EEXIST" ? exists(text) : error;
  }
}

/** Renaming would replace what has got the name meanwhile; linking fails. */
async function giveName(from: string, to: string, mayReplace: boolean): Promise<void> {
  if (mayReplace) return rename(from, to);
  try {
    await link(from, to);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "EPERM" && code !== "ENOTSUP" && code !== "EOPNOTSUPP") throw error;
    // Drives without hard links, such as FAT.
    await copyFile(from, to, constants.COPYFILE_EXCL);
  }
  await unlink(from);
}

async function moveEntry(
  from: string,
  to: string,
  source: FolderPath,
  target: FolderPath,
  mayReplace: boolean,
): Promise<void> {
  const stats = await lstat(from);
  if (!stats.isDirectory()) requireFile(stats, source.text);
  const before = await statOf(to);
  if (before !== null) {
    if (!mayReplace) throw exists(target.text);
    requireFile(before, target.text);
    requireFile(stats, source.text);
  }
  try {
    if (stats.isDirectory()) await rename(from, to);
    else await giveName(from, to, mayReplace);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") throw exists(target.text);
    if (code !== "EXDEV") throw error;
    throw new ToolError(
      "The two folders are on different drives. Copy the file instead; it can't be moved there.",
    );
  }
}
