import path from "node:path/posix";
import type { KnownFault } from "@carrel/contracts";
import { Archive } from "./archive.ts";
import { decodeText } from "./decode-text.ts";
import { parseHtml } from "./parse-html.ts";
import { UnreadableError, type ParsedText } from "./parsed-document.ts";
import { readPictures } from "./read-pictures.ts";
import { readXmlPart } from "./read-xml.ts";
import type { Recognition } from "./recognise-text.ts";
import { TextBuilder } from "./text-builder.ts";

const what: KnownFault = { code: "file-kind.book" };
/** Many freely readable books obfuscate their fonts. */
const fontGarbling = new Set([
  "http://www.idpf.org/2008/embedding",
  "http://ns.adobe.com/pdf/enc#RC",
]);
const notText = /\.(?:ttf|otf|ttc|woff2?|eot|svg|png|jpe?g|gif|webp|mp3|mp4|m4a|css|js)$/i;

/** Throws if the book's text is encrypted. */
async function checkProtection(archive: Archive): Promise<void> {
  const name = "META-INF/encryption.xml";
  if (!archive.has(name)) return;
  let data: { algorithm: string; part: string } | null = null;
  let isKey = false;
  await readXmlPart(archive, name, {
    open: (element, attributes) => {
      if (element === "EncryptedData") data = { algorithm: "", part: "" };
      else if (element === "EncryptedKey") isKey = true;
      else if (element === "EncryptionMethod" && data && !isKey)
        data.algorithm = attributes.Algorithm ?? "";
      else if (element === "CipherReference" && data) data.part = attributes.URI ?? "";
    },
    close: (element) => {
      if (element === "EncryptedKey") isKey = false;
      if (element !== "EncryptedData" || !data) return;
      if (!fontGarbling.has(data.algorithm) && !notText.test(data.part))
        throw new UnreadableError({ code: "file.book-protected" });
      data = null;
    },
  });
}

interface Package {
  /** Names of the chapters' parts in reading order, each once. */
  chapters: string[];
  /** The table of contents. */
  contents: string | null;
}

async function readPackage(archive: Archive, opf: string): Promise<Package> {
  const items = new Map<string, { name: string; type: string }>();
  const spine: string[] = [];
  let contents: string | null = null;
  await readXmlPart(archive, opf, {
    open: (name, { id = "", href = "", idref = "", properties = "", "media-type": type = "" }) => {
      if (name === "item") {
        const part = resolvePart(opf, href);
        items.set(id, { name: part, type });
        if (/\bnav\b/.test(properties)) contents = part;
        else if (type === "application/x-dtbncx+xml") contents ??= part;
      } else if (name === "itemref") spine.push(idref);
    },
  });
  const chapters = new Set<string>();
  for (const id of spine.length > 0 ? spine : items.keys()) {
    const item = items.get(id);
    if (item && /html|oeb1-document/.test(item.type)) chapters.add(item.name);
  }
  return { chapters: [...chapters], contents };
}

/** A chapter without headings is headed by its title in the table of contents. */
function withHeading(chapter: ParsedText, entry: ContentsEntry | undefined): ParsedText {
  if (!entry || chapter.headings.length > 0 || chapter.text === "") return chapter;
  const { title, level } = entry;
  const isThere = chapter.text.toLowerCase().startsWith(title.toLowerCase());
  const text = isThere ? chapter.text : `${title}\n\n${chapter.text}`;
  return { ...chapter, text, headings: [{ start: 0, level: Math.max(1, level), title }] };
}

const pictureTag =
  /<(?:\w+:)?(?:img|image)\b[^<>]*?\s(?:src|(?:xlink:)?href)\s*=\s*["']([^"'<>]{1,500})["']/gi;

interface Chapter {
  parsed: ParsedText;
  /** Names of the parts of its pictures. */
  pictures: string[];
}

function readChapter(archive: Archive, name: string, bytes: Buffer): Chapter {
  const page = decodeText(bytes, { kind: "html" }).text;
  const addresses = Array.from(page.matchAll(pictureTag), ([, address]) => address!);
  return {
    parsed: parseHtml(page, { isXml: true }),
    pictures: addresses.map((address) => archive.resolve(resolvePart(name, address))),
  };
}

