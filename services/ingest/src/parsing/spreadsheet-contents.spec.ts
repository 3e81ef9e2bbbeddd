import { describe, expect, it } from "@jest/globals";
import { makeOdf } from "../../test/fixtures/make-office.ts";
import { makeRawWorkbook, type RawSheet } from "../../test/fixtures/make-raw-workbook.ts";
import { parse } from "../../test/parse.ts";

const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const drawing = `xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"`;
const read = async (sheet: RawSheet, more: Record<string, string> = {}, names = "") => {
  const { parts } = await parse("a.xlsx", makeRawWorkbook([sheet], { more, names }));
  return { text: parts![0]!.text.replace(/\n\n/g, " / ").replace(/\n/g, ", "), part: parts![0]! };
};
const fleet = [
  ["Ship", "Tons"],
  ["Aurora", 120],
];

describe("what a workbook holds besides plain cells", () => {
  it("repeats cells merged over rows and columns, but not a title", async () => {
    const { text } = await read({
      rows: [
        ["Turnover", null, null, null, null],
        ["Region", "2023", null, "2024", null],
        [null, "Q1", "Q2", "Q1", "Q2"],
        ["North", 1, 2, 3, 4],
        [null, 5, 6, 7, 8],
        ["South", "closed", null, 1, 2],
        ["Islands", null, null, null, null],
        ["Brask", 1, 1, 1, 1],
      ],
      after: `<mergeCells>${["A1:E1", "A2:A3", "B2:C2", "D2:E2", "A4:A5", "B6:C6", "A7:E7"].map((ref) => `<mergeCell ref="${ref}"/>`).join("")}</mergeCells>`,
    });
    expect(text).toBe(
      "Turnover / Region: North, 2023 Q1: 1, 2023 Q2: 2, 2024 Q1: 3, 2024 Q2: 4 / Region: North, 2023 Q1: 5, 2023 Q2: 6, 2024 Q1: 7, 2024 Q2: 8 / Region: South, 2023 Q1: closed, 2023 Q2: closed, 2024 Q1: 1, 2024 Q2: 2 / Islands / Region: Brask, 2023 Q1: 1, 2023 Q2: 1, 2024 Q1: 1, 2024 Q2: 1",
    );
  });

  it("shows formulas without a result, and says so", async () => {
    const { text, part } = await read({
      rows: [
        ["Item", "Net", "Gross", "Note"],
        ["Sail", 100, { f: "B2*1.19" }, { f: 'IF(B2>5,"a & b","")' }],
        ["Total", { f: "SUM(B2:B2)", v: 100 }, { f: "SUM(C2:C2)" }, { f: "T(A1)", t: "str" }],
      ],
    });
    expect(text).toBe(
      'Item: Sail, Net: 100, Gross: =B2*1.19, Note: =IF(B2>5,"a & b","") / Item: Total, Net: 100, Gross: =SUM(C2:C2)',
    );
    expect(part.notes).toEqual([{ code: "file-note.formulas-not-computed", params: { count: 3 } }]);
  });

  it("moves formulas that cells share", async () => {
    const rows = [
      '<f t="shared" ref="C2:C3" si="0">A2*$B$1+LOG10(A2)+\'A2\'!B2</f><v></v>',
      '<f t="shared" si="0"/><v/>',
    ]
      .map(
        (f, i) =>
          `<row r="${i + 2}"><c r="A${i + 2}"><v>${i}</v></c><c r="C${i + 2}">${f}</c></row>`,
      )
      .join("");
    const book = makeRawWorkbook([{ rows: [], before: "" }], {
      more: {
        "xl/worksheets/sheet1.xml": `<worksheet xmlns="${main}"><sheetData>${rows}</sheetData></worksheet>`,
      },
    });
    expect((await parse("a.xlsx", book)).text).toBe(
      "0 |  | =A2*$B$1+LOG10(A2)+'A2'!B2\n1 |  | =A3*$B$1+LOG10(A3)+'A2'!B3",
    );
  });

  it("reads comments with their authors, and threads instead of their stand-ins", async () => {
    const { text } = await read(
      {
        rows: [
          ["Ship", "Berth"],
          ["Aurora", 4],
          ["Möwe", 5],
        ],
        relations: [
          ["comments", "../comments1.xml"],
          ["threadedComment", "../threadedComments/threadedComment1.xml"],
        ],
      },
      {
        "xl/comments1.xml": `<comments xmlns="${main}"><authors><author>Zoë &amp; Co</author><author>tc={1}</author></authors><commentList><comment ref="B2" authorId="0"><text><r><t>Zoë &amp; Co:</t></r><r><t>\nonly &lt;at&gt; high tide – früh</t></r></text></comment><comment ref="A1" authorId="0"><text><t>names</t></text></comment><comment ref="A3" authorId="1"><text><t>[Threaded comment]\n\nYour version allows you to read this.\n\nComment:\n    old text</t></text></comment></commentList></comments>`,
        "xl/threadedComments/threadedComment1.xml": `<ThreadedComments xmlns="http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments"><threadedComment ref="A3" personId="{P}" id="{1}"><text>Fährt &amp; sinkt</text></threadedComment><threadedComment ref="A3" personId="{P}" id="{2}" parentId="{1}"><text>No</text></threadedComment></ThreadedComments>`,
        "xl/persons/person.xml": `<personList xmlns="http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments"><person displayName="Jörg Ø" id="{P}" userId="x" providerId="None"/></personList>`,
      },
    );
    expect(text).toBe(
      "Comment on Ship by Zoë & Co: names / Ship: Aurora, Berth: 4, Comment on Berth by Zoë & Co: only <at> high tide – früh / Ship: Möwe, Berth: 5, Comment on Ship by Jörg Ø: Fährt & sinkt, Comment on Ship by Jörg Ø: No",
    );
  });

  it("marks hidden sheets, rows and columns, and reads them", async () => {
    const sheet = (name: string, more: Partial<RawSheet> = {}): RawSheet => ({
      name,
      rows: [
        ["Ship", "Tons"],
        [name, 120],
      ],
      ...more,
    });
    const { parts } = await parse(
      "a.xlsx",
      makeRawWorkbook([
        sheet("Open", {
          rowAttributes: { 1: 'hidden="1"' },
          before: '<cols><col min="2" max="16384" hidden="1"/></cols>',
        }),
        sheet("Secret", { state: "hidden" }),
        sheet("Deep", { state: "veryHidden" }),
      ]),
    );
    expect(parts!.map(({ name, text, notes }) => [name, text, notes])).toEqual([
      [
        "Open",
        "Ship: Open\nTons: 120",
        [{ code: "file-note.hidden-cells", params: { rows: 1, columns: 1 } }],
      ],
      [
        "Secret (hidden sheet)",
        "Ship: Secret\nTons: 120",
        [{ code: "file-note.sheet-hidden", params: { name: "Secret" } }],
      ],
      [
        "Deep (hidden sheet)",
        "Ship: Deep\nTons: 120",
        [{ code: "file-note.sheet-hidden", params: { name: "Deep" } }],
      ],
    ]);
  });

  it("gives the addresses of links whose text is another", async () => {
    const { text } = await read({
      rows: [
        ["Site", "Mail"],
        ["Harbour", "ada@x.org"],
        ["https://b.org", "Alan"],
      ],
      after:
        '<hyperlinks><hyperlink ref="A2" r:id="p0"/><hyperlink ref="B2" r:id="p1"/><hyperlink ref="A3" r:id="p2"/><hyperlink ref="B3" location="Sheet1!A1"/></hyperlinks>',
      relations: [
        ["hyperlink", "https://harbour.example/a?b=1&c=2"],
        ["hyperlink", "mailto:ada@x.org"],
        ["hyperlink", "https://b.org/"],
      ],
    });
    expect(text).toBe(
      "Site: Harbour (https://harbour.example/a?b=1&c=2), Mail: ada@x.org / Site: https://b.org, Mail: Alan",
    );
  });

  it("reads text boxes, titles of charts and descriptions of pictures", async () => {
    const { text } = await read(
      {
        rows: fleet,
        after: '<drawing r:id="p0"/>',
        relations: [["drawing", "../drawings/drawing1.xml"]],
      },
      {
        "xl/drawings/drawing1.xml": `<xdr:wsDr ${drawing}><xdr:sp><xdr:txBody><a:p><a:r><a:t>Mind the </a:t></a:r><a:r><a:t>tide</a:t></a:r></a:p><a:p><a:r><a:t>always</a:t></a:r></a:p></xdr:txBody></xdr:sp><xdr:pic><xdr:nvPicPr><xdr:cNvPr id="1" name="P" descr="A lighthouse"/></xdr:nvPicPr></xdr:pic><xdr:graphicFrame><a:graphic><a:graphicData><c:chart r:id="c1"/></a:graphicData></a:graphic></xdr:graphicFrame></xdr:wsDr>`,
        "xl/drawings/_rels/drawing1.xml.rels":
          '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="c1" Type="http://x/chart" Target="../charts/chart1.xml"/></Relationships>',
        "xl/charts/chart1.xml": `<c:chartSpace ${drawing}><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Herring landed</a:t></a:r></a:p></c:rich></c:tx></c:title><c:plotArea><c:valAx><c:title><c:tx><c:strRef><c:f>A1</c:f><c:strCache><c:pt><c:v>Tonnes</c:v></c:pt></c:strCache></c:strRef></c:tx></c:title></c:valAx></c:plotArea></c:chart></c:chartSpace>`,
      },
    );
    expect(text).toBe(
      "Ship: Aurora, Tons: 120 / Mind the tide, always / Picture: A lighthouse / Chart: Herring landed, Tonnes",
    );
  });

  it.each<[what: string, sheet: Partial<RawSheet>, more: Record<string, string>, names: string]>([
    [
      "a table",
      { relations: [["table", "../tables/table1.xml"]] },
      { "xl/tables/table1.xml": `<table xmlns="${main}" ref="A3:B5" headerRowCount="1"/>` },
      "",
    ],
    ["a filter", { after: '<autoFilter ref="A3:B5"/>' }, {}, ""],
    [
      "rows that stay in view",
      {
        before:
          '<sheetViews><sheetView workbookViewId="0"><pane ySplit="3" topLeftCell="A4" state="frozen"/></sheetView></sheetViews>',
      },
      {},
      "",
    ],
    [
      "rows printed on each page",
      {},
      {},
      '<definedName name="_xlnm.Print_Titles" localSheetId="0">Sheet1!$A:$A,Sheet1!$1:$3</definedName>',
    ],
  ])("takes the names of columns from %s", async (_what, sheet, more, names) => {
    const rows = [
      ["Fleet", "Harbour"],
      ["of Brask", "Skarn"],
      ["Ship", "Home"],
      ["Aurora", "Brask"],
      ["Borealis", "Brask"],
    ];
    expect((await read({ ...sheet, rows }, more, names)).text).toBe(
      "Fleet | Harbour, of Brask | Skarn / Ship: Aurora, Home: Brask / Ship: Borealis, Home: Brask",
    );
  });

  it("reads OpenDocument sheets alike", async () => {
    const cell = (text: string, more = "", inside = ""): string =>
      `<table:table-cell ${more}>${inside}<text:p>${text}</text:p></table:table-cell>`;
    const row = (...cells: string[]): string =>
      `<table:table-row>${cells.join("")}</table:table-row>`;
    const { parts } = await parse(
      "a.ods",
      makeOdf(
        "spreadsheet",
        `<table:table table:name="S">${row(cell("Port"), cell("Day"), cell("Sum"), cell("Link"))}${row(
          cell(
            "Brask",
            'table:number-rows-spanned="2"',
            '<office:annotation><dc:creator xmlns:dc="http://purl.org/dc/elements/1.1/">Ada</dc:creator><text:p>deep</text:p></office:annotation>',
          ),
          cell("03/04/24", 'office:value-type="date" office:date-value="2024-03-04"'),
          cell("4.00638E+12", 'office:value-type="float" office:value="4006381333931"'),
          cell(
            '<text:a xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="https://a.org">site</text:a>',
          ),
        )}${row(
          "<table:covered-table-cell/>",
          cell(
            "03/05/24 14:30",
            'office:value-type="date" office:date-value="2024-03-05T14:30:00"',
          ),
          '<table:table-cell table:formula="of:=SUM([.C2:.C2])"/>',
          cell("x"),
        )}</table:table>`,
      ),
    );
    expect(parts![0]!.text).toBe(
      "Port: Brask\nDay: 2024-03-04\nSum: 4006381333931\nLink: site (https://a.org)\nComment on Port by Ada: deep\n\nPort: Brask\nDay: 2024-03-05 14:30\nSum: =SUM(C2:C2)\nLink: x",
    );
    expect(parts![0]!.notes).toEqual([
      { code: "file-note.formulas-not-computed", params: { count: 1 } },
    ]);
  });
});
