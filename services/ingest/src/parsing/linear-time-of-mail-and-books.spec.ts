import { findSlowTexts } from "@carrel/testing";
import { expect, it } from "@jest/globals";
import { makeZip } from "../../test/fixtures/make-office.ts";
import { parseEpub } from "./parse-epub.ts";
import { parseEml, parseMbox } from "./parse-mail.ts";

const headers = "Subject: a\nFrom: a@b.c\n";
const mail = (text: string): Promise<unknown> => parseEml(Buffer.from(text));
const bodyOf =
  (type: string, encoding = "7bit") =>
  (text: string) =>
    mail(`${headers}Content-Type: ${type}\nContent-Transfer-Encoding: ${encoding}\n\n${text}`);
const inHeaders = [
  ..."\n |\r\n|A: b\n|: |a <b@c>, |a: b;|=?utf-8?q?a?= |=?|?=|=?utf-8?b?YQ==?=|\n\n|--b\n|--b--\n|From a\n\n|\n>From ".split(
    "|",
  ),
  "(a) ",
  "a; b=c",
  'a; b="c',
  "a*0=b; ",
  "a*=utf-8''b; ",
  "<a>",
  "a:;",
  "=\n",
  "=41",
  "=C3",
  "YWFh",
  "begin 644 a\n",
  "M\n",
  "\n\nend\n",
  "&lt;",
];

const book = (parts: Record<string, string>): Promise<unknown> =>
  parseEpub(
    makeZip(
      {
        "META-INF/container.xml": '<container><rootfile full-path="a.opf"/></container>',
        "a.opf":
          '<package><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>',
        "a.xhtml": "<p>a</p>",
        ...parts,
      },
      { mimetype: "application/epub+zip" },
    ),
  );
const inMarkup = [
  "<a>",
  "<a/>",
  '<a b="c"/>',
  "<!a",
  "<!--a-->",
  "<?a ",
  "<?a?>",
  "<![CDATA[",
  "]]>",
  "<!DOCTYPE a [",
  "<!ENTITY ",
  "&a;",
  "&#",
  "&amp;",
  ' a="b"',
  '<item id="a" href="a.xhtml" media-type="application/xhtml+xml"/>',
  '<itemref idref="a"/>',
  '<rootfile full-path="a.opf"/>',
  '<EncryptionMethod Algorithm="a"/>',
  "../",
  "%2e",
];

it.each<[what: string, parse: (text: string) => unknown, units: string[], length?: number]>([
  ["a mail", mail, inHeaders],
  ["a mail's subject", (text) => mail(`From: a@b.c\nSubject: ${text}\n\na`), inHeaders],
  ["a mail's addresses", (text) => mail(`${headers}To: ${text}\n\na`), inHeaders],
  ["a mail's type", (text) => mail(`${headers}Content-Type: ${text}\n\na`), inHeaders],
  [
    "an attachment's name",
    (text) => mail(`${headers}Content-Disposition: attachment; filename=${text}\n\na`),
    inHeaders,
  ],
  ["a plain body", bodyOf("text/plain"), inHeaders],
  ["a flowed body", bodyOf("text/plain; format=flowed; delsp=yes"), inHeaders],
  ["an encoded body", bodyOf("text/plain; charset=utf-8", "quoted-printable"), inHeaders],
  // Shorter, because it takes long to guess which encoding random bytes are in.
  ["a body in Base64", bodyOf("text/plain", "base64"), inHeaders, 800],
  ["a body in HTML", bodyOf("text/html"), inHeaders.concat(inMarkup)],
  ["a body of parts", bodyOf("multipart/mixed; boundary=b"), inHeaders],
  ["a part", (text) => bodyOf("multipart/mixed; boundary=b")(`--b\n\n${text}\n--b--`), inHeaders],
  ["a mail in a mail", bodyOf("message/rfc822"), inHeaders],
  ["a mailbox", (text) => parseMbox(Buffer.from(`From a\n\n${text}`)), inHeaders],
  ["a book's container", (text) => book({ "META-INF/container.xml": `<a>${text}</a>` }), inMarkup],
  ["a book's package", (text) => book({ "a.opf": `<package>${text}</package>` }), inMarkup],
  [
    "a book's path",
    (text) => book({ "META-INF/container.xml": `<rootfile full-path="${text}"/>` }),
    inMarkup,
  ],
  [
    "an address in a book",
    (text) =>
      book({
        "a.opf": `<package><item id="a" href="${text}" media-type="application/xhtml+xml"/><itemref idref="a"/></package>`,
      }),
    inMarkup,
  ],
  [
    "a type in a book",
    (text) =>
      book({
        "a.opf": `<package><item id="a" href="a.xhtml" media-type="${text}"/><itemref idref="a"/></package>`,
      }),
    inMarkup,
  ],
  ["a chapter", (text) => book({ "a.xhtml": text }), inMarkup],
])(
  "%s is read in linear time, whatever is repeated",
  async (_what, parse, units, length = 8_000) => {
    expect(await findSlowTexts(parse, length, units)).toEqual([]);
  },
  // Hundreds of mails or books, which take a minute on a busy machine.
  120_000,
);
