import { Parser } from "htmlparser2";
import {
  allowedAttributes,
  allowedTags,
  removedTags,
  type ConversionRequest,
  type Converted,
  type ConvertedDocument,
} from "./conversion.ts";
import { decodeText } from "./decode-text.ts";

const allowed = new Set(allowedTags);
const removed = new Set(removedTags);
const attributes = new Set(allowedAttributes);
const empty = new Set(["br", "col", "hr", "img", "wbr"]);
/** Deeper elements are removed, but their content is kept. */
const deepest = 200;
/** With more open elements than this, the parser takes quadratic time. */
const mostOpen = 10_000;
/** Maximum length of attributes other than a picture's data. */
const longestAttribute = 4_000;

const escapeText = (text: string): string =>
  text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

/**
 * Reduces HTML to the elements and attributes that a document may have, so that the page's thread,
 * which sanitises it, never sees absurd nesting or attributes, nor handlers whose mere parsing the
 * content security policy would report. Throws if it is nested absurdly deeply.
 */
export function filterHtml(html: string): string {
  const parts: string[] = [];
  /** For each open element, whether it was written. */
  const open: { name: string; written: boolean }[] = [];
  /** How many open elements are removed with their content. */
  let hidden = 0;
  let depth = 0;
  const parser = new Parser({
    onopentag: (name, values) => {
      if (removed.has(name) || "hidden" in values || values["aria-hidden"] === "true") hidden += 1;
      else if (hidden > 0) hidden += 1;
      const written = hidden === 0 && allowed.has(name) && depth < deepest;
      open.push({ name, written });
      if (open.length > mostOpen) throw new Error("The HTML is nested too deeply.");
      if (!written) return;
      const kept = Object.entries(values)
        .filter(
          ([attribute, value]) =>
            attributes.has(attribute) &&
            (value.length <= longestAttribute || (name === "img" && attribute === "src")),
        )
        .map(([attribute, value]) => ` ${attribute}="${escapeText(value).replace(/"/g, "&quot;")}"`)
        .join("");
      parts.push(`<${name}${kept}>`);
      if (!empty.has(name)) depth += 1;
    },
    ontext: (text) => {
      if (hidden === 0) parts.push(escapeText(text));
    },
    onclosetag: (name) => {
      const element = open.pop();
      if (hidden > 0) hidden -= 1;
      if (!element?.written || empty.has(name)) return;
      parts.push(`</${name}>`);
      depth -= 1;
    },
  });
  parser.end(html);
  return parts.join("");
}

const whole = (html: string): ConvertedDocument => ({
  kind: "document",
  parts: [{ html, folder: "" }],
  pictures: new Map(),
});

async function convert({ bytes, mime, encoding }: ConversionRequest): Promise<Converted> {
  switch (mime) {
    case "text/markdown":
      return whole(
        (await import("./convert-markdown.ts")).convertMarkdown(
          decodeText(new Uint8Array(bytes), encoding),
        ),
      );
    case "text/html":
    case "application/xhtml+xml":
      return whole(decodeText(new Uint8Array(bytes), encoding).replace(/^\s*<\?xml[^>]*>/, ""));
    case "application/epub+zip":
      return (await import("./convert-epub.ts")).convertEpub(bytes);
    case "message/rfc822":
    case "application/mbox":
      return (await import("./convert-mail.ts")).convertMail(bytes, mime);
    case "application/vnd.openxmlformats-officedocument.wordprocessingml.document":
      return whole(await (await import("./convert-docx.ts")).convertDocx(bytes));
    default:
      return (await import("./convert-workbook.ts")).convertWorkbook(bytes, mime, encoding);
  }
}

async function convertSafely(request: ConversionRequest): Promise<Converted | null> {
  try {
    const converted = await convert(request);
    return converted.kind === "workbook"
      ? converted
      : {
          ...converted,
          parts: converted.parts.map((part) => ({ ...part, html: filterHtml(part.html) })),
        };
  } catch {
    return null; // a damaged file; libraries throw all kinds of errors
  }
}

/** Converts one file, away from the page's thread; the page ends it if it takes too long. */
self.onmessage = async ({ data }: MessageEvent<ConversionRequest>): Promise<void> =>
  postMessage(await convertSafely(data));
