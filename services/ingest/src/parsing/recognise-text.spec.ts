import { afterAll, describe, expect, it } from "@jest/globals";
import { makeScannedPdf } from "../../test/fixtures/make-pdf.ts";
import {
  convertPicture,
  makePicture,
  makeTiff,
  type PictureFormat,
} from "../../test/fixtures/make-picture.ts";
import { english, parse, place } from "../../test/parse-recognised.ts";
import { stopRecognition } from "./recognise-text.ts";
import { rectanglesFor } from "./rectangles.ts";

describe("text in pictures", () => {
  afterAll(stopRecognition);
  it.each<PictureFormat>(["png", "jpg", "webp", "gif", "tiff", "bmp"])(
    "%s is read, with word positions",
    async (format) => {
      const parsed = await parse(
        `note.${format}`,
        await convertPicture(
          await makePicture(["Water the plants", "every second Tuesday"]),
          format,
        ),
        english,
      );
      expect(parsed.text.replace(/\s+/g, " ")).toBe("Water the plants every second Tuesday");
      expect(parsed.format).toBe("image");
      const at = parsed.text.indexOf("Tuesday");
      const [rectangle] = rectanglesFor(parsed.pages, at, at + 7);
      expect(rectangle!.x).toBeGreaterThan(200);
      expect(rectangle!.y).toBeLessThan(parsed.pages[0]!.height / 2);
    },
    60_000,
  );

  it("reads each page of a TIFF as a page", async () => {
    const size = { width: 700, height: 140 };
    const parsed = await parse(
      "scan.tif",
      await makeTiff([
        await makePicture(["The first page"], size),
        await makePicture(["The second page"], size),
      ]),
      english,
    );
    expect(parsed.pages).toHaveLength(2);
    expect(place(parsed, "second").page).toBe(2);
  }, 60_000);

  it("a scanned PDF: recognises only pages without text, including rotated ones, in place", async () => {
    const size = { width: 800, height: 400 };
    const jpeg = await convertPicture(await makePicture(["Rent is due on Monday"], size), "jpg");
    const sharp = (await import("sharp")).default;
    // A scan made sideways, with matching page rotation.
    const lying = await sharp(await makePicture(["Keys are at the office"], size))
      .rotate(270)
      .jpeg()
      .toBuffer();
    const pdf = makeScannedPdf([
      { jpeg, ...size, text: "A page with words" },
      { jpeg, ...size },
      { jpeg: lying, width: size.height, height: size.width, rotate: 90 },
    ]);
    await expect(parse("scan.pdf", pdf)).rejects.toMatchObject({
      name: "ProcessingRequiredError",
      work: "recognition",
      pages: 2,
    });
    const parsed = await parse("scan.pdf", pdf, english);
    expect(parsed.text).toBe(
      "A page with words\n\nRent is due on Monday\n\nKeys are at the office",
    );
    expect(place(parsed, "Monday").page).toBe(2);
    const at = parsed.text.indexOf("Monday");
    const [onPage] = rectanglesFor(parsed.pages, at, at + 6);
    expect(onPage).toMatchObject({ page: 2 });
    expect(onPage!.x).toBeGreaterThan(250);
    expect(onPage!.y).toBeGreaterThan(300);
    const keys = parsed.text.indexOf("Keys");
    const [turned] = rectanglesFor(parsed.pages, keys, keys + 4);
    // In unrotated page coordinates: text seen at the top left is at the lower left, upright.
    expect(parsed.pages[2]).toMatchObject({ width: 400, height: 800 });
    expect(turned!.height).toBeGreaterThan(turned!.width);
    expect(turned!.x).toBeLessThan(120);
    expect(turned!.y).toBeLessThan(120);
  }, 60_000);

  it("names a language without data, and where to get it; adding it is enough", async () => {
    const picture = await makePicture(["Hello"]);
    await expect(
      parse("a.png", picture, {
        ...english,
        languages: ["eng", "tlh"],
        dataFolder: "/models/tesseract",
      }),
    ).rejects.toMatchObject({
      curable: true,
      message:
        "Text in images can't be recognized: there's no data for the language \"tlh\" (CARREL_OCR_LANGUAGES). Install the npm package @tesseract.js-data/tlh, or put tlh.traineddata in the models folder.",
    });
    expect(
      (
        await parse("a.png", await makePicture(["Grüße aus Köln"]), {
          ...english,
          languages: ["deu"],
        })
      ).text,
    ).toBe("Grüße aus Köln");
  }, 60_000);

  it("reports a picture without text", async () => {
    await expect(
      parse("sky.png", await makePicture([], { width: 300, height: 300 }), english),
    ).rejects.toThrow("No text content found in sky.png.");
  }, 60_000);
});
