import type { KnownFault } from "@carrel/contracts";
import { cleanText } from "./decode-text.ts";
import { parseHtml } from "./parse-html.ts";
import type { ParsedText } from "./parsed-document.ts";
import { XmlReader } from "./read-xml.ts";
import { TextBuilder } from "./text-builder.ts";

/** A value as a separate line and as it reads within a sentence; `border` ends a record. */
type Part = { name: string; line: string; inline: string } | "border";
/**
 * The content of an open element so far. An element that has text itself becomes one line,
 * including its children's text.
 */
interface Frame {
  name: string;
  attributes: string[];
  words: boolean;
  parts: Part[];
}

/** Attributes that only serve the format. */
const technical = /^(xmlns|xmlns:.*|.*schemaLocation|xml:.*|space|lang)$/;
const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

/** The text of an element that contains a page's markup as text. */
function readMarkup(parts: Part[]): string | null {
  const text = parts.map((part) => (part === "border" ? "" : part.inline)).join("");
  return markup.test(text) ? parseHtml(text).text : null;
}

function closeFrame(frame: Frame, parent: Frame): void {
  const written = frame.attributes.join(", ");
  if (frame.words) {
    const inline = oneLine(
      frame.parts.map((part) => (part === "border" ? "" : part.inline)).join(" "),
    ).replace(/\s+([.,;:!?)])/g, "$1");
    const readable = readMarkup(frame.parts) ?? inline;
    parent.parts.push({
      name: frame.name,
      inline,
      line: written === "" ? readable : `${readable} (${written})`,
    });
    return;
  }
  if (written !== "") parent.parts.push({ name: frame.name, inline: "", line: written });
  const { parts } = frame;
  // A single child isn't closed as a record yet, because text of the parent may still surround it.
  if (parts.length > 1 && parts.at(-1) !== "border") parts.push("border");
  if (parent.parts.length === 0) parent.parts = parts;
  else for (const part of parts) parent.parts.push(part);
}

const xhtml = "http://www.w3.org/1999/xhtml";
/** Markup as text, as feeds have it. */
const markup = /<(?:p|div|br|a|ul|ol|li|table|h[1-6]|b|i|em|strong|span|img|blockquote)\b[^<>]*>/i;
const escapeText = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** A web page inside a feed or a document, while it is read. */
class InnerPage {
  private readonly parts: string[] = [];
  private depth = 0;

  /** Returns whether the element belongs to a page. */
  open(name: string, attributes: Record<string, string>): boolean {
    const starts = /^(?:div|p|span|body)$/.test(name) && Object.values(attributes).includes(xhtml);
    if (this.depth === 0 && !starts) return false;
    this.depth++;
    const alt = attributes.alt === undefined ? "" : ` alt="${attributes.alt.replaceAll('"', "'")}"`;
    this.parts.push(`<${name}${alt}>`);
    return true;
  }

  text(text: string): boolean {
    if (this.depth > 0) this.parts.push(escapeText(text));
    return this.depth > 0;
  }

  /** Null outside a page, empty within one, and its text at its end. */
  close(name: string): string | null {
    if (this.depth === 0) return null;
    this.parts.push(`</${name}>`);
    if (--this.depth > 0) return "";
    return parseHtml(this.parts.splice(0).join("")).text;
  }
}

/** One `name: value` line per element with text or attributes, and a blank line between records. */
export function parseXml(source: string): ParsedText {
  const what: KnownFault = { code: "file-kind.xml" };
  const root: Frame = { name: "", attributes: [], words: false, parts: [] };
  const frames = [root];
  const page = new InnerPage();
  const addWords = (text: string): void => {
    frames.at(-1)!.words = true;
    frames.at(-1)!.parts.push({ name: "", line: "", inline: text });
  };
  const reader = new XmlReader(what, {
    open: (name, attributes) => {
      if (page.open(name, attributes)) return;
      frames.push({
        name,
        words: false,
        parts: [],
        attributes: Object.entries(attributes)
          .filter(([key, value]) => !technical.test(key) && value.trim() !== "")
          .map(([key, value]) => `${key}: ${oneLine(value)}`),
      });
    },
    text: (text) => {
      if (!page.text(text) && text.trim() !== "") addWords(text);
    },
    close: (name) => {
      const shown = page.close(name);
      if (shown !== null) {
        if (shown !== "") addWords(shown);
        return;
      }
      const frame = frames.pop()!;
      closeFrame(frame, frames.at(-1)!);
    },
  });
  reader.write(
    cleanText(source)
      .replace(/^\ufeff/, "")
      .trimStart(),
  );
  reader.end();
  const out = new TextBuilder(what);
  for (const part of root.parts) {
    if (part === "border") {
      out.breakTo(2);
      continue;
    }
    out.breakTo(1);
    out.add(`${part.name}: ${part.line}`);
  }
  return out.build();
}
