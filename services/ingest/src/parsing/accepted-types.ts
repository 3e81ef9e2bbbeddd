import { formats } from "./formats.ts";
import type { Format } from "./parsed-document.ts";

const images: Record<string, string[]> = {
  "image/png": [".png"],
  "image/jpeg": [".jpg", ".jpeg"],
  "image/jpg": [".jpg", ".jpeg"],
  "image/webp": [".webp"],
  "image/gif": [".gif"],
  "image/bmp": [".bmp"],
  "image/tiff": [".tif", ".tiff"],
};
const recordings: Record<string, string[]> = {
  "audio/wav": [".wav"],
  "audio/mpeg": [".mp3"],
  "audio/ogg": [".ogg", ".oga"],
  "audio/opus": [".opus"],
  "audio/mp4": [".m4a"],
  "audio/x-m4a": [".m4a"],
  "audio/webm": [".webm"],
  "audio/flac": [".flac"],
  "audio/aac": [".aac"],
  "video/mp4": [".mp4"],
  "video/mpeg": [".mpeg", ".mpg"],
  "video/quicktime": [".mov"],
  "video/webm": [".webm"],
  "video/x-matroska": [".mkv"],
};

/**
 * Accepted MIME types with their extensions: those of wire-contract 6.3 and all others with a
 * parser. Recordings are included only if they can be transcribed, and old presentations only if
 * LibreOffice is installed.
 */
export function listAcceptedTypes(o: {
  transcription: boolean;
  libreOffice: boolean;
}): Record<string, string[]> {
  const of = (...wanted: Format[]): Record<string, string[]> =>
    Object.fromEntries(wanted.map((format) => [formats[format].mime, formats[format].extensions]));
  return {
    "text/plain": [".txt", ".md", ".org", ".adoc", ".rst"],
    "text/html": [".html", ".htm"],
    "text/csv": [".csv"],
    "application/json": [".json"],
    "application/xml": [".xml"],
    ...of("docx", "pptx", "xlsx", "xls", "odt", "ods", "odp", "pdf", "mbox", "eml", "rtf", "epub"),
    ...of("mhtml", "notebook", "vcard", "calendar", "subtitles", "msg", "doc", "iwork", "zip"),
    ...(o.libreOffice ? of("ppt") : {}),
    ...images,
    ...(o.transcription ? recordings : {}),
  };
}
