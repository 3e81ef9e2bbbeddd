import { afterAll, describe, expect, it } from "@jest/globals";
import JSZip from "jszip";
import {
  makeCompound,
  makeEpub,
  makeOdf,
  makePptx,
  makeWorkbook,
  makeZip,
} from "../../test/fixtures/make-office.ts";
import {
  convertPicture,
  makePicture,
  makeTiff,
  type PictureFormat,
} from "../../test/fixtures/make-picture.ts";
import { makeScannedPdf } from "../../test/fixtures/make-pdf.ts";
import { lastAtOrBefore, headingsAt, pageAt } from "./heading-path.ts";
import { parseFile } from "./parse-file.ts";
import { stopRecognition, type Recognition } from "./recognise-text.ts";
import { rectanglesFor } from "./rectangles.ts";

const english: Recognition = { languages: ["eng"], dataFolder: null, mostPages: 20 };
const parse = (
  filename: string,
  content: string | Uint8Array,
  recognition: Recognition | null = null,
) =>
  parseFile(
    { bytes: typeof content === "string" ? Buffer.from(content) : content, filename, mime: null },
    recognition,
  );
type Parsed = Awaited<ReturnType<typeof parse>>;
/** The headings above a piece of text, and its page. */
const place = (parsed: Parsed, words: string) => {
  const at = parsed.text.indexOf(words);
  expect(at).toBeGreaterThanOrEqual(0);
  expect(lastAtOrBefore(parsed.headings, at)).toBeLessThan(parsed.headings.length);
  return {
    path: headingsAt(parsed.headings, at).map((heading) => heading.title),
    page: pageAt(parsed.pages, at),
  };
};

describe("presentations", () => {
  it("PPTX: slides in show order, titles as headings, tables as rows, notes, and no slide numbers", async () => {
    const parsed = await parse(
      "a.pptx",
      makePptx([
        {
          title: "Growth",
          lines: ["Sales doubled", "in two years & a half"],
          notes: "Mention the new shop.",
        },
        {
          table: {
            firstRow: true,
            rows: [
              ["City", "Shops"],
              ["Rome", "4"],
              ["Oslo", "7"],
            ],
          },
        },
        {
          title: "Plan",
          table: {
            firstRow: false,
            rows: [
              ["Spring", "open"],
              ["Autumn", "close"],
            ],
          },
        },
      ]),
    );
    expect(parsed).toMatchObject({
      format: "pptx",
      mime: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
      docSource: "pptx file uploaded by the user.",
    });
    expect(parsed.text).toBe(
      "Growth\n\nSales doubled\n\nin two years & a half\n\nNotes: Mention the new shop.\n\nSlide 2\n\nCity: Rome\nShops: 4\n\nCity: Oslo\nShops: 7\n\nPlan\n\nSpring | open\nAutumn | close",
    );
    expect(place(parsed, "Mention")).toEqual({ path: ["Growth"], page: 1 });
    expect(place(parsed, "Oslo")).toEqual({ path: ["Slide 2"], page: 2 });
    expect(place(parsed, "Autumn")).toEqual({ path: ["Plan"], page: 3 });
  });
  it("ODP: slides with their names, and notes", async () => {
    const parsed = await parse(
      "a.odp",
      makeOdf(
        "presentation",
        '<draw:page draw:name="page1"><draw:frame><draw:text-box><text:p>Hello<text:s text:c="2"/>there</text:p></draw:text-box></draw:frame><presentation:notes><draw:frame><draw:text-box><text:p>Smile.</text:p></draw:text-box></draw:frame></presentation:notes></draw:page><draw:page draw:name="Costs"><draw:frame><draw:text-box><text:list><text:list-item><text:p>Rent</text:p></text:list-item><text:list-item><text:p>Wages</text:p></text:list-item></text:list></draw:text-box></draw:frame></draw:page>',
      ),
    );
    expect(parsed.text).toBe(
      "Slide 1\n\nHello  there\n\nNotes: Smile.\n\nCosts\n\n- Rent\n- Wages",
    );
    expect(place(parsed, "Wages")).toEqual({ path: ["Costs"], page: 2 });
  });
});

