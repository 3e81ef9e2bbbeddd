import { createHash } from "node:crypto";
import { sampleSide, type GreyPicture } from "./may-show-text.ts";

/** A decoded picture of pdf.js: 1 bit per pixel (rows padded to bytes), RGB or RGBA. */
export interface DecodedPicture {
  width: number;
  height: number;
  kind?: number;
  data?: Uint8Array | Uint8ClampedArray | null;
}

/** Brightness of a pixel, 0 to 255; null if the pixels aren't known. */
function brightnessOf({
  width,
  data,
  kind,
}: DecodedPicture): ((x: number, y: number) => number) | null {
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

/** Every few pixels of a picture; null if they aren't known. */
export function sampleDecoded(picture: DecodedPicture | null): GreyPicture | null {
  const brightness = picture && brightnessOf(picture);
  if (!brightness || picture.width < 1 || picture.height < 1) return null;
  const step = Math.max(1, Math.ceil(Math.max(picture.width, picture.height) / sampleSide));
  const width = Math.ceil(picture.width / step);
  const height = Math.ceil(picture.height / step);
  const data = new Uint8Array(width * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) data[y * width + x] = brightness(x * step, y * step);
  return { width, height, data };
}

/** The same for equal pictures. */
export const fingerprintOf = ({ width, height, data }: GreyPicture): string =>
  `${width}x${height} ${createHash("sha1").update(data).digest("base64")}`;
