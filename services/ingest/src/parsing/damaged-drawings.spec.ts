import { expect, it } from "@jest/globals";
import { makeDocx } from "../../test/fixtures/make-docx.ts";
import { makeOdf, makePptx } from "../../test/fixtures/make-office.ts";
import { parse } from "../../test/parse.ts";

const damaged = "<c:chartSpace><c:chart></c:oops>";
const word = "<w:p><w:r><w:t>Dues</w:t></w:r></w:p>";

it.each<[what: string, name: string, make: () => Buffer | Promise<Buffer>]>([
  [
    "chart in Word",
    "a.docx",
    () => makeDocx([], { body: word, parts: { c: { type: "chart", content: damaged } } }),
  ],
  [
    "diagram in Word",
    "a.docx",
    () => makeDocx([], { body: word, parts: { d: { type: "diagramData", content: damaged } } }),
  ],
  [
    "chart in PowerPoint",
    "a.pptx",
    () => makePptx([{ title: "Dues", parts: { "charts/c1.xml": ["chart", damaged] } }]),
  ],
  [
    "object in OpenDocument",
    "a.odt",
    () => makeOdf("text", "<text:p>Dues</text:p>", { "Object 1/content.xml": damaged }),
  ],
])("a damaged %s is left out and noted", async (_what, name, make) => {
  const { text, notes } = await parse(name, await make());
  expect(text).toBe("Dues");
  expect(notes).toEqual([{ code: "file-note.drawing-damaged" }]);
});
