import { describe, expect, it } from "@jest/globals";
import sharp from "sharp";
import { makeZip } from "../../test/fixtures/make-office.ts";
import { makeScannedPdf } from "../../test/fixtures/make-pdf.ts";
import { convertPicture, makePicture } from "../../test/fixtures/make-picture.ts";
import { english, parse as recognised } from "../../test/parse-recognised.ts";
import { headingsOf, parse } from "../../test/parse.ts";

const head = (subject: string, type: string): string =>
  `From: ada@example.org\nTo: ben@example.org\nSubject: ${subject}\nMIME-Version: 1.0\nContent-Type: ${type}\n\n`;
const part = (type: string, body: string, more = ""): string =>
  `Content-Type: ${type}\n${more}\n${body}`;
const multipart = (kind: string, boundary: string, parts: string[]): string =>
  `${parts.map((each) => `--${boundary}\n${each}\n`).join("")}--${boundary}--\n`;
const alternatives = (...parts: string[]): string =>
  head("Tides", 'multipart/alternative; boundary="A"') + multipart("alternative", "A", parts);
const attached = (name: string): string => `Content-Disposition: attachment; filename="${name}"\n`;
const bodyOf = async (mail: string | Buffer): Promise<string> =>
  (await parse("a.eml", mail)).text.split("\n\n").slice(2).join("\n\n");

describe("the text of a mail", () => {
  const page = "<html><body><p>High water is at <b>04:17</b> at the north quay.</p></body></html>";
  it.each([
    ["a stub", "This message requires an HTML capable mail program."],
    ["a stub with a link", "View this email in your browser: https://example.org/v/1?u=2"],
    ["nothing", ""],
  ])("is the page if the plain part is %s", async (_what, plain) => {
    const mail = alternatives(part("text/plain", plain), part("text/html", page));
    expect(await bodyOf(mail)).toBe("High water is at 04:17 at the north quay.");
  });

  it("is the plain part if it says the same, and both if each says something else", async () => {
    const plain = "High water is at 04:17\nat the north quay.";
    expect(await bodyOf(alternatives(part("text/plain", plain), part("text/html", page)))).toBe(
      plain,
    );
    const letter = Array.from({ length: 60 }, (_, i) => `word${i}`).join(" ");
    expect(
      await bodyOf(
        alternatives(part("text/plain", letter), part("text/html", "<p>Scanned by Vulpine</p>")),
      ),
    ).toBe(`${letter}\n\nScanned by Vulpine`);
    expect(
      await bodyOf(alternatives(part("text/plain", plain), part("text/html", "<p></p>"))),
    ).toBe(plain);
  });

  it("is in the charset of its part, or that which its page declares", async () => {
    const cyrillic = Buffer.from(
      alternatives(
        part("text/plain; charset=koi8-r", "@"),
        part("text/html", '<meta charset="windows-1251"><p>#</p>'),
      ),
    );
    const bytes = Buffer.from(
      cyrillic.toString("latin1").replace("@", "?").replace("#", "\xcf\xf0\xe8\xe2\xe5\xf2"),
      "latin1",
    );
    expect(await bodyOf(bytes)).toBe("Привет");
    const plain = Buffer.from(head("a", "text/plain; charset=koi8-r") + "\xd0\xd2\xc9", "latin1");
    expect(await bodyOf(plain)).toBe("при");
  });
});

