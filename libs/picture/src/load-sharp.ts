import { CarrelError } from "@carrel/contracts";
import { ConcurrencyLimit } from "./concurrency-limit.ts";

/**
 * Class names of the libvips loaders to allow; all others are blocked, whatever a file claims to
 * be. The setting applies to the whole process: TIFF isn't accepted as a picture, but scans are.
 */
const loaders = [
  "VipsForeignLoadJpeg",
  "VipsForeignLoadPng",
  "VipsForeignLoadWebp",
  "VipsForeignLoadNsgif",
  "VipsForeignLoadHeif",
  "VipsForeignLoadTiff",
];
/** Time limit for encoding one picture. */
export const longestSeconds = 20;
/** Two pictures at a time limit the memory; callers beyond the queue get BUSY. */
export const encodings = new ConcurrencyLimit(2, 32);

type Sharp = (typeof import("sharp"))["default"];
let loading: Promise<Sharp> | null = null;

/** libvips takes about 30 MB, so it is loaded with the first picture rather than at startup. */
export function loadSharp(): Promise<Sharp> {
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
      throw new CarrelError("picture.unavailable", {}, { cause: error });
    });
  return loading;
}

export const isOverPixelLimit = (error: unknown): boolean =>
  error instanceof Error && /pixel limit/i.test(error.message);
