import { describe, expect, it } from "@jest/globals";
import { makeDocx } from "../../test/fixtures/make-docx.ts";
import { headingsOf, parse } from "../../test/parse.ts";

const p = (text: string, properties = ""): string =>
  `<w:p>${properties}${text && `<w:r><w:t>${text}</w:t></w:r>`}</w:p>`;
const tc = (content: string, properties = ""): string =>
  `<w:tc><w:tcPr>${properties}</w:tcPr>${content.startsWith("<") ? content : p(content)}</w:tc>`;
const starts = '<w:vMerge w:val="restart"/>';
const continues = "<w:vMerge/>";
const spans = (columns: number): string => `<w:gridSpan w:val="${columns}"/>`;
const tr = (...cells: string[]): string => `<w:tr>${cells.join("")}</w:tr>`;
const header = (...cells: string[]): string =>
  `<w:tr><w:trPr><w:tblHeader/></w:trPr>${cells.join("")}</w:tr>`;
const tbl = (...rows: string[]): string => `<w:tbl>${rows.join("")}</w:tbl>`;
const read = async (body: string) => parse("a.docx", await makeDocx([], { body }));

describe("tables of a Word document", () => {
  it.each([
    [
      "cells merged over rows repeat their value",
      tbl(
        tr(tc("Port"), tc("Quay"), tc("Depth")),
        tr(tc("Kestrel", starts), tc("North"), tc("7 m")),
        tr(tc("", continues), tc("South"), tc("11 m")),
        tr(tc("Heron", starts), tc("East"), tc("5 m")),
        tr(tc("", continues), tc("West"), tc("9 m")),
      ),
      "Port: Kestrel\nQuay: North\nDepth: 7 m\n\nPort: Kestrel\nQuay: South\nDepth: 11 m\n\nPort: Heron\nQuay: East\nDepth: 5 m\n\nPort: Heron\nQuay: West\nDepth: 9 m",
    ],
    [
      "also without names of columns, and beside cells that span",
      tbl(
        tr(tc("Kestrel", starts + spans(2)), tc("7 m")),
        tr(tc("", continues + spans(2)), tc("11 m")),
      ),
      "Kestrel |  | 7 m\nKestrel |  | 11 m",
    ],
    [
      "names that span columns or rows name each of them",
      tbl(
        header(tc("Port", starts), tc("Depth", spans(2))),
        header(tc("", continues), tc("Low"), tc("High")),
        tr(tc("Kestrel"), tc("3 m"), tc("7 m")),
      ),
      "Port: Kestrel\nDepth Low: 3 m\nDepth High: 7 m",
    ],
    [
      "a value that spans columns is one value",
      tbl(header(tc("Port"), tc("Mon"), tc("Tue")), tr(tc("Kestrel"), tc("closed", spans(2)))),
      "Port: Kestrel\nMon: closed",
    ],
    [
      "rows that start later keep their columns",
      tbl(
        header(tc("Port"), tc("Low"), tc("High")),
        `<w:tr><w:trPr><w:gridBefore w:val="1"/></w:trPr>${tc("3 m")}${tc("7 m")}</w:tr>`,
      ),
      "Low: 3 m\nHigh: 7 m",
    ],
    [
      "deleted rows are left out",
      tbl(
        tr(tc("a"), tc("b")),
        `<w:tr><w:trPr><w:del w:id="1"/></w:trPr>${tc("HIDDEN")}${tc("HIDDEN")}</w:tr>`,
        tr(tc("c"), tc("d")),
      ),
      "a | b\nc | d",
    ],
    [
      "one column is text",
      tbl(tr(tc(p("One.") + p("Two."))), tr(tc("Three."))),
      "One.\n\nTwo.\n\nThree.",
    ],
    [
      "a table in a table lays out the page",
      tbl(tr(tc("Left"), tc(tbl(tr(tc("a"), tc("b"))) + p("")))),
      "Left\n\na | b",
    ],
    [
      "rows and cells in content controls are read",
      tbl(
        `<w:sdt><w:sdtPr/><w:sdtContent>${tr(tc("a"), `<w:sdt><w:sdtContent>${tc("b")}</w:sdtContent></w:sdt>`)}</w:sdtContent></w:sdt>`,
      ),
      "a | b",
    ],
  ])("%s", async (_, body, text) => {
    expect((await read(body)).text).toBe(text);
  });

  it("keep headings in cells", async () => {
    const parsed = await read(
      tbl(
        tr(
          tc(p("Aims", '<w:pPr><w:pStyle w:val="Heading1"/></w:pPr>') + p("To sail.")),
          tc("Aside"),
        ),
      ),
    );
    expect(parsed.text).toBe("Aims\n\nTo sail.\n\nAside");
    expect(headingsOf(parsed)).toEqual(["1 Aims"]);
  });

  it("take linear time, whatever they claim to merge", async () => {
    const long = "x".repeat(20_000);
    const rows = Array.from({ length: 5_000 }, () => tr(tc("", continues + spans(60)), tc("y")));
    const { text } = await read(tbl(tr(tc(long, starts + spans(60)), tc("y")), ...rows));
    expect(text.length).toBeLessThan(3_000_000);
    expect(text).toContain("y");
  });
});
