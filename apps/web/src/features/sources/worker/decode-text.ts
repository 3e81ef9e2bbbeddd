const boms: [number[], string][] = [
  [[0xef, 0xbb, 0xbf], "utf-8"],
  [[0xff, 0xfe], "utf-16le"],
  [[0xfe, 0xff], "utf-16be"],
];

/** The charset that a page or chapter declares in its first kilobytes. */
const declaredCharset = (bytes: Uint8Array): string | undefined =>
  /(?:charset|encoding)\s*=\s*["']?([\w-]{2,40})/i.exec(
    new TextDecoder("latin1").decode(bytes.subarray(0, 4096)),
  )?.[1];

/** The Encoding Standard's labels for encodings whose common names it doesn't know. */
const labels: Record<string, string> = {
  "Mac OS Roman": "macintosh",
  "Mac OS Cyrillic": "x-mac-cyrillic",
};

/**
 * Decodes as the server did (`read`, which throws for encodings that browsers lack), otherwise by
 * byte order mark, valid UTF-8, the declared charset, and finally Windows-1252.
 */
export function decodeText(bytes: Uint8Array, read?: string): string {
  if (read !== undefined) return new TextDecoder(labels[read] ?? read).decode(bytes);
  for (const [mark, label] of boms)
    if (mark.every((byte, index) => bytes[index] === byte))
      return new TextDecoder(label).decode(bytes);
  for (const label of ["utf-8", declaredCharset(bytes)])
    try {
      if (label !== undefined) return new TextDecoder(label, { fatal: true }).decode(bytes);
    } catch {
      // Invalid in this encoding, or an unknown encoding.
    }
  return new TextDecoder("windows-1252").decode(bytes);
}
