import { deflateSync } from "node:zlib";
import { describe, expect, it } from "@jest/globals";
import { makeRawPdf, paintText } from "../../test/fixtures/make-raw-pdf.ts";
import { headingsOf, parse } from "../../test/parse.ts";
import { rectanglesFor } from "./rectangles.ts";

type Place = [number, number, number, number];
const widget = (name: string, rect: Place, entries: string): string =>
  `<< /Type /Annot /Subtype /Widget /T (${name}) /Rect [${rect.join(" ")}] /F 4 ${entries} >>`;
const box = (name: string, rect: Place, isOn: boolean): string =>
  widget(
    name,
    rect,
    `/FT /Btn /V /${isOn ? "Yes" : "Off"} /AS /${isOn ? "Yes" : "Off"} /AP << /N << /Yes 20 0 R /Off 20 0 R >> >>`,
  );

/** A page with lines of text and annotations. */
function makeForm(lines: [text: string, x: number, y: number][], annotations: string[]): Buffer {
  const references = annotations.map((_, i) => `${10 + i} 0 R`).join(" ");
  return makeRawPdf({
    content: paintText(lines.map(([text, x, y]) => ({ text, x, y }))),
    page: `/Annots [${references}]`,
    catalog: `/AcroForm << /Fields [${references}] >>`,
    objects: [
      ...annotations,
      ...Array.from({ length: 10 - annotations.length }, () => "null"),
      {
        entries: "/Type /XObject /Subtype /Form /BBox [0 0 10 10]",
        content: Buffer.from("q Q"),
      },
    ],
  });
}
const read = async (...form: Parameters<typeof makeForm>): Promise<string> =>
  (await parse("form.pdf", makeForm(...form))).text;

describe("form fields", () => {
  it("stand behind their labels, where they are on the page", async () => {
    const parsed = await parse(
      "form.pdf",
      makeForm(
        [
          ["Vessel:", 60, 700],
          ["Port:", 320, 700],
          ["Owner", 60, 660],
          ["Signed by the harbour master.", 60, 600],
        ],
        [
          widget("f1", [110, 696, 300, 714], "/FT /Tx /V (Zephyrine Quartz)"),
          widget("f2", [360, 696, 500, 714], "/FT /Tx /V (Skarnholm)"),
          widget("f3", [60, 630, 300, 655], "/FT /Tx /V (Tamsin Orrery)"),
        ],
      ),
    );
    expect(parsed.text.split(/\n+/)).toEqual([
      "Vessel: Zephyrine Quartz Port: Skarnholm",
      "Owner",
      "Tamsin Orrery",
      "Signed by the harbour master.",
    ]);
    const at = parsed.text.indexOf("Skarnholm");
    const [rectangle] = rectanglesFor(parsed.pages, at, at + 9);
    expect(rectangle!.x).toBeGreaterThan(355);
    expect(rectangle!.x + rectangle!.width).toBeLessThan(502);
    expect(rectangle!.y).toBeGreaterThan(690);
  });

  it.each<[string, string, string]>([
    [
      "its name",
      widget("home_port", [60, 400, 200, 420], "/FT /Tx /V (Brask)"),
      "home port: Brask",
    ],
    [
      "its name for people",
      widget("t7", [60, 400, 200, 420], "/TU (Port of registry) /FT /Tx /V (Brask)"),
      "Port of registry: Brask",
    ],
    [
      "nothing if a program named it",
      widget("Text12", [60, 400, 200, 420], "/FT /Tx /V (Brask)"),
      "Brask",
    ],
    [
      "what people see of a choice",
      widget(
        "class",
        [60, 400, 200, 420],
        "/FT /Ch /Ff 131072 /V (9) /Opt [[(9) (Trawler Class Nine)] [(8) (Sloop)]]",
      ),
      "class: Trawler Class Nine",
    ],
    [
      "all lines",
      widget("address", [60, 400, 200, 440], "/FT /Tx /Ff 4096 /V (Quay 4\\nSkarnholm)"),
      "address: Quay 4\nSkarnholm",
    ],
    ["a check", box("paid", [60, 400, 70, 410], true), "paid: [checked]"],
    ["no check", box("paid", [60, 400, 70, 410], false), "paid: [unchecked]"],
  ])("without a label show %s", async (_, field, expected) => {
    expect(await read([["Permit", 60, 700]], [field])).toBe(`Permit\n\n${expected}`);
  });

  it("mark check boxes and options before the words they stand at", async () => {
    const radio = (rect: Place, state: string, name: string): string =>
      `<< /Type /Annot /Subtype /Widget /Rect [${rect.join(" ")}] /F 4 /Parent 13 0 R /AS /${state} /AP << /N << /${name} 20 0 R /Off 20 0 R >> >> >>`;
    expect(
      await read(
        [
          ["Insured", 80, 700],
          ["Sloop", 80, 685],
          ["Cutter", 180, 685],
        ],
        [
          box("b1", [60, 698, 72, 710], true),
          radio([60, 683, 72, 695], "Off", "sloop"),
          radio([160, 683, 172, 695], "cutter", "cutter"),
          "<< /FT /Btn /Ff 49152 /T (type) /V /cutter /Kids [11 0 R 12 0 R] >>",
        ],
      ),
    ).toBe("[checked] Insured\n[unselected] Sloop [selected] Cutter");
  });

  it("leave out what is empty, hidden or a password", async () => {
    expect(
      await read(
        [["Permit", 60, 700]],
        [
          widget("a", [60, 400, 200, 420], "/FT /Tx"),
          widget("b", [60, 400, 200, 420], "/FT /Tx /V (hidden) /F 2"),
          widget("c", [60, 400, 200, 420], "/FT /Tx /Ff 8192 /V (secret)"),
        ],
      ),
    ).toBe("Permit");
  });
});

