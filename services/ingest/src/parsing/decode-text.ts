import { isUtf8 } from "node:buffer";

/** Text decoded from any common encoding, and the name of that encoding. */
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

/** In mostly Latin text, UTF-16 without a byte order mark has NUL in every second byte. */
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

/** At most one character in a hundred that no text contains; none of them NUL. */
const unreadable = /(?![\t\n\f\r\ufeff])[\p{Cc}\p{Cn}\p{Co}\ufffd]/gu;
const isReadable = (text: string): boolean =>
  !text.includes("\0") && (text.match(unreadable)?.length ?? 0) <= text.length * 0.01;

/**
 * Whether the bytes can be read as text: no NUL anywhere and very few control characters. UTF-16
 * counts as text if what it decodes to does.
 */
export function looksLikeText(bytes: Uint8Array): boolean {
  const sample = bytes.subarray(0, sampleBytes);
  const bom = boms.find(([mark]) => mark.every((byte, i) => sample[i] === byte))?.[1];
  const utf16 = bom === undefined ? guessUtf16(sample) : bom === "utf-8" ? null : bom;
  if (utf16 !== null) return isReadable(decodeWith(utf16, sample));
  if (bytes.includes(0)) return false;
  let control = 0;
  for (const byte of sample)
    if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13 && byte !== 27)
      control++;
  return control <= sample.length * 0.01;
}

function decodeWith(label: string, bytes: Uint8Array): string {
  return new TextDecoder(label).decode(bytes);
}

/**
 * Decodes by byte order mark, UTF-16 by its pattern, valid UTF-8, the declared encoding, and
 * finally Windows-1252 (which includes Latin-1).
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
    // Unknown declared encoding.
    return { text: decodeWith("windows-1252", bytes), encoding: "windows-1252" };
  }
}

/**
 * Normalises text for PostgreSQL and all later steps: `\n` newlines, no NUL, no unpaired
 * surrogates.
 */
export function cleanText(text: string): string {
  const unix = text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
  const printable = unix.includes("\u0000") ? unix.replaceAll("\u0000", "") : unix;
  return printable.toWellFormed();
}
