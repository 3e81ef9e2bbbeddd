import type { Readable } from "node:stream";
import { CarrelError } from "@carrel/contracts";
import { detectPictureFormat } from "./picture-format.ts";
import { ConcurrencyLimit } from "./concurrency-limit.ts";

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
const longestSeconds = 20;
/**
 * Class names of the libvips loaders to allow; all others are blocked, whatever a file claims to
 * be. The setting applies to the whole process, so it includes TIFF: not accepted as a picture, but
 * scanned documents may use it and are read in another thread.
 */
const loaders = [
  "VipsForeignLoadJpeg",
  "VipsForeignLoadPng",
  "VipsForeignLoadWebp",
  "VipsForeignLoadNsgif",
  "VipsForeignLoadHeif",
  "VipsForeignLoadTiff",
];

const tooLarge = (): CarrelError =>
  new CarrelError("picture.too-large", {
    megabytes: largestPicture / 1024 ** 2,
    megapixels: maxPixels / 1_000_000,
  });
const broken = (cause: unknown): CarrelError => new CarrelError("picture.broken", {}, { cause });

type Sharp = (typeof import("sharp"))["default"];
let loading: Promise<Sharp> | null = null;
/** Two pictures at a time limit the memory; callers beyond the queue get BUSY. */
const limit = new ConcurrencyLimit(2, 32);

/** libvips takes about 30 MB, so it is loaded with the first picture rather than at startup. */
function loadSharp(): Promise<Sharp> {
  loading ??= import("sharp")
    .then(({ default: sharp }) => {
      sharp.cache(false);
      sharp.concurrency(1);
      sharp.block({ operation: ["VipsForeignLoad"] });
      sharp.unblock({ operation: loaders });
      return sharp;
    })
    .catch((error: unknown) => {
      loading = null;
      throw new CarrelError(
        "picture.unavailable",
        {},
        {
          cause: error,
        },
      );
    });
  return loading;
}

/**
 * Re-encodes a user's picture as WebP: the first frame, with the camera's orientation applied and
 * without metadata. UNSUPPORTED if the content is not JPEG, PNG, WebP, GIF or AVIF; TOO_LARGE;
 * BAD_INPUT for a broken file; BUSY.
 */
export async function encodePicture(source: Buffer | Readable, box: PictureBox): Promise<Buffer> {
  const bytes = Buffer.isBuffer(source) ? source : await readPicture(source);
  if (bytes.length > largestPicture) throw tooLarge();
  if (detectPictureFormat(bytes) === null) throw new CarrelError("picture.unsupported");
  return limit.run(async () => {
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
      throw error instanceof Error && /pixel limit/i.test(error.message)
        ? tooLarge()
        : broken(error);
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
