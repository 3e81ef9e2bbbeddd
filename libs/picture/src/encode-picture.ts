import type { Readable } from "node:stream";
import { CarrelError } from "@carrel/contracts";
import { encodings, isOverPixelLimit, loadSharp, longestSeconds } from "./load-sharp.ts";

/**
 * Box in pixels. `cover` fills it and crops the rest; `inside` fits the whole picture and never
 * enlarges it.
 */
export interface PictureBox {
  width: number;
  height: number;
  fit: "cover" | "inside";
}

/** Maximum size of an accepted picture, in bytes. */
export const largestPicture = 10 * 1024 ** 2;
/** Maximum pixels to decode: beyond today's cameras, at 160 MB of memory. */
const maxPixels = 40_000_000;

const tooLarge = (): CarrelError =>
  new CarrelError("picture.too-large", {
    megabytes: largestPicture / 1024 ** 2,
    megapixels: maxPixels / 1_000_000,
  });
const broken = (cause: unknown): CarrelError => new CarrelError("picture.broken", {}, { cause });

/**
 * Re-encodes a user's picture as WebP: the first frame, with the camera's orientation applied and
 * without metadata. UNSUPPORTED if the content is not JPEG, PNG, WebP, GIF or AVIF; TOO_LARGE;
 * BAD_INPUT for a broken file; BUSY.
 */
export async function encodePicture(source: Buffer | Readable, box: PictureBox): Promise<Buffer> {
  const bytes = Buffer.isBuffer(source) ? source : await readPicture(source);
  if (bytes.length > largestPicture) throw tooLarge();
  if (detectPictureFormat(bytes) === null) throw new CarrelError("picture.unsupported");
  return encodings.run(async () => {
    const sharp = await loadSharp();
    try {
      return await sharp(bytes, {
        limitInputPixels: maxPixels,
        failOn: "error",
        pages: 1,
        sequentialRead: true,
      })
        .autoOrient()
        .resize({
          width: box.width,
          height: box.height,
          fit: box.fit,
          withoutEnlargement: box.fit === "inside",
        })
        .webp({ quality: 86, alphaQuality: 90, smartSubsample: true })
        .timeout({ seconds: longestSeconds })
        .toBuffer();
    } catch (error) {
      throw isOverPixelLimit(error) ? tooLarge() : broken(error);
    }
  });
}

/** Reads a stream into memory, up to `largestPicture` bytes; the caller drains what is left. */
async function readPicture(stream: Readable): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length > largestPicture) throw tooLarge();
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

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
