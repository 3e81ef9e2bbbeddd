import type { Metadata, Sharp } from "sharp";
import { layOutPages, type PdfPage } from "./lay-out-pdf.ts";
import { layOutPicture } from "./lay-out-picture.ts";
import { NeedsLaterWork, UnreadableError, type ParsedText } from "./parsed-document.ts";
import { recogniseText, type Recognition } from "./recognise-text.ts";

/**
 * Points of one picture that are decoded: a page of A3 at 600 dots per inch has 70 million. A bomb
 * has billions.
 */
const mostPixels = 80_000_000;
/** Longest side in which text is looked for; Tesseract finds no more in larger ones. */
const longestSide = 4_000;
/** Small pictures (screenshots, thumbnails) are enlarged: letters below 20 points are guessed. */
const shortSide = 1_000;

const damaged = (cause: unknown): UnreadableError =>
  new UnreadableError("The picture is damaged or cut off.", { cause });
const tooLarge = (): UnreadableError =>
  new UnreadableError(
    `The picture has more than ${mostPixels / 1_000_000} million points, the most that is read.`,
  );

/** BMP is not among the formats of libvips: its header says its size, Skia decodes it. */
async function decodeBmp(bytes: Buffer): Promise<Buffer> {
  if (bytes.length < 34) throw damaged(null);
  const [width, height] =
    bytes.readUInt32LE(14) === 12
      ? [bytes.readUInt16LE(18), bytes.readUInt16LE(20)]
      : [Math.abs(bytes.readInt32LE(18)), Math.abs(bytes.readInt32LE(22))];
  if (width * height > mostPixels) throw tooLarge();
  // Uncompressed, it is as long as its points ask for; Skia would draw what is there of one that
  // was cut off.
  const stride = Math.ceil((width * bytes.readUInt16LE(28)) / 32) * 4;
  if (
    bytes.readUInt32LE(14) >= 40 &&
    bytes.readUInt32LE(30) === 0 &&
    bytes.length < bytes.readUInt32LE(10) + stride * height
  )
    throw damaged(null);
  const { createCanvas, loadImage } = await import("@napi-rs/canvas");
  try {
    const image = await loadImage(bytes);
    const canvas = createCanvas(image.width, image.height);
    canvas.getContext("2d").drawImage(image, 0, 0);
    return await canvas.encode("png");
  } catch (cause) {
    throw damaged(cause);
  }
}

/** One page of the file, upright, grey, in a size in which Tesseract reads well. */
function prepare(
  sharp: (input: Buffer, options: object) => Sharp,
  bytes: Buffer,
  page: number,
  metadata: Metadata,
): Sharp {
  const height = metadata.pageHeight ?? metadata.height;
  const longest = Math.max(metadata.width, height);
  const factor =
    longest > longestSide
      ? longestSide / longest
      : Math.min(metadata.width, height) < shortSide
        ? Math.min(3, longestSide / longest, shortSide / Math.min(metadata.width, height))
        : 1;
  // Sideways by its EXIF mark: the width of what comes out is the height of what went in.
  const width = (metadata.orientation ?? 1) >= 5 ? height : metadata.width;
  return sharp(bytes, { limitInputPixels: mostPixels, failOn: "error", page, pages: 1 })
    .autoOrient()
    .flatten({ background: "#fff" })
    .grayscale()
    .resize({ width: Math.max(1, Math.round(width * factor)), kernel: "cubic" });
}

/**
 * Text in a picture, by recognition; the pages of a TIFF are pages. Without `recognition` the file
 * is only looked at:
 * NeedsLaterWork says how many pages there are. Throws UnreadableError.
 */
export async function parseImage(
  source: Uint8Array,
  recognition: Recognition | null,
): Promise<ParsedText> {
  const { default: sharp } = await import("sharp");
  let bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  if (bytes.subarray(0, 2).toString("latin1") === "BM") bytes = await decodeBmp(bytes);
  const metadata = await sharp(bytes, { limitInputPixels: false, failOn: "error" })
    .metadata()
    .catch((cause: unknown) => {
      throw damaged(cause);
    });
  if (metadata.width * (metadata.pageHeight ?? metadata.height) > mostPixels) throw tooLarge();
  // The frames of a moving picture say the same; the pages of a TIFF do not.
  const count = metadata.format === "tiff" ? (metadata.pages ?? 1) : 1;
  if (recognition === null) throw new NeedsLaterWork("recognition", count);
  if (count > recognition.mostPages)
    throw new UnreadableError(
      `The picture has ${count} pages; text is recognised in ${recognition.mostPages} at most (CARREL_OCR_PAGES).`,
    );
  const pages: PdfPage[] = [];
  for (let page = 0; page < count; page++) {
    const { data, info } = await prepare(sharp, bytes, page, metadata)
      .png({ compressionLevel: 1 })
      .toBuffer({ resolveWithObject: true })
      .catch((cause: unknown) => {
        throw /exceeds pixel limit/i.test(String(cause)) ? tooLarge() : damaged(cause);
      });
    pages.push(layOutPicture(await recogniseText(data, recognition), info, info));
  }
  return layOutPages(pages);
}
