import { CarrelError } from "@carrel/contracts";
import { encodings, isOverPixelLimit, loadSharp, longestSeconds } from "./load-sharp.ts";

/** Maximum size of a scan that is shown, in bytes. */
const largestScan = 40_000_000;
/** Maximum pixels of a page, as for text recognition: an A3 page at 600 dpi has 70 million. */
const maxPixels = 80_000_000;
/** Longest side of the page that is sent, in pixels: an A4 page is legible at twice its width. */
const longestSide = 2_400;

/** A file that is read only when its turn comes, which limits the memory. */
export interface Scan {
  bytes: number;
  read: () => Promise<Buffer>;
}

const tooLarge = (): CarrelError =>
  new CarrelError("picture.too-large", {
    megabytes: largestScan / 1_000_000,
    megapixels: maxPixels / 1_000_000,
  });

/** Whether a file is a TIFF (also a BigTIFF), by its first bytes. */
const isTiff = (bytes: Buffer): boolean =>
  ["II*\0", "MM\0*", "II+\0", "MM\0+"].includes(bytes.subarray(0, 4).toString("latin1"));

/**
 * Page `page` of a TIFF, from 1, as WebP: upright and without metadata, because browsers don't show
 * TIFF. UNSUPPORTED if the content is not TIFF; TOO_LARGE; BAD_INPUT for a broken file or a page
 * that it doesn't have; BUSY.
 */
export async function encodeScanPage(scan: Scan, page: number): Promise<Buffer> {
  if (scan.bytes > largestScan) throw tooLarge();
  return encodings.run(async () => {
    const bytes = await scan.read();
    if (!isTiff(bytes)) throw new CarrelError("picture.unsupported");
    const sharp = await loadSharp();
    try {
      return await sharp(bytes, {
        limitInputPixels: maxPixels,
        failOn: "error",
        page: page - 1,
        pages: 1,
      })
        .autoOrient()
        .flatten({ background: "#fff" })
        .resize({
          width: longestSide,
          height: longestSide,
          fit: "inside",
          withoutEnlargement: true,
        })
        .webp({ quality: 80 })
        .timeout({ seconds: longestSeconds })
        .toBuffer();
    } catch (error) {
      throw isOverPixelLimit(error)
        ? tooLarge()
        : new CarrelError("picture.broken", {}, { cause: error });
    }
  });
}