describe("what comes with a mail", () => {
  const mixed = (...parts: string[]): string =>
    head("Berths", 'multipart/mixed; boundary="M"') + multipart("mixed", "M", parts);

  it("is read: attachments that have a text, each under its name", async () => {
    const zip = makeZip({ "readme.txt": "x" }).toString("base64");
    const parsed = await parse(
      "a.eml",
      mixed(
        part("text/plain", "See the list."),
        part("text/csv", "quay,depth\nnorth,7", attached("list.csv")),
        part("text/html", "<h1>Rules</h1><p>No fires.</p>", attached("rules.html")),
        part("image/png", zip, `${attached("scan.png")}Content-Transfer-Encoding: base64\n`),
        part("application/ms-tnef", "\0\x01\x02", attached("winmail.dat")),
      ),
    );
    expect(parsed.text).toContain("Attachment: list.csv (text/csv, 1 KB)");
    expect(parsed.text).toContain("Attachment: winmail.dat (application/ms-tnef, 1 KB)");
    expect(parsed.text).toContain("quay: north\ndepth: 7");
    expect(headingsOf(parsed)).toEqual(["1 Berths", "2 list.csv", "2 rules.html", "3 Rules"]);
    expect(parsed.notes).toEqual([{ code: "file-note.attachments-unread", params: { count: 2 } }]);
  });

  it("isn't noted as unread: a named picture that the page shows", async () => {
    const picture = (id: string): string =>
      part("image/png", "\0\x01", `Content-Disposition: inline; filename="image001.png"\n${id}`);
    const related = part(
      'multipart/related; boundary="R"',
      multipart("related", "R", [
        part("text/html", '<p>Calm. <img src="cid:a@b"></p>'),
        picture("Content-ID: <a@b>\n"),
      ]),
    );
    expect((await parse("a.eml", mixed(related))).notes).toBeUndefined();
    expect((await parse("a.eml", mixed(related, picture("")))).notes).toEqual([
      { code: "file-note.attachments-unread", params: { count: 1 } },
    ]);
  });

  it("is read: a PDF with pictures or scanned pages, without them", async () => {
    const jpeg = await convertPicture(await makePicture(["Rent is due"]), "jpg");
    const { width = 0, height = 0 } = await sharp(jpeg).metadata();
    const scanned = { jpeg, width, height };
    const read = (pdf: Buffer) =>
      parse(
        "a.eml",
        mixed(
          part("text/plain", "See the tariff."),
          part(
            "application/pdf",
            pdf.toString("base64"),
            `${attached("tariff.pdf")}Content-Transfer-Encoding: base64\n`,
          ),
        ),
      );
    const partly = await read(makeScannedPdf([{ ...scanned, text: "The dues of 1702" }, scanned]));
    expect(partly.text).toContain("tariff.pdf\n\nThe dues of 1702");
    expect(partly.notes).toEqual([{ code: "file-note.pictures-unread", params: { count: 1 } }]);
    const wholly = await read(makeScannedPdf([scanned]));
    expect(wholly.notes).toEqual([{ code: "file-note.attachments-unread", params: { count: 1 } }]);
  });

  it("is read: text in pictures and on scanned pages, by recognition", async () => {
    const picture = await makePicture(["Granted to the Osprey"], { width: 900, height: 300 });
    const jpeg = await convertPicture(await makePicture(["Rent is due"]), "jpg");
    const { width = 0, height = 0 } = await sharp(jpeg).metadata();
    const photo = await sharp({
      create: { width: 400, height: 400, channels: 3, background: "#258" },
    })
      .png()
      .toBuffer();
    const encoded = (type: string, name: string, bytes: Buffer): string =>
      part(type, bytes.toString("base64"), `${attached(name)}Content-Transfer-Encoding: base64\n`);
    const mail = mixed(
      part("text/plain", "See the tariff."),
      encoded("image/png", "grant.png", picture),
      encoded("image/png", "sea.png", photo),
      encoded("application/pdf", "rent.pdf", makeScannedPdf([{ jpeg, width, height }])),
    );
    const before = await parse("a.eml", mail);
    expect(before.toRecognise).toBe(2);
    expect(before.notes).toEqual([{ code: "file-note.attachments-unread", params: { count: 3 } }]);
    const after = await recognised("a.eml", mail, english);
    expect(headingsOf(after)).toEqual(["1 Berths", "2 grant.png", "2 rent.pdf"]);
    expect(after.text).toMatch(/grant\.png\n\nGranted to the Osprey[^]*rent\.pdf\n\nRent is due/);
    expect(after.toRecognise).toBeUndefined();
    expect(after.notes).toEqual([{ code: "file-note.attachments-unread", params: { count: 1 } }]);
  }, 60_000);

  it("is read: forwarded mails with their own heads, and what is attached to them", async () => {
    const inner = (subject: string, more: string): string =>
      head(subject, 'multipart/mixed; boundary="I"') +
      multipart("mixed", "I", [part("text/plain", `Body of ${subject}.`), more]);
    const parsed = await parse(
      "a.eml",
      mixed(
        part("text/plain", "I forward these."),
        part("message/rfc822", inner("First", part("text/plain", "Inside.", attached("in.txt")))),
        part("message/rfc822", head("Second", "text/plain") + "Second body.", attached("b.eml")),
        part(
          "application/octet-stream",
          `${head("Third", "text/plain")}Third body.`,
          attached("c.eml"),
        ),
      ),
    );
    expect(headingsOf(parsed)).toEqual(["1 Berths", "2 First", "3 in.txt", "2 Second", "2 Third"]);
    for (const words of ["Body of First.", "Inside.", "Second body.", "Third body."])
      expect(parsed.text).toContain(words);
  });

  it("is read: an invitation", async () => {
    const calendar =
      "BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:Harbour board\nDTSTART;TZID=Europe/Oslo:20261130T093000\nEND:VEVENT\nEND:VCALENDAR";
    const { text } = await parse(
      "a.eml",
      alternatives(
        part("text/plain", "You are invited."),
        part("text/calendar; method=REQUEST", calendar),
      ),
    );
    expect(text).toContain("You are invited.");
    expect(text).toContain("Harbour board\n\nStart: 2026-11-30 09:30 (Europe/Oslo)");
  });
});

