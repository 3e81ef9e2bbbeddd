import { describe, expect, it } from "@jest/globals";
import { makeDocx, officePart } from "../../test/fixtures/make-docx.ts";
import { headingsOf, parse } from "../../test/parse.ts";
import { formatNumber } from "./number-format.ts";

const level = (depth: number, format: string, text: string, more = ""): string =>
  `<w:lvl w:ilvl="${depth}"><w:start w:val="1"/><w:numFmt w:val="${format}"/>${more}<w:lvlText w:val="${text}"/></w:lvl>`;
const definition = (id: number, ...levels: string[]): string =>
  `<w:abstractNum w:abstractNumId="${id}">${levels.join("")}</w:abstractNum>`;
const list = (id: number, definitionId: number, overrides = ""): string =>
  `<w:num w:numId="${id}"><w:abstractNumId w:val="${definitionId}"/>${overrides}</w:num>`;

const p = (text: string, properties: string): string =>
  `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;
/** A paragraph of a list, "1.2" for list 1 at its second level. */
const item = (place: string, text: string): string => {
  const [id, depth] = place.split(".");
  return p(
    text,
    `<w:numPr><w:ilvl w:val="${Number(depth) - 1}"/><w:numId w:val="${id}"/></w:numPr>`,
  );
};

async function read(numbering: string, body: string, styles = "") {
  return parse(
    "a.docx",
    await makeDocx([], {
      body,
      parts: {
        "numbering.xml": { type: "numbering", content: officePart("w:numbering", numbering) },
        ...(styles && {
          "styles.xml": { type: "styles", content: officePart("w:styles", styles) },
        }),
      },
    }),
  );
}
const legal = definition(
  0,
  level(0, "decimal", "§ %1"),
  level(1, "decimal", "%1.%2"),
  level(2, "lowerLetter", "(%3)"),
);

describe("numbers of clauses and lists", () => {
  it.each([
    [
      "several levels",
      legal + list(1, 0),
      "1.1 1.2 1.2 1.3 1.3 1.2 1.3 1.1 1.2",
      "§ 1|1.1|1.2|(a)|(b)|1.3|(a)|§ 2|2.1",
    ],
    ["a deep level without those above", legal + list(1, 0), "1.2 1.2 1.1", "1.1|1.2|§ 1"],
    [
      "lists that share a definition",
      legal + list(1, 0) + list(2, 0),
      "1.1 2.1 2.2 1.1",
      "§ 1|§ 2|2.1|§ 3",
    ],
    [
      "a list that starts anew",
      legal +
        list(1, 0) +
        list(2, 0, '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride>'),
      "1.1 1.1 2.1 2.1",
      "§ 1|§ 2|§ 5|§ 6",
    ],
    [
      "a list with a level of its own",
      legal +
        list(
          1,
          0,
          `<w:lvlOverride w:ilvl="0">${level(0, "upperRoman", "Part %1:")}</w:lvlOverride>`,
        ),
      "1.1 1.2",
      "Part I:|I.1",
    ],
    [
      "levels that don't restart, or only after a certain one",
      definition(
        0,
        level(0, "decimal", "%1."),
        level(1, "decimal", "%2.", '<w:lvlRestart w:val="0"/>'),
        level(2, "decimal", "[%3]", '<w:lvlRestart w:val="1"/>'),
      ) + list(1, 0),
      "1.1 1.2 1.3 1.2 1.3 1.1 1.2 1.3",
      "1.|1.|[1]|2.|[2]|2.|3.|[1]",
    ],
    [
      "legal style, in which all levels are decimal",
      definition(
        0,
        level(0, "upperRoman", "Article %1"),
        level(1, "decimal", "%1.%2", "<w:isLgl/>"),
      ) + list(1, 0),
      "1.1 1.1 1.2",
      "Article I|Article II|2.1",
    ],
    [
      "custom formats and leading zeros",
      definition(
        0,
        '<w:lvl w:ilvl="0"><mc:AlternateContent><mc:Choice Requires="w14"><w:numFmt w:val="custom" w:format="001, 002, 003, ..."/></mc:Choice><mc:Fallback><w:numFmt w:val="decimal"/></mc:Fallback></mc:AlternateContent><w:lvlText w:val="%1"/><w:start w:val="9"/></w:lvl>',
        level(1, "decimalZero", "%2"),
      ) + list(1, 0),
      "1.1 1.1 1.2",
      "009|010|01",
    ],
    ["bullets", definition(0, level(0, "bullet", "\uf0b7")) + list(1, 0), "1.1 1.1", "-|-"],
    ["lists without visible numbers", definition(0, level(0, "none", "")) + list(1, 0), "1.1", ""],
    ["lists that aren't defined", "", "7.1", ""],
  ])("%s", async (_, numbering, places, labels) => {
    const items = places.split(" ").map((place, i) => item(place, `text${i}`));
    expect((await read(numbering, items.join(""))).text).toBe(
      labels
        .split("|")
        .map((label, i) => `${label} text${i}`.trim())
        .join("\n"),
    );
  });

  it("number paragraphs by their style, by what it is based on, and headings", async () => {
    const style = (id: string, name: string, properties: string, basedOn = ""): string =>
      `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/>${basedOn && `<w:basedOn w:val="${basedOn}"/>`}<w:pPr>${properties}</w:pPr></w:style>`;
    const parsed = await read(
      definition(
        3,
        level(0, "decimal", "§ %1", '<w:pStyle w:val="H1"/>'),
        level(1, "decimal", "%1.%2", '<w:pStyle w:val="H2"/>'),
        level(2, "lowerRoman", "(%3)", '<w:pStyle w:val="Clause"/>'),
      ) + list(9, 3),
      p("Scope", '<w:pStyle w:val="H1"/>') +
        p("Beds", '<w:pStyle w:val="H2"/>') +
        p("One bed.", '<w:pStyle w:val="Clause"/>') +
        p("Two beds.", '<w:pStyle w:val="Special"/>') +
        p("Fees", '<w:pStyle w:val="H1"/>') +
        p("Preamble", '<w:pStyle w:val="H1"/><w:numPr><w:numId w:val="0"/></w:numPr>'),
      style("H1", "Heading 1", '<w:numPr><w:numId w:val="9"/></w:numPr>') +
        style("H2", "heading 2", '<w:numPr><w:ilvl w:val="1"/></w:numPr>', "H1") +
        style("Clause", "Clause", '<w:numPr><w:ilvl w:val="2"/><w:numId w:val="9"/></w:numPr>') +
        style("Special", "Special clause", "", "Clause"),
    );
    expect(parsed.text).toBe(
      "§ 1 Scope\n\n1.1 Beds\n\n(i) One bed.\n(ii) Two beds.\n\n§ 2 Fees\n\nPreamble",
    );
    expect(headingsOf(parsed)).toEqual(["1 § 1 Scope", "2 1.1 Beds", "1 § 2 Fees", "1 Preamble"]);
  });

  it("follow a numbering style", async () => {
    const { text } = await read(
      `<w:abstractNum w:abstractNumId="1"><w:numStyleLink w:val="Legal"/></w:abstractNum>${definition(2, level(0, "upperLetter", "%1)"))}${list(5, 1)}${list(6, 2)}`,
      item("5.1", "one") + item("5.1", "two"),
      '<w:style w:type="numbering" w:styleId="Legal"><w:name w:val="Legal"/><w:pPr><w:numPr><w:numId w:val="6"/></w:numPr></w:pPr></w:style>',
    );
    expect(text).toBe("A) one\nB) two");
  });

  it.each([
    ["decimalZero", [1, 12], "01 12"],
    ["lowerLetter", [1, 26, 27, 28, 53], "a z aa bb aaa"],
    ["upperColumn", [1, 26, 27, 52, 53], "A Z AA AZ BA"],
    ["upperRoman", [4, 1994, 0], "IV MCMXCIV 0"],
    ["ordinal", [1, 2, 3, 4, 11, 22], "1st 2nd 3rd 4th 11th 22nd"],
    ["cardinalText", [1, 21, 130], "One Twenty-one One hundred thirty"],
    ["ordinalText", [1, 12, 20, 43], "First Twelfth Twentieth Forty-third"],
    ["chineseCounting", [3, 10, 11, 20, 105], "三 十 十一 二十 一百〇五"],
    ["japaneseCounting", [10, 15, 105], "十 十五 百五"],
    ["chineseLegalSimplified", [1, 10], "壹 壹拾"],
    ["ideographTraditional", [1, 10], "甲 癸"],
    ["decimalEnclosedCircle", [1, 20, 21], "① ⑳ ㉑"],
    ["decimalFullWidth", [12], "１２"],
    ["russianLower", [1, 3], "а в"],
    ["koreanDigital", [12], "일이"],
    ["none", [5], ""],
    ["unknown", [5], "5"],
  ])("are written as %s", (format, numbers, text) => {
    expect(numbers.map((n) => formatNumber(n, format)).join(" ")).toBe(text);
  });
});

describe("headings of a Word document", () => {
  it.each([
    ["heading 3", "", 3],
    ["Überschrift 2", "", 2],
    ["Titre 1", "", 1],
    ["标题 4", "", 4],
    ["Title", "", 1],
    ["Subtitle", "", 2],
    ["Section", '<w:outlineLvl w:val="2"/>', 3],
    ["Contents heading", '<w:outlineLvl w:val="9"/>', 0],
    ["Note", "", 0],
  ])("are known by the style %s", async (name, properties, depth) => {
    const parsed = await read(
      "",
      p("Name", '<w:pStyle w:val="S2"/>'),
      `<w:style w:type="paragraph" w:styleId="S1"><w:name w:val="${name}"/><w:pPr>${properties}</w:pPr></w:style><w:style w:type="paragraph" w:styleId="S2"><w:name w:val="Own"/><w:basedOn w:val="S1"/></w:style>`,
    );
    expect(headingsOf(parsed)).toEqual(depth === 0 ? [] : [`${depth} Name`]);
  });

  it("are paragraphs with an outline level of their own", async () => {
    const parsed = await read("", p("Name", '<w:outlineLvl w:val="1"/>') + p("Text", ""));
    expect(headingsOf(parsed)).toEqual(["2 Name"]);
  });
});
