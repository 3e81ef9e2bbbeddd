import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { findBesideCheckout, sample } from "@carrel/testing";
import { afterAll, describe, expect, it } from "@jest/globals";
import sharp from "sharp";
import { makeScannedPdf } from "../../test/fixtures/make-pdf.ts";
import { convertPicture, makePicture } from "../../test/fixtures/make-picture.ts";
import { makeRawPdf, paintText, pictureObject } from "../../test/fixtures/make-raw-pdf.ts";
import { english, parse } from "../../test/parse-recognised.ts";
import { ProcessingRequiredError } from "./parsed-document.ts";
import { stopRecognition } from "./recognise-text.ts";
import { rectanglesFor } from "./rectangles.ts";

const lines = ["Rent is due on Monday", "to the widow Tamsin Orrery"];
const size = { width: 900, height: 600 };
const words = (text: string): string => text.replace(/\s+/g, " ").trim();
const scan = async (): Promise<Buffer> => convertPicture(await makePicture(lines, size), "jpg");

/** A picture that looks like letters nobody can read. */
const speckled = ({ width, height }: { width: number; height: number }): Promise<Buffer> => {
  // Seeded, so that the noise is the same in each run: some noise looks like nothing at all.
  let state = 1;
  const random = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  const pixels = new Uint8ClampedArray(width * height).map(
    () => 128 + 104 * (random() + random() + random() + random() - 2),
  );
  return sharp(pixels, { raw: { width, height, channels: 1 } })
    .toColourspace("srgb")
    .blur(2)
    .jpeg()
    .toBuffer();
};

/** A page with a picture at a place, and lines of text. */
async function makePage(
  jpeg: Buffer,
  place: { x: number; y: number; width: number; height: number },
  text: { x: number; y: number; text: string }[],
): Promise<Buffer> {
  const { width, height } = await sharp(jpeg).metadata();
  return makeRawPdf({
    content: `q ${place.width} 0 0 ${place.height} ${place.x} ${place.y} cm /I Do Q\n${paintText(text)}`,
    resources: "/XObject << /I 10 0 R >>",
    objects: [pictureObject(jpeg, width, height)],
  });
}
const whole = { x: 0, y: 222, width: 595, height: 397 };

