import type { Metadata, Sharp } from "sharp";
import { layOutPages } from "./lay-out-pdf.ts";
import { ProcessingRequiredError, UnreadableError, type ParsedText } from "./parsed-document.ts";
import type { PdfPage } from "./pdf-lines.ts";
import { layOutPicture, recognisePicture, undoTurn, type Turn } from "./recognise-picture.ts";
import type { Recognition } from "./recognise-text.ts";

/**
 * Limit on the pixels of one picture: an A3 page at 600 dpi has 70 million, a decompression bomb
 * billions.
 */
const maxPixels = 80_000_000;
/** Longest side for recognition, in pixels; Tesseract finds no more text in larger pictures. */
const longestSide = 4_000;
/**
 * Smaller pictures (screenshots, thumbnails) are enlarged, because Tesseract is unreliable on
 * letters below 20 pixels.
 */
const shortSide = 1_000;

const damaged = (cause: unknown): UnreadableError =>
  new UnreadableError(
    { code: "file.damaged", params: { what: { code: "file-kind.picture" } } },
    { cause },
  );
const tooLarge = (): UnreadableError =>
  new UnreadableError({
    code: "file.too-many-pixels",
    params: { millions: maxPixels / 1_000_000 },
  });

/** libvips doesn't support BMP: the size is read from its header, and Skia decodes it. */
async function decodeBmp(bytes: Buffer): Promise<Buffer> {
  if (bytes.length < 34) throw damaged(null);
  const [width, height] =
    bytes.readUInt32LE(14) === 12
      ? [bytes.readUInt16LE(18), bytes.readUInt16LE(20)]
      : [Math.abs(bytes.readInt32LE(18)), Math.abs(bytes.readInt32LE(22))];
  if (width * height > maxPixels) throw tooLarge();
  // An uncompressed BMP has a predictable length; Skia would silently draw a cut-off one in part.
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

/** One page of the file, upright, in greyscale, at a size that suits Tesseract. */
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
  // EXIF orientations from 5 swap width and height.
  const width = (metadata.orientation ?? 1) >= 5 ? height : metadata.width;
  return sharp(bytes, { limitInputPixels: maxPixels, failOn: "error", page, pages: 1 })
    .autoOrient()
    .flatten({ background: "#fff" })
    .grayscale()
    .resize({ width: Math.max(1, Math.round(width * factor)), kernel: "cubic" });
}

/**
 * Recognises text in a picture; each page of a TIFF becomes a page. Without `recognition`, throws
 * ProcessingRequiredError with the number of pages. Throws UnreadableError.
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
  if (metadata.width * (metadata.pageHeight ?? metadata.height) > maxPixels) throw tooLarge();
  // Frames of an animation repeat the same content; pages of a TIFF don't.
  const count = metadata.format === "tiff" ? (metadata.pages ?? 1) : 1;
  if (recognition === null) throw new ProcessingRequiredError("recognition", count);
  if (count > recognition.maxPages)
    throw new UnreadableError({
      code: "file.too-many-picture-pages",
      params: { pages: count, limit: recognition.maxPages },
    });
  const pages: PdfPage[] = [];
  const turned: { page: number; turn: Turn; size: { width: number; height: number } }[] = [];
  let unreadable = 0;
  for (let page = 0; page < count; page++) {
    const { data, info } = await prepare(sharp, bytes, page, metadata)
      .png({ compressionLevel: 1 })
      .toBuffer({ resolveWithObject: true })
      .catch((cause: unknown) => {
        throw /exceeds pixel limit/i.test(String(cause)) ? tooLarge() : damaged(cause);
      });
    const picture = await recognisePicture(data, info, recognition);
    pages.push(layOutPicture(picture.lines, picture, picture));
    if (picture.isUnreadable) unreadable++;
    if (picture.turn !== 0) turned.push({ page, turn: picture.turn, size: info });
  }
  const parsed = layOutPages(pages);
  for (const { page, turn, size } of turned) undoTurn(parsed.pages[page]!, turn, size);
  return unreadable === 0
    ? parsed
    : {
        ...parsed,
        notes: [{ code: "file-note.pages-unrecognised", params: { count: unreadable } }],
      };
}
