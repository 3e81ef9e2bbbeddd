import { isUtf8 } from "node:buffer";

/** Text of any of the encodings that people's files have, and which one it was. */
export interface DecodedText {
  text: string;
  encoding: string;
}

const boms: [number[], string][] = [
  [[0xef, 0xbb, 0xbf], "utf-8"],
  [[0xff, 0xfe], "utf-16le"],
  [[0xfe, 0xff], "utf-16be"],
];
const sampleBytes = 64 * 1024;

/** UTF-16 without a byte order mark shows as NUL in every second byte of mostly Latin text. */
function guessUtf16(sample: Uint8Array): string | null {
  if (sample.length < 8) return null;
  let even = 0;
  let odd = 0;
  for (let i = 0; i < sample.length; i++) {
    if (sample[i] !== 0) continue;
    if (i % 2 === 0) even++;
    else odd++;
  }
  const half = sample.length / 2;
  if (odd > half * 0.4 && even < half * 0.05) return "utf-16le";
  if (even > half * 0.4 && odd < half * 0.05) return "utf-16be";
  return null;
}

/**
 * Whether bytes can be read as text: no NUL, next to no control characters. UTF-16 counts as text.
 */
export function looksLikeText(bytes: Uint8Array): boolean {
  const sample = bytes.subarray(0, sampleBytes);
  if (boms.some(([mark]) => mark.every((byte, i) => sample[i] === byte))) return true;
  if (guessUtf16(sample)) return true;
  let control = 0;
  for (const byte of sample) {
    if (byte === 0) return false;
    if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13 && byte !== 27)
      control++;
  }
  return control <= sample.length * 0.01;
}

function decodeWith(label: string, bytes: Uint8Array): string {
  return new TextDecoder(label).decode(bytes);
}

/**
 * UTF-8 and UTF-16 by mark, UTF-16 by look, UTF-8 when valid, the declared encoding, else
 * Windows-1252 (which holds Latin-1).
 */
export function decodeText(bytes: Uint8Array, declared?: string | null): DecodedText {
  for (const [mark, label] of boms)
    if (mark.every((byte, i) => bytes[i] === byte))
      return { text: decodeWith(label, bytes), encoding: label };
  const utf16 = guessUtf16(bytes.subarray(0, sampleBytes));
  if (utf16) return { text: decodeWith(utf16, bytes), encoding: utf16 };
  if (isUtf8(bytes)) return { text: decodeWith("utf-8", bytes), encoding: "utf-8" };
  try {
    const label = declared ?? "windows-1252";
    return { text: decodeWith(label, bytes), encoding: label.toLowerCase() };
  } catch {
    // A declared encoding that nobody knows.
    return { text: decodeWith("windows-1252", bytes), encoding: "windows-1252" };
  }
}

/**
 * What PostgreSQL and every later step can hold: one kind of newline, no NUL, no half of a
 * surrogate pair.
 */
export function cleanText(text: string): string {
  const unix = text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
  const printable = unix.includes("\u0000") ? unix.replaceAll("\u0000", "") : unix;
  return printable.toWellFormed();
}