describe("scans in PDFs", () => {
  afterAll(stopRecognition);

  it("that are a few pages among others are left to read later", async () => {
    const jpeg = await scan();
    const page = { jpeg, ...size };
    const text = "The tariff of the harbour names the dues of each trawler and its crew.";
    const book = (count: number): Buffer =>
      makeScannedPdf([page, ...Array.from({ length: count - 1 }, () => ({ ...page, text }))]);
    const before = await parse("book.pdf", book(5));
    expect(before).toMatchObject({ toRecognise: 1, wordlessPages: 1 });
    expect(before.notes).toEqual([{ code: "file-note.pictures-unread", params: { count: 1 } }]);
    expect(before.text).toContain("names the dues");
    const after = await parse("book.pdf", book(5), english);
    expect(words(after.text)).toMatch(
      /^Rent is due on Monday to the widow Tamsin Orrery The tariff/,
    );
    expect(after.notes).toBeUndefined();
    await expect(parse("book.pdf", book(4))).rejects.toBeInstanceOf(ProcessingRequiredError);
  }, 60_000);

  it.each(sample([90, 180, 270], 3))(
    "turned by %s degrees are read, in place",
    async (degrees) => {
      const jpeg = await sharp(await scan())
        .rotate(degrees)
        .jpeg()
        .toBuffer();
      const { width, height } = await sharp(jpeg).metadata();
      const parsed = await parse("scan.pdf", makeScannedPdf([{ jpeg, width, height }]), english);
      expect(words(parsed.text)).toBe(lines.join(" "));
      const at = parsed.text.indexOf("Rent");
      const [rectangle] = rectanglesFor(parsed.pages, at, at + 4);
      expect(parsed.pages[0]).toMatchObject({ width, height });
      // The first word is at the upper left of the text: where that corner went.
      const { x, y } = rectangle!;
      expect(x < width / 2).toBe(degrees === 270);
      expect(y < height / 2).toBe(degrees !== 90);
      expect(rectangle!.height > rectangle!.width).toBe(degrees !== 180);
    },
    60_000,
  );

  it("with a stamp or a page number are read too", async () => {
    const pdf = await makePage(await scan(), whole, [
      { x: 250, y: 800, text: "COPY 4711" },
      { x: 270, y: 20, text: "Page 1 of 1" },
    ]);
    const titled = await makePage(await scan(), { ...whole, y: 100, height: 640 }, [
      { x: 60, y: 800, text: "Archive of the harbour office, register of tenancies, volume four," },
      { x: 60, y: 780, text: "of the keeper of the records, copied for the widow of the tenant." },
    ]);
    for (const file of [pdf, titled])
      await expect(parse("scan.pdf", file)).rejects.toMatchObject({
        work: "recognition",
        pages: 1,
      });
    const parsed = await parse("scan.pdf", pdf, english);
    expect(words(parsed.text)).toBe(`COPY 4711 ${lines.join(" ")} Page 1 of 1`);
    const at = parsed.text.indexOf("widow");
    const [rectangle] = rectanglesFor(parsed.pages, at, at + 5);
    expect(rectangle!.y).toBeGreaterThan(500);
    expect(rectangle!.y).toBeLessThan(560);
  }, 60_000);

  it("that were recognised before aren't read twice", async () => {
    const layer = lines.map((text, i) => `BT 3 Tr /F1 24 Tf 26 ${570 - i * 40} Td (${text}) Tj ET`);
    const pdf = await makePage(await scan(), whole, []);
    const withLayer = Buffer.from(
      pdf.toString("latin1").replace(/\/I Do Q\n/, `/I Do Q\n${layer.join("\n")}\n`),
      "latin1",
    );
    expect(words((await parse("scan.pdf", withLayer, english)).text)).toBe(lines.join(" "));
  }, 60_000);

  it("under a text layer of garbage are read", async () => {
    const garbage = Array.from({ length: 6 }, (_, i) => ({
      x: 60,
      y: 600 - i * 20,
      text: ". 5 ct 2 2 = c ~ e ) 1 oi , x",
    }));
    const pdf = (await makePage(await scan(), whole, garbage)).toString("latin1");
    const invisible = Buffer.from(pdf.replaceAll("BT /F1", "BT 3 Tr /F1"), "latin1");
    expect(words((await parse("scan.pdf", invisible, english)).text)).toBe(lines.join(" "));
  }, 60_000);

  it.each(
    sample(
      [
        Array.from({ length: 20 }, (_, i) => `${i + 1} ${"ABCD"[i % 4]!}`).join(" "),
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6",
      ],
      2,
    ),
  )(
    "are something else than short words: %s",
    async (text) => {
      const short = [{ x: 60, y: 700, text }];
      const logo = { x: 60, y: 740, width: 80, height: 53 };
      const small = await makePage(await scan(), logo, short);
      expect((await parse("key.pdf", small)).text).toBe(text);
      const unclear = (await makePage(await speckled(size), whole, short)).toString("latin1");
      const invisible = Buffer.from(unclear.replaceAll("BT /F1", "BT 3 Tr /F1"), "latin1");
      expect((await parse("key.pdf", invisible, english)).text).toBe(text);
    },
    60_000,
  );

  it("that are too unclear give no text, but a note", async () => {
    const small = { width: 200, height: 120 };
    const page = { ...small, jpeg: await speckled(small) };
    const pdf = makeScannedPdf([{ ...page, text: "A page with words" }, page]);
    const parsed = await parse("scan.pdf", pdf, english);
    expect(words(parsed.text)).toBe("A page with words");
    expect(parsed.notes).toEqual([{ code: "file-note.pages-unrecognised", params: { count: 1 } }]);
  }, 60_000);
});