describe("OpenDocument text", () => {
  it("keeps headings by level, lists, and tables with their header rows; leaves out deleted text and comments", async () => {
    const parsed = await parse(
      "a.odt",
      makeOdf(
        "text",
        `<text:tracked-changes><text:p>Deleted.</text:p></text:tracked-changes><text:h text:outline-level="1">Garden</text:h><text:p>Water<text:span> the</text:span> <office:annotation><text:p>why?</text:p></office:annotation>roses.</text:p>
      <text:h text:outline-level="2">Tools</text:h><text:list><text:list-item><text:p>Rake</text:p></text:list-item><text:list-item><text:p>Spade</text:p></text:list-item></text:list>
      <table:table><table:table-header-rows><table:table-row><table:table-cell><text:p>Plant</text:p></table:table-cell><table:table-cell><text:p>Month</text:p></table:table-cell></table:table-row></table:table-header-rows><table:table-row><table:table-cell><text:p>Tulip</text:p></table:table-cell><table:table-cell><text:p>April</text:p></table:table-cell></table:table-row></table:table><text:p>End.</text:p>`,
      ),
    );
    expect(parsed.text).toBe(
      "Garden\n\nWater the roses.\n\nTools\n\n- Rake\n- Spade\n\nPlant: Tulip\nMonth: April\n\nEnd.",
    );
    expect(place(parsed, "Tulip").path).toEqual(["Garden", "Tools"]);
  });
});

describe("spreadsheets", () => {
  const sheets = {
    Staff: [
      ["Company list 2026", null],
      ["Name", "Age", "City"],
      ["Ada", 36, "London"],
      ["Alan", null, "Wilmslow"],
    ],
    Rent: [
      ["Month", "Euro"],
      ["May", 1200],
    ],
    Empty: [],
  };
  it.each(["xlsx", "xls", "ods", "xlsb"] as const)(
    "%s: a part for each sheet with text, rows with their column names",
    async (kind) => {
      const parsed = await parse(`book.${kind}`, await makeWorkbook(sheets, kind));
      expect(parsed.parts!.map(({ name, text }) => ({ name, text }))).toEqual([
        {
          name: "Staff",
          text: "Company list 2026\n\nName: Ada\nAge: 36\nCity: London\n\nName: Alan\nCity: Wilmslow",
        },
        { name: "Rent", text: "Month: May\nEuro: 1200" },
      ]);
      expect(parsed.text).toContain("Rent\n\nMonth: May");
      expect(place(parsed, "Euro: 1200").path).toEqual(["Rent"]);
      expect(parsed.docSource).toMatch(/^a sheet of an /);
    },
  );
  it("reads only the filled cells of a sheet that claims a million rows and sixteen thousand columns", async () => {
    const zip = await JSZip.loadAsync(
      await makeWorkbook(
        {
          S: [
            ["Item", "Count"],
            ["Bell", 3],
          ],
        },
        "xlsx",
      ),
    );
    const sheet = await zip.file("xl/worksheets/sheet1.xml")!.async("string");
    zip.file(
      "xl/worksheets/sheet1.xml",
      sheet
        .replace('ref="A1:B2"', 'ref="A1:XFD1048576"')
        .replace('r="2"', 'r="1048576"')
        .replaceAll('A2"', 'A1048576"')
        .replaceAll('B2"', 'XFD1048576"'),
    );
    expect((await parse("a.xlsx", await zip.generateAsync({ type: "nodebuffer" }))).text).toBe(
      "Item: Bell\ncolumn 16384: 3",
    );
  }, 60_000);
  it("ODS: limits repeated cells and rows", async () => {
    const parsed = await parse(
      "a.ods",
      makeOdf(
        "spreadsheet",
        '<table:table table:name="S"><table:table-row><table:table-cell><text:p>a</text:p></table:table-cell><table:table-cell><text:p>b</text:p></table:table-cell></table:table-row><table:table-row table:number-rows-repeated="1048576"><table:table-cell table:number-columns-repeated="1000000"/></table:table-row><table:table-row><table:table-cell table:number-columns-repeated="2"><text:p>x</text:p></table:table-cell></table:table-row></table:table>',
      ),
    );
    expect(parsed.text).toBe("a: x\nb: x");
  });
});

