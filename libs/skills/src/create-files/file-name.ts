import { clipText } from "@carrel/contracts";
import { ToolError } from "../tool.ts";

/** Maximum size of a file, in bytes. */
const largestFile = 50 * 1024 ** 2;
const longestName = 80;

/** Names of devices on Windows, with any extension. */
const device = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;
const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/**
 * A file name that is valid on every file system: no path, no control or formatting characters (which
 * could hide the extension), no device, at most 80 characters before the extension.
 *
 * @param extension without its dot; replaces the name's own if that is the same or one of `others`
 */
export function fileNameOf(
  name: string,
  extension: string,
  others: readonly string[] = [],
  fallback = "Document",
): string {
  const plain = clipText(name, 1_000)
    .normalize("NFC")
    .toWellFormed()
    .replace(/[\p{C}\p{Zl}\p{Zp}\uFFFD]/gu, "")
    .replace(/[\\/:*?"<>|]+/g, " ")
    .replace(/\s+/g, " ")
    .replace(/^[\s.]+|[\s.]+$/g, "");
  const dot = plain.lastIndexOf(".");
  const own = dot === -1 ? "" : plain.slice(dot + 1).toLowerCase();
  const stem = own === extension || others.includes(own) ? plain.slice(0, dot) : plain;
  let cut = "";
  for (const { segment } of graphemes.segment(stem)) {
    if (cut.length + segment.length > longestName) break;
    cut += segment;
  }
  cut = cut.replace(/[\s.]+$/, "");
  if (cut === "") cut = fallback;
  return `${device.test(cut) ? `${fallback} ${cut}` : cut}.${extension}`;
}

/** Text without what XML, PDF and people can't read: control characters and halves of characters. */
export const cleanText = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\r\n?/g, "\n")
    // oxlint-disable-next-line no-control-regex
    .replace(/[\0-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F\uFFFE\uFFFF]/g, "");

/** ToolError if the file is too large. */
export function checkSize(bytes: Uint8Array): void {
  if (bytes.length > largestFile)
    throw new ToolError(
      `The file would be larger than ${largestFile / 1024 ** 2} MB. Make it shorter, or make several files.`,
    );
}

/** "1.2 MB" */
export const sizeText = (bytes: number): string =>
  bytes < 1024
    ? `${bytes} bytes`
    : bytes < 1024 ** 2
      ? `${Math.round(bytes / 1024)} KB`
      : `${(bytes / 1024 ** 2).toFixed(1)} MB`;
