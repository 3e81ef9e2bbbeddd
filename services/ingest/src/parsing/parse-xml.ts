import type { KnownFault } from "@carrel/contracts";
import { cleanText } from "./decode-text.ts";
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

function closeFrame(frame: Frame, parent: Frame): void {
  const written = frame.attributes.join(", ");
  if (frame.words) {
    const inline = oneLine(
      frame.parts.map((part) => (part === "border" ? "" : part.inline)).join(" "),
    ).replace(/\s+([.,;:!?)])/g, "$1");
    parent.parts.push({
      name: frame.name,
      inline,
      line: written === "" ? inline : `${inline} (${written})`,
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

/** One `name: value` line per element with text or attributes, and a blank line between records. */
export function parseXml(source: string): ParsedText {
  const what: KnownFault = { code: "file-kind.xml" };
  const root: Frame = { name: "", attributes: [], words: false, parts: [] };
  const frames = [root];
  const reader = new XmlReader(what, {
    open: (name, attributes) => {
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
      if (text.trim() === "") return;
      frames.at(-1)!.words = true;
      frames.at(-1)!.parts.push({ name: "", line: "", inline: text });
    },
    close: () => {
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
