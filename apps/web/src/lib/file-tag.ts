import { provenEndings } from "@carrel/contracts";

const tags: Record<string, string> = {
  "application/pdf": "PDF",
  "text/markdown": "MD",
  "text/html": "WEB",
  "text/csv": "CSV",
  "application/json": "JSON",
  "application/vnd.ms-excel": "XLS",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "XLS",
  "text/plain": "TXT",
};
/**
 * Tile texts by document kind, for documents whose name and type don't reveal it, such as a
 * workbook's sheet or a fetched page.
 */
const kinds: Record<string, string> = {
  sheet: "XLS",
  web: "WEB",
  mail: "MAIL",
  word: "DOC",
  slides: "PPT",
  pdf: "PDF",
  code: "CODE",
  book: "BOOK",
  image: "IMG",
  audio: "AUD",
  video: "VID",
  text: "TXT",
};
const kindsByEnding = new Map(
  Object.entries(provenEndings).flatMap(([kind, endings]) =>
    endings.map((ending) => [ending, kind] as const),
  ),
);
/** Extensions of text files, which may contain anything except the kinds proved by content. */
const textEndings = new Set(["txt", "md", "log", "json", "xml"]);
/** Whether a file's name claims a different kind from its content's: a text named ".pdf". */
export function isMisnamed(name: string, kind: string | undefined): boolean {
  if (kind === undefined || kind === "other") return false;
  const ending = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? "";
  if (textEndings.has(ending)) return kind in provenEndings;
  const claimed = kindsByEnding.get(ending);
  return claimed !== undefined && kind !== claimed;
}
const short: Record<string, string> = {
  DOCX: "DOC",
  XLSX: "XLS",
  PPTX: "PPT",
  HTML: "WEB",
  JPEG: "JPG",
  MPEG: "MPG",
  WEBM: "VID",
};
/**
 * Up to four letters for a file's tile, from its name, type or kind, in that order; the name
 * doesn't count if the content is of another kind.
 */
export function fileTag(name: string, mime = "", kind = ""): string {
  if (isMisnamed(name, kind || undefined)) return kinds[kind] ?? tags[mime] ?? "TXT";
  const extension = /\.([a-z0-9]{1,4})$/i.exec(name)?.[1];
  const tag = extension ? extension.toUpperCase() : (tags[mime] ?? kinds[kind] ?? "TXT");
  return short[tag] ?? tag;
}
