import { createHash } from "node:crypto";
import type { PDFPageProxy } from "pdfjs-dist";
import { mayShowText, sampleSide, type GreyPicture } from "./may-show-text.ts";
import type { PdfRun } from "./pdf-lines.ts";

/** A rectangle in points, origin at the page's lower left. */
export interface Region {
  x: number;
  y: number;
  width: number;
  height: number;
}
interface Picture extends Region {
  /** Key of the decoded picture in pdf.js; null if it is inline or a mask. */
  id: string | null;
  inline: DecodedPicture | null;
}

/** What a page paints in addition to text. */
export interface Drawing {
  pictures: Picture[];
  shapes: number;
}

type Matrix = [number, number, number, number, number, number];
type Operators = Record<string, number>;

/** A page with more pictures is a drawing made of them. */
const maxPictures = 2_000;
/** Smallest picture that is worth recognising, in points, and its share of the page. */
const smallest = { width: 90, height: 18, share: 0.025 };
/** A picture with this share of the page is a scan, or a background. */
const fills = 0.5;
/** Pixels of the smallest picture that can hold a readable line. */
const leastPixels = { width: 120, height: 24 };

/**
 * Whether a PDF has pictures that can hold text, judged by the dictionaries of its images, which are
 * never compressed. Reading what every page paints takes as long as reading its text.
 */
export function mayHavePictures(bytes: Uint8Array): boolean {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = file.indexOf("/Image"), n = 0; at !== -1; at = file.indexOf("/Image", at + 6)) {
    if (++n > 2_000) return true;
    const around = file.toString("latin1", Math.max(0, at - 500), at + 500);
    const most = (pattern: RegExp): number =>
      [...around.matchAll(pattern)].reduce((max, match) => Math.max(max, Number(match[1])), 0);
    if (/\/(?:Width|Height)\s+\d+\s+\d+\s+R/.test(around)) return true;
    if (
      most(/\/Width\s+(\d+)/g) >= leastPixels.width &&
      most(/\/Height\s+(\d+)/g) >= leastPixels.height
    )
      return true;
  }
  return false;
}

const multiply = (m: Matrix, n: Matrix): Matrix => [
  m[0] * n[0] + m[2] * n[1],
  m[1] * n[0] + m[3] * n[1],
  m[0] * n[2] + m[2] * n[3],
  m[1] * n[2] + m[3] * n[3],
  m[0] * n[4] + m[2] * n[5] + m[4],
  m[1] * n[4] + m[3] * n[5] + m[5],
];

/** The pictures on a page with their places, and the number of shapes. */
export async function readDrawing(page: PDFPageProxy, OPS: Operators): Promise<Drawing> {
  const { fnArray, argsArray } = await page.getOperatorList();
  const [left = 0, bottom = 0] = page.view;
  const pictures: Picture[] = [];
  let shapes = 0;
  let matrix: Matrix = [1, 0, 0, 1, -left, -bottom];
  const stack: Matrix[] = [];
  const paint = (id: string | null, inline: DecodedPicture | null, at = matrix): void => {
    if (pictures.length >= maxPictures) return;
    const [a, b, c, d, e, f] = at;
    const xs = [e, e + a, e + c, e + a + c];
    const ys = [f, f + b, f + d, f + b + d];
    const [x, y] = [Math.min(...xs), Math.min(...ys)];
    pictures.push({ id, inline, x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y });
  };
  for (const [i, operator] of fnArray.entries()) {
    const args = (argsArray[i] ?? []) as unknown[];
    switch (operator) {
      case OPS.save:
        stack.push(matrix);
        break;
      case OPS.restore:
      case OPS.paintFormXObjectEnd:
        matrix = stack.pop() ?? matrix;
        break;
      case OPS.transform:
        matrix = multiply(matrix, args as unknown as Matrix);
        break;
      case OPS.paintFormXObjectBegin:
        stack.push(matrix);
        if (args[0]) matrix = multiply(matrix, Array.from(args[0] as Matrix) as Matrix);
        break;
      case OPS.paintImageXObject:
        paint(args[0] as string, null);
        break;
      case OPS.paintInlineImageXObject:
        paint(null, args[0] as DecodedPicture);
        break;
      case OPS.paintImageMaskXObject:
      case OPS.paintInlineImageXObjectGroup:
      case OPS.paintImageXObjectRepeat:
      case OPS.paintImageMaskXObjectGroup:
      case OPS.paintImageMaskXObjectRepeat:
        paint(null, null);
        break;
      case OPS.constructPath:
        shapes++;
        break;
      default:
    }
  }
  return { pictures, shapes };
}

