import { costOf } from "./language-likelihood.ts";
import { decodeAs, legacyEncodings, utf16, utf8, type TextEncoding } from "./text-encodings.ts";

/** How much of some bytes is valid UTF-8 beyond ASCII. */
interface Utf8Share {
  /** Characters of several bytes. */
  characters: number;
  /** Bytes that belong to no character. */
  bad: number;
}

/**
 * Length of the valid UTF-8 sequence at a position; otherwise minus the number of bytes that are one
 * mistake: as many as might have become a character.
 */
function sequenceAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at]!;
  if (first < 0x80) return 1;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4) return -1;
  for (let n = 1; n < length; n++) {
    const byte = bytes[at + n] ?? 0;
    let lowest = 0x80;
    let highest = 0xbf;
    if (n === 1) {
      if (first === 0xe0) lowest = 0xa0;
      else if (first === 0xed) highest = 0x9f;
      else if (first === 0xf0) lowest = 0x90;
      else if (first === 0xf4) highest = 0x8f;
    }
    if (byte < lowest || byte > highest) return -n;
  }
  return length;
}

function shareOfUtf8(bytes: Uint8Array): Utf8Share {
  const share = { characters: 0, bad: 0 };
  for (let at = 0; at < bytes.length;) {
    if (bytes[at]! < 0x80) {
      at++;
      continue;
    }
    const length = sequenceAt(bytes, at);
    if (length > 0) share.characters++;
    // A text may be cut off within a character.
    else if (at - length < bytes.length || bytes[at]! < 0xc2) share.bad -= length;
    at += Math.abs(length);
  }
  return share;
}

const western = new TextDecoder("windows-1252");
const latin = /^\p{sc=Latin}$/u;
/** Whether a stray byte is a Latin letter among letters, and not the rest of another character. */
function isLetter(letter: string, before: string, after: string): boolean {
  if (!latin.test(letter)) return false;
  return (
    (latin.test(before) || latin.test(after)) &&
    [before, after].every((one) => latin.test(one) || !/[\p{L}\p{M}]/u.test(one))
  );
}

/**
 * Decodes UTF-8 with some bad bytes. Each costs one character: a stray byte among Latin letters is
 * the letter of Windows-1252, because a text pasted from there is how it came in; anything else
 * becomes U+FFFD.
 */
export function repairUtf8(bytes: Uint8Array): string {
  const decoder = new TextDecoder("utf-8");
  const parts: string[] = [];
  let start = 0;
  let last = "";
  for (let at = 0; at < bytes.length;) {
    if (bytes[at]! < 0x80) {
      at++;
      continue;
    }
    const length = sequenceAt(bytes, at);
    if (length > 0) {
      at += length;
      continue;
    }
    if (at > start) parts.push((last = decoder.decode(bytes.subarray(start, at))));
    const end = at - length;
    const letter = length === -1 ? western.decode(bytes.subarray(at, end)) : "\ufffd";
    const next = bytes[end];
    // The file ends within a character.
    const isCut = next === undefined && bytes[at]! >= 0xc2 && bytes[at]! <= 0xdf;
    const after = next !== undefined && next < 0x80 ? String.fromCharCode(next) : "";
    parts.push((last = !isCut && isLetter(letter, last.at(-1) ?? "", after) ? letter : "\ufffd"));
    at = start = end;
  }
  parts.push(decoder.decode(bytes.subarray(start)));
  return parts.join("");
}

/**
 * Number of bytes that encodings are compared by, and how much ASCII around others they include.
 */
const sampleLength = 3_000;
const context = 40;
/**
 * Whether a byte can't be a character's second one in any encoding, except in rare ones of GB18030.
 */
const isBorder = (byte: number): boolean => byte < 0x40;

/** Characters that text doesn't contain: at most one in a hundred may be one, and none NUL. */
const unreadable = /(?![\t\n\f\r\ufeff])[\p{Cc}\p{Cn}\p{Co}\p{Cs}\ufffd]/gu;
export const isReadable = (text: string): boolean =>
  !text.includes("\0") && (text.match(unreadable)?.length ?? 0) <= text.length * 0.01;
/** Costs of a character in text that is in some language; in noise it is 10 and more. */
const plausible = 8.5;

export const withoutNuls = (text: string): string =>
  text.includes("\0") ? text.replaceAll("\0", "") : text;

/**
 * UTF-16 without a byte order mark; null if the bytes are anything else, and if it has NULs unless
 * they are expected.
 */
export function guessUtf16(bytes: Uint8Array, nuls?: "with NULs"): TextEncoding | null {
  const sample = bytes.subarray(0, Math.min(sampleLength, bytes.length) & ~1);
  if (sample.length < 4) return null;
  let best: TextEncoding | null = null;
  let least = plausible;
  for (const encoding of utf16) {
    const decoded = decodeAs(encoding, sample);
    const text = nuls ? withoutNuls(decoded) : decoded;
    if (text === "" || !isReadable(text)) continue;
    const cost = costOf(text, encoding.languages) / text.length;
    if (cost < least) [best, least] = [encoding, cost];
  }
  return best;
}

