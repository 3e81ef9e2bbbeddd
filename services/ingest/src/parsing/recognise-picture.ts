import type { ParsedPage } from "./parsed-document.ts";
import type { PdfPage, PdfRun } from "./pdf-lines.ts";
import {
  recogniseText,
  type RecognisedLine,
  type RecognisedText,
  type Recognition,
} from "./recognise-text.ts";

/** Degrees by which a picture has to be turned clockwise to be upright. */
export type Turn = 0 | 90 | 180 | 270;

/** What was recognised in a picture, in pixels of the upright picture. */
export interface RecognisedPicture {
  lines: RecognisedLine[];
  turn: Turn;
  width: number;
  height: number;
  /** Whether there seemed to be text, but none that could be recognised. */
  isUnreadable: boolean;
}

/** From this confidence on, a picture is upright: Tesseract is less sure of turned letters. */
const sure = 75;
/** Below this confidence, what Tesseract returns isn't text. */
const acceptable = 50;
/** So few letters say nothing about how a picture is turned. */
const fewLetters = 4;
/**
 * So few letters may be what one threshold between ink and paper left of a photo of a page, which is
 * darker at one side.
 */
const fewForPage = 30;
/** Side of the square, in pixels, in which other turns are tried. */
const pieceSize = 700;

/**
 * Recognises a picture (PNG) that may be turned by a quarter or a half. Upright letters are
 * recognised with a confidence of about 90, turned ones with less than 50. One that `isUpright` isn't
 * tried in other turns.
 */
export async function recognisePicture(
  png: Buffer,
  size: { width: number; height: number },
  recognition: Recognition,
  { isUpright = false } = {},
): Promise<RecognisedPicture> {
  let asIs = await recogniseText(png, recognition);
  if (asIs.letters < fewForPage) {
    const uneven = await recogniseText(png, recognition, { isUneven: true });
    if (uneven.letters > asIs.letters && uneven.confidence >= acceptable) asIs = uneven;
  }
  if (isUpright || asIs.confidence >= sure || asIs.letters < fewLetters)
    return accept(asIs, 0, size);
  const turn = await findTurn(png, size, asIs.confidence, recognition);
  if (turn === 0) return accept(asIs, 0, size);
  const { default: sharp } = await import("sharp");
  const { data, info } = await sharp(png)
    .rotate(turn)
    .png({ compressionLevel: 1 })
    .toBuffer({ resolveWithObject: true });
  const turned = await recogniseText(data, recognition);
  return turned.confidence > asIs.confidence ? accept(turned, turn, info) : accept(asIs, 0, size);
}

function accept(
  { lines, confidence, letters }: RecognisedText,
  turn: Turn,
  { width, height }: { width: number; height: number },
): RecognisedPicture {
  const isUnreadable = letters >= fewLetters && confidence < acceptable;
  return { lines: isUnreadable ? [] : lines, turn, width, height, isUnreadable };
}

/** A point of the upright picture in the picture as it was, of the given size. */
export function turnBack(
  [x, y]: [number, number],
  turn: Turn,
  { width, height }: { width: number; height: number },
): [number, number] {
  if (turn === 90) return [y, height - x];
  if (turn === 180) return [width - x, height - y];
  if (turn === 270) return [width - y, x];
  return [x, y];
}

/** Tries the other turns on the piece with most ink; 0 if none is better than `confidence`. */
async function findTurn(
  png: Buffer,
  size: { width: number; height: number },
  confidence: number,
  recognition: Recognition,
): Promise<Turn> {
  const { default: sharp } = await import("sharp");
  const piece = await sharp(png)
    .extract(await densestPiece(png, size))
    .png()
    .toBuffer();
  let best: { turn: Turn; confidence: number } = { turn: 0, confidence };
  for (const turn of [90, 270, 180] as const) {
    const turned = await recogniseText(
      await sharp(piece).rotate(turn).png({ compressionLevel: 1 }).toBuffer(),
      recognition,
    );
    if (turned.letters < fewLetters) continue;
    if (turned.confidence > best.confidence) best = { turn, confidence: turned.confidence };
    if (turned.confidence >= sure) break;
  }
  return best.turn;
}

/** The square with most dark pixels, found on a small copy of the picture. */
async function densestPiece(
  png: Buffer,
  { width, height }: { width: number; height: number },
): Promise<{ left: number; top: number; width: number; height: number }> {
  const { default: sharp } = await import("sharp");
  const scale = 16;
  const { data, info } = await sharp(png)
    .grayscale()
    .normalise()
    .resize({
      width: Math.max(1, Math.round(width / scale)),
      height: Math.max(1, Math.round(height / scale)),
      fit: "fill",
    })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const columns = Math.min(info.width, Math.ceil(pieceSize / scale));
  const rows = Math.min(info.height, Math.ceil(pieceSize / scale));
  let best = { x: 0, y: 0, ink: -1 };
  const steps = (all: number, part: number): number[] =>
    Array.from({ length: 7 }, (_, i) => Math.round(((all - part) * i) / 6));
  for (const y of steps(info.height, rows))
    for (const x of steps(info.width, columns)) {
      let ink = 0;
      for (let row = y; row < y + rows; row++)
        for (let column = x; column < x + columns; column++)
          ink += 255 - data[(row * info.width + column) * info.channels]!;
      if (ink > best.ink) best = { x, y, ink };
    }
  const left = Math.min(best.x * scale, Math.max(0, width - pieceSize));
  const top = Math.min(best.y * scale, Math.max(0, height - pieceSize));
  return {
    left,
    top,
    width: Math.min(pieceSize, width - left),
    height: Math.min(pieceSize, height - top),
  };
}

/**
 * Converts the text recognised in a page's image to page units with the origin at the lower left,
 * as if the page had a text layer.
 */
export function layOutPicture(
  lines: RecognisedLine[],
  picture: { width: number; height: number },
  page: { width: number; height: number },
): PdfPage {
  const scale = page.width / picture.width;
  const heights = lines.map((line) => line.height).sort((a, b) => a - b);
  const median = heights[heights.length >> 1] ?? 0;
  const runs = lines.flatMap((line): PdfRun[] =>
    line.words.map((word, i) => {
      // Letters with or without ascenders and descenders make lines of the same font size differ in
      // height.
      const size = (Math.abs(line.height - median) < 0.35 * median ? median : line.height) * scale;
      return {
        text: i === 0 ? word.text : ` ${word.text}`,
        x: word.left * scale,
        y: page.height - line.bottom * scale,
        width: (word.right - word.left) * scale,
        height: (line.bottom - line.top) * scale,
        size,
        endsLine: i === line.words.length - 1,
        upright: true,
      };
    }),
  );
  return { width: page.width, height: page.height, runs };
}

/** Converts the rectangles of a picture that was turned to be read to the picture as it is shown. */
export function undoTurn(
  page: ParsedPage,
  turn: Turn,
  size: { width: number; height: number },
): void {
  for (let i = 0; i + 5 < page.runs.length; i += 6) {
    const [x = 0, y = 0, width = 0, height = 0] = page.runs.subarray(i + 2, i + 6);
    const [ax, ay] = turnBack([x, page.height - y], turn, size);
    const [bx, by] = turnBack([x + width, page.height - y - height], turn, size);
    page.runs.set(
      [Math.min(ax, bx), size.height - Math.max(ay, by), Math.abs(ax - bx), Math.abs(ay - by)],
      i + 2,
    );
  }
  page.width = size.width;
  page.height = size.height;
}
