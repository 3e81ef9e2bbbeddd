import { fileTypeFromBuffer } from "file-type";
import { looksLikeText } from "./decode-text.ts";
import { binaryFormats, formatByExtension, formats, zipFormats } from "./formats.ts";
import { languageOf, mimeOfLanguage } from "./parse-code.ts";
import { UnreadableError, type Format } from "./parsed-document.ts";

export interface DetectedFormat {
  format: Format;
  mime: string;
  /** Programming language, for source code. */
  language: string | null;
}

/** The extension of a file name, in lower case with its dot; empty if there is none. */
export function extensionOf(filename: string): string {
  return /\.[\p{L}\p{N}]{1,16}$/u.exec(filename.trim())?.[0].toLowerCase() ?? "";
}

/** Types that file-type detects but that are parsed as text. */
const textLike = new Set([
  "application/xml",
  "text/xml",
  "image/svg+xml",
  "application/rtf",
  "text/vcard",
  "text/calendar",
  "application/x-ndjson",
]);
const images = new Set([
  "image/png",
  "image/apng",
  "image/jpeg",
  "image/webp",
  "image/gif",
  "image/bmp",
  "image/tiff",
]);
const zipByMime = new Map([...zipFormats].map((format) => [formats[format].mime, format] as const));
/** Variants of the same format: macro-enabled, template, slide show. */
const kin: [RegExp, Format][] = [
  [/ms-word|wordprocessingml/, "docx"],
  [/ms-powerpoint|presentationml/, "pptx"],
  [/ms-excel\.|spreadsheetml/, "xlsx"],
  [/opendocument\.text/, "odt"],
  [/opendocument\.spreadsheet/, "ods"],
  [/opendocument\.presentation/, "odp"],
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
  if (names.includes("WordDocument")) throw new UnreadableError({ code: "file.old-word-document" });
  if (names.includes("PowerPoint Document"))
    throw new UnreadableError({ code: "file.old-presentation" });
  if (names.some((name) => name.startsWith("__substg1.0")))
    throw new UnreadableError({ code: "file.outlook-mail" });
  throw named ? damaged(named) : notText(extension);
}

/** Bytes of no known kind under the name of a known format: presumably damaged. */
const damaged = (named: Format): UnreadableError =>
  new UnreadableError({ code: "file.damaged", params: { what: formats[named].noun } });

/** Detects the format of text whose name doesn't identify it: HTML, XML or RTF. */
function detectInText(head: string): Format {
  const start = head.replace(/^ï»¿/, "").trimStart();
  if (start.startsWith("{\\rtf")) return "rtf";
  if (/^(<\?xml[^>]*>\s*)?(<!--[\s\S]*?-->\s*)*(<!doctype html|<html[\s>])/i.test(start))
    return "html";
  if (start.startsWith("<?xml")) return "xml";
  return "text";
}

/**
 * Detects the format from the bytes, which take precedence over the name: by magic number, then by
 * name, then by whether they are text.
 */
export async function detectFormat(bytes: Uint8Array, filename: string): Promise<DetectedFormat> {
  const extension = extensionOf(filename);
  const found = (format: Format, mime = formats[format].mime): DetectedFormat => ({
    format,
    mime,
    language: null,
  });
  const named = formatByExtension.get(extension);
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
  if (magic && !textLike.has(magic.mime) && !magic.mime.startsWith("text/")) {
    if (named)
      throw new UnreadableError({
        code: "file.content-unsupported",
        params: { extension, type: magic.mime },
      });
    throw notText(extension);
  }
  // Some writers put bytes before the header of a PDF; readers accept it within the first kilobyte.
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, 1024));
  if (named === "pdf" && head.includes("%PDF-")) return found("pdf");
  if (!looksLikeText(bytes)) {
    // For example, MP3 frames without a tag: the transcriber decides whether it can read them.
    if (named === "audio" || named === "video") return found(named);
    throw named && binaryFormats.has(named) ? damaged(named) : notText(extension);
  }
  const language = languageOf(extension);
  if (language) return { format: "code", mime: mimeOfLanguage(language), language };
  if (named && !binaryFormats.has(named)) {
    if (named === "rtf" && !head.trimStart().startsWith("{\\rtf")) return found(detectInText(head));
    return found(named);
  }
  return found(detectInText(head));
}
