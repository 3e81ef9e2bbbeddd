import { expect, it } from "@jest/globals";
import { makeRawPdf, paintText } from "../../test/fixtures/make-raw-pdf.ts";
import { parse, reason } from "../../test/parse.ts";

const placeholder = paintText([
  { x: 60, y: 700, text: "Please wait..." },
  { x: 60, y: 680, text: "If this message is not eventually replaced by the proper contents of" },
  {
    x: 60,
    y: 660,
    text: "the document, your viewer may not be able to display it. Get Adobe Reader.",
  },
]);
const caption = (text: string, placement = "left"): string =>
  `<caption placement="${placement}" reserve="80pt"><value><text>${text}</text></value></caption>`;
const field = (name: string, content: string, attributes = ""): string =>
  `<field name="${name}" w="300pt" h="24pt" ${attributes}>${content}</field>`;

const template = `<template xmlns="http://www.xfa.org/schema/xfa-template/3.1/">
  <subform name="tariff" layout="tb" locale="en_US">
    <pageSet><pageArea name="P" id="P"><contentArea x="18pt" y="18pt" w="576pt" h="756pt"/>
      <medium stock="letter" short="612pt" long="792pt"/></pageArea></pageSet>
    <subform layout="tb" w="576pt" name="body">
      <draw w="400pt" minH="20pt"><value><text>Harbour dues of Skarnholm</text></value></draw>
      <draw w="400pt" minH="20pt"><value><exData contentType="text/html"><body xmlns="http://www.w3.org/1999/xhtml"><p>Paid in <span style="font-weight:bold">silver</span> only.</p><p>No credit.</p></body></exData></value></draw>
      ${field("ship", `<ui><textEdit/></ui>${caption("Ship:")}`)}
      ${field("salt", `<ui><checkButton/></ui><items><integer>1</integer><integer>0</integer></items>${caption("Carries salt", "right")}`)}
      ${field("port", `<ui><choiceList/></ui><items><text>Brask</text><text>Osterby</text></items><items save="1" presence="hidden"><text>B</text><text>O</text></items>${caption("Port")}`)}
      ${field("code", `<ui><passwordEdit/></ui>${caption("Code")}`)}
      ${field("hidden", `<ui><textEdit/></ui><value><text>HIDDEN</text></value>`, 'presence="hidden"')}
      ${field("note", `<ui><textEdit multiLine="1"/></ui>${caption("Remarks")}`)}
    </subform>
  </subform>
</template>`;
const data =
  "<tariff><body><ship>Aurora</ship><salt>1</salt><port>O</port><code>SECRET</code><note>Late.\nTwice.</note></body></tariff>";

const makeForm = (form: string, catalog = "/NeedsRendering true"): Buffer =>
  makeRawPdf({
    content: placeholder,
    catalog: `${catalog} /AcroForm << /Fields [] /XFA 10 0 R /DR << /Font << /F1 5 0 R >> >> >>`,
    objects: [
      {
        entries: "",
        content: Buffer.from(
          `<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/">${form}<xfa:datasets xmlns:xfa="http://www.xfa.org/schema/xfa-data/1.0/"><xfa:data>${data}</xfa:data></xfa:datasets></xdp:xdp>`,
        ),
      },
    ],
  });

it("a dynamic form is read by its template, with its values", async () => {
  expect((await parse("tariff.pdf", makeForm(template))).text).toBe(
    [
      "Harbour dues of Skarnholm",
      "Paid in silver only.",
      "No credit.",
      "Ship: Aurora",
      "Carries salt: [checked]",
      "Port: Osterby",
      "Remarks: Late.\nTwice.",
    ].join("\n"),
  );
});

it("a form that can't be laid out is refused instead of its placeholder being read", async () => {
  for (const form of [makeForm("<nothing/>"), makeForm(template, "")])
    expect(await reason("tariff.pdf", form)).toBe(
      "The PDF is a dynamic form (XFA) that only Adobe Acrobat can open. Print it to a PDF there, and upload that.",
    );
});

it("other PDFs may speak of waiting and of Adobe", async () => {
  const content = paintText([{ x: 60, y: 700, text: "Please wait at the Adobe pier." }]);
  expect((await parse("a.pdf", makeRawPdf({ content }))).text).toBe(
    "Please wait at the Adobe pier.",
  );
});
