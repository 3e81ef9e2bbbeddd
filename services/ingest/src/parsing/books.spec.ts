import { describe, expect, it } from "@jest/globals";
import { makeEpub, makeZip } from "../../test/fixtures/make-office.ts";
import { headingsOf, parse, reason } from "../../test/parse.ts";

const xhtml = (head: string, body: string): string =>
  `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head>${head}</head><body>${body}</body></html>`;

describe("XHTML", () => {
  it.each([
    "<script src='x.js'/>",
    "<title/><script src='x.js'/>",
    "<style/><link rel='a'/>",
    "<script type='a'/><style type='b' />",
    "<meta charset='utf-8'/><title>t</title><script src='x'></script>",
    "<script><![CDATA[ if (a < b) { '</p>' } ]]></script>",
  ])("has empty elements: %s", async (head) => {
    const body = '<iframe src="a"/><p><a id="x"/>The keeper is <textarea/>Delphine<b/>.</p>';
    for (const name of ["a.xhtml", "a.html"])
      expect((await parse(name, xhtml(head, body))).text).toContain("The keeper is Delphine.");
    const book = makeEpub([], {
      "OEBPS/book.opf":
        '<package><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>',
      "OEBPS/a.xhtml": xhtml(head, body),
    });
    expect((await parse("a.epub", book)).text).toBe("The keeper is Delphine.");
  });

  it("has empty blocks and cells, CDATA, prefixes and a document type with entities", async () => {
    expect((await parse("a.xhtml", xhtml("", "<p/>One<div/>Two<p>Three</p>"))).text).toBe(
      "One\nTwo\n\nThree",
    );
    expect(
      (await parse("a.xhtml", xhtml("", "<table><tr><td/><td>b</td></tr></table>"))).text,
    ).toBe(" | b");
    expect((await parse("a.xhtml", xhtml("", "<p><![CDATA[a < b & c]]></p>"))).text).toBe(
      "a < b & c",
    );
    expect(
      (
        await parse(
          "a.xhtml",
          '<!DOCTYPE html [<!ENTITY a "b">]><html:html xmlns:html="http://www.w3.org/1999/xhtml"><html:body><html:p>One</html:p><html:p>Two</html:p></html:body></html:html>',
        )
      ).text,
    ).toBe("One\n\nTwo");
  });

  it("isn't assumed of pages, where a script ends with its end tag", async () => {
    expect((await parse("a.html", "<p>a</p><script src='x' />b</script><p>c</p>")).text).toBe(
      "a\n\nc",
    );
    expect((await parse("a.html", "<p>a</p><script src='x' /><p>c</p>")).text).toBe("a\n\nc");
  });
});

describe("a book", () => {
  const opf = (items: string, spine: string): string =>
    `<package><manifest>${items}</manifest><spine>${spine}</spine></package>`;
  const item = (id: string, href: string, more = ""): string =>
    `<item id="${id}" href="${href}" media-type="application/xhtml+xml" ${more}/>`;
  const chapters = ["a", "b", "c"];
  const package3 = opf(
    chapters.map((id) => item(id, `text/${id}.xhtml`)).join("") +
      item("nav", "nav.xhtml", 'properties="nav"'),
    chapters.map((id) => `<itemref idref="${id}"/>`).join(""),
  );

  it("is read without a chapter that is missing or damaged, and says so", async () => {
    const whole = makeEpub([], {
      "OEBPS/book.opf": package3,
      "OEBPS/text/a.xhtml": "<p>Good chapter of Tove.</p>",
      "OEBPS/text/C.xhtml": "<p>Its last one.</p>",
    });
    const parsed = await parse("a.epub", whole);
    expect(parsed.text).toBe("Good chapter of Tove.\n\nIts last one.");
    expect(parsed.notes).toEqual([{ code: "file-note.chapters-missing", params: { count: 1 } }]);
    const damaged = makeEpub(["<p>One</p>".repeat(20), "<p>Two</p>"]);
    const at = damaged.indexOf("chapter 0.xhtml") + 25;
    damaged.fill(0xff, at, at + 10);
    expect((await parse("a.epub", damaged)).text).toBe("Two");
  });

  it("is refused if no chapter is there", async () => {
    expect(await reason("a.epub", makeEpub([], { "OEBPS/book.opf": package3 }))).toBe(
      "The book is incomplete: the part OEBPS/text/a.xhtml is missing.",
    );
  });

  const texts = {
    "OEBPS/text/a.xhtml": "<p>It was night.</p>",
    "OEBPS/text/b.xhtml": "<h2>Own</h2><p>It was day.</p>",
    "OEBPS/text/c.xhtml": "<p>The end of it</p><p>came.</p>",
  };

  it("is headed by the titles of its contents, where chapters have none", async () => {
    const nav = xhtml(
      "",
      '<nav><ol><li><a href="text/a.xhtml">Night <i>fall</i></a></li><li><a href="text/b.xhtml">Other</a><ol><li><a href="text/c.xhtml#x">The end of it</a></li></ol></li></ol></nav>',
    );
    const parsed = await parse(
      "a.epub",
      makeEpub([], { "OEBPS/book.opf": package3, "OEBPS/nav.xhtml": nav, ...texts }),
    );
    expect(parsed.text).toBe(
      "Night fall\n\nIt was night.\n\nOwn\n\nIt was day.\n\nThe end of it\n\ncame.",
    );
    expect(headingsOf(parsed)).toEqual(["1 Night fall", "2 Own", "2 The end of it"]);
    const ncx =
      '<ncx><navMap><navPoint><navLabel><text>Night</text></navLabel><content src="text/a.xhtml"/></navPoint></navMap></ncx>';
    const older = makeEpub([], {
      "OEBPS/book.opf": opf(
        item("a", "text/a.xhtml") +
          '<item id="n" href="toc.ncx" media-type="application/x-dtbncx+xml"/>',
        '<itemref idref="a"/>',
      ),
      "OEBPS/toc.ncx": ncx,
      ...texts,
    });
    expect(headingsOf(await parse("a.epub", older))).toEqual(["1 Night"]);
  });

  it("is readable if only its fonts are encrypted", async () => {
    const data = (algorithm: string, part: string): string =>
      `<EncryptedData><EncryptionMethod Algorithm="${algorithm}"/><KeyInfo><EncryptedKey><EncryptionMethod Algorithm="rsa"/></EncryptedKey></KeyInfo><CipherData><CipherReference URI="${part}"/></CipherData></EncryptedData>`;
    const book = (...encrypted: string[]): Buffer =>
      makeEpub(["<p>Open.</p>"], {
        "META-INF/encryption.xml": `<encryption>${encrypted.join("")}</encryption>`,
      });
    const aes = "http://www.w3.org/2001/04/xmlenc#aes128-cbc";
    const fonts = book(
      data("http://www.idpf.org/2008/embedding", "OEBPS/x.bin"),
      data(aes, "OEBPS/fonts/a.otf"),
      data(aes, "OEBPS/fonts/b.woff2"),
    );
    expect((await parse("a.epub", fonts)).text).toBe("Open.");
    expect(
      await reason("a.epub", book(data(aes, "a.otf"), data(aes, "OEBPS/chapter%200.xhtml"))),
    ).toBe("The book is protected by DRM and can't be read.");
  });

  it("isn't any other archive", async () => {
    expect(await reason("a.epub", makeZip({ "readme.txt": "x" }))).toBe(
      "The file is a ZIP archive that doesn't contain a book.",
    );
  });
});