describe("books, XML and mail", () => {
  it("EPUB: chapters in reading order with their headings", async () => {
    const parsed = await parse(
      "a.epub",
      makeEpub(["<h1>One</h1><p>It was night.</p>", "<h1>Two</h1><h2>Dawn</h2><p>It was day.</p>"]),
    );
    expect(parsed.text).toBe("One\n\nIt was night.\n\nTwo\n\nDawn\n\nIt was day.");
    expect(place(parsed, "It was day").path).toEqual(["Two", "Dawn"]);
  });
  it("XML: a line per value, records kept apart, inline elements joined, attributes and plain entities read", async () => {
    const parsed = await parse(
      "a.xml",
      '<?xml version="1.0"?><!DOCTYPE shop [<!ENTITY co "Bell &#38; Sons">]><shop xmlns="urn:x"><book id="7"><title>Dune &co;</title><price currency="EUR">9.5</price></book><book><title>Emma</title><note>A <b>very</b> good <i>read</i>.</note></book></shop>'.replace(
        "Bell &#38; Sons",
        "Bell",
      ),
    );
    expect(parsed.text).toBe(
      "book: id: 7\ntitle: Dune Bell\nprice: 9.5 (currency: EUR)\n\ntitle: Emma\nnote: A very good read.",
    );
  });
  it("XML in a declared encoding", async () => {
    expect(
      (
        await parse(
          "a.xml",
          Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a><b>Grüße</b></a>', "latin1"),
        )
      ).text,
    ).toBe("b: Grüße");
  });
  it("EML: subject, people, date, text, attachment names; HTML if there is no plain text", async () => {
    const parsed = await parse(
      "a.eml",
      [
        "From: Ada Byron <ada@example.com>",
        "To: Charles <c@example.com>, d@example.com",
        "Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=",
        "Date: Mon, 2 Nov 2026 10:00:00 +0000",
        "MIME-Version: 1.0",
        "Content-Type: multipart/mixed; boundary=X",
        "",
        "--X",
        "Content-Type: text/html; charset=utf-8",
        "",
        "<h1>Engine</h1><p>It <b>works</b>.</p>",
        "--X",
        'Content-Type: application/pdf; name="plan.pdf"',
        'Content-Disposition: attachment; filename="plan.pdf"',
        "Content-Transfer-Encoding: base64",
        "",
        Buffer.alloc(3000).toString("base64"),
        "--X--",
        "",
      ].join("\r\n"),
    );
    expect(parsed.text).toBe(
      "Grüße\n\nFrom: Ada Byron <ada@example.com>\nTo: Charles <c@example.com>, d@example.com\nDate: 2026-11-02T10:00:00.000Z\n\nEngine\n\nIt works.\n\nAttachment: plan.pdf (application/pdf, 3 KB)",
    );
    expect(place(parsed, "It works").path).toEqual(["Grüße", "Engine"]);
  });
  it('MBOX: each mail under its subject; lines quoted as ">From" are unquoted', async () => {
    const parsed = await parse(
      "a.mbox",
      "From a@b.c Mon Nov  2 10:00:00 2026\nFrom: a@b.c\nSubject: First\n\nHello.\n>From here on it rains.\n\nFrom d@e.f Mon Nov  2 11:00:00 2026\nFrom: d@e.f\nSubject: Second\n\nBye. Not a new mail:\nFrom nobody\n",
    );
    expect(parsed.headings.map((heading) => heading.title)).toEqual(["First", "Second"]);
    expect(parsed.text).toContain("Hello.\nFrom here on it rains.");
    expect(place(parsed, "From nobody").path).toEqual(["Second"]);
  });
  it("RTF: paragraphs, outline levels, tables, code pages and Unicode; no fonts, no pictures", async () => {
    const parsed = await parse(
      "a.rtf",
      String.raw`{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Arial;}}{\info{\title secret}}\pard\outlinelevel0 Lease\par\pard Caf\'e9 \u8364? 10\line per day \emdash  ok\par{\pict\pngblip 89504e47}\trowd\intbl Rent\cell 900\cell\row\pard The {\b end}.\par{\*\unknown gone}}`,
    );
    expect(parsed.text).toBe("Lease\n\nCafé € 10\nper day — ok\n\nRent | 900\n\nThe end.");
    expect(place(parsed, "The end").path).toEqual(["Lease"]);
  });
  it("source code: unchanged, with its language and with declarations as headings", async () => {
    const source =
      "import os\n\nclass Bell:\n    def ring(self):\n        return 1\n\n    async def stop(self):\n        pass\n\ndef main():\n    pass\n";
    const parsed = await parse("bell.py", source);
    expect(parsed).toMatchObject({
      format: "code",
      mime: "text/x-python",
      docSource: "a Python source code file uploaded by the user.",
      text: source.trimEnd(),
    });
    expect(place(parsed, "return 1").path).toEqual(["class Bell", "def ring"]);
    expect(place(parsed, "    pass\n\ndef").path).toEqual(["class Bell", "async def stop"]);
    expect((await parse("a.cpp", "int main() { return 0; }")).mime).toBe("text/x-cpp");
    expect((await parse("a.ts", "export function* walk(n: number) {}\n")).headings).toEqual([
      { start: 0, level: 1, title: "export function* walk" },
    ]);
  });
});

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
      name: "NeedsLaterWork",
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
        'Text in pictures cannot be recognised: the language "tlh" of CARREL_OCR_LANGUAGES has no data here. Install the npm package @tesseract.js-data/tlh, or put tlh.traineddata into /models/tesseract.',
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

