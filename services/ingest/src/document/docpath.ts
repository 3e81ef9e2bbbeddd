import { clipText } from "@carrel/contracts";
import { cleanFolderPath } from "./folder-path.ts";

export const defaultFolder = "custom-documents";

/** A file system's limit. */
const longestFilename = 255;

/**
 * Removes everything that isn't allowed in file names (wire-contract 6.1), as well as control
 * characters, bidirectional marks and path separators.
 */
export function cleanFilename(name: string): string {
  const base = name.toWellFormed().split(/[\\/]/).at(-1) ?? "";
  const clean = base
    .replace(
      // oxlint-disable-next-line no-control-regex
      /[<>:"|?*\u201c\u201d\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
      "",
    )
    .replace(/^\.+/, "")
    .trim();
  if (clean === "") return "document";
  const extension = /\.[^.]{1,20}$/.exec(clean)?.[0] ?? "";
  const stem = clean.slice(0, clean.length - extension.length);
  return clipText(stem, longestFilename - extension.length) + extension;
}

/** Letters and digits of any script, joined by hyphens; never empty, never a path. */
export const buildSlug = (name: string): string =>
  clipText(
    name
      .normalize("NFC")
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}.]+/gu, "-")
      .replace(/^[-.]+|[-.]+$/g, ""),
    100,
  ) || "document";

/**
 * The folder for an upload: the requested one as a cleaned path of names joined by `/`, or the
 * default folder if none was requested or nothing valid is left.
 */
export const cleanFolder = (name: string | undefined): string =>
  (name === undefined ? null : cleanFolderPath(name)) ?? defaultFolder;

/** `<folder>/<prefix><slug>-<id>.json`, the name on the wire; nothing is ever stored under it. */
export const buildDocpath = (o: {
  folder: string;
  filename: string;
  id: string;
  prefix?: string;
}): string => `${o.folder}/${o.prefix ?? ""}${buildSlug(o.filename)}-${o.id}.json`;
