/** A picture in shades of grey, 0 to 255, made small enough to look at. */
export interface GreyPicture {
  width: number;
  height: number;
  data: Uint8Array;
}

/** Pictures are looked at in this size, in squares with this side. */
export const sampleSide = 1_200;
const square = 48;
/** Number of squares that must look like text. */
const fewestSquares = 3;
/** Change of brightness at the edge of a letter's stroke. */
const sharpEdge = 40;
/** A row of pixels through letters turns between dark and light this often, in this many rows. */
const fewestTurns = 3;
const fewestStrokeRows = 6;

/** Whether a square may show letters: most of it has one shade, crossed by strokes. */
function hasLetters({ data, width }: GreyPicture, left: number, top: number, size: Size): boolean {
  const shades = new Uint32Array(33);
  let strokeRows = 0;
  for (let y = top; y < top + size.height; y++) {
    let turns = 0;
    let direction = 0;
    for (let x = left; x < left + size.width; x++) {
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
  return ground > 0.45 * size.width * size.height && strokeRows >= fewestStrokeRows;
}

interface Size {
  width: number;
  height: number;
}

/** Positions of squares along a side: one after the other, the last one at its end. */
const startsAlong = (length: number, side: number): number[] => [
  ...Array.from({ length: Math.floor(length / side) }, (_, i) => i * side),
  ...(length % side > 0 ? [length - side] : []),
];

/**
 * Whether a picture may show text, judged without recognising it: some of its squares have an even
 * ground that strokes cross. Photos are shaded, and drawings have single edges.
 */
export function mayShowText(picture: GreyPicture): boolean {
  const size = {
    width: Math.min(square, picture.width),
    height: Math.min(square, picture.height),
  };
  if (size.width < 1 || size.height < 1) return false;
  const lefts = startsAlong(picture.width, size.width);
  let squares = 0;
  for (const top of startsAlong(picture.height, size.height))
    for (const left of lefts)
      if (hasLetters(picture, left, top, size) && ++squares >= fewestSquares) return true;
  return false;
}

const maxPixels = 80_000_000;
/** Smaller pictures, in pixels, are icons and logos. */
const shortestSide = 60;
const fewestPixels = 40_000;

/** Whether a picture file is large enough to show text, and may do so. */
export async function pictureMayShowText(bytes: Buffer): Promise<boolean> {
  const { default: sharp } = await import("sharp");
  const open = () => sharp(bytes, { limitInputPixels: maxPixels, failOn: "error", pages: 1 });
  try {
    const { width = 0, height = 0 } = await open().metadata();
    if (Math.min(width, height) < shortestSide || width * height < fewestPixels) return false;
    const { data, info } = await open()
      .flatten({ background: "#fff" })
      .grayscale()
      .resize({ width: sampleSide, height: sampleSide, fit: "inside", withoutEnlargement: true })
      .raw()
      .toBuffer({ resolveWithObject: true });
    return mayShowText({ data, width: info.width, height: info.height });
  } catch {
    // Damaged, or in a format that sharp doesn't know.
    return false;
  }
}
