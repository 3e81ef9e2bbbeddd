import { describe, expect, it } from "@jest/globals";
import { makeDocx, officePart } from "../../test/fixtures/make-docx.ts";
import { parse } from "../../test/parse.ts";

type Parts = NonNullable<Parameters<typeof makeDocx>[1]>["parts"];

const run = (text: string): string => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;
const p = (...content: string[]): string => `<w:p>${content.join("")}</w:p>`;

async function read(body: string, parts: Parts = {}): Promise<string> {
  return (await parse("a.docx", await makeDocx([], { body, parts }))).text;
}

describe("other parts of a Word document", () => {
  it("puts comments and notes after the paragraph or table that they belong to", async () => {
    const reference = (name: string, id: number): string => `<w:r><w:${name} w:id="${id}"/></w:r>`;
    const text = await read(
      p(
        run("Tar"),
        reference("footnoteReference", 1),
        run(" is dear."),
        reference("commentReference", 4),
      ) +
        `<w:tbl><w:tr><w:tc>${p(run("Pitch"), reference("commentReference", 5))}</w:tc><w:tc>${p(run("12"))}</w:tc></w:tr></w:tbl>` +
        p(run("End"), reference("endnoteReference", 1)),
      {
        "comments.xml": {
          type: "comments",
          content: officePart(
            "w:comments",
            `<w:comment w:id="4" w:author="Ada">${p(run("Why?"))}${p(run("Ask Ben."))}</w:comment><w:comment w:id="5">${p(run("Old price"))}</w:comment><w:comment w:id="6" w:author="Eve">${p(run("Unused"))}</w:comment>`,
          ),
        },
        "footnotes.xml": {
          type: "footnotes",
          content: officePart(
            "w:footnotes",
            `<w:footnote w:type="separator" w:id="-1">${p("<w:r><w:separator/></w:r>")}</w:footnote><w:footnote w:id="1">${p("<w:r><w:footnoteRef/></w:r>", run(" From Stockholm."))}</w:footnote>`,
          ),
        },
        "endnotes.xml": {
          type: "endnotes",
          content: officePart(
            "w:endnotes",
            `<w:endnote w:id="1">${p(run("Printed in Bergen."))}</w:endnote>`,
          ),
        },
      },
    );
    expect(text).toBe(
      "Tar[1] is dear.\n\n[1] From Stockholm.\n\nComment by Ada: Why?\nAsk Ben.\n\nPitch | 12\n\nComment: Old price\n\nEnd[e1]\n\n[e1] Printed in Bergen.",
    );
  });

  it("reads each header and footer once, if a page shows it", async () => {
    const margin = (kind: string, text: string) => ({
      type: kind === "hdr" ? "header" : "footer",
      content: officePart(`w:${kind}`, p(run(text))),
    });
    const reference = (kind: string, type: string, id: string): string =>
      `<w:${kind}Reference w:type="${type}" r:id="${id}"/>`;
    const text = await read(
      p(run("First part."), "") +
        `<w:p><w:pPr><w:sectPr>${reference("header", "default", "h1.xml")}${reference("header", "first", "h2.xml")}${reference("header", "even", "h5.xml")}</w:sectPr></w:pPr></w:p>` +
        p(run("Second part.")) +
        `<w:sectPr>${reference("header", "default", "h3.xml")}${reference("header", "first", "h4.xml")}${reference("footer", "default", "f1.xml")}${reference("footer", "first", "f2.xml")}<w:titlePg/></w:sectPr>`,
      {
        "h1.xml": margin("hdr", "File KX-7"),
        "h2.xml": margin("hdr", "NOT SHOWN"),
        "h3.xml": margin("hdr", "File KX-7"),
        "h4.xml": margin("hdr", "Title page"),
        "h5.xml": margin("hdr", "NOT SHOWN EITHER"),
        "f1.xml": margin("ftr", "- 1 -"),
        "f2.xml": margin("ftr", "Notary Brankovic"),
      },
    );
    expect(text).toBe("File KX-7\n\nTitle page\n\nFirst part.\n\nSecond part.\n\nNotary Brankovic");
  });

  it("reads charts from the values they were last drawn with", async () => {
    const title = (text: string): string =>
      `<c:title><c:tx><c:rich><a:p><a:r><a:t>${text}</a:t></a:r></a:p></c:rich></c:tx></c:title>`;
    const points = (values: string[], format = "General"): string =>
      `<c:formatCode>${format}</c:formatCode>${values.map((value, i) => `<c:pt idx="${i}"><c:v>${value}</c:v></c:pt>`).join("")}`;
    const series = (name: string, values: string[], format?: string): string =>
      `<c:ser><c:tx><c:strRef><c:strCache>${points([name])}</c:strCache></c:strRef></c:tx><c:cat><c:numRef><c:numCache>${points(["43831", "44197"], "yyyy\\-mm\\-dd")}</c:numCache></c:numRef></c:cat><c:val><c:numRef><c:numCache>${points(values, format)}</c:numCache></c:numRef></c:val></c:ser>`;
    const text = await read(
      p(run("See:")) +
        p(
          '<w:r><w:drawing><wp:inline><wp:docPr id="1" name="c" descr="Bars"/><a:graphic><a:graphicData><c:chart r:id="c1.xml"/></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>',
        ),
      {
        "c1.xml": {
          type: "chart",
          content: officePart(
            "c:chartSpace",
            `<c:chart>${title("Catch")}<c:plotArea><c:barChart>${series("Herring", ["4821.5", "0.30000000000000004"])}${series("Share", ["0.25", "0.5"], "0%")}</c:barChart><c:catAx>${title("Day")}</c:catAx><c:valAx>${title("Tonnes")}</c:valAx></c:plotArea></c:chart>`,
          ),
        },
      },
    );
    expect(text).toBe(
      "See:\n\n[Image: Bars]\n\nChart: Catch (Day, Tonnes)\n\nDay: 2020-01-01\nHerring: 4821.5\nShare: 25%\n\nDay: 2021-01-01\nHerring: 0.3\nShare: 50%",
    );
  });

  it("reads newer kinds of charts, scatter charts and diagrams", async () => {
    const text = await read(
      p('<w:r><w:drawing><cx:chart r:id="x.xml"/></w:drawing></w:r>') +
        p('<w:r><w:drawing><c:chart r:id="s.xml"/></w:drawing></w:r>') +
        p('<w:r><w:drawing><dgm:relIds r:dm="d.xml"/></w:drawing></w:r>'),
      {
        "x.xml": {
          type: "chartEx",
          content: officePart(
            "cx:chartSpace",
            `<cx:chartData><cx:data id="0"><cx:strDim type="cat"><cx:lvl ptCount="2"><cx:pt idx="0">Oak</cx:pt><cx:pt idx="1">Elm</cx:pt></cx:lvl></cx:strDim><cx:numDim type="val"><cx:lvl formatCode="General"><cx:pt idx="0">3</cx:pt><cx:pt idx="1">5</cx:pt></cx:lvl></cx:numDim></cx:data></cx:chartData><cx:chart><cx:title><cx:tx><cx:txData><cx:v>Trees</cx:v></cx:txData></cx:tx></cx:title><cx:plotArea><cx:plotAreaRegion><cx:series layoutId="waterfall"><cx:tx><cx:txData><cx:v>Planted</cx:v></cx:txData></cx:tx><cx:dataId val="0"/></cx:series></cx:plotAreaRegion></cx:plotArea></cx:chart>`,
          ),
        },
        "s.xml": {
          type: "chart",
          content: officePart(
            "c:chartSpace",
            `<c:chart><c:plotArea><c:scatterChart><c:ser><c:tx><c:v>Depth</c:v></c:tx><c:xVal><c:numLit><c:pt idx="0"><c:v>10</c:v></c:pt></c:numLit></c:xVal><c:yVal><c:numLit><c:pt idx="0"><c:v>7</c:v></c:pt></c:numLit></c:yVal></c:ser></c:scatterChart></c:plotArea></c:chart>`,
          ),
        },
        "d.xml": {
          type: "diagramData",
          content: officePart(
            "dgm:dataModel",
            `<dgm:ptLst><dgm:pt modelId="0" type="doc"/><dgm:pt modelId="2"><dgm:t><a:p><a:r><a:t>Sail</a:t></a:r></a:p></dgm:t></dgm:pt><dgm:pt modelId="1"><dgm:t><a:p><a:r><a:t>Load</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:ptLst><dgm:cxnLst><dgm:cxn modelId="8" srcId="0" destId="1" srcOrd="0"/><dgm:cxn modelId="9" srcId="0" destId="2" srcOrd="1"/></dgm:cxnLst>`,
          ),
        },
      },
    );
    expect(text).toBe(
      "Chart: Trees\n\nOak\nPlanted: 3\n\nElm\nPlanted: 5\n\n10\nDepth: 7\n\nLoad\nSail",
    );
  });

  it("reads documents that are inserted as files, and goes on if one is damaged", async () => {
    const chunk = (name: string): string => `<w:altChunk r:id="${name}"/>`;
    const names = ["a.htm", "b.rtf", "c.docx", "d.txt", "e.docx"];
    const text = await read(p(run("Start")) + names.map(chunk).join("") + p(run("End")), {
      "a.htm": { type: "aFChunk", content: "<html><body><h1>Page</h1><p>Größe</p></body></html>" },
      "b.rtf": { type: "aFChunk", content: "{\\rtf1 Rich text.}" },
      "c.docx": { type: "aFChunk", content: await makeDocx([{ text: "Inner document." }]) },
      "d.txt": { type: "aFChunk", content: "Plain text." },
      "e.docx": { type: "aFChunk", content: "PK\u0003\u0004 damaged" },
    });
    expect(text).toBe(
      "Start\n\nPage\n\nGröße\n\nRich text.\n\nInner document.\n\nPlain text.\n\nEnd",
    );
  });
});
