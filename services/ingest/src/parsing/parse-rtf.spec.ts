import { describe, expect, it } from "@jest/globals";
import { headingsOf, parse } from "../../test/parse.ts";

const rtf = async (body: string, head = "\\ansi\\ansicpg1252"): Promise<string> =>
  (await parse("a.rtf", Buffer.from(`{\\rtf1${head} ${body}}`, "latin1"))).text;
const fonts = (...charsets: (number | string)[]): string =>
  `{\\fonttbl${charsets.map((charset, n) => `{\\f${n}${typeof charset === "number" ? `\\fcharset${charset}` : charset} A${n}{\\*\\falt B};}`).join("")}}`;
const hex = (bytes: string): string =>
  Buffer.from(bytes, "latin1").toString("hex").replace(/../g, "\\'$&");

describe("characters of RTF", () => {
  it.each([
    ["Cyrillic", 204, "\xcf\xf0\xe8", "При"],
    ["Central European", 238, "\x8e\x69\x9e", "Žiž"],
    ["Greek", 161, "\xc1\xf5\xe3", "Αυγ"],
    ["Turkish", 162, "\xde\xf0", "Şğ"],
    ["Hebrew", 177, "\xf9\xec", "של"],
    ["Arabic", 178, "\xd3\xe1", "سل"],
    ["Baltic", 186, "\xe0\xeb", "ąė"],
    ["Vietnamese", 163, "\xd0\xf5", "Đơ"],
    ["Thai", 222, "\xa1\xd2", "กา"],
    ["Japanese", 128, "\x93\xfa\x96\x7b", "日本"],
    ["Korean", 129, "\xc7\xd1", "한"],
    ["Simplified Chinese", 134, "\xb4\xac\xc3\xfb", "船名"],
    ["Traditional Chinese", 136, "\xa4\xa4\xa4\xe5", "中文"],
    ["Mac", 77, "\x8a\x9f", "äü"],
    ["DOS", 254, "\x94\xe1", "öß"],
    ["OEM", 255, "\x94\xe1", "öß"],
    ["symbols", 2, "\xb7", "•"],
  ])("%s by the font's character set", async (_what, charset, bytes, text) => {
    const source = `${fonts(0, charset)}A \\f1 ${hex(bytes)}\\f0  b`;
    expect(await rtf(source)).toBe(`A ${text} b`);
  });

  it.each([
    ["\\ansi\\ansicpg1251", "\xcf\xf0", "Пр"],
    ["\\mac", "\x8a", "ä"],
    ["\\pc", "\x94\xe1", "öß"],
    ["\\pca", "\x94\xb5", "öÁ"],
    ["\\pc\\ansicpg850", "\x94\xb5", "öÁ"],
    ["\\ansi\\ansicpg852", "\xa7\xe7", "žš"],
    ["\\ansi\\ansicpg866", "\x8f\xe0", "Пр"],
    ["\\ansi\\ansicpg10029", "\x8b", "č"],
    ["\\ansi\\ansicpg932", "\x93\xfa", "日"],
    ["\\ansi\\ansicpg65001", "\xc5\xbe", "ž"],
    ["\\ansi\\ansicpg99999", "\xe9", "é"],
  ])("in the file's code page: %s", async (head, bytes, text) => {
    expect(await rtf(hex(bytes), head)).toBe(text);
    expect(await rtf(bytes, head)).toBe(text);
  });

  it("of two bytes, whose second is written as a letter or as hex", async () => {
    const japanese = fonts(0, 128);
    expect(await rtf(`${japanese}\\f1 \\'83A\\'83\\'42\\'83C`)).toBe("アィウ".replace("ウ", "イ"));
    expect(await rtf(`${japanese}\\loch\\f0\\hich\\f0\\dbch\\af1 \\'93\\'fa\\loch  a`)).toBe(
      "日 a",
    );
  });

  it("by a font's code page, and Unicode with what replaces it", async () => {
    expect(await rtf(`${fonts(0, "\\cpg1251")}\\f1 ${hex("\xcf")}`)).toBe("П");
    expect(await rtf("a\\u8364?b\\uc2\\u1055 ??c\\uc0\\u1055 d")).toBe("a€bПcПd");
    expect(await rtf("\\u-10180?\\u-8704? ok")).toBe("🈀 ok");
    expect(await rtf("\\uc1\\u1055\\'cfx{\\uc0\\u1056}\\u1057?y")).toBe("ПxРСy");
    expect(await rtf("{\\upr{old}{\\*\\ud{new}}}")).toBe("new");
  });
});

