import { describe, expect, it } from "@jest/globals";
import { makeOdf, makePptx } from "../../test/fixtures/make-office.ts";
import { parse, place } from "../../test/parse-recognised.ts";

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

  it("ODP: titles of slides, hidden slides and comments", async () => {
    const parsed = await parse(
      "a.odp",
      makeOdf(
        "presentation",
        '<presentation:footer-decl presentation:name="f1">Harbour office</presentation:footer-decl><draw:page draw:name="page1"><draw:frame presentation:class="title"><draw:text-box><text:p>Quays</text:p></draw:text-box></draw:frame><draw:frame presentation:class="outline"><draw:text-box><text:p>North</text:p></draw:text-box></draw:frame><office:annotation><dc:creator xmlns:dc="d">Ada</dc:creator><text:p>Which?</text:p></office:annotation></draw:page><draw:page draw:name="page2" draw:style-name="dp2"><draw:custom-shape><text:p>South</text:p></draw:custom-shape></draw:page>',
        {
          "styles.xml":
            '<office:document-styles xmlns:office="o" xmlns:style="s" xmlns:presentation="p"><style:style style:name="dp2" style:family="drawing-page"><style:drawing-page-properties presentation:visibility="hidden"/></style:style></office:document-styles>',
        },
      ),
    );
    expect(parsed.text).toBe(
      "Quays\n\nNorth\n\nComment by Ada: Which?\n\nSlide 2 (hidden slide)\n\nSouth\n\nHarbour office",
    );
    expect(place(parsed, "South")).toEqual({ path: ["Slide 2 (hidden slide)"], page: 2 });
  });

  it("PPTX: numbers, merged cells, formulas, charts, comments, descriptions and footers", async () => {
    const a = (text: string, properties = ""): string =>
      `<a:p>${properties}<a:r><a:t>${text}</a:t></a:r></a:p>`;
    const numbered = (type: string, level = 0): string =>
      `<a:pPr lvl="${level}"><a:buAutoNum type="${type}"/></a:pPr>`;
    const cell = (text: string, more = ""): string =>
      `<a:tc${more}><a:txBody>${text && a(text)}</a:txBody></a:tc>`;
    const parsed = await parse(
      "a.pptx",
      makePptx([
        {
          title: "Clauses",
          shapes: `<p:sp><p:txBody>${a("Scope", numbered("arabicPeriod"))}${a("Beds", numbered("alphaLcParenBoth", 1))}${a("Racks", numbered("alphaLcParenBoth", 1))}${a("Fees", numbered("arabicPeriod"))}${a("Plain")}${a("Anew", numbered("romanUcParenR"))}</p:txBody></p:sp><p:pic><p:nvPicPr><p:cNvPr id="4" name="x" descr="Map of the sound"/></p:nvPicPr></p:pic>`,
          parts: {
            "comments/c1.xml": [
              "comments",
              '<p:cmLst><p:cm authorId="0"><p:text>Which map?</p:text></p:cm></p:cmLst>',
            ],
          },
        },
        {
          hidden: true,
          title: "Quays",
          shapes: `<p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tblPr firstRow="1"/><a:tr>${cell("Port")}${cell("Low")}${cell("High")}</a:tr><a:tr>${cell("Kestrel", ' rowSpan="2"')}${cell("3 m", ' gridSpan="2"')}${cell("", ' hMerge="1"')}</a:tr><a:tr>${cell("", ' vMerge="1"')}${cell("4 m")}${cell("8 m")}</a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame><mc:AlternateContent xmlns:mc="mc"><mc:Choice Requires="a14"><p:sp><p:txBody><a:p><m:oMath xmlns:m="m"><m:sSup><m:e><m:r><m:t>x</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:oMath></a:p></p:txBody></p:sp></mc:Choice><mc:Fallback><p:sp><p:txBody>${a("NOT SHOWN")}</p:txBody></p:sp></mc:Fallback></mc:AlternateContent><p:graphicFrame><c:chart xmlns:c="c" r:id="charts/c1.xml"/></p:graphicFrame><p:sp><p:nvSpPr><p:nvPr><p:ph type="ftr"/></p:nvPr></p:nvSpPr><p:txBody>${a("Harbour office")}</p:txBody></p:sp>`,
          parts: {
            "charts/c1.xml": [
              "chart",
              '<c:chartSpace xmlns:c="c"><c:chart><c:plotArea><c:ser><c:tx><c:v>Catch</c:v></c:tx><c:cat><c:strLit><c:pt idx="0"><c:v>Skarn</c:v></c:pt></c:strLit></c:cat><c:val><c:numLit><c:pt idx="0"><c:v>4821</c:v></c:pt></c:numLit></c:val></c:ser></c:plotArea></c:chart></c:chartSpace>',
            ],
          },
        },
      ]),
    );
    expect(parsed.text).toBe(
      "Clauses\n\n1. Scope\n\n(a) Beds\n\n(b) Racks\n\n2. Fees\n\nPlain\n\nI) Anew\n\n[Image: Map of the sound]\n\nComment by Ada: Which map?\n\nQuays (hidden slide)\n\nPort: Kestrel\nLow: 3 m\n\nPort: Kestrel\nLow: 4 m\nHigh: 8 m\n\nx^2\n\nSkarn\nCatch: 4821\n\nHarbour office",
    );
  });

  it("PPTX: newer comments and their replies, each with its author", async () => {
    const body = (text: string): string =>
      `<p188:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p188:txBody>`;
    const parsed = await parse(
      "a.pptx",
      makePptx([
        {
          title: "Quays",
          parts: {
            "comments/modern.xml": [
              "comments",
              `<p188:cmLst xmlns:p188="p188" xmlns:a="a"><p188:cm authorId="0"><p188:replyLst><p188:reply authorId="9">${body("Both.")}</p188:reply></p188:replyLst>${body("Which quay?")}</p188:cm></p188:cmLst>`,
            ],
          },
        },
      ]),
    );
    expect(parsed.text).toBe("Quays\n\nComment by Ada: Which quay?\n\nComment: Both.");
  });
});
