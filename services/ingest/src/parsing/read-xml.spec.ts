import { describe, expect, it } from "@jest/globals";
import { parse, reason } from "../../test/parse.ts";

const xml = async (subset: string, body: string, more = ""): Promise<string> =>
  (await parse("a.xml", `<?xml version="1.0"?><!DOCTYPE r ${more}[${subset}]>${body}`)).text;
const picture = '<!NOTATION TIF SYSTEM "TIF"><!ENTITY fig SYSTEM "fig.tif" NDATA TIF>';

describe("XML with a document type", () => {
  it.each([
    ["unparsed entities and notations", picture, '<r><t>Pump</t><i file="fig"/></r>'],
    ["public notations", '<!NOTATION g PUBLIC "-//X//Y" "g.exe">', "<r><t>Pump</t></r>"],
    [
      "elements and attributes",
      '<!ELEMENT r (t)><!ATTLIST t a CDATA "it\'s">',
      "<r><t>Pump</t></r>",
    ],
    ["comments", "<!-- it's > \" -->", "<r><t>Pump</t></r>"],
    [
      "parameter entities",
      '<!ENTITY % p "x"> %p; <!ENTITY % q SYSTEM "q.dtd"> %q;',
      "<r><t>Pump</t></r>",
    ],
    ["entities for another file", '<!ENTITY c SYSTEM "c.xml">', "<r><t>&c;Pump</t>&c;</r>"],
    ["entities in single quotes", "<!ENTITY p 'Pump'>", "<r><t>&p;</t></r>"],
    ["entities with numbers", '<!ENTITY p "P&#117;m&#x70;">', "<r><t>&p;</t></r>"],
    ["entities in entities", '<!ENTITY a "Pu"><!ENTITY p "&a;mp">', "<r><t>&p;</t></r>"],
    ["entities with markup", '<!ENTITY p "<b>Pump</b>">', "<r><t>&p;</t></r>"],
    ["entities in attributes", '<!ENTITY p "Pump">', '<r><x t="&p;"/></r>'],
    ["empty entities", '<!ENTITY e "">', "<r><t>Pump&e;</t></r>"],
    ["names of JavaScript", '<!ENTITY constructor "Pump">', "<r><t>&constructor;</t></r>"],
    ["two declarations of one entity", '<!ENTITY p "Pump"><!ENTITY p "x">', "<r><t>&p;</t></r>"],
  ])("is read: %s", async (_what, subset, body) => {
    const text = await xml(subset, body);
    expect(text.split("\n")[0]).toMatch(/^(?:t: Pump|x: t: Pump)$/);
  });

  it("is read if its document type is elsewhere, with entities that are declared there", async () => {
    expect(
      (await parse("a.xml", '<!DOCTYPE r SYSTEM "r.dtd"><r><t>a&house;b &eacute; R & D</t></r>'))
        .text,
    ).toBe("t: a&house;b é R & D");
  });

  it("never becomes much larger than it is", async () => {
    const names = "abcdefghij";
    const laughs = [...names]
      .map((name, i) => `<!ENTITY ${name} "${i === 0 ? "ha" : `&${names[i - 1]!};`.repeat(10)}">`)
      .join("");
    const file = (subset: string): string => `<!DOCTYPE l [${subset}]><l>&j;</l>`;
    expect(await reason("a.xml", file(laughs))).toContain("declares custom entities");
    expect(await reason("a.xml", file('<!ENTITY j "&j;">'))).toContain("declares custom entities");
    const many = Array.from({ length: 300 }, (_, i) => `<!ENTITY e${i} "&e;">`);
    expect(
      await reason("a.xml", file(`<!ENTITY e "${"x".repeat(9_000)}">${many.join("")}`)),
    ).toContain("declares custom entities");
    for (const body of ["<a>&j;</a>".repeat(8_000), '<a b="&j;&j;&j;&j;"/>'.repeat(2_000)]) {
      const long = `<!DOCTYPE l [<!ENTITY j "${"x".repeat(9_000)}">]><l>${body}</l>`;
      expect(await reason("a.xml", long)).toContain("exceeds the limit of 64 million characters");
    }
  });
});

describe("text of XML", () => {
  it("is that of CDATA and of pages inside it", async () => {
    expect((await parse("a.xml", "<r><t><![CDATA[a < b & c]]></t></r>")).text).toBe("t: a < b & c");
    const feed = (content: string): string =>
      `<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>Tides</title>${content}</entry></feed>`;
    const page =
      '<div xmlns="http://www.w3.org/1999/xhtml"><p>High <b>water</b></p><ul><li>one</li></ul></div>';
    const escaped = page.replaceAll("<", "&lt;");
    for (const content of [
      `<content type="xhtml">${page}</content>`,
      `<content type="html">${escaped}</content>`,
      `<content type="html"><![CDATA[${page}]]></content>`,
    ])
      expect((await parse("a.atom", feed(content))).text).toMatch(
        /^title: Tides\ncontent: High water\s+- one(?: \(type: x?html\))?$/,
      );
  });

  it.each<[string, Buffer]>([
    ["UTF-8 with a mark", Buffer.from('\ufeff<?xml version="1.0"?><r><t>Möwe</t></r>')],
    [
      "UTF-16",
      Buffer.from('\ufeff<?xml version="1.0" encoding="UTF-16"?><r><t>Möwe</t></r>', "utf16le"),
    ],
    [
      "Latin-1",
      Buffer.from('<?xml version="1.0" encoding="iso-8859-1"?><r><t>Möwe</t></r>', "latin1"),
    ],
  ])("in %s", async (_what, bytes) => {
    expect((await parse("a.xml", bytes)).text).toBe("t: Möwe");
  });
});