/**
 * A book's chapters in reading order, with their headings; the text of a chapter's pictures follows
 * it, once per picture. A chapter that is missing or damaged costs only itself.
 */
export async function parseEpub(
  bytes: Uint8Array,
  recognition: Recognition | null = null,
): Promise<ParsedText> {
  const archive = await Archive.open(bytes, what);
  const container = "META-INF/container.xml";
  if (!archive.has(container)) throw new UnreadableError({ code: "file.zip-without-book" });
  await checkProtection(archive);
  let opf = "";
  await readXmlPart(archive, container, {
    open: (name, attributes) => {
      if (name === "rootfile" && opf === "") opf = attributes["full-path"] ?? "";
    },
  });
  const { chapters, contents } = await readPackage(archive, opf);
  const titles: Map<string, ContentsEntry> =
    contents !== null && archive.has(contents)
      ? await readContents(archive, contents).catch(() => new Map<string, ContentsEntry>())
      : new Map<string, ContentsEntry>();
  const out = new TextBuilder(what);
  const faults: unknown[] = [];
  // Some books don't write a part's name in the same case everywhere.
  const names = new Map(archive.names.map((name) => [name.toLowerCase(), name]));
  const read: Chapter[] = [];
  for (const name of chapters) {
    let chapter: Buffer;
    try {
      chapter = await archive.read(
        archive.has(name) ? name : (names.get(name.toLowerCase()) ?? name),
      );
    } catch (fault) {
      if (isTooLarge(fault)) throw fault;
      faults.push(fault);
      continue;
    }
    const { parsed, pictures } = readChapter(archive, name, chapter);
    read.push({ parsed: withHeading(parsed, titles.get(name)), pictures });
  }
  const pictures = new Set(read.flatMap((chapter) => chapter.pictures));
  const texts = await readPictures(archive, pictures, recognition, out);
  for (const chapter of read) {
    out.addParsed(chapter.parsed);
    for (const picture of chapter.pictures)
      if (pictures.delete(picture)) out.addParagraph(texts.get(picture) ?? "");
  }
  if (faults.length > 0 && faults.length === chapters.length) throw faults[0];
  if (faults.length > 0)
    out.note({ code: "file-note.chapters-missing", params: { count: faults.length } });
  return out.build();
}

const isTooLarge = (fault: unknown): boolean =>
  fault instanceof UnreadableError && fault.fault.code === "file.unpacks-too-large";

/** A chapter's title in the table of contents, and how deep it is listed. */
interface ContentsEntry {
  title: string;
  level: number;
}

/** An address inside a book as the name of a part; one with invalid encoding is used as it is. */
function resolvePart(base: string, address: string): string {
  const plain = address.replace(/#.*$/, "");
  let decoded = plain;
  try {
    decoded = decodeURIComponent(plain);
  } catch {
    // Invalid percent-encoding.
  }
  return path.join(path.dirname(base), decoded);
}

/**
 * Titles of chapters by the names of their parts, from the table of contents of either kind: an
 * EPUB 2 NCX or an EPUB 3 navigation page. Of several titles within one part, the first counts.
 */
async function readContents(archive: Archive, name: string): Promise<Map<string, ContentsEntry>> {
  const entries = new Map<string, ContentsEntry>();
  const add = (address: string, title: string, level: number): void => {
    const part = resolvePart(name, address);
    const clean = title.replace(/\s+/g, " ").trim();
    if (clean !== "" && !entries.has(part)) entries.set(part, { title: clean, level });
  };
  let level = 0;
  let title: string | null = null;
  let address = "";
  await readXmlPart(archive, name, {
    open: (element, attributes) => {
      if (element === "navPoint" || element === "ol") level++;
      if (element === "a") address = attributes.href ?? "";
      if (element === "navLabel" || element === "a") title = "";
      if (element === "content" && title !== null) {
        add(attributes.src ?? "", title, level);
        title = null;
      }
    },
    text: (text) => {
      if (title !== null) title += text;
    },
    close: (element) => {
      if (element === "navPoint" || element === "ol") level--;
      if (element === "a" && title !== null) {
        add(address, title, level);
        title = null;
      }
    },
  });
  return entries;
}
