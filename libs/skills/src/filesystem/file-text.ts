import type { FileHandle } from "node:fs/promises";
import { fileError, showPath } from "./file-fault.ts";

export const maxFileBytes = 1_000_000;

export type TextEncoding = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";
export interface FileText {
  text: string;
  encoding: TextEncoding;
  hasMark: boolean;
}

/** Throws ToolError for what is too large or no text. */
export async function readText(handle: FileHandle, path: string): Promise<FileText> {
  const params = { path: showPath(path) };
  // A file may grow meanwhile.
  const buffer = Buffer.alloc(maxFileBytes + 1);
  let length = 0;
  for (;;) {
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length, length);
    length += bytesRead;
    if (length > maxFileBytes)
      throw fileError({
        code: "agent-file.too-large",
        params: { ...params, megabytes: maxFileBytes / 1_000_000 },
      });
    if (bytesRead === 0) break;
  }
  const found = decodeText(buffer.subarray(0, length));
  if (found === null) throw fileError({ code: "agent-file.not-text", params });
  return found;
}

const marks: [TextEncoding, number[]][] = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];

/** By its mark, as UTF-8, or else as Windows-1252; null: binary data. */
function decodeText(bytes: Uint8Array): FileText | null {
  for (const [encoding, mark] of marks) {
    if (!mark.every((byte, at) => bytes[at] === byte)) continue;
    const text = decode(bytes.subarray(mark.length), encoding);
    return text === null ? null : { text, encoding, hasMark: true };
  }
  if (bytes.includes(0)) return null;
  const text = decode(bytes, "utf-8");
  if (text !== null) return { text, encoding: "utf-8", hasMark: false };
  // Escape, tab, line and form feeds are all that texts contain.
  const isBinary = bytes.some((byte) => byte < 32 && !(byte >= 9 && byte <= 13) && byte !== 27);
  return isBinary
    ? null
    : { text: decode(bytes, "windows-1252")!, encoding: "windows-1252", hasMark: false };
}

function decode(bytes: Uint8Array, encoding: TextEncoding): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** In the file's encoding. Throws ToolError for characters that it doesn't have. */
export function encodeText({ text, encoding, hasMark }: FileText, path: string): Buffer {
  const mark = hasMark ? Buffer.from(marks.find(([name]) => name === encoding)![1]) : Buffer.of();
  if (encoding === "windows-1252") return encodeWindows(text, path);
  const body = Buffer.from(text.toWellFormed(), encoding === "utf-8" ? "utf8" : "utf16le");
  if (encoding === "utf-16be") body.swap16();
  return Buffer.concat([mark, body]);
}

function encodeWindows(text: string, path: string): Buffer {
  const all = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  const characters = [...new TextDecoder("windows-1252").decode(all)];
  const bytes = new Map(characters.map((character, byte) => [character, byte]));
  return Buffer.from(
    [...text].map((character) => {
      const byte = bytes.get(character);
      if (byte === undefined)
        throw fileError({ code: "agent-file.not-encodable", params: { path: showPath(path) } });
      return byte;
    }),
  );
}
