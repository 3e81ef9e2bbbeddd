import path from "node:path/posix";
import type { KnownFault } from "@carrel/contracts";
import { clipText } from "@carrel/contracts/clip-text";
import { Archive } from "./archive.ts";
import { formatByExtension } from "./formats.ts";
import { InnerFiles, type ParseInner } from "./inner-files.ts";
import { UnreadableError, type Format, type ParsedPart } from "./parsed-document.ts";

const what: KnownFault = { code: "file-kind.archive" };
const maxFiles = 500;
/** Names of unread files that are mentioned. */
const maxNamed = 5;
/** Files that systems and tools leave in folders. */
const leftover = /(?:^|\/)(?:__MACOSX\/|\.|Thumbs\.db$|desktop\.ini$)/i;
/** Formats without text unless recognised or transcribed, and often large. */
const wordless = new Set<Format | undefined>(["image", "audio", "video"]);
const extensionIn = (name: string): string => path.extname(name).toLowerCase();

/** Reads the files of an archive and, one level deep, of the archives in it. */
class ZipReader {
  readonly parts: ParsedPart[] = [];
  readonly unread: string[] = [];
  private readonly inner: InnerFiles;
  private files = 0;
  /** Why the first unread file couldn't be unpacked. */
  fault: UnreadableError | null = null;

  constructor(parseInner: ParseInner) {
    this.inner = new InnerFiles(parseInner);
  }

  /** Without `folder`, the archive is the uploaded one. */
  async read(bytes: Uint8Array, folder: string | null): Promise<void> {
    const archive = await Archive.open(bytes, what);
    const names = archive.names.filter((name) => !name.endsWith("/") && !leftover.test(name));
    if (this.files + names.length > maxFiles)
      throw new UnreadableError({
        code: "file.too-many-parts",
        params: { what, limit: maxFiles },
      });
    this.files += names.length;
    names.sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
    for (const name of names) {
      const place = folder === null ? name : `${folder}/${name}`;
      if (!this.mayRead(archive, name)) {
        this.unread.push(place);
        continue;
      }
      try {
        await this.readFile(await archive.read(name), place, folder === null);
      } catch (fault) {
        if (!(fault instanceof UnreadableError)) throw fault;
        this.fault ??= fault;
        this.unread.push(place);
      }
    }
  }

  /** Judged before unpacking, so that what can't be read leaves room and time for the others. */
  private mayRead(archive: Archive, name: string): boolean {
    const size = archive.sizeOf(name);
    const extension = extensionIn(name);
    return extension === ".zip"
      ? this.inner.takes(0)
      : this.inner.takes(size) && !wordless.has(formatByExtension.get(extension));
  }

  private async readFile(bytes: Buffer, place: string, mayBeArchive: boolean): Promise<void> {
    const extension = extensionIn(place);
    if (extension === ".zip") {
      if (mayBeArchive) await this.read(bytes, place.slice(0, -extension.length));
      else this.unread.push(place);
      return;
    }
    const text = await this.inner.read(bytes, path.basename(place), null);
    if (text === null) this.unread.push(place);
    else {
      const { mime, docSource, text: words, headings, pages, notes } = text;
      this.parts.push({
        name: place,
        file: { mime, docSource },
        text: words,
        headings,
        pages,
        ...(notes && { notes }),
      });
    }
  }
}

/**
 * The files of a ZIP archive, each as a part named by its path. Files that can't be read are named in
 * a note on the first one. Throws UnreadableError if none can be read.
 */
export async function parseZip(
  bytes: Uint8Array,
  parseInner: ParseInner | null,
): Promise<ParsedPart[]> {
  // Inside another file.
  if (!parseInner) throw new UnreadableError({ code: "file.archive-nested" });
  const reader = new ZipReader(parseInner);
  await reader.read(bytes, null);
  const { parts, unread, fault } = reader;
  const [first] = parts;
  if (!first) {
    if (unread.length === 0) throw new UnreadableError({ code: "file.archive-empty" });
    throw fault ?? new UnreadableError({ code: "file.archive-unreadable" });
  }
  if (unread.length > 0) {
    const names = clipText(unread.slice(0, maxNamed).join(", "), 300);
    first.notes = [
      ...(first.notes ?? []),
      {
        code: "file-note.members-unread",
        params: {
          count: unread.length,
          names: unread.length > maxNamed ? `${names}, …` : names,
        },
      },
    ];
  }
  return parts;
}
