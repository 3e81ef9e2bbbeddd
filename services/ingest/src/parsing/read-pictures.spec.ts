import { describe, expect, it } from "@jest/globals";
import { createCanvas } from "@napi-rs/canvas";
import { makeDocx } from "../../test/fixtures/make-docx.ts";
import { makePicture } from "../../test/fixtures/make-picture.ts";
import { english, parse } from "../../test/parse-recognised.ts";
import { ProcessingRequiredError } from "./parsed-document.ts";

type Parts = NonNullable<Parameters<typeof makeDocx>[1]>["parts"];

const centimetre = 360_000;
const drawn = (id: string, width = 12 * centimetre, height = 6 * centimetre): string =>
  `<w:p><w:r><w:drawing><wp:inline><wp:extent cx="${width}" cy="${height}"/><a:graphic><a:graphicData><a:blip r:embed="${id}"/></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`;
const text = (words: string): string => `<w:p><w:r><w:t>${words}</w:t></w:r></w:p>`;
const picture = (content: Buffer) => ({ type: "image", content });

/** A landscape: shades and soft shapes, some noise, no letters. */
async function makePhoto(): Promise<Buffer> {
  const canvas = createCanvas(900, 600);
  const context = canvas.getContext("2d");
  const sky = context.createLinearGradient(0, 0, 900, 600);
  sky.addColorStop(0, "#246");
  sky.addColorStop(1, "#fda");
  context.fillStyle = sky;
  context.fillRect(0, 0, 900, 600);
  for (let i = 0; i < 4_000; i++) {
    const shade = (i * 7_919) % 255;
    context.fillStyle = `rgba(${shade},${(shade * 3) % 255},60,0.5)`;
    context.fillRect((i * 131) % 900, 300 + ((i * 197) % 300), 9, 5);
  }
  return canvas.encode("jpeg");
}

/** A sign on a plain ground. */
async function makeLogo(): Promise<Buffer> {
  const canvas = createCanvas(400, 400);
  const context = canvas.getContext("2d");
  context.fillStyle = "#fff";
  context.fillRect(0, 0, 400, 400);
  context.fillStyle = "#05a";
  context.arc(200, 200, 150, 0, 7);
  context.fill();
  return canvas.encode("png");
}

async function outcome(body: string, parts: Parts): Promise<string> {
  const file = await makeDocx([], { body, parts });
  return parse("a.docx", file).then(
    ({ text: read, notes }) =>
      [read, ...(notes ?? []).map((note) => JSON.stringify(note))].join("\n"),
    (fault: unknown) => {
      if (fault instanceof ProcessingRequiredError) return `${fault.work} of ${fault.pages}`;
      throw fault;
    },
  );
}

describe("pictures in Office files", () => {
  it("use up only what the text leaves of what a file may unpack to", async () => {
    const megabytes = (count: number): Buffer => Buffer.alloc(count * 1024 * 1024, " ");
    const ids = ["a.png", "b.png", "c.png", "d.png", "e.png"];
    const header = `<w:hdr xmlns:w="w">${text("Kept.")}${megabytes(8).toString()}</w:hdr>`;
    const parts: Parts = {
      "header1.xml": { type: "header", content: header },
      ...Object.fromEntries(ids.map((id) => [id, picture(megabytes(29))])),
    };
    const section = '<w:sectPr><w:headerReference r:id="header1.xml"/></w:sectPr>';
    expect(await outcome(text("Tar.") + ids.map((id) => drawn(id)).join("") + section, parts)).toBe(
      'Kept.\n\nTar.\n{"code":"file-note.pictures-unread","params":{"count":1}}',
    );
  }, 60_000);

  it("are recognised where they stand, each once", async () => {
    const file = await makeDocx([], {
      body: text("Before.") + drawn("a.png") + text("Between.") + drawn("a.png") + text("After."),
      parts: {
        "a.png": picture(await makePicture(["Granted to the Osprey", "on the ninth of May"])),
      },
    });
    const parsed = await parse("a.docx", file, english);
    expect(parsed.text.replace(/\s+/g, " ")).toBe(
      "Before. Granted to the Osprey on the ninth of May Between. Granted to the Osprey on the ninth of May After.",
    );
    expect(parsed.notes).toBeUndefined();
  }, 60_000);

  it("wait for recognition only if they may show text", async () => {
    const page = await makePicture(["Granted to the Osprey", "on the ninth of May"]);
    const parts = { "a.png": picture(page) };
    expect(await outcome(text("Text.") + drawn("a.png") + drawn("a.png"), parts)).toBe(
      "recognition of 1",
    );
    for (const content of [await makePhoto(), await makeLogo(), Buffer.from("no picture")])
      expect(await outcome(text("Text.") + drawn("b"), { b: picture(content) })).toBe("Text.");
    // An icon, and one that is drawn as small as one.
    const icon = await makePicture(["x"], { width: 90, height: 60 });
    expect(await outcome(text("Text.") + drawn("b"), { b: picture(icon) })).toBe("Text.");
    expect(await outcome(text("Text.") + drawn("a.png", centimetre, centimetre), parts)).toBe(
      "Text.",
    );
  });

  it("are left to recognition when a document has text of its own", async () => {
    const page = await makePicture(["Granted to the Osprey", "on the ninth of May"]);
    const file = await makeDocx([], {
      body: text("The tariff of the harbour. ".repeat(8)) + drawn("a.png"),
      parts: { "a.png": picture(page) },
    });
    expect(await parse("a.docx", file)).toMatchObject({
      text: "The tariff of the harbour. ".repeat(8).trim(),
      notes: [{ code: "file-note.pictures-unread", params: { count: 1 } }],
      toRecognise: 1,
    });
  });

  it("are noted if they can't be read", async () => {
    expect(
      await outcome(text("Text.") + drawn("a.emf"), { "a.emf": picture(Buffer.from("x")) }),
    ).toBe('Text.\n{"code":"file-note.pictures-unread","params":{"count":1}}');
    const page = await makePicture(["Granted to the Osprey", "on the ninth of May"]);
    const file = await makeDocx([], {
      body: text("Text.") + drawn("a.png"),
      parts: { "a.png": picture(page) },
    });
    const parsed = await parse("a.docx", file, { ...english, maxPages: 0 });
    expect(parsed.text).toBe("Text.");
    expect(parsed.notes).toEqual([{ code: "file-note.pictures-unread", params: { count: 1 } }]);
  });
});
