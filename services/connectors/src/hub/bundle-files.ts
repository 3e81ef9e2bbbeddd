import { CarrelError, clipText } from "@carrel/contracts";

export const bundleLimits = {
  /** Bytes of all files together. */
  bytes: 5_000_000,
  zipBytes: 5_000_000,
  files: 500,
  /** Folders around a file. */
  depth: 8,
  pathLength: 200,
} as const;

/** A file of an agent skill. */
export interface BundleFile {
  path: string;
  content: Buffer;
}

/** Letters and digits of any language, and what program files have in their names. */
const segmentForm = /^[\p{L}\p{M}\p{N}_@+()~ -][\p{L}\p{M}\p{N}._@+()~ -]*$/u;
/** Windows keeps them for devices. */
const deviceForm = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

export const refusedFile = (path: string): CarrelError =>
  new CarrelError("hub.bundle-file-refused", {
    path: clipText(path.replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, "?"), 100) || "a nameless file",
  });
export const tooLarge = (): CarrelError =>
  new CarrelError("hub.bundle-too-large", { megabytes: bundleLimits.bytes / 1_000_000 });

/** Throws for paths that could lead out of the skill's folder, or mean two files on some systems. */
export function checkPath(path: string): void {
  const segments = path.split("/");
  const isUsable =
    path.length <= bundleLimits.pathLength &&
    segments.length <= bundleLimits.depth + 1 &&
    segments.every(
      (segment) =>
        segmentForm.test(segment) &&
        !/[. ]$/.test(segment) &&
        !deviceForm.test(segment) &&
        // Written in two ways, it would be two files here and one elsewhere.
        segment.normalize("NFC") === segment,
    );
  if (!isUsable) throw refusedFile(path);
}

/** The files of one skill; every way into it is checked the same. */
export class BundleFiles {
  private readonly found: BundleFile[] = [];
  /** Names of files, and of the folders around them, as systems see them that ignore case. */
  private readonly names = new Set<string>();
  private readonly folders = new Set<string>();
  private bytes = 0;

  /** Before the content is read. `bytes` is what it says it has. */
  reserve(path: string, bytes: number): void {
    checkPath(path);
    if (this.names.size >= bundleLimits.files)
      throw new CarrelError("hub.bundle-too-many-files", { limit: bundleLimits.files });
    this.bytes += bytes;
    if (this.bytes > bundleLimits.bytes) throw tooLarge();
    const name = path.toLowerCase();
    if (this.names.has(name) || this.folders.has(name)) throw refusedFile(path);
    this.names.add(name);
    const segments = name.split("/").slice(0, -1);
    for (let count = 1; count <= segments.length; count += 1) {
      const folder = segments.slice(0, count).join("/");
      if (this.names.has(folder)) throw refusedFile(path);
      this.folders.add(folder);
    }
  }

  add(path: string, content: Buffer): void {
    this.found.push({ path, content });
  }

  /** In the order of their paths, without a folder that all of them are in. */
  finish(): BundleFile[] {
    const files = this.found.some(({ path }) => path === "plugin.json")
      ? this.found
      : withoutFolder(this.found);
    if (!files.some(({ path }) => path === "plugin.json"))
      throw new CarrelError("hub.bundle-without-plugin");
    return files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  }
}

function withoutFolder(files: readonly BundleFile[]): BundleFile[] {
  const [first = "", ...others] = new Set(files.map(({ path }) => path.split("/")[0]));
  return others.length > 0
    ? [...files]
    : files.map(({ path, content }) => ({ path: path.slice(first.length + 1), content }));
}
