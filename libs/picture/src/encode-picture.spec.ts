import { readFileSync } from "node:fs";
import { Readable } from "node:stream";
import { describe, expect, it } from "@jest/globals";
import sharp from "sharp";
import { detectPictureFormat, encodePicture, largestPicture } from "./encode-picture.ts";
import { ConcurrencyLimit } from "./load-sharp.ts";

const square = { width: 64, height: 64, fit: "cover" } as const;
const picture = (width: number, height: number): ReturnType<typeof sharp> =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 30, b: 30 } } });
const failure = (work: Promise<unknown>): Promise<{ code?: string; message?: string }> =>
  work.then(
    () => ({}),
    (error: { code: string; message: string }) => error,
  );

describe("encodePicture", () => {
  it.each(["jpeg", "png", "webp", "gif", "avif"] as const)(
    "recognises %s by its content and returns WebP of the requested size",
    async (format) => {
      const source = await picture(200, 100).toFormat(format).toBuffer();
      expect(detectPictureFormat(source)).toBe(format);
      const made = await encodePicture(source, square);
      expect(await sharp(made).metadata()).toMatchObject({ format: "webp", width: 64, height: 64 });
    },
  );

  it("reads a stream, and fits the whole picture into its box without enlarging it", async () => {
    const source = await picture(1_600, 100).png().toBuffer();
    expect(
      await sharp(
        await encodePicture(Readable.from([source.subarray(0, 100), source.subarray(100)]), {
          width: 800,
          height: 200,
          fit: "inside",
        }),
      ).metadata(),
    ).toMatchObject({ width: 800, height: 50 });
    const small = await picture(40, 20).png().toBuffer();
    expect(
      await sharp(
        await encodePicture(small, { width: 800, height: 200, fit: "inside" }),
      ).metadata(),
    ).toMatchObject({ width: 40, height: 20 });
  });

  it("applies the camera's orientation and removes metadata", async () => {
    const source = await picture(100, 40)
      .jpeg()
      .withExif({ IFD0: { Artist: "Someone" }, IFD3: { GPSLatitude: "51/1 30/1 0/1" } })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    expect((await sharp(source).metadata()).exif).toBeDefined();
    const made = await encodePicture(source, { width: 800, height: 800, fit: "inside" });
    const metadata = await sharp(made).metadata();
    expect(metadata).toMatchObject({ width: 40, height: 100 });
    expect([metadata.exif, metadata.xmp, metadata.iptc, metadata.orientation]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("returns the first frame of an animation", async () => {
    const frames = await Promise.all([
      sharp({ create: { width: 10, height: 10, channels: 3, background: "red" } })
        .png()
        .toBuffer(),
      sharp({ create: { width: 10, height: 10, channels: 3, background: "blue" } })
        .png()
        .toBuffer(),
    ]);
    const animation = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer();
    const made = sharp(await encodePicture(animation, square));
    expect((await made.metadata()).pages ?? 1).toBe(1);
    const { data } = await made.raw().toBuffer({ resolveWithObject: true });
    expect(data[0]!).toBeGreaterThan(200);
    expect(data[2]!).toBeLessThan(60);
  });

  it.each([
    [
      "SVG",
      Buffer.from(
        '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="file:///etc/passwd"/></svg>',
      ),
    ],
    ["HTML", Buffer.from("<!doctype html><script>alert(1)</script>")],
    ["PDF", Buffer.from("%PDF-1.7\n1 0 obj")],
    ["an empty file", Buffer.alloc(0)],
    ["TIFF", Buffer.from("II*\0\x08\0\0\0", "latin1")],
    ["HEIC", Buffer.from("\0\0\0\x18ftypheic\0\0\0\0mif1heic", "latin1")],
  ])("rejects %s", async (_name, bytes) => {
    expect(await failure(encodePicture(bytes, square))).toMatchObject({ kind: "UNSUPPORTED" });
  });

  it("reports a broken picture as broken", async () => {
    const whole = await picture(300, 300).png().toBuffer();
    for (const bytes of [
      whole.subarray(0, 60),
      Buffer.from("\x89PNG\r\n\x1a\nnothing", "latin1"),
      Buffer.from("GIF89a"),
      Buffer.from("\xff\xd8\xff\xe0garbage", "latin1"),
      Buffer.concat([Buffer.from("RIFF\x10\0\0\0WEBP", "latin1"), Buffer.alloc(40, 1)]),
      Buffer.from("\0\0\0\x18ftypavif\0\0\0\0mif1avif", "latin1"),
    ]) {
      expect(await failure(encodePicture(bytes, square))).toMatchObject({ kind: "BAD_INPUT" });
    }
  });

  it("is not fooled by a known header: other formats behind it are not decoded", async () => {
    const svg = Buffer.from('GIF89a<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
    expect(await failure(encodePicture(svg, square))).toMatchObject({ kind: "BAD_INPUT" });
  });

  it("leaves TIFF enabled for the rest of the process: scanned documents use the same library", async () => {
    await encodePicture(await picture(20, 20).png().toBuffer(), square);
    expect(await sharp(await picture(20, 20).tiff().toBuffer()).metadata()).toMatchObject({
      format: "tiff",
    });
  });

  it("rejects too many bytes, also in a stream, and too many pixels in few bytes", async () => {
    expect(await failure(encodePicture(Buffer.alloc(largestPicture + 1), square))).toMatchObject({
      kind: "TOO_LARGE",
    });
    const endless = Readable.from(
      (function* () {
        for (;;) yield Buffer.alloc(1_000_000);
      })(),
    );
    expect(await failure(encodePicture(endless, square))).toMatchObject({ kind: "TOO_LARGE" });
    endless.destroy();
    const bomb = await sharp({
      create: { width: 9_000, height: 9_000, channels: 3, background: "white" },
      limitInputPixels: false,
    })
      .png({ compressionLevel: 9 })
      .toBuffer();
    expect(bomb.length).toBeLessThan(largestPicture);
    expect(await failure(encodePicture(bomb, square))).toMatchObject({ kind: "TOO_LARGE" });
  }, 60_000);

  it("loads the library only for the first picture", () => {
    const source = readFileSync(new URL("./encode-picture.ts", import.meta.url), "utf8");
    expect(source).not.toMatch(/^import (?!type)[^\n]*'sharp'/m);
  });
});

describe("ConcurrencyLimit", () => {
  it("runs a few at once, lets others wait, and rejects the rest as busy", async () => {
    const limit = new ConcurrencyLimit(2, 3);
    let atOnce = 0;
    let most = 0;
    const outcomes = await Promise.allSettled(
      Array.from({ length: 7 }, () =>
        limit.run(async () => {
          most = Math.max(most, (atOnce += 1));
          await new Promise((resolve) => setTimeout(resolve, 10));
          atOnce -= 1;
        }),
      ),
    );
    expect(most).toBe(2);
    expect(outcomes.filter(({ status }) => status === "rejected")).toHaveLength(2);
    await limit.run(() => Promise.resolve());
  });
});
