/** A decoded picture of pdf.js: 1 bit per pixel (rows padded to bytes), RGB or RGBA. */
export interface DecodedPicture {
  width: number;
  height: number;
  kind?: number;
  data?: Uint8Array | Uint8ClampedArray | null;
}

const sampledRows = 240;
const sampledColumns = 1_200;
/** Least change of brightness from paper to ink. */
const edge = 60;
/** Changes in a row that crosses a few letters. */
const busy = 8;

/** Brightness of a pixel, 0 to 255. */
function brightnessOf(picture: DecodedPicture): ((x: number, y: number) => number) | null {
  const { width, data, kind } = picture;
  if (!data) return null;
  if (kind === 1) {
    const stride = (width + 7) >> 3;
    return (x, y) => ((data[y * stride + (x >> 3)]! >> (7 - (x & 7))) & 1) * 255;
  }
  const channels = kind === 2 ? 3 : 4;
  return (x, y) => {
    const at = (y * width + x) * channels;
    return (data[at]! * 3 + data[at + 1]! * 6 + data[at + 2]!) / 10;
  };
}

/** What a picture looks like: how even its ground is, how many of its rows cross letters. */
export interface Appearance {
  /** Share of the pixels that are about as bright as the ground. */
  ground: number;
  /** Share of the rows with many changes between light and dark. */
  busyRows: number;
  /** The same for equal pictures. */
  fingerprint: string;
}

/** Samples a picture; null if its pixels aren't known. */
export function appearanceOf(picture: DecodedPicture): Appearance | null {
  const { width, height } = picture;
  const brightness = brightnessOf(picture);
  if (!brightness || width < 1 || height < 1) return null;
  const histogram = new Uint32Array(32);
  const rowStep = Math.max(1, Math.floor(height / sampledRows));
  const step = Math.max(1, Math.floor(width / sampledColumns));
  let [rows, busyRows, samples, hash] = [0, 0, 0, 0];
  for (let y = 0; y < height; y += rowStep) {
    let changes = 0;
    let before = brightness(0, y);
    for (let x = 0; x < width; x += step) {
      const value = brightness(x, y);
      histogram[value >> 3]!++;
      samples++;
      if (Math.abs(value - before) > edge) {
        changes++;
        before = value;
        hash = (Math.imul(hash, 31) + x + y) | 0;
      } else before = (before * 3 + value) / 4;
    }
    rows++;
    if (changes >= busy) busyRows++;
  }
  let ground = 0;
  for (let i = 0; i + 4 < histogram.length; i++)
    ground = Math.max(
      ground,
      histogram.subarray(i, i + 5).reduce((a, b) => a + b, 0),
    );
  return {
    ground: ground / samples,
    busyRows: busyRows / rows,
    fingerprint: `${width}x${height} ${hash} ${histogram.join(",")}`,
  };
}

/**
 * Whether a picture may show text: an even ground and rows that cross letters. Photos and gradients
 * have no ground; logos, rules and drawings have few such rows. A picture that fills the page is
 * judged less strictly, because it may be the photo of a page.
 */
export const looksLikeText = ({ ground, busyRows }: Appearance, fillsPage: boolean): boolean =>
  busyRows > 0.02 && ground > (fillsPage ? 0.35 : 0.5);
