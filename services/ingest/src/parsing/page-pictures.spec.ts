import { expect, it } from "@jest/globals";
import { makeEpub, makeZip } from "../../test/fixtures/make-office.ts";
import { makePicture } from "../../test/fixtures/make-picture.ts";
import { english, parse } from "../../test/parse-recognised.ts";

const size = { width: 900, height: 300 };
const words = "The keeper of the lantern writes in his book what the harbour has seen. ".repeat(3);
const unread = { code: "file-note.pictures-unread", params: { count: 1 } };

it("pictures of a book's chapters are read after them, each once", async () => {
  const picture = await makePicture(["Granted to the Osprey"], size);
  const shown = '<img alt="" src="../Images/a%20grant.png"/>';
  const opf = `<package><manifest>${["a", "b"]
    .map((id) => `<item id="${id}" href="Text/${id}.xhtml" media-type="application/xhtml+xml"/>`)
    .join("")}</manifest><spine><itemref idref="a"/><itemref idref="b"/></spine></package>`;
  const page = (body: string): string =>
    `<html xmlns="http://www.w3.org/1999/xhtml"><body>${body}</body></html>`;
  const book = makeZip({
    "META-INF/container.xml":
      '<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>',
    "OEBPS/book.opf": opf,
    "OEBPS/Text/a.xhtml": page(`<h1>One</h1><p>${words}</p>${shown}`),
    "OEBPS/Text/b.xhtml": page(`<h1>Two</h1><p>Short.</p>${shown}<img src="../missing.png"/>`),
    "OEBPS/Images/a grant.png": picture,
  });
  const before = await parse("a.epub", book);
  expect(before.toRecognise).toBe(1);
  expect(before.notes).toEqual([unread]);
  const after = await parse("a.epub", book, english);
  expect(after.text).toBe(`One\n\n${words.trim()}\n\nGranted to the Osprey\n\nTwo\n\nShort.`);
  expect(after.notes).toBeUndefined();
}, 60_000);

it("a damaged picture costs nothing else of a book", async () => {
  const book = makeEpub([`<p>${words}</p><img src="a.png"/>`], { "OEBPS/a.png": "not a picture" });
  expect((await parse("a.epub", book)).text).toBe(words.trim());
});

it("pictures in the source of a page are read after its text", async () => {
  const picture = (await makePicture(["Granted to the Osprey"], size)).toString("base64");
  const image = `<img src="data:image/png;base64,${picture}">`;
  const page = `<p>${words}</p>${image}<p>The end.</p>${image}<img src="data:image/gif;base64,R0lGODlh">`;
  const before = await parse("a.html", page);
  expect(before.toRecognise).toBe(1);
  expect(before.notes).toEqual([unread]);
  const after = await parse("a.html", page, english);
  expect(after.text).toBe(`${words.trim()}\n\nThe end.\n\nGranted to the Osprey`);
}, 60_000);
