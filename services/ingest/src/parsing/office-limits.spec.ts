import { expect, it } from "@jest/globals";
import { makeDocx } from "../../test/fixtures/make-docx.ts";
import { makeOdf } from "../../test/fixtures/make-office.ts";
import { parse } from "../../test/parse.ts";

const p = "<w:p><w:r><w:t>x</w:t></w:r></w:p>";
const nested = (open: string, inner: string, close: string, depth: number): string =>
  open.repeat(depth) + inner + close.repeat(depth);
const docx = (body: string, parts = {}) => makeDocx([], { body, parts });

it.each<[string, string, () => Promise<Buffer>]>([
  [
    "formulas",
    "a.docx",
    () =>
      docx(
        `<w:p><m:oMath>${nested("<m:f><m:num>", `<m:r><m:t>${"a+".repeat(200_000)}</m:t></m:r>`, "</m:num><m:den/></m:f>", 2_000)}</m:oMath></w:p>`,
      ),
  ],
  [
    "text boxes",
    "a.docx",
    () =>
      docx(
        p +
          nested(
            "<w:p><w:r><w:txbxContent>",
            p.repeat(40_000),
            "</w:txbxContent></w:r></w:p>",
            1_600,
          ),
      ),
  ],
  [
    "open fields",
    "a.docx",
    () => docx(`<w:p>${'<w:r><w:fldChar w:fldCharType="begin"/></w:r>'.repeat(40_000)}</w:p>${p}`),
  ],
  [
    "sections with one header",
    "a.docx",
    () =>
      docx(p + '<w:sectPr><w:headerReference r:id="h"/></w:sectPr>'.repeat(4_000), {
        h: { type: "header", content: `<w:hdr xmlns:w="w">${p.repeat(400)}</w:hdr>` },
      }),
  ],
  [
    "tables and frames",
    "a.odt",
    async () =>
      makeOdf(
        "text",
        `<text:p>x</text:p>${nested("<text:p><draw:frame><draw:text-box>", "<text:p>x</text:p>".repeat(40_000), "</draw:text-box></draw:frame></text:p>", 1_500)}<table:table>${'<table:table-row><table:table-cell table:number-columns-repeated="10000" table:number-rows-spanned="99999"><text:p>a</text:p></table:table-cell><table:covered-table-cell table:number-columns-repeated="9999"/></table:table-row>'.repeat(500)}</table:table>`,
      ),
  ],
])("hostile %s of Office files take linear time", async (_, name, make) => {
  const file = await make();
  const start = performance.now();
  expect((await parse(name, file)).text).not.toBe("");
  expect(performance.now() - start).toBeLessThan(10_000);
});
