import { clipText } from "@carrel/contracts";

/** Media types of files that have a text to search: not pictures, recordings and archives. */
const readable =
  /^(text\/|application\/(pdf|epub\+zip|rtf|msword|json|xml|xhtml\+xml|vnd\.(openxmlformats|oasis|ms-(word|excel|powerpoint))))|^message\/rfc822$/;
const extensions =
  /\.(txt|md|markdown|rst|adoc|org|log|csv|tsv|json|xml|html?|pdf|docx?|docm|pptx?|pptm|xlsx?|xlsm|odt|ods|odp|epub|rtf|eml)$/i;

/** Whether a file has a text; servers often don't know its type, so its name counts as well. */
export const isReadable = (filename: string, mime: string | undefined): boolean =>
  extensions.test(filename) || (mime !== undefined && readable.test(mime.toLowerCase()));

/** A file name from a title, which may contain anything. */
export function toFilename(title: string, extension = ""): string {
  const name = title
    .replace(/[\p{Cc}\p{Cs}<>:"/\\|?*]+/gu, " ")
    .replace(/\s+/g, " ")
    .replace(/^[ .]+/, "");
  return `${clipText(name, 150).trimEnd() || "untitled"}${extension}`;
}
