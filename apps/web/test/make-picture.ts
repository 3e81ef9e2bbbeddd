import { crc32, deflateSync } from "node:zlib";
import type { FakeOriginal } from "./originals.ts";

const size = { width: 600, height: 400 };
/** Words as black boxes; the passage is the second line. */
const lines = [
  { x: 40, y: 320, width: 400, height: 24 },
  { x: 40, y: 270, width: 300, height: 24 },
  { x: 40, y: 220, width: 350, height: 24 },
];

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}

/** A greyscale PNG of a page with three lines. */
function makePng({ width, height }: { width: number; height: number }): Buffer {
  const pixels = Buffer.alloc((width + 1) * height, 255);
  for (let y = 0; y < height; y += 1) {
    pixels[y * (width + 1)] = 0; // no filter
    for (const line of lines)
      if (height - y > line.y && height - y <= line.y + line.height)
        pixels.fill(60, y * (width + 1) + 1 + line.x, y * (width + 1) + 1 + line.x + line.width);
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.writeUInt8(8, 8); // bits per pixel
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(pixels)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

export const notice = "The low speed tunnel is closed from 3 to 7 August.";

export const picture = (): FakeOriginal => ({
  title: "notice.png",
  mime: "image/png",
  bytes: makePng(size),
  text: `Notice\n${notice}\nThe management`,
  pageSize: { width: size.width * 2, height: size.height * 2 }, // recognised at twice the size
  rectangles: [
    {
      page: 1,
      x: lines[1]!.x * 2,
      y: lines[1]!.y * 2,
      width: lines[1]!.width * 2,
      height: lines[1]!.height * 2,
    },
  ],
});

/** Three pages, with the passage on the second one. The file itself isn't shown by browsers. */
export const scan = (): FakeOriginal => ({
  ...picture(),
  title: "notices.tiff",
  mime: "image/tiff",
  bytes: Buffer.from("II*\0"),
  rectangles: picture().rectangles!.map((rectangle) => ({ ...rectangle, page: 2 })),
  scanned: [
    makePng(size),
    makePng(size),
    makePng({ width: size.width, height: size.height + 100 }),
  ],
  page: 2,
});
