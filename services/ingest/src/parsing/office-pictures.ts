import type { Sharp } from "sharp";
import type { Archive } from "./archive.ts";
import { mayShowText, sampleSide } from "./may-show-text.ts";
import { UnreadableError } from "./parsed-document.ts";
import type { Recognition } from "./recognise-text.ts";
import type { TextBuilder } from "./text-builder.ts";
import type { PictureTexts } from "./write-blocks.ts";

/** Larger pictures are photos that nobody scaled down. */
const largestPicture = 30 * 1024 * 1024;
const maxPixels = 80_000_000;
/** Smaller pictures, in pixels, are icons and logos. */
const shortestSide = 60;
const fewestPixels = 40_000;
const vector = /\.(?:emf|wmf|emz|wmz|pict?|eps)$/i;

/** Whether a picture file is large enough to show text, and may do so. */
async function isWorthReading(
  sharp: (input: Buffer, options: object) => Sharp,
  bytes: Buffer,
): Promise<boolean> {
  const open = (): Sharp =>
    sharp(bytes, { limitInputPixels: maxPixels, failOn: "error", pages: 1 });
  const { width = 0, height = 0 } = await open().metadata();
  if (Math.min(width, height) < shortestSide || width * height < fewestPixels) return false;
  const { data, info } = await open()
    .flatten({ background: "#fff" })
    .grayscale()
    .resize({ width: sampleSide, height: sampleSide, fit: "inside", withoutEnlargement: true })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return mayShowText({ data, width: info.width, height: info.height });
}

/**
 * Text of a document's pictures by part, each recognised once. Pictures that can't show text, such
 * as logos and photos, are left out. What couldn't be read is noted on `out`: without `recognition`,
 * all that may show text.
 */
export async function readPictures(
  archive: Archive,
  parts: Iterable<string>,
  recognition: Recognition | null,
  out: TextBuilder,
): Promise<PictureTexts> {
  const texts = new Map<string, string>();
  const wanted: string[] = [];
  let unread = 0;
  const { default: sharp } = await import("sharp");
  for (const part of parts) {
    if (vector.test(part)) unread++;
    else if (archive.has(part)) {
      if (!archive.fits(part, largestPicture)) unread++;
      else if (await isWorthReading(sharp, await archive.read(part)).catch(() => false))
        wanted.push(part);
    }
  }
  if (recognition === null) out.leaveToRecognition(wanted.length);
  for (const part of wanted) {
    if (texts.size >= (recognition?.maxPages ?? 0)) {
      unread++;
      continue;
    }
    const text = await recognise(await archive.readAgain(part), recognition);
    if (text === null) unread++;
    texts.set(part, text ?? "");
  }
  if (unread > 0) out.note({ code: "file-note.pictures-unread", params: { count: unread } });
  return texts;
}

/** Null if the picture or the language's data can't be read: the document's own text is there. */
async function recognise(bytes: Buffer, recognition: Recognition | null): Promise<string | null> {
  const { parseImage } = await import("./parse-image.ts");
  try {
    return (await parseImage(bytes, recognition)).text.trim();
  } catch (fault) {
    if (fault instanceof UnreadableError) return null;
    throw fault;
  }
}
