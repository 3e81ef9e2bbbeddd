import type { Readable } from "node:stream";
import { CarrelError } from "@carrel/contracts";
import { encodings, isOverPixelLimit, loadSharp, longestSeconds } from "./load-sharp.ts";
import { detectPictureFormat } from "./picture-format.ts";

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