describe("a mailbox", () => {
  const from = "From ada@example.org Mon Jan  1 00:00:00 2024\n";
  const mail = (subject: string, body: string): string => `Subject: ${subject}\n\n${body}\n\n`;
  it.each<[what: string, box: string, subjects: string[], has: string[]]>([
    [
      "a letter's line that starts with From",
      `${from}${mail("A", "Hello.\n\nFrom the harbour we write.\nIt names Ansgar.")}${from}${mail("B", "Bye.")}`,
      ["A", "B"],
      ["From the harbour we write.\nIt names Ansgar.", "Bye."],
    ],
    [
      "a letter that quotes a date",
      `${from}${mail("A", "Hello.\n\nFrom Monday 12:30 to 14:00 in 2024 it is closed.\nNote: call.")}`,
      ["A"],
      ["Note: call."],
    ],
    [
      "quoted lines",
      `${from}${mail("A", ">From here.\n>>From there.")}`,
      ["A"],
      ["From here.\n>From there."],
    ],
    [
      "other senders and dates",
      `From - Tue Apr 02 10:11:12 2024\n${mail("A", "a")}From MAILER-DAEMON Fri Jul  8 12:08:34 2011 +0000\n${mail("B", "b")}From 17@xxx Mon Jan 01 00:00:00 +0000 2024\n${mail("C", "c")}`,
      ["A", "B", "C"],
      ["a", "b", "c"],
    ],
    [
      "stated lengths",
      `${from}Subject: A\nContent-Length: 78\n\nAn unquoted mail:\n\nFrom eve@example.org Mon Jan  1 00:00:00 2024\nSubject: no\n\n\n${from}${mail("B", "b")}`,
      ["A", "B"],
      ["Subject: no"],
    ],
    [
      "Windows lines",
      `${from}${mail("A", "a")}${from}${mail("B", "b")}`.replaceAll("\n", "\r\n"),
      ["A", "B"],
      ["a", "b"],
    ],
  ])("keeps its mails apart: %s", async (_what, box, subjects, has) => {
    const parsed = await parse("a.mbox", box);
    expect(parsed.headings.map(({ title }) => title)).toEqual(subjects);
    for (const words of has) expect(parsed.text).toContain(words);
  });
});