describe("what is in an RTF document", () => {
  it.each([
    ["raw bytes of pictures", "a{\\pict\\wmetafile8\\bin6 }{\\\\\0}}b", "ab"],
    ["raw bytes that look like RTF", "a{\\pict\\bin10 {\\rtf1\\v }}b", "ab"],
    [
      "hidden and deleted text",
      "a{\\v no}b\\v no\\v0 c{\\deleted no}d\\deleted no\\plain e",
      "abcde",
    ],
    [
      "instructions of fields",
      'a {\\field{\\*\\fldinst{HYPERLINK "x"}}{\\fldrslt{list}}} {\\field{\\*\\fldinst PAGE}{\\fldrslt 3}}',
      "a list 3",
    ],
    [
      "properties",
      "{\\info{\\title t}{\\author x}}{\\*\\generator g;}{\\*\\unknown u}{\\colortbl;\\red0;}a",
      "a",
    ],
    ["bookmarks and index entries", "a{\\*\\bkmkstart x}b{\\*\\bkmkend x}{\\xe{\\v i}}", "ab"],
    ["styles of characters", "a {\\*\\cs10\\i b} c", "a b c"],
    [
      "list texts",
      "{\\listtext 1.\\tab}First\\par{\\pntext\\'b7\\tab}Next",
      "1.\tFirst\n\n·\tNext",
    ],
    [
      "text boxes",
      "a{\\shp{\\*\\shpinst{\\sp{\\sn n}{\\sv v}}{\\shptxt boxed\\par}}{\\shprslt boxed}}\\par b",
      "a\n\nboxed\n\nb",
    ],
    [
      "what objects show",
      "a {\\object\\objemb{\\*\\objdata 00ff}{\\result shown}}\\par",
      "a\n\nshown",
    ],
    [
      "footnotes",
      "Tea{\\super\\chftn}{\\footnote{\\super\\chftn} From Assam.}. More{\\footnote Plain.}\\par End\\par",
      "Tea[1]. More[2]\n\n[1] From Assam.\n\n[2] Plain.\n\nEnd",
    ],
    [
      "headers and footers, once",
      "{\\header Deed 7\\par}{\\headerf Deed 7}{\\footer Page {\\field{\\fldrslt 1}}}Text\\par\\sect{\\header Deed 7}More",
      "Deed 7\n\nText\n\nMore\n\nPage 1",
    ],
    [
      "comments",
      "Due{\\*\\atnid P}{\\*\\atnauthor Perpetua}\\chatn{\\*\\annotation{\\*\\atnref 1}Not in winter.} now\\par",
      "Due now\n\nPerpetua: Not in winter.",
    ],
    ["what follows its end", "a}\0\0{", "a"],
  ])("%s", async (_what, source, text) => expect(await rtf(source)).toBe(text));

  it("tables, with the names of columns and cells merged over rows", async () => {
    const row = (defs: string, ...cells: string[]): string =>
      `\\trowd${defs}\\pard\\intbl ${cells.map((cell) => `${cell}\\cell `).join("")}\\row\n`;
    expect(
      await rtf(
        `${row("\\cellx1\\cellx2", "A", "1")}${row("\\cellx1\\cellx2", "B\\par b", "")}\\pard End`,
      ),
    ).toBe("A | 1\nB b\n\nEnd");
    const merged = (flag: string): string => `${flag}\\cellx1\\cellx2`;
    expect(
      await rtf(
        row("\\trhdr\\cellx1\\cellx2", "Port", "Depth") +
          row(merged("\\clvmgf"), "Kestrel", "7 m") +
          row(merged("\\clvmrg"), "", "11 m") +
          "\\pard",
      ),
    ).toBe("Port: Kestrel\nDepth: 7 m\n\nPort: Kestrel\nDepth: 11 m");
  });

  it("headings", async () => {
    const parsed = await parse(
      "a.rtf",
      String.raw`{\rtf1\ansi\pard\outlinelevel0 Lease\par\pard\outlinelevel1 Rent\par\pard Paid.\par}`,
    );
    expect(headingsOf(parsed)).toEqual(["1 Lease", "2 Rent"]);
  });
});
