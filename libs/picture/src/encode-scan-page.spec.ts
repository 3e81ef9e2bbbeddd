import { describe, expect, it } from "@jest/globals";
import sharp from "sharp";
import { encodeScanPage } from "./index.ts";

const sheet = (background: string, width = 80, height = 100): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();
const scanOf = (bytes: Buffer) => ({ bytes: bytes.length, read: async () => bytes });
const encode = (bytes: Buffer, page: number): Promise<Buffer> =>
  encodeScanPage(scanOf(bytes), page);
const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: { code: unknown }) => error.code,
  );

/** A small TIFF whose directory states 90 million pixels. */
async function makeBomb(): Promise<Buffer> {
  const bytes = await sharp(await sheet("#fff"))
    .tiff()
    .toBuffer();
  const directory = bytes.readUInt32LE(4);
  const sizes: Record<number, number> = { 256: 10_000, 257: 9_000 }; // width and height by tag
  for (let entry = 0; entry < bytes.readUInt16LE(directory); entry += 1) {
    const at = directory + 2 + entry * 12;
    const size = sizes[bytes.readUInt16LE(at)];
    if (size === undefined) continue;
    bytes.writeUInt16LE(4, at + 2); // 32 bits
    bytes.writeUInt32LE(size, at + 8);
  }
  return bytes;
}

describe("encodeScanPage", () => {
  it("returns each page of a TIFF as WebP", async () => {
    const scan = await sharp(await Promise.all([sheet("#f00"), sheet("#00f")]), {
      join: { animated: true },
    })
      .tiff({ compression: "lzw" })
      .toBuffer();
    const colours = await Promise.all(
      [1, 2].map(async (page) => {
        const made = await encode(scan, page);
        expect(await sharp(made).metadata()).toMatchObject({
          format: "webp",
          width: 80,
          height: 100,
        });
        const { dominant } = await sharp(made).stats();
        return dominant.r > dominant.b ? "red" : "blue";
      }),
    );
    expect(colours).toEqual(["red", "blue"]);
    expect(await codeOf(encode(scan, 3))).toBe("picture.broken");
  });

  it("turns a page upright, and reduces it to what a screen shows", async () => {
    const turned = await sharp(await sheet("#0f0", 3_000, 1_500))
      .withMetadata({ orientation: 6 })
      .tiff({ compression: "jpeg" })
      .toBuffer();
    const made = await sharp(await encode(turned, 1)).metadata();
    expect(made).toMatchObject({ width: 1_200, height: 2_400 });
    expect(made.orientation).toBeUndefined();
  });

  it("refuses other formats, damaged files and those that are too large", async () => {
    expect(await codeOf(encode(await sheet("#fff"), 1))).toBe("picture.unsupported");
    expect(await codeOf(encode(Buffer.from("II*\0 and nothing else"), 1))).toBe("picture.broken");
    const bomb = await makeBomb();
    expect(await codeOf(encode(bomb, 1))).toBe("picture.too-large");
    let wasRead = false;
    const huge = {
      bytes: 40_000_001,
      read: async () => {
        wasRead = true;
        return bomb;
      },
    };
    expect(await codeOf(encodeScanPage(huge, 1))).toBe("picture.too-large");
    expect(wasRead).toBe(false);
  });
});