describe("pictures on pages with text", () => {
  afterAll(stopRecognition);
  const text = Array.from({ length: 12 }, (_, i) => ({
    x: 60,
    y: 800 - i * 14,
    text: `Line ${i} of the tariff says what the author says about the dues.`,
  }));
  const place = { x: 60, y: 300, width: 400, height: 266 };

  it("are read where they are", async () => {
    const after = { x: 60, y: 200, text: "The last line." };
    const pdf = await makePage(await scan(), place, [...text, after]);
    const first = await parse("a.pdf", pdf);
    expect(first.text).toMatch(/Line 11[^]*The last line\.$/);
    expect(first).toMatchObject({
      toRecognise: 1,
      notes: [{ code: "file-note.pictures-unread", params: { count: 1 } }],
    });
    const parsed = await parse("a.pdf", pdf, english);
    expect(parsed).not.toHaveProperty("toRecognise");
    expect(words(parsed.text)).toMatch(
      new RegExp(`Line 11 of the tariff[^R]*${lines.join(" ")} The last line\\.$`),
    );
    expect(parsed.headings).toEqual([]);
  }, 60_000);

  it("are noted when the limit on pages leaves them unread", async () => {
    const pdf = await makePage(await scan(), place, text);
    const parsed = await parse("a.pdf", pdf, { ...english, maxPages: 0 });
    expect(parsed.text).toContain("Line 11");
    expect(parsed.notes).toEqual([{ code: "file-note.pictures-unread", params: { count: 1 } }]);
    const otherwise = await parse("a.pdf", pdf, { ...english, languages: ["tlh"] });
    expect(otherwise.notes).toEqual([{ code: "file-note.pictures-unread", params: { count: 1 } }]);
  }, 60_000);

  it("that are photos, logos or empty don't need recognition", async () => {
    const photo = await sharp({
      create: {
        ...size,
        channels: 3,
        background: "#888",
        noise: { type: "gaussian", mean: 128, sigma: 50 },
      },
    })
      .blur(3)
      .jpeg()
      .toBuffer();
    const empty = await convertPicture(await makePicture([], size), "jpg");
    const logo = { x: 60, y: 700, width: 80, height: 53 };
    for (const [picture, at] of [
      [photo, place],
      [empty, place],
      [await scan(), logo],
    ] as const)
      expect((await parse("a.pdf", await makePage(picture, at, text))).text).toContain("Line 11");
  }, 60_000);
});

const inputs = findBesideCheckout("data/inputs");
const input = (name: string): string | null =>
  inputs !== null && existsSync(path.join(inputs, name)) ? path.join(inputs, name) : null;

describe("PDFs that went wrong", () => {
  afterAll(stopRecognition);
  it.each<[string, RegExp]>([
    ["pdf-form-values.pdf", /Zephyrine Quartz[^]*Skarnholm[^]*\[checked\][^]*Trawler Class Nine/],
    ["pdf-scan-with-stamp.pdf", /tenancy of the salt warehouse[^]*Tamsin Orrery[^]*Page 1 of 1/],
    ["pdf-text-plus-picture.pdf", /pasted as a picture[^]*Class B trawler 245 crowns/],
    ["pdf-scan-sideways.pdf", /^The tenancy of the salt warehouse ends[^]*Tamsin Orrery\.$/],
    ["pdf-two-columns-rowwise.pdf", /a log of every vessel\nthat passes the sound\.\n\nIn fog/],
    ["pdf-with-attachment.pdf", /Attached file: memo\.txt[^]*names Ottoline Farr/],
  ])(
    "%s",
    async (name, expected) => {
      const file = input(name);
      if (file === null) return;
      expect((await parse(name, readFileSync(file), english)).text).toMatch(expected);
    },
    60_000,
  );
});
