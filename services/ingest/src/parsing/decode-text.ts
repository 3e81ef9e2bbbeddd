import { isUtf8 } from "node:buffer";
import type { KnownFault } from "@carrel/contracts";
import {
  guessEncoding,
  guessUtf16,
  isReadable,
  repairUtf8,
  withoutNuls,
} from "./guess-encoding.ts";
import { decodeAs, encodingNamed, iso2022, utf8, type TextEncoding } from "./text-encodings.ts";

/** Maximum distance of a `<meta>` from the start; browsers stop after a kilobyte, writers don't. */
const metaWithin = 64 * 1024;

/** The encoding in an XML declaration; null if there is none. */
function inXmlDeclaration(head: string): string | null {
  return (
    /^(?:ï»¿)?\s*<\?xml[^>]{0,200}encoding\s*=\s*["']([\w.:-]{2,40})["']/.exec(
      head.slice(0, 500),
    )?.[1] ?? null
  );
}

/** Constructs that can't contain `<meta>`, with their ends. */
const opaque: [string, string][] = [
  ["<!--", "-->"],
  ["<script", "</script"],
  ["<style", "</style"],
  ["<title", "</title"],
  ["<textarea", "</textarea"],
  ["<noscript", "</noscript"],
];
const attribute = /([\w:-]{1,40})\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/g;

function charsetOf(tag: string): string | null {
  const attributes = new Map(
    [...tag.matchAll(attribute)].map(([, name, double, single, bare]) => [
      name!.toLowerCase(),
      (double ?? single ?? bare ?? "").trim(),
    ]),
  );
  const charset = attributes.get("charset");
  if (charset) return charset;
  if (attributes.get("http-equiv")?.toLowerCase() !== "content-type") return null;
  return charsetInType(attributes.get("content") ?? "");
}

/** The charset parameter of a MIME type. */
export const charsetInType = (type: string): string | null =>
  /charset\s*=\s*["']?\s*([\w.:-]{2,40})/i.exec(type)?.[1] ?? null;

/** The charset of the first `<meta>` that declares one, outside comments and scripts. */
function inMeta(head: string): string | null {
  const small = head.toLowerCase();
  let at = small.indexOf("<");
  while (at >= 0) {
    const inside = opaque.find(([start]) => small.startsWith(start, at));
    if (inside) {
      const end = small.indexOf(inside[1], at + inside[0].length);
      if (end < 0) return null;
      at = small.indexOf("<", end + inside[1].length);
      continue;
    }
    if (small.startsWith("<meta", at)) {
      const end = small.indexOf(">", at);
      const charset = charsetOf(head.slice(at, end < 0 ? at + 1_000 : Math.min(end, at + 1_000)));
      if (charset) return charset;
    }
    at = small.indexOf("<", at + 1);
  }
  return null;
}

/** The encoding that a page or an XML file declares in its own text. */
function declaredEncoding(bytes: Uint8Array, kind: "html" | "xml"): string | null {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, metaWithin));
  return inXmlDeclaration(head) ?? (kind === "html" ? inMeta(head) : null);
}

/** Text decoded from any common encoding, and the usual name of that encoding. */
export interface DecodedText {
  text: string;
  encoding: string;
  /** Whether only the text itself suggests the encoding. */
  isGuessed: boolean;
}

export interface EncodingHints {
  /** Encoding according to the file's surroundings: a MIME type, a mail's header. */
  declared?: string | null;
  /** Encoding that a reader of the document chose; nothing else counts. */
  chosen?: string | null;
  /** Pages and XML files also declare their encoding themselves. */
  kind?: "text" | "html" | "xml";
}

const boms: [number[], string][] = [
  [[0xef, 0xbb, 0xbf], "UTF-8"],
  [[0xff, 0xfe, 0, 0], "UTF-32LE"],
  [[0, 0, 0xfe, 0xff], "UTF-32BE"],
  [[0xff, 0xfe], "UTF-16LE"],
  [[0xfe, 0xff], "UTF-16BE"],
];
const sampleBytes = 64 * 1024;
const maxControlShare = 0.01;
/** Damage costs a long text some bytes; a short one may lose one. */
const mostStray = (length: number): number => Math.max(1, length * maxControlShare);
/** Fewer bytes may look like UTF-16 by chance. */
const shortestUtf16 = 8;

const markedEncoding = (bytes: Uint8Array): TextEncoding | null => {
  const name = boms.find(([mark]) => mark.every((byte, i) => bytes[i] === byte))?.[1];
  return name === undefined ? null : encodingNamed(name);
};

/** Whether the bytes are in ISO-2022-JP: only ASCII, with escapes to Japanese letters. */
function hasJapaneseEscapes(bytes: Uint8Array): boolean {
  const sample = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, sampleBytes));
  return ["\u001b$B", "\u001b$@"].some((escape) => sample.includes(escape));
}

