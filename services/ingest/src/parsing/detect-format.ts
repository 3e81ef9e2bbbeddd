import { fileTypeFromBuffer } from "file-type";
import { trimArchive } from "./archive.ts";
import { looksLikeText, looksLikeTextWithNuls } from "./decode-text.ts";
import { binaryFormats, formatByExtension, formats, zipFormats } from "./formats.ts";
import { languageOf, mimeOfLanguage } from "./parse-code.ts";
import { UnreadableError, type Format } from "./parsed-document.ts";

export interface DetectedFormat {
  format: Format;
  mime: string;
  /** Programming language, for source code. */
  language: string | null;
}

const found = (format: Format, mime = formats[format].mime): DetectedFormat => ({
  format,
  mime,
  language: null,
});

/** The extension of a file name, in lower case with its dot; empty if there is none. */
export function extensionOf(filename: string): string {
  return /\.[\p{L}\p{N}]{1,16}$/u.exec(filename.trim())?.[0].toLowerCase() ?? "";
}

const images = new Set([
  "image/png",
  "image/apng",
  "image/jpeg",
  "image/webp",
  "image/gif",
  "image/bmp",
  "image/tiff",
]);
const zipByMime = new Map(
  [...zipFormats]
    .filter((format) => format !== "zip")
    .map((format) => [formats[format].mime, format] as const),
);
/** Variants of the same format: macro-enabled, template, slide show. */
const kin: [RegExp, Format][] = [
  [/ms-word|wordprocessingml/, "docx"],
  [/ms-powerpoint|presentationml/, "pptx"],
  [/ms-excel\.|spreadsheetml/, "xlsx"],
  [/opendocument\.text/, "odt"],
  [/opendocument\.spreadsheet/, "ods"],
  [/opendocument\.presentation/, "odp"],
  [/vnd\.apple\.(?:pages|numbers|keynote)/, "iwork"],
];

/** Types that file-type names by their stream. */
const mpeg = new Set(["video/MP1S", "video/MP2P"]);

/** A recording's type as browsers know it; null for other files. Names tell sound from film. */
function typeOfRecording(detected: string, named: Format | undefined): string | null {
  const type = detected.split(";")[0]!.trim();
  if (type === "application/ogg") return named === "video" ? "video/ogg" : "audio/ogg";
  if (mpeg.has(type)) return "video/mpeg";
  if (!/^(audio|video)\//.test(type)) return null;
  return named === "audio" ? type.replace("video/", "audio/") : type;
}

const notText = (extension: string): UnreadableError =>
  new UnreadableError(
    extension === ""
      ? { code: "file.no-extension" }
      : { code: "file.extension-unsupported", params: { extension } },
  );

/** Detects the format of an old Office container by the names in its directory. */
async function detectInCompound(bytes: Uint8Array, extension: string): Promise<Format> {
  const { CFB } = await import("@e965/xlsx");
  const named = formatByExtension.get(extension);
  let names: string[];
  try {
    names = (
      CFB.read(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), {
        type: "buffer",
      }) as { FullPaths: string[] }
    ).FullPaths.map(
      (name) =>
        name
          .split("/")
          .filter((piece) => piece !== "")
          .at(-1) ?? "",
    );
  } catch (cause) {
    throw new UnreadableError(
      {
        code: "file.damaged",
        params: { what: named ? formats[named].noun : { code: "file-kind.office-document" } },
      },
      { cause },
    );
  }
  if (names.includes("EncryptedPackage"))
    throw new UnreadableError({
      code: "file.password-protected",
      params: { what: named ? formats[named].noun : { code: "file-kind.office-document" } },
    });
  if (names.includes("Workbook") || names.includes("Book")) return "xls";
  if (names.includes("WordDocument")) return "doc";
  if (names.includes("PowerPoint Document")) return "ppt";
  if (names.some((name) => name.startsWith("__substg1.0"))) return "msg";
  throw named ? damaged(named) : notText(extension);
}

/** Bytes of no known kind under the name of a known format: presumably damaged. */
const damaged = (named: Format): UnreadableError =>
  new UnreadableError({ code: "file.damaged", params: { what: formats[named].noun } });

/** Detects the format of text whose name doesn't identify it. */
function detectInText(bytes: Uint8Array, head: string): Format {
  const start = head.replace(/^ï»¿/, "").trimStart();
  if (isRtf(bytes, start)) return "rtf";
  if (/^(<\?xml[^>]*>\s*)?(<!--[\s\S]*?-->\s*)*(<!doctype html|<html[\s>])/i.test(start))
    return "html";
  if (start.startsWith("<?xml")) return "xml";
  if (/^BEGIN:VCARD\s/i.test(start)) return "vcard";
  if (/^BEGIN:VCALENDAR\s/i.test(start)) return "calendar";
  if (/^WEBVTT\s/.test(start)) return "subtitles";
  // Browsers and Word save pages like this, Word also under the name .doc.
  if (
    /^(?:MIME-Version:|From: <Saved by)/i.test(start) &&
    /^Content-Type:\s*multipart\/related/im.test(start)
  )
    return "mhtml";
  return "text";
}

