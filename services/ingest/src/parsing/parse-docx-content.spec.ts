import { describe, expect, it } from "@jest/globals";
import { makeDocx } from "../../test/fixtures/make-docx.ts";
import { parse } from "../../test/parse.ts";

const run = (text: string, properties = ""): string =>
  `<w:r>${properties && `<w:rPr>${properties}</w:rPr>`}<w:t xml:space="preserve">${text}</w:t></w:r>`;
const p = (...content: string[]): string => `<w:p>${content.join("")}</w:p>`;
const field = (type: string, content = ""): string =>
  `<w:r><w:fldChar w:fldCharType="${type}">${content}</w:fldChar></w:r>`;
const code = (text: string): string => `<w:r><w:instrText>${text}</w:instrText></w:r>`;
const math = (content: string): string => p(`<m:oMath>${content}</m:oMath>`);
const t = (text: string): string => `<m:r><m:t>${text}</m:t></m:r>`;
const e = (content: string): string => `<m:e>${content}</m:e>`;

const read = async (body: string): Promise<string> =>
  (await parse("a.docx", await makeDocx([], { body }))).text;

describe("text of a Word document", () => {
  it.each([
    [
      "simple fields",
      p(
        run("Dear "),
        `<w:fldSimple w:instr="MERGEFIELD name">${run("Ada")}</w:fldSimple>`,
        run(","),
      ),
      "Dear Ada,",
    ],
    [
      "results of complex fields, but not their code",
      p(
        run("Page "),
        field("begin"),
        code(" IF "),
        field("begin"),
        code("MERGEFIELD x"),
        field("separate"),
        run("HIDDEN"),
        field("end"),
        code(" = 1"),
        field("separate"),
        run("seven"),
        field("end"),
        run("."),
      ),
      "Page seven.",
    ],
    [
      "text after a field that never ends",
      p(field("begin"), code("PAGE")) + p(run("Still here.")),
      "Still here.",
    ],
    [
      "formulas in fields",
      p(field("begin"), code(" EQ \\f(weight,length) "), field("end"), run(" each")),
      "weight/length each",
    ],
    [
      "symbols in fields",
      p(field("begin"), code(' SYMBOL 254 \\f "Wingdings" '), field("end"), run(" insured")),
      "☒ insured",
    ],
    [
      "check boxes of forms",
      p(
        field(
          "begin",
          '<w:ffData><w:checkBox><w:sizeAuto/><w:default w:val="0"/><w:checked/></w:checkBox></w:ffData>',
        ),
        code("FORMCHECKBOX"),
        field("end"),
        run(" by sea "),
        field("begin", '<w:ffData><w:checkBox><w:default w:val="0"/></w:checkBox></w:ffData>'),
        code("FORMCHECKBOX"),
        field("separate"),
        field("end"),
        run(" by land"),
      ),
      "☒ by sea ☐ by land",
    ],
    [
      "chosen entries of drop-down lists",
      p(
        field(
          "begin",
          '<w:ffData><w:ddList><w:result w:val="1"/><w:listEntry w:val="salt"/><w:listEntry w:val="tar"/></w:ddList></w:ffData>',
        ),
        code("FORMDROPDOWN"),
        field("end"),
      ),
      "tar",
    ],
    [
      "check boxes with signs of their own",
      p(
        '<w:sdt><w:sdtPr><w14:checkbox><w14:checked w14:val="1"/><w14:checkedState w14:val="00FE" w14:font="Wingdings"/></w14:checkbox></w:sdtPr><w:sdtContent><w:r><w:sym w:font="Wingdings" w:char="F0FE"/></w:r></w:sdtContent></w:sdt>',
        run(" paid "),
        "<w:sdt><w:sdtPr><w:rPr><w:vanish/></w:rPr><w14:checkbox/></w:sdtPr><w:sdtContent/></w:sdt>",
        run(" due"),
      ),
      "☒ paid ☐ due",
    ],
    [
      "symbols",
      p(
        '<w:r><w:sym w:font="Wingdings" w:char="F0A8"/><w:sym w:font="Symbol" w:char="F061"/></w:r>',
        run("\uf0fe", '<w:rFonts w:ascii="Wingdings"/>'),
        run("b", '<w:rFonts w:ascii="Symbol"/>'),
      ),
      "☐α☒β",
    ],
    [
      "hyphens, tabs and breaks",
      p(
        "<w:r><w:t>co</w:t><w:noBreakHyphen/><w:t>op</w:t><w:tab/><w:t>Schiff</w:t><w:softHyphen/><w:t>fahrt</w:t><w:br/><w:t>next</w:t></w:r>",
      ),
      "co-op Schifffahrt\nnext",
    ],
    [
      "base text under readings",
      p(
        "<w:r><w:ruby><w:rubyPr/><w:rt><w:r><w:t>とう</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>東</w:t></w:r></w:rubyBase></w:ruby></w:r>",
        run("港"),
      ),
      "東港",
    ],
    [
      "what tracked changes leave",
      p(
        run("The fee is "),
        '<w:del w:author="A"><w:r><w:delText>ninety</w:delText></w:r></w:del>',
        `<w:ins w:author="A">${run("seventy")}</w:ins>`,
        `<w:moveFrom>${run("gulls")}</w:moveFrom><w:moveTo>${run(" terns")}</w:moveTo>`,
        run(".", '<w:rPrChange w:id="1"><w:rPr><w:vanish/></w:rPr></w:rPrChange>'),
      ),
      "The fee is seventy terns.",
    ],
    [
      "paragraphs joined by a deleted mark",
      p('<w:pPr><w:rPr><w:del w:id="1"/></w:rPr></w:pPr>', run("One ")) + p(run("sentence.")),
      "One sentence.",
    ],
    [
      "no hidden text",
      p(run("seen"), run("HIDDEN", "<w:vanish/>"), run(" too", '<w:vanish w:val="0"/>')),
      "seen too",
    ],
    [
      "text boxes once, though older versions have a copy",
      p(
        run("Before"),
        `<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wps:txbx><w:txbxContent>${p(run("In a box"))}</w:txbxContent></wps:txbx></w:drawing></mc:Choice><mc:Fallback><w:pict><v:textbox><w:txbxContent>${p(run("In a box"))}</w:txbxContent></v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r>`,
        run(" and after"),
      ),
      "Before and after\n\nIn a box",
    ],
    [
      "fallbacks of what is empty",
      p(
        `<w:r><mc:AlternateContent><mc:Choice Requires="wpi"><w:drawing/></mc:Choice><mc:Fallback><w:pict><v:textbox><w:txbxContent>${p(run("Drawn"))}</w:txbxContent></v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r>`,
      ),
      "Drawn",
    ],
    [
      "descriptions of pictures that somebody wrote",
      p(
        '<w:r><w:drawing><wp:inline><wp:docPr id="1" name="x" descr="Map of the sound"/></wp:inline></w:drawing></w:r>',
        '<w:r><w:drawing><wp:inline><wp:docPr id="2" name="x" descr="C:\\scans\\image 1.png"/></wp:inline></w:drawing></w:r>',
        '<w:r><w:drawing><wp:inline><wp:docPr id="3" name="x" descr="A ship&#10;&#10;Description automatically generated"/></wp:inline></w:drawing></w:r>',
        '<w:r><w:pict><v:shape alt="Crest"/></w:pict></w:r>',
      ),
      "[Image: Map of the sound]\n\n[Image: A ship]\n\n[Image: Crest]",
    ],
  ])("keeps %s", async (_, body, text) => {
    expect(await read(body)).toBe(text);
  });

  it.each([
    [t("F=ρ·g·V"), "F=ρ·g·V"],
    [`<m:f><m:num>${t("a+b")}</m:num><m:den>${t("2")}</m:den></m:f>`, "(a+b)/2"],
    [
      `<m:f><m:fPr><m:type m:val="noBar"/></m:fPr><m:num>${t("n")}</m:num><m:den>${t("k")}</m:den></m:f>`,
      "binom(n, k)",
    ],
    [`<m:sSup>${e(t("x"))}<m:sup>${t("2")}</m:sup></m:sSup>`, "x^2"],
    [`<m:sSup>${e(t("e"))}<m:sup>${t("-x")}</m:sup></m:sSup>`, "e^(-x)"],
    [`<m:sSub>${e(t("CO"))}<m:sub>${t("2")}</m:sub></m:sSub>`, "CO_2"],
    [
      `<m:sSubSup>${e(t("x"))}<m:sub>${t("i")}</m:sub><m:sup>${t("2")}</m:sup></m:sSubSup>`,
      "x_i^2",
    ],
    [
      `<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>${t("i=1")}</m:sub><m:sup>${t("n")}</m:sup>${e(t("i"))}</m:nary>`,
      "∑_(i=1)^n i",
    ],
    [`<m:nary><m:sub/><m:sup/>${e(t("f(x)dx"))}</m:nary>`, "∫ f(x)dx"],
    [`<m:rad><m:radPr><m:degHide m:val="1"/></m:radPr><m:deg/>${e(t("a+b"))}</m:rad>`, "√(a+b)"],
    [`<m:rad><m:deg>${t("3")}</m:deg>${e(t("x"))}</m:rad>`, "√[3]x"],
    [`<m:d><m:dPr><m:begChr m:val="["/><m:endChr m:val="]"/></m:dPr>${e(t("a"))}</m:d>`, "[a]"],
    [
      `<m:d>${e(`<m:m><m:mr>${e(t("1"))}${e(t("2"))}</m:mr><m:mr>${e(t("3"))}${e(t("4"))}</m:mr></m:m>`)}</m:d>`,
      "[1, 2; 3, 4]",
    ],
    [`<m:func><m:fName>${t("sin")}</m:fName>${e(t("x"))}</m:func>`, "sin x"],
    [
      `<m:func><m:fName><m:limLow>${e(t("lim"))}<m:lim>${t("x→0")}</m:lim></m:limLow></m:fName>${e(t("y"))}</m:func>`,
      "lim_(x→0) y",
    ],
    [t("𝐹=𝑚𝑎"), "F=ma"],
    [`<m:eqArr>${e(t("x&amp;=1"))}${e(t("y&amp;=2"))}</m:eqArr>`, "x=1; y=2"],
    [`${t("a")}<w:del><m:r><m:t>HIDDEN</m:t></m:r></w:del>`, "a"],
  ])("writes the formula %s in a line", async (content, text) => {
    expect(await read(math(content))).toBe(text);
  });
});