/** The stretches with bytes beyond ASCII, in order. */
function sampleOf(bytes: Uint8Array): Uint8Array {
  if (bytes.length <= sampleLength) return bytes;
  const pieces: Uint8Array[] = [];
  let length = 0;
  let end = 0;
  for (let at = 0; at < bytes.length && length < sampleLength;) {
    if (bytes[at]! < 0x80) {
      at++;
      continue;
    }
    let start = Math.max(end, at - context);
    for (let n = start; n > end && n < at; n++)
      if (isBorder(bytes[n]!)) {
        start = n;
        break;
      }
    let last = at;
    end = at;
    while (end < bytes.length && end - last < context && end - start < sampleLength - length) {
      if (bytes[end]! >= 0x80) last = end;
      end++;
    }
    // Don't cut within a character.
    for (let n = end - 1; n > last - context && n > start; n--)
      if (isBorder(bytes[n]!)) {
        if (n > at) end = n + 1;
        break;
      }
    pieces.push(bytes.subarray(start, end));
    length += end - start;
    at = end;
  }
  return Buffer.concat(pieces);
}

/** Mark-up is the same in all encodings and says nothing about the language. */
const withoutTags = (bytes: Uint8Array): Uint8Array =>
  Buffer.from(
    Buffer.from(bytes)
      .toString("latin1")
      .replace(/<[^<>]{0,500}>/g, " "),
    "latin1",
  );

/** Weight of a stray byte against UTF-8, and of a character of several bytes for it. */
const badByte = 6;
const wholeCharacter = 2;
/** Weight of a declaration, beyond what it has per byte; editors write Latin-1 unasked. */
const declaredAtAll = 8;
const declaredPerByte = 0.5;
const declaredLatin1 = 6;
/**
 * Bytes beyond ASCII that are enough evidence, and how much each missing one favours the usual
 * encoding.
 */
const enoughBytes = 3;
const perMissingByte = 1.5;
/** From this many characters per stray byte on, stray bytes count as damage. */
const charactersPerBadByte = 20;

/**
 * The encoding of bytes that aren't UTF-8, by what they read like in each; `declared` counts for
 * something but not against clear evidence.
 */
export function guessEncoding(
  bytes: Uint8Array,
  { declared, isMarkup }: { declared: TextEncoding | null; isMarkup: boolean },
): TextEncoding {
  const { characters, bad } = shareOfUtf8(bytes);
  if (characters > bad * charactersPerBadByte) return utf8;
  const all = sampleOf(bytes);
  const sample = isMarkup ? withoutTags(all) : all;
  const high = sample.reduce((count, byte) => count + (byte >= 0x80 ? 1 : 0), 0);
  const scores = new Map<string, { encoding: TextEncoding; cost: number }>();
  const add = (encoding: TextEncoding, text: string, cost: number): void => {
    const known = scores.get(text);
    if (!known || (known.encoding !== declared && encoding === declared))
      scores.set(text, { encoding, cost: Math.min(cost, known?.cost ?? Infinity) });
  };
  for (const encoding of new Set([...legacyEncodings, ...utf16, ...(declared ? [declared] : [])])) {
    if (encoding === utf8) continue;
    const isUtf16 = utf16.includes(encoding);
    if (isUtf16 && (bytes.length % 2 !== 0 || bytes.length < 8)) continue;
    const text = decodeAs(encoding, isUtf16 ? bytes.subarray(0, sampleLength) : sample);
    if (isUtf16 && !isReadable(text)) continue;
    const cost = costOf(text, encoding.languages.length > 0 ? encoding.languages : everyLanguage);
    add(
      encoding,
      text,
      cost +
        encoding.rarity +
        tooLittle(encoding, high) -
        (encoding === declared ? bonus(declared, high) : 0),
    );
  }
  if (characters > 0 && characters * 2 >= bad) {
    const share = shareOfUtf8(sample);
    const text = repairUtf8(sample);
    const cost = costOf(text, everyLanguage);
    add(utf8, text, cost + share.bad * badByte - share.characters * wholeCharacter);
  }
  return [...scores.values()].reduce((best, next) => (next.cost < best.cost ? next : best))
    .encoding;
}

/** Penalty for readings in an unusual encoding that rest on only a few bytes. */
const tooLittle = ({ name }: TextEncoding, high: number): number =>
  name === "Windows-1252" ? 0 : Math.max(0, enoughBytes - high) * perMissingByte;

const everyLanguage = utf16[0]!.languages;

function bonus({ name }: TextEncoding, high: number): number {
  return name === "Windows-1252" ? declaredLatin1 : declaredAtAll + declaredPerByte * high;
}
