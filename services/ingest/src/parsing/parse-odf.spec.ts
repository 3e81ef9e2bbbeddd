import { describe, expect, it } from "@jest/globals";
import { makeOdf } from "../../test/fixtures/make-office.ts";
import { parse, place } from "../../test/parse-recognised.ts";

const read = async (body: string, more: Record<string, string> = {}) =>
  parse("a.odt", makeOdf("text", body, more));
const spaces =
  'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0" xmlns:chart="urn:oasis:names:tc:opendocument:xmlns:chart:1.0" xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0" xmlns:loext="urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0"';
const styles = (content: string): Record<string, string> => ({
  "styles.xml": `<office:document-styles ${spaces}>${content}</office:document-styles>`,
});
const object = (content: string): string =>
  `<office:document-content ${spaces}><office:body>${content}</office:body></office:document-content>`;
const item = (content: string, more = ""): string =>
  `<text:list-item${more}>${content}</text:list-item>`;
const p = (text: string): string => `<text:p>${text}</text:p>`;
const list = (content: string, more = ' text:style-name="L1"'): string =>
  `<text:list${more}>${content}</text:list>`;
const cell = (text: string, more = ""): string =>
  `<table:table-cell${more}>${p(text)}</table:table-cell>`;
const row = (...cells: string[]): string => `<table:table-row>${cells.join("")}</table:table-row>`;
const covered = "<table:covered-table-cell/>";
const clauses = styles(
  '<office:styles><text:list-style style:name="L1"><text:list-level-style-number text:level="1" style:num-format="1" style:num-prefix="§ "/><text:list-level-style-number text:level="2" style:num-format="1" text:display-levels="2"/><text:list-level-style-number text:level="3" style:num-format="a" style:num-prefix="(" style:num-suffix=")"/></text:list-style><text:list-style style:name="L2"><text:list-level-style-bullet text:level="1" text:bullet-char="•"/></text:list-style><text:list-style style:name="L3"><text:list-level-style-number text:level="1" style:num-format="I" loext:num-list-format="Part %1%:"/></text:list-style></office:styles>',
);

