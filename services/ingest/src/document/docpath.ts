import { CarrelError, clipText } from "@carrel/contracts";

const maxNames = 8;
const longestName = 100;
/** A row of a PostgreSQL index holds 2,700 bytes, part of which the document's name needs. */
const maxBytes = 1_200;
// Removes control characters and bidirectional marks, so that a name is what it looks like.
const unfit =
  // oxlint-disable-next-line no-control-regex
  /[<>:"|?*\u201c\u201d\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\\]/gu;

const cleanName = (name: string): string => name.normalize("NFC").replace(unfit, "").trim();
/**
 * Cleans a folder path entered by a person: names joined by `/`. Throws BAD_INPUT with the reason.
 */
export function readFolderPath(path: string): string {
  const names = path
    .toWellFormed()
    .replace(/^\/+|\/+$/g, "")
    .split("/")
    .map(cleanName);
  if (names.every((name) => name === "")) throw new CarrelError("folder.name-missing");
  if (names.some((name) => name === "" || /^\.+$/.test(name)))
    throw new CarrelError("folder.name-part-missing");
  if (names.length > maxNames) throw new CarrelError("folder.too-deep", { limit: maxNames });
  if (names.some((name) => name.length > longestName))
    throw new CarrelError("folder.name-too-long", { limit: longestName });
  const clean = names.join("/");
  if (Buffer.byteLength(clean) > maxBytes) throw new CarrelError("folder.path-too-long");
  return clean;
}

/** Cleans the folder path of an upload by dropping whatever is invalid; null if nothing is left. */
export function cleanFolderPath(path: string): string | null {
  const names = path
    .toWellFormed()
    .split(/[\\/]/)
    .map((name) => clipText(cleanName(name).replace(/^\.+/, ""), longestName).trim())
    .filter((name) => name !== "");
  const clean = names.slice(0, maxNames).join("/");
  if (clean === "") return null;
  return Buffer.byteLength(clean) <= maxBytes
    ? clean
    : cleanFolderPath(names.slice(0, -1).join("/") || clipText(names[0]!, 100));
}

/** All ancestors of a folder, outermost first. */
export function listParents(path: string): string[] {
  const names = path.split("/");
  return names.slice(0, -1).map((_, at) => names.slice(0, at + 1).join("/"));
}

/** Splits a docpath at its last slash; null if the folder or the name is missing. */
export function splitDocpath(docpath: string): { folder: string; name: string } | null {
  const at = docpath.lastIndexOf("/");
  return at <= 0 || at === docpath.length - 1
    ? null
    : { folder: docpath.slice(0, at), name: docpath.slice(at + 1) };
}

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

/** Unique while a document's next content is prepared; no docpath of a document has a `#`. */
export const revisionDocpath = (docpath: string, revisionId: string): string =>
  `${docpath}#${revisionId}`;

/** The docpath that a revision was named after. */
export const revisedDocpath = (docpath: string): string =>
  docpath.slice(0, docpath.lastIndexOf("#"));
