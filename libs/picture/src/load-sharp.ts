import { CarrelError } from "@carrel/contracts";

/** Runs up to `maximum` tasks at once and queues up to `queueLimit`; throws BUSY beyond that. */
export class ConcurrencyLimit {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(
    private readonly maximum: number,
    private readonly queueLimit: number,
    private readonly busy: "picture.busy" | "dictation.busy" = "picture.busy",
  ) {}

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.running >= this.maximum) {
      if (this.waiting.length >= this.queueLimit)
        throw new CarrelError(this.busy, {}, { retryAfter: 2 });
      // Finished work hands its slot to the next in the queue, so that a new caller can't take it.
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    } else this.running += 1;
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.running -= 1;
      else next();
    }
  }
}

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
