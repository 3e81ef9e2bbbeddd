/** How much of some bytes is valid UTF-8 beyond ASCII. */
export interface Utf8Share {
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

export function shareOfUtf8(bytes: Uint8Array): Utf8Share {
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