describe("annotations", () => {
  it("of text are text, and comments follow the page with who made them", async () => {
    expect(
      await read(
        [
          ["First line of the page.", 60, 700],
          ["Last line of the page.", 60, 600],
        ],
        [
          "<< /Type /Annot /Subtype /FreeText /Rect [60 640 200 660] /Contents (Typed onto the page) /DA (/F1 10 Tf) >>",
          "<< /Type /Annot /Subtype /Text /Rect [300 690 320 710] /T (Perpetua Lund) /Contents (Not in winter.) /Popup 13 0 R >>",
          "<< /Type /Annot /Subtype /Highlight /Rect [60 598 200 612] /QuadPoints [60 612 200 612 60 598 200 598] /T (Ansgar) /Contents (Really?) >>",
          "<< /Type /Annot /Subtype /Popup /Parent 11 0 R /Rect [300 600 400 700] >>",
          "<< /Type /Annot /Subtype /Highlight /Rect [60 698 90 712] /QuadPoints [60 712 90 712 60 698 90 698] >>",
        ],
      ),
    ).toMatch(
      /^First line of the page\.\n\nTyped onto the page\n\nLast line of the page\.\n\nComment by Perpetua Lund: Not in winter\.\n\nComment by Ansgar.*: Really\?$/,
    );
  });
});

describe("attachments", () => {
  const file = (name: string, reference: number): string =>
    `<< /Type /Filespec /F (${name}) /UF (${name}) /EF << /F ${reference} 0 R >> >>`;
  const embedded = (content: string | Buffer) => ({
    entries: "/Type /EmbeddedFile",
    content: Buffer.from(content),
  });
  const cover = paintText([{ x: 60, y: 700, text: "Open this portfolio." }]);
  const names = (...files: [string, number][]): string =>
    `/Names << /EmbeddedFiles << /Names [${files.map(([name, at]) => `(${name}) ${at} 0 R`).join(" ")}] >> >>`;

  it("are read under their names, those of pages too", async () => {
    const parsed = await parse(
      "a.pdf",
      makeRawPdf({
        content: cover,
        catalog: names(["memo.txt", 10], ["rules.md", 12]),
        page: "/Annots [14 0 R]",
        objects: [
          file("memo.txt", 11),
          embedded("The Quillon memorandum names Ottoline Farr."),
          file("rules.md", 13),
          embedded("# Harbour\n\nNo lights."),
          "<< /Type /Annot /Subtype /FileAttachment /Rect [60 400 70 410] /FS 15 0 R >>",
          file("ship.csv", 16),
          embedded("Ship,Cargo\nAurora,salt\n"),
        ],
      }),
    );
    expect(parsed.text).toContain("Attached file: memo.txt\n\nThe Quillon memorandum");
    expect(parsed.text).toMatch(/Attached file: ship\.csv\n\n[^]*Aurora/);
    expect(headingsOf(parsed).slice(1, 3)).toEqual(["1 Attached file: rules.md", "2 Harbour"]);
    expect(parsed.notes).toBeUndefined();
  });

  it("that can't be read are named and noted, and theirs are not read", async () => {
    const inner = makeRawPdf({
      content: paintText([{ x: 60, y: 700, text: "Inner page." }]),
      catalog: names(["deep.txt", 10]),
      objects: [file("deep.txt", 11), embedded("Deepest words.")],
    });
    const parsed = await parse(
      "a.pdf",
      makeRawPdf({
        content: cover,
        catalog: names(["inner.pdf", 10], ["tool.exe", 12]),
        objects: [
          file("inner.pdf", 11),
          { entries: "/Type /EmbeddedFile /Filter /FlateDecode", content: deflateSync(inner) },
          file("tool.exe", 13),
          embedded(Buffer.from([0x4d, 0x5a, 0, 1, 2, 3, 0, 255])),
        ],
      }),
    );
    expect(parsed.text).toContain("Inner page.");
    expect(parsed.text).not.toContain("Deepest");
    expect(parsed.text).toContain("Attached file: tool.exe");
    expect(parsed.notes).toEqual([{ code: "file-note.attachments-unread", params: { count: 1 } }]);
  });
});
