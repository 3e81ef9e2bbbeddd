import type { Sharp } from "sharp";
import type { Archive } from "./archive.ts";
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
/** Pictures are looked at in this size, in squares with this side. */
const sampleSide = 1_200;
const square = 48;
/** How many squares must look like text. */
const fewestSquares = 3;
/** Change of brightness, of 255, at the edge of a letter's stroke. */
const sharpEdge = 40;
/** A row of pixels through letters turns between dark and light this often, in this many rows. */
const fewestTurns = 3;
const fewestStrokeRows = 6;
const vector = /\.(?:emf|wmf|emz|wmz|pict?|eps)$/i;

/**
 * Whether a square of a greyscale picture may show letters: most of it has one shade, crossed by
 * strokes. Photos are shaded, and drawings have single edges.
 */
function hasLetters(data: Buffer, width: number, left: number, top: number): boolean {
  const shades = new Uint16Array(33);
  let strokeRows = 0;
  for (let y = top; y < top + square; y++) {
    let turns = 0;
    let direction = 0;
    for (let x = left; x < left + square; x++) {
      const value = data[y * width + x]!;
      shades[value >> 3]!++;
      const change = x > left ? value - data[y * width + x - 1]! : 0;
      if (Math.abs(change) > sharpEdge && Math.sign(change) !== direction) {
        direction = Math.sign(change);
        turns++;
      }
    }
    if (turns >= fewestTurns) strokeRows++;
  }
  let ground = 0;
  for (let i = 0; i < 32; i++) ground = Math.max(ground, shades[i]! + shades[i + 1]!);
  return ground > 0.45 * square * square && strokeRows >= fewestStrokeRows;
}

/** Where squares start along a side: one after the other, the last one at its end. */
const startsAlong = (length: number): number[] => [
  ...Array.from({ length: Math.floor(length / square) }, (_, i) => i * square),
  ...(length % square > 0 && length > square ? [length - square] : []),
];

/** Whether a picture may show text, judged without recognising it. */
async function mayShowText(
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
  let squares = 0;
  const lefts = startsAlong(info.width);
  for (const top of startsAlong(info.height))
    for (const left of lefts)
      if (hasLetters(data, info.width, left, top) && ++squares >= fewestSquares) return true;
  return false;
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
      else if (await mayShowText(sharp, await archive.read(part)).catch(() => false))
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