const mails = new Set<Format>(["eml", "mbox", "mhtml"]);
/** Programs for a printer are text, but not text to read. */
const printed = new Set([".ps", ".eps", ".ai"]);
const pdfHead = /%PDF-\d\.\d/;

/** Whether a PDF starts here, rather than a text about PDFs. */
const isPdf = (bytes: Uint8Array, head: string, named: Format | undefined): boolean =>
  head.startsWith("%PDF-")
    ? named === "pdf" || (pdfHead.test(head.slice(0, 8)) && asBuffer(bytes).includes(" obj"))
    : // Some writers put bytes before the header; readers accept it within the first kilobyte.
      named === "pdf" && head.includes("%PDF-");

/** Whether text under a name that doesn't say so is an RTF document, rather than about RTF. */
const isRtf = (bytes: Uint8Array, head: string): boolean =>
  /^\{\\rtf\d?[\s{]*\\[a-z]/.test(head) && /\}\s*$/.test(latin1(bytes.subarray(-100)));

const latin1 = (bytes: Uint8Array): string => new TextDecoder("latin1").decode(bytes);
const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** The format of bytes that are text, by their name and how they start. */
function detectText(bytes: Uint8Array, head: string, extension: string): DetectedFormat {
  const named = formatByExtension.get(extension);
  const language = languageOf(extension);
  if (language) return { format: "code", mime: mimeOfLanguage(language), language };
  if (printed.has(extension) && head.startsWith("%!")) throw notText(extension);
  if (named === undefined || binaryFormats.has(named)) return found(detectInText(bytes, head));
  // Named .rtf, but text of another kind.
  if (named === "rtf") return found(detectInText(bytes, head));
  return found(named === "text" && isRtf(bytes, head) ? "rtf" : named);
}

/**
 * Detects the format from the bytes, which take precedence over the name. Text is never taken for
 * something else, whatever magic number its first letters happen to be.
 */
export async function detectFormat(bytes: Uint8Array, filename: string): Promise<DetectedFormat> {
  const extension = extensionOf(filename);
  const named = formatByExtension.get(extension);
  const head = latin1(bytes.subarray(0, 1024));
  if (isPdf(bytes, head, named)) return found("pdf");
  // Pictures in RTF may be raw bytes.
  if (head.startsWith("{\\rtf") && (named === "rtf" || !looksLikeText(bytes))) return found("rtf");
  // Attachments of mails may be raw bytes.
  if (named !== undefined && mails.has(named) && /^(?:From |[!-9;-~]+:)/.test(head))
    return found(named);
  if (looksLikeText(bytes)) return detectText(bytes, head, extension);
  const isTextName =
    languageOf(extension) !== null || (named !== undefined && !binaryFormats.has(named));
  if (isTextName && looksLikeTextWithNuls(bytes)) return detectText(bytes, head, extension);
  return detectBinary(bytes, extension);
}

async function detectBinary(source: Uint8Array, extension: string): Promise<DetectedFormat> {
  const named = formatByExtension.get(extension);
  const bytes = named && zipFormats.has(named) ? trimArchive(source) : source;
  const magic = await fileTypeFromBuffer(
    bytes.subarray(0, Math.min(bytes.length, 4 * 1024 * 1024)),
  ).catch(() => undefined);
  if (magic?.mime === "application/pdf") return found("pdf");
  if (magic?.mime === "application/x-cfb") return found(await detectInCompound(bytes, extension));
  if (magic && images.has(magic.mime))
    return found("image", magic.mime === "image/apng" ? "image/png" : magic.mime);
  const recording = magic && typeOfRecording(magic.mime, named);
  if (recording) return found(recording.startsWith("video/") ? "video" : "audio", recording);
  const zipped =
    magic && (zipByMime.get(magic.mime) ?? kin.find(([words]) => words.test(magic.mime))?.[1]);
  if (zipped) return found(zipped);
  // A zip that is cut off, or whose writer ordered its parts unusually.
  if (magic?.mime === "application/zip" && named && zipFormats.has(named)) return found(named);
  if (magic?.mime === "application/zip" && extension === "") return found("zip");
  if (magic) {
    if (!named) throw notText(extension);
    throw new UnreadableError({
      code: "file.content-unsupported",
      params: { extension, type: magic.mime },
    });
  }
  // For example, MP3 frames without a tag: the transcriber decides whether it can read them.
  if (named === "audio" || named === "video") return found(named);
  throw named && binaryFormats.has(named) ? damaged(named) : notText(extension);
}
