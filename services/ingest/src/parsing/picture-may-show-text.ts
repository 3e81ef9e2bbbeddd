import { mayShowText, sampleSide } from "./may-show-text.ts";

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
