import type { ConversionRequest, Converted, ConvertedDocument } from "./conversion.ts";
import { decodeText } from "./decode-text.ts";
import { filterHtml } from "./filter-html.ts";

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
