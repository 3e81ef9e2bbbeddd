/**
 * How many UTF-16 units of `text` fit into `bytes` of a JSON reply, never splitting a surrogate
 * pair. Sizes are rounded up: control characters count six bytes, everything from U+0800 three.
 */
export function fitReply(text: string, bytes: number): number {
  let used = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    used +=
      code < 0x20 ? 6 : code === 0x22 || code === 0x5c ? 2 : code < 0x80 ? 1 : code < 0x800 ? 2 : 3;
    if (used > bytes) return wholeCharacters(text, at);
  }
  return text.length;
}

/** `at`, or one less if it splits a surrogate pair. */
export const wholeCharacters = (text: string, at: number): number =>
  at > 0 &&
  at < text.length &&
  (text.charCodeAt(at) & 0xfc00) === 0xdc00 &&
  (text.charCodeAt(at - 1) & 0xfc00) === 0xd800
    ? at - 1
    : at;
