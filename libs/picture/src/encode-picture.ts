import type { Readable } from "node:stream";
import { CarrelError } from "@carrel/contracts";
import { tellFormat } from "./picture-format.ts";
import { Turnstile } from "./turnstile.ts";

/**
 * Box in pixels. `cover` fills it and cuts what stands over; `inside` keeps the whole picture and
 * never makes it larger.
 */
export interface PictureBox {
  width: number;
  height: number;
  fit: "cover" | "inside";
}

/** Bytes of a picture that is taken. */
export const largestPicture = 10 * 1024 ** 2;
/** Pixels of a picture that is decoded: beyond the cameras of today, and 160 MB of memory. */
const mostPixels = 40_000_000;
const longestSeconds = 20;
/**
 * libvips' loaders by their class names; every other one is blocked, whatever a file claims to be.
 * This holds for the whole
 * process: TIFF is none of a picture's formats, but a scanned document may be one, and is read in
 * another thread.
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
  new CarrelError(
    "TOO_LARGE",
    `The picture is too large: at most ${largestPicture / 1024 ** 2} MB and ${mostPixels / 1_000_000} megapixels are allowed.`,
  );
const broken = (cause: unknown): CarrelError =>
  new CarrelError("BAD_INPUT", "The picture is broken and cannot be read.", { cause });

type Sharp = (typeof import("sharp"))["default"];
let loading: Promise<Sharp> | null = null;
/** Two pictures at once bound the memory; who waits too long is told to come again. */
const turnstile = new Turnstile(2, 32);

/** libvips takes some 30 MB: it is loaded with the first picture, not with the process. */
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
      throw new CarrelError("UNAVAILABLE", "Pictures cannot be processed on this machine.", {
        cause: error,
      });
    });
  return loading;
}

/**
 * A picture that a person sent, made anew as WebP: the first frame, turned as its camera says,
 * without metadata.
 * UNSUPPORTED for anything but JPEG, PNG, WebP, GIF and AVIF by content; TOO_LARGE; BAD_INPUT for a
 * broken file; BUSY.
 */
export async function encodePicture(source: Buffer | Readable, box: PictureBox): Promise<Buffer> {
  const bytes = Buffer.isBuffer(source) ? source : await readPicture(source);
  if (bytes.length > largestPicture) throw tooLarge();
  if (tellFormat(bytes) === null)
    throw new CarrelError("UNSUPPORTED", "Only JPEG, PNG, WebP, GIF and AVIF pictures are taken.");
  return turnstile.pass(async () => {
    const sharp = await loadSharp();
    try {
      return await sharp(bytes, {
        limitInputPixels: mostPixels,
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

/**
 * The whole stream in memory, `largestPicture` bytes at most; what is left of it is the caller's to
 * drain.
 */
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