/** The share of a page that pictures cover, on a grid of 64 by 64 fields. */
export function coverage(
  pictures: readonly Region[],
  page: { width: number; height: number },
): number {
  const grid = new Uint8Array(64 * 64);
  const field = (n: number, length: number): number =>
    Math.min(64, Math.max(0, Math.round((n / length) * 64)));
  for (const { x, y, width, height } of pictures)
    for (let row = field(y, page.height); row < field(y + height, page.height); row++)
      grid.fill(1, row * 64 + field(x, page.width), row * 64 + field(x + width, page.width));
  return grid.reduce((sum, n) => sum + n, 0) / grid.length;
}

/** Whether a text layer already holds what a picture shows, like a recognised scan's. */
function isRead(region: Region, runs: readonly PdfRun[]): boolean {
  const bands = new Set<number>();
  let characters = 0;
  for (const run of runs) {
    const [x, y] = [run.x + run.width / 2, run.y + run.height / 2];
    if (x < region.x || x > region.x + region.width) continue;
    if (y < region.y || y > region.y + region.height) continue;
    const length = run.text.trim().length;
    characters += length;
    if (length > 0) bands.add(Math.floor(((y - region.y) / region.height) * 20));
  }
  return characters * 800 > region.width * region.height && bands.size >= 4;
}

async function decoded(page: PDFPageProxy, id: string): Promise<DecodedPicture | null> {
  const store = id.startsWith("g_") ? page.commonObjs : page.objs;
  return new Promise((resolve) => {
    store.get(id, (picture: DecodedPicture | null) => {
      resolve(picture);
    });
  });
}

/** Joins pictures that touch: scanners cut pages into strips or tiles. */
function joinTouching(pictures: readonly Picture[]): Picture[][] {
  const groups: { region: Region; pictures: Picture[] }[] = [];
  for (const picture of pictures) {
    const region = { ...picture };
    const members = [picture];
    for (let i = groups.length - 1; i >= 0; i--) {
      const other = groups[i]!;
      if (!touch(region, other.region)) continue;
      Object.assign(region, around([region, other.region]));
      members.push(...other.pictures);
      groups.splice(i, 1);
    }
    groups.push({ region, pictures: members });
  }
  return groups.map((group) => group.pictures);
}
const touch = (a: Region, b: Region): boolean =>
  a.x <= b.x + b.width + 1 &&
  b.x <= a.x + a.width + 1 &&
  a.y <= b.y + b.height + 1 &&
  b.y <= a.y + a.height + 1;

function around(regions: readonly Region[]): Region {
  const x = Math.min(...regions.map((region) => region.x));
  const y = Math.min(...regions.map((region) => region.y));
  return {
    x,
    y,
    width: Math.max(...regions.map((region) => region.x + region.width)) - x,
    height: Math.max(...regions.map((region) => region.y + region.height)) - y,
  };
}

function clip(region: Region, page: { width: number; height: number }): Region {
  const x = Math.max(0, region.x);
  const y = Math.max(0, region.y);
  return {
    x,
    y,
    width: Math.min(page.width, region.x + region.width) - x,
    height: Math.min(page.height, region.y + region.height) - y,
  };
}

/**
 * Regions of a page with a text layer whose pictures seem to show text that the layer doesn't hold.
 * `seen` collects fingerprints, so that a letterhead or logo counts once in a document.
 */
export async function findTextPictures(
  page: PDFPageProxy,
  { pictures }: Drawing,
  runs: readonly PdfRun[],
  size: { width: number; height: number },
  seen: Set<string>,
): Promise<Region[]> {
  const regions: Region[] = [];
  for (const group of joinTouching(pictures)) {
    const region = clip(around(group), size);
    const share = (region.width * region.height) / (size.width * size.height);
    if (region.width < smallest.width || region.height < smallest.height || share < smallest.share)
      continue;
    if (isRead(region, runs)) continue;
    let showsText = false;
    for (const picture of group.slice(0, 20)) {
      const sample = sampleDecoded(
        picture.inline ?? (picture.id === null ? null : await decoded(page, picture.id)),
      );
      // The pixels of a mask aren't known; scans in black and white are often masks.
      if (sample === null) {
        showsText ||= share > fills;
        continue;
      }
      const fingerprint = fingerprintOf(sample);
      if (!seen.has(fingerprint)) {
        seen.add(fingerprint);
        showsText ||= mayShowText(sample);
      }
    }
    if (showsText) regions.push(region);
  }
  return regions;
}

/** A decoded picture of pdf.js: 1 bit per pixel (rows padded to bytes), RGB or RGBA. */
interface DecodedPicture {
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
function sampleDecoded(picture: DecodedPicture | null): GreyPicture | null {
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

/** A fingerprint, equal for equal pictures. */
const fingerprintOf = ({ width, height, data }: GreyPicture): string =>
  `${width}x${height} ${createHash("sha1").update(data).digest("base64")}`;