describe("Office files under other names", () => {
  it("are read by their content", async () => {
    expect((await parse("a.docx", makePptx([{ title: "Hi" }]))).format).toBe("pptx");
    expect((await parse("table.xls", "a\tb\n1\t2")).format).toBe("text");
    expect(
      (await parse("table.xls", "<html><body><table><tr><td>cell</td></tr></table></body></html>"))
        .format,
    ).toBe("html");
  });
  it("say why they cannot be read", async () => {
    const reasons = await Promise.all(
      [
        parse("a.xlsx", await makeCompound(["EncryptionInfo", "EncryptedPackage"])),
        parse("a.docx", await makeCompound(["EncryptionInfo", "EncryptedPackage"])),
        parse("a.doc", await makeCompound(["WordDocument"])),
        parse("a.ppt", await makeCompound(["PowerPoint Document"])),
        parse("a.msg", await makeCompound(["__substg1.0_0037001F"])),
        parse("a.pptx", makeZip({ "readme.txt": "x" })),
      ].map((result) =>
        result.then(
          () => "read",
          (fault: Error) => fault.message,
        ),
      ),
    );
    expect(reasons).toEqual([
      "The spreadsheet is protected with a password.",
      "The Word document is protected with a password.",
      "The Word document is in the old .doc format, which is not read. Save it as .docx.",
      "The presentation is in the old .ppt format, which is not read. Save it as .pptx.",
      "The mail is in the .msg format, which is not read. Save it as .eml.",
      "The file is a zip archive without a presentation inside.",
    ]);
  });
});
