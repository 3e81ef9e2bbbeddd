import path from "node:path/posix";
import type { Archive } from "./archive.ts";
import { readXmlPart } from "./read-xml.ts";

/** A chapter's title in the table of contents, and how deep it is listed. */
export interface ContentsEntry {
  title: string;
  level: number;
}

/** An address inside a book as the name of a part; one with invalid encoding is used as it is. */
export function resolvePart(base: string, address: string): string {
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
export async function readContents(
  archive: Archive,
  name: string,
): Promise<Map<string, ContentsEntry>> {
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
