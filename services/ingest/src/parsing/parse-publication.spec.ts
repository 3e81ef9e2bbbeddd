import { describe, expect, it } from "@jest/globals";
import { makeEpub } from "../../test/fixtures/make-office.ts";
import { parse, place } from "../../test/parse-recognised.ts";

describe("books, XML and mail", () => {
  it("EPUB: chapters in reading order with their headings", async () => {
    const parsed = await parse(
      "a.epub",
      makeEpub(["<h1>One</h1><p>It was night.</p>", "<h1>Two</h1><h2>Dawn</h2><p>It was day.</p>"]),
    );
    expect(parsed.text).toBe("One\n\nIt was night.\n\nTwo\n\nDawn\n\nIt was day.");
    expect(place(parsed, "It was day").path).toEqual(["Two", "Dawn"]);
  });

  it("EPUB: a chapter that is listed repeatedly is read once", async () => {
    const item = (id: string, chapter: number) =>
      `<item id="${id}" href="chapter%20${chapter}.xhtml" media-type="application/xhtml+xml"/>`;
    const spine = ["a", "a", "again", "b", "a"].map((id) => `<itemref idref="${id}"/>`).join("");
    const parsed = await parse(
      "a.epub",
      makeEpub(["<p>It was night.</p>", "<p>It was day.</p>"], {
        "OEBPS/book.opf": `<package><manifest>${item("a", 0)}${item("again", 0)}${item("b", 1)}</manifest><spine>${spine}</spine></package>`,
      }),
    );
    expect(parsed.text).toBe("It was night.\n\nIt was day.");
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
      "Grüße\n\nFrom: Ada Byron <ada@example.com>\nTo: Charles <c@example.com>, d@example.com\nDate: 2026-11-02 10:00 (UTC)\n\nEngine\n\nIt works.\n\nAttachment: plan.pdf (application/pdf, 3 KB)",
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