describe("OpenDocument text", () => {
  it("keeps headings by level, lists, and tables with their header rows; leaves out deleted text", async () => {
    const parsed = await read(
      `<text:tracked-changes><text:p>Deleted.</text:p></text:tracked-changes><text:h text:outline-level="1">Garden</text:h><text:p>Water<text:span> the</text:span> <office:annotation><text:p>why?</text:p></office:annotation>roses.</text:p>
      <text:h text:outline-level="2">Tools</text:h><text:list><text:list-item><text:p>Rake</text:p></text:list-item><text:list-item><text:p>Spade</text:p></text:list-item></text:list>
      <table:table><table:table-header-rows><table:table-row><table:table-cell><text:p>Plant</text:p></table:table-cell><table:table-cell><text:p>Month</text:p></table:table-cell></table:table-row></table:table-header-rows><table:table-row><table:table-cell><text:p>Tulip</text:p></table:table-cell><table:table-cell><text:p>April</text:p></table:table-cell></table:table-row></table:table><text:p>End.</text:p>`,
    );
    expect(parsed.text).toBe(
      "Garden\n\nWater the roses.\n\nComment: why?\n\nTools\n\n- Rake\n- Spade\n\nPlant: Tulip\nMonth: April\n\nEnd.",
    );
    expect(place(parsed, "Tulip").path).toEqual(["Garden", "Tools"]);
  });

  it.each([
    [
      "several levels",
      list(
        item(p("Scope") + list(item(p("Beds")) + item(p("Racks") + list(item(p("Half"))))), "") +
          item(p("Fees") + list(item(p("Due")))),
      ),
      "§ 1 Scope\n1.1 Beds\n1.2 Racks\n(a) Half\n§ 2 Fees\n2.1 Due",
    ],
    [
      "lists that go on after a paragraph",
      list(item(p("One")), ' text:style-name="L1" xml:id="a"') +
        p("Between") +
        list(item(p("Two")), ' text:style-name="L1" text:continue-numbering="true"') +
        p("And") +
        list(item(p("Three")), ' text:continue-list="a" text:style-name="L1"'),
      "§ 1 One\n\nBetween\n\n§ 2 Two\n\nAnd\n\n§ 3 Three",
    ],
    [
      "lists that start anew, or at a number",
      list(item(p("One"))) +
        p("Between") +
        list(item(p("One"), "") + item(p("Seven"), ' text:start-value="7"')),
      "§ 1 One\n\nBetween\n\n§ 1 One\n§ 7 Seven",
    ],
    [
      "further paragraphs and headings of items without a number",
      list(
        `<text:list-header>${p("All of:")}</text:list-header>${item(p("One") + p("more"))}${item(p("Two"))}`,
      ),
      "All of:\n§ 1 One\nmore\n§ 2 Two",
    ],
    [
      "bullets and patterns",
      list(item(p("Rake")), ' text:style-name="L2"') +
        list(item(p("Aims")), ' text:style-name="L3"'),
      "- Rake\nPart I: Aims",
    ],
  ])("numbers %s", async (_, body, text) => {
    expect((await read(body, clauses)).text).toBe(text);
  });

  it("numbers headings as their outline says", async () => {
    const parsed = await read(
      '<text:h text:outline-level="1">Scope</text:h><text:h text:outline-level="2">Beds</text:h><text:h text:outline-level="1" text:is-list-header="true">Aside</text:h><text:h text:outline-level="1">Fees</text:h>',
      styles(
        '<office:styles><text:outline-style style:name="Outline"><text:outline-level-style text:level="1" style:num-format="1" style:num-suffix="."/><text:outline-level-style text:level="2" style:num-format="1" text:display-levels="2"/></text:outline-style></office:styles>',
      ),
    );
    expect(parsed.text).toBe("1. Scope\n\n1.1 Beds\n\nAside\n\n2. Fees");
  });

  it("repeats cells merged over rows, and names over columns", async () => {
    const parsed = await read(
      `<table:table><table:table-header-rows>${row(cell("Port", ' table:number-rows-spanned="2"'), cell("Depth", ' table:number-columns-spanned="2"'), covered)}${row(covered, cell("Low"), cell("High"))}</table:table-header-rows>${row(cell("Kestrel", ' table:number-rows-spanned="2"'), cell("3 m"), cell("7 m"))}${row(covered, cell("4 m"), cell("8 m"))}</table:table>`,
    );
    expect(parsed.text).toBe(
      "Port: Kestrel\nDepth Low: 3 m\nDepth High: 7 m\n\nPort: Kestrel\nDepth Low: 4 m\nDepth High: 8 m",
    );
  });

  it.each([
    [
      "notes and comments after their paragraph",
      p(
        'Tar<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body><text:p>From Bergen.</text:p></text:note-body></text:note> is dear.<office:annotation><dc:creator xmlns:dc="d">Ada</dc:creator><dc:date xmlns:dc="d">2026-01-01</dc:date><text:p>Why?</text:p></office:annotation>',
      ),
      {},
      "Tar[1] is dear.\n\n[1] From Bergen.\n\nComment by Ada: Why?",
    ],
    [
      "formulas in their sentence",
      p(
        'It is <draw:frame><draw:object xlink:href="./Object 1" xmlns:xlink="x"/><draw:image xlink:href="./ObjectReplacements/Object 1" xmlns:xlink="x"/></draw:frame> tons.',
      ),
      {
        "Object 1/content.xml":
          '<math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><mrow><mi>F</mi><mo>=</mo><mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mn>2</mn></mfrac><mo>·</mo><msup><mi>x</mi><mn>2</mn></msup></mrow><annotation encoding="StarMath 5.0">F = {a+b} over 2 cdot x^2</annotation></semantics></math>',
      },
      "It is F = (a + b)/2·x^2 tons.",
    ],
    [
      "charts",
      p(
        '<draw:frame><draw:object xlink:href="./Object 2" xmlns:xlink="x"/><svg:desc xmlns:svg="s">Bars</svg:desc></draw:frame>',
      ),
      {
        "Object 2/content.xml": object(
          `<office:chart><chart:chart><chart:title>${p("Catch")}</chart:title><chart:plot-area><chart:axis><chart:title>${p("Year")}</chart:title></chart:axis></chart:plot-area><table:table><table:table-header-rows>${row(cell(""), cell("Herring"))}</table:table-header-rows><table:table-rows>${row(cell("1911"), cell("4821"))}</table:table-rows></table:table></chart:chart></office:chart>`,
        ),
      },
      "[Image: Bars]\n\nChart: Catch, Year\n\n1911\nHerring: 4821",
    ],
    [
      "headers and footers once",
      p("Deed."),
      styles(
        `<office:master-styles><style:master-page><style:header>${p("File KX-7")}</style:header><style:footer>${p("Notary Brankovic")}</style:footer><style:footer-left style:display="false">${p("HIDDEN")}</style:footer-left></style:master-page><style:master-page><style:header>${p("File KX-7")}</style:header><style:footer>${p("12")}</style:footer></style:master-page></office:master-styles>`,
      ),
      "File KX-7\n\nDeed.\n\nNotary Brankovic",
    ],
    [
      "text boxes, base text under readings and no hidden text",
      p(
        'A<text:ruby><text:ruby-base>東</text:ruby-base><text:ruby-text>とう</text:ruby-text></text:ruby><draw:frame><draw:text-box><text:p>In a box</text:p></draw:text-box></draw:frame><text:span text:style-name="H">HIDDEN</text:span>B',
      ) + `<text:section text:display="none">${p("HIDDEN")}</text:section>`,
      styles(
        '<office:styles><style:style style:name="H" style:family="text"><style:text-properties text:display="none"/></style:style></office:styles>',
      ),
      "A東B\n\nIn a box",
    ],
    [
      "check boxes of forms",
      `<office:forms><form:form xmlns:form="f"><form:checkbox form:id="c1" form:current-state="checked" form:label="Insured"/><form:checkbox form:id="c2" form:label="Bonded"/></form:form></office:forms>${p('<draw:control draw:control="c1"/> <draw:control draw:control="c2"/>')}`,
      {},
      "☒ Insured ☐ Bonded",
    ],
  ])("keeps %s", async (_, body, more, text) => {
    expect((await read(body, more)).text).toBe(text);
  });
});
