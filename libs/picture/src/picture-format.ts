export type PictureFormat = "jpeg" | "png" | "webp" | "gif" | "avif";

const startsWith = (bytes: Buffer, at: number, letters: string): boolean =>
  bytes.subarray(at, at + letters.length).equals(Buffer.from(letters, "latin1"));

/** Detects the format by the first bytes, regardless of file name and type; null if unsupported. */
export function detectPictureFormat(bytes: Buffer): PictureFormat | null {
  if (startsWith(bytes, 0, "\xff\xd8\xff")) return "jpeg";
  if (startsWith(bytes, 0, "\x89PNG\r\n\x1a\n")) return "png";
  if (startsWith(bytes, 0, "GIF87a") || startsWith(bytes, 0, "GIF89a")) return "gif";
  if (startsWith(bytes, 0, "RIFF") && startsWith(bytes, 8, "WEBP")) return "webp";
  return isAvif(bytes) ? "avif" : null;
}

/** ISO base media: the first box lists the brands (ISO/IEC 14496-12, 4.3). */
function isAvif(bytes: Buffer): boolean {
  if (bytes.length < 16 || !startsWith(bytes, 4, "ftyp")) return false;
  const end = Math.min(bytes.readUInt32BE(0), bytes.length, 512);
  for (let at = 8; at + 4 <= end; at += 4)
    if (at !== 12 && (startsWith(bytes, at, "avif") || startsWith(bytes, at, "avis"))) return true;
  return false;
}
