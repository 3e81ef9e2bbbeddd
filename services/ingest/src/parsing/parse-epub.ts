import type { KnownFault } from "@carrel/contracts";
import path from "node:path/posix";
import { Archive } from "./archive.ts";
import { decodeText } from "./decode-text.ts";
import { declaredCharset, parseHtml } from "./parse-html.ts";
import { UnreadableError, type ParsedText } from "./parsed-document.ts";
import { readXmlPart } from "./read-xml.ts";
import { TextBuilder } from "./text-builder.ts";

const what: KnownFault = { code: "file-kind.book" };
/**
 * Many freely readable books obfuscate their fonts; any other encryption means the book is locked.
 */
const fontGarbling = new Set([
  "http://www.idpf.org/2008/embedding",
  "http://ns.adobe.com/pdf/enc#RC",
]);

/** A book's chapters in reading order, with their headings. */
export async function parseEpub(bytes: Uint8Array): Promise<ParsedText> {
  const archive = await Archive.open(bytes, what);
  const container = "META-INF/container.xml";
  if (!archive.has(container)) throw new UnreadableError({ code: "file.zip-without-book" });
  if (archive.has("META-INF/encryption.xml")) {
    await readXmlPart(archive, "META-INF/encryption.xml", {
      open: (name, { Algorithm: algorithm = "" }) => {
        if (name === "EncryptionMethod" && !fontGarbling.has(algorithm))
          throw new UnreadableError({ code: "file.book-protected" });
      },
    });
  }
  let opf = "";
  await readXmlPart(archive, container, {
    open: (name, attributes) => {
      if (name === "rootfile" && opf === "") opf = attributes["full-path"] ?? "";
    },
  });
  const items = new Map<string, { href: string; type: string }>();
  const spine: string[] = [];
  await readXmlPart(archive, opf, {
    open: (name, attributes) => {
      if (name === "item")
        items.set(attributes.id ?? "", {
          href: attributes.href ?? "",
          type: attributes["media-type"] ?? "",
        });
      else if (name === "itemref") spine.push(attributes.idref ?? "");
    },
  });
  const out = new TextBuilder(what);
  // Once is enough to find a chapter, and a book that lists one a million times would take minutes.
  const read = new Set<string>();
  for (const id of new Set(spine)) {
    const item = items.get(id);
    if (!item || !/x?html/.test(item.type)) continue;
    const name = path.join(path.dirname(opf), safelyDecoded(item.href.replace(/#.*$/, "")));
    if (read.has(name)) continue;
    read.add(name);
    const chapter = await archive.read(name);
    out.addParsed(
      parseHtml(decodeText(chapter, declaredCharset(chapter)).text.replace(/^\s*<\?xml[^>]*>/, "")),
    );
  }
  return out.build();
}

/**
 * Decodes a percent-encoded address inside the book; one with invalid encoding is used as it is.
 */
function safelyDecoded(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}