const isControl = (code: number): boolean =>
  code < 32 && code !== 9 && code !== 10 && code !== 12 && code !== 13 && code !== 27;

/**
 * Whether bytes or character codes are text except for a few stray NULs. Any number of them may
 * fill up the end, as in a file whose writer lost power.
 */
function isTextAmongNuls(codes: ArrayLike<number>): boolean {
  let end = codes.length;
  while (end > 0 && codes[end - 1] === 0) end--;
  let [nuls, control] = [0, 0];
  for (let i = 0; i < end; i++) {
    const code = codes[i]!;
    if (code === 0) nuls++;
    else if (isControl(code)) control++;
  }
  return end > 0 && nuls <= mostStray(end) && control <= mostStray(end);
}

/**
 * Whether the bytes are text but for NULs: damaged, padded, or cut out of a record. Only a file that
 * is named like a text should be taken for one.
 */
export function looksLikeTextWithNuls(bytes: Uint8Array): boolean {
  const marked = markedEncoding(bytes);
  const isMarkedWide = marked !== null && marked !== utf8;
  if (!isMarkedWide && isTextAmongNuls(bytes)) return true;
  const wide = isMarkedWide ? marked : guessUtf16(bytes, "with NULs");
  if (!wide) return false;
  const text = decodeAs(wide, bytes.subarray(0, sampleBytes));
  return (
    isTextAmongNuls(Uint16Array.from(text, (character) => character.charCodeAt(0))) &&
    isReadable(withoutNuls(text))
  );
}

/**
 * Whether the bytes can be read as text: no NUL anywhere and very few control characters. UTF-16
 * counts as text if what it decodes to does.
 */
export function looksLikeText(bytes: Uint8Array): boolean {
  const marked = markedEncoding(bytes);
  const sample = bytes.subarray(0, sampleBytes);
  if (marked && marked !== utf8) return isReadable(decodeAs(marked, sample));
  let control = 0;
  for (const byte of sample) if (isControl(byte)) control++;
  if (!bytes.includes(0) && control <= sample.length * maxControlShare) return true;
  return bytes.length >= shortestUtf16 && guessUtf16(bytes) !== null;
}

/**
 * The encoding by byte order mark, UTF-16 by what it reads like, valid UTF-8, and finally by the
 * declared encoding and what the bytes read like in others. A wrong declaration is common, so clear
 * evidence overrules it.
 */
function findEncoding(
  bytes: Uint8Array,
  { declared, kind = "text" }: EncodingHints,
): { encoding: TextEncoding; isGuessed: boolean } {
  const marked = markedEncoding(bytes);
  if (marked) return { encoding: marked, isGuessed: false };
  // Without NUL, the encoding is UTF-8 or found among the others below.
  const unmarked = bytes.subarray(0, sampleBytes).includes(0)
    ? (guessUtf16(bytes) ?? (isTextAmongNuls(bytes) ? null : guessUtf16(bytes, "with NULs")))
    : null;
  if (unmarked) return { encoding: unmarked, isGuessed: true };
  if (isUtf8(bytes))
    return hasJapaneseEscapes(bytes)
      ? { encoding: iso2022, isGuessed: false }
      : { encoding: utf8, isGuessed: false };
  const name = declared ?? (kind === "text" ? null : declaredEncoding(bytes, kind));
  const stated = name ? encodingNamed(name) : null;
  const encoding = guessEncoding(bytes, { declared: stated, isMarkup: kind !== "text" });
  return { encoding, isGuessed: encoding !== stated };
}

/** Decodes text in any common encoding, without its NULs. */
export function decodeText(bytes: Uint8Array, hints: EncodingHints = {}): DecodedText {
  const chosen = hints.chosen ? encodingNamed(hints.chosen) : null;
  // A choice is shown like a guess, so that it can be changed again.
  const { encoding, isGuessed } = chosen
    ? { encoding: chosen, isGuessed: true }
    : findEncoding(bytes, hints);
  const text =
    encoding === utf8 && !isUtf8(bytes)
      ? repairUtf8(bytes).replace(/^\ufeff/, "")
      : decodeAs(encoding, bytes);
  return { text: withoutNuls(text), encoding: encoding.name, isGuessed };
}

/** Note on a document whose encoding was only guessed. */
export const encodingNote = ({ encoding, isGuessed }: DecodedText): KnownFault[] =>
  isGuessed ? [{ code: "file-note.encoding-guessed", params: { encoding } }] : [];

/**
 * Normalises text for PostgreSQL and all later steps: `\n` newlines, no NUL, no unpaired
 * surrogates.
 */
export function cleanText(text: string): string {
  const unix = text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
  return withoutNuls(unix).toWellFormed();
}

/** A text of a parser as PostgreSQL stores it, with all positions as they were. */
export const storable = (text: string): string =>
  (text.includes("\u0000") ? text.replaceAll("\u0000", "\ufffd") : text).toWellFormed();
