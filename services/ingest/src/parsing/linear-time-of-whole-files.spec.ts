import { growsTooFast } from "@carrel/testing";
import { expect, it } from "@jest/globals";
import { makeDocx, makeXlsx, rows } from "../../test/fixtures/hostile-files.ts";
import { makeOdf, makeZip } from "../../test/fixtures/make-office.ts";
import { prepareText } from "../work-pool/worker.ts";
import { parseFile } from "./parse-file.ts";

/** `length` characters of pieces that all differ, because equal ones are often merged. */
const numbered = (length: number, piece: (n: number) => string, between = "\n"): string => {
  const size = piece(1_000).length + between.length;
  return Array.from({ length: Math.ceil(length / size) }, (_, n) => piece(n)).join(between);
};
const nested = (levels: number, open: (n: number) => string, close: (n: number) => string) =>
  `${numbered(levels * open(1_000).length, open, "")}1${numbered(levels * close(1_000).length, close, "")}`;
const mail = "Subject: a\nFrom: a@b.c\n";
const key = "k".repeat(1_000);
const epub = (chapters: Record<string, string>): Buffer => {
  const names = Object.keys(chapters);
  return makeZip(
    {
      "META-INF/container.xml": '<container><rootfile full-path="a.opf"/></container>',
      "a.opf": `<package>${names.map((name) => `<item id="${name}" href="${name}" media-type="application/xhtml+xml"/>`).join("")}${names.map((name) => `<itemref idref="${name}"/>`).join("")}</package>`,
      ...chapters,
    },
    { mimetype: "application/epub+zip" },
  );
};
const chaptersOf = (size: number): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: Math.ceil(size / 2_000) }, (_, n) => [
      `${n}.xhtml`,
      numbered(2_000, (p) => `<p>word ${n} ${p}</p>`),
    ]),
  );

/** Files of about `size` characters, unpacked. */
const files: Record<string, (size: number) => string | Buffer> = {
  "words.txt": (size) => numbered(size, (n) => `word${n}`, " "),
  "quotes.csv": (size) => `a,b\n1,"${'""'.repeat(size / 2)}"`,
  "columns.csv": (size) => `${numbered(size / 2, (n) => `c${n}`, ",")}\n`.repeat(2),
  "rows.csv": (size) => `name,size\n${numbered(size, (n) => `a${n},${n}`)}`,
  "keys.json": (size) => `{${numbered(size, (n) => `"key ${n}":${n}`, ",")}}`,
  "nested.json": (size) =>
    `[${numbered(
      size,
      (n) =>
        nested(
          100,
          (m) => `{"key ${n} ${m}":1,"n":`,
          () => "}",
        ),
      ",",
    )}]`,
  "long-key.json": (size) => `{"${key}":[${numbered(size, String, ",")}]}`,
  "lines.jsonl": (size) => numbered(size, (n) => `{"a":${n},"b":"c${n}"}`),
  "elements.xml": (size) => `<a>${numbered(size, (n) => `<b${n}>c</b${n}>`)}</a>`,
  "attributes.xml": (size) => `<a ${numbered(size, (n) => `b${n}="c"`, " ")}/>`,
  "elements.html": (size) => numbered(size, (n) => `<p id=a${n}>word ${n}</p>`),
  "cells.html": (size) => `<table>${numbered(size, (n) => `<tr><td>${n}<td>a`)}</table>`,
  "columns.html": (size) => `<table><tr>${numbered(size, (n) => `<td>${n}`)}</table>`,
  "long-name.html": (size) =>
    `<table><tr><th>${"k".repeat(size / 4)}<th>b${numbered(size / 2, (n) => `<tr><td>${n}<td>a`)}</table>`,
  "long-name.csv": (size) => `${"k".repeat(size / 4)},b\n${numbered(size / 2, (n) => `${n},a`)}`,
  "headings.md": (size) => numbered(size, (n) => `# Heading ${n}\n\nText.\n`),
  "body.eml": (size) =>
    `${mail}Content-Type: text/html\n\n${numbered(size, (n) => `<p>word ${n}</p>`)}`,
  "parts.eml": (size) =>
    `${mail}Content-Type: multipart/mixed; boundary=b\n\n${numbered(size, (n) => `--b\nContent-Disposition: attachment; filename=${n}.txt\n\nword ${n}`)}\n--b--`,
  "mails.mbox": (size) => numbered(size, (n) => `From a\nSubject: s${n}\n\nword ${n}\n`),
  "cards.vcf": (size) => numbered(size, (n) => `BEGIN:VCARD\nFN:Anna ${n}\nEND:VCARD`),
  "cues.srt": (size) => numbered(size, (n) => `${n}\n00:00:01,0 --> 00:00:02,0\nword ${n}\n`),
  "groups.rtf": (size) => `{\\rtf1 ${numbered(size, (n) => `{\\b word ${n}}\\par`)}}`,
  "long-name.rtf": (size) =>
    `{\\rtf1 \\trowd\\trhdr\\cellx1\\cellx2 ${"k".repeat(size / 4)}\\cell b\\cell\\row ${numbered(size / 2, (n) => `\\trowd\\cellx1\\cellx2 ${n}\\cell a\\cell\\row`)}}`,
  "merged.rtf": (size) =>
    `{\\rtf1 \\trowd\\clvmgf\\cellx1\\cellx2 ${"k".repeat(size / 4)}\\cell b\\cell\\row ${numbered(size / 2, (n) => `\\trowd\\clvmrg\\cellx1\\cellx2 \\cell a${n}\\cell\\row`)}}`,
  "chapters.epub": (size) => epub(chaptersOf(size)),
  "chapter.epub": (size) => epub({ "a.xhtml": numbered(size, (n) => `<p>word ${n}</p>`) }),
  "paragraphs.docx": (size) =>
    makeDocx(numbered(size, (n) => `<w:p><w:r><w:t>word ${n}</w:t></w:r></w:p>`)),
  "columns.xlsx": (size) =>
    makeXlsx(rows(() => numbered(size, (n) => `<c><v>${n}</v></c>`).slice(0, size), 1)),
  "rows.xlsx": (size) => makeXlsx(rows((row) => `<c><v>${row}</v></c>`, size)),
  "paragraphs.odt": (size) =>
    makeOdf(
      "text",
      numbered(size, (n) => `<text:p>word ${n}</text:p>`),
    ),
  "columns.ods": (size) =>
    makeOdf(
      "spreadsheet",
      `<table:table table:name="s"><table:table-row>${numbered(size, (n) => `<table:table-cell><text:p>${n}</text:p></table:table-cell>`)}</table:table-row></table:table>`,
    ),
  "files.zip": (size) => makeZip(chaptersOf(size)),
};

/** Beyond several times this, headings or paths would make a long text of a short file. */
const mostGrowth = 20;

it.each(Object.entries(files))(
  "%s is read and prepared in linear time",
  async (filename, make) => {
    let growth = 0;
    const read = async ({ bytes, size }: { bytes: Buffer; size: number }): Promise<void> => {
      const parsed = await parseFile({ bytes, filename, mime: null });
      const prepared = prepareText(parsed, filename, { size: 1_000, overlap: 20 });
      const kept = JSON.stringify({ ...prepared, pages: [] });
      growth = Math.max(growth, kept.length / size);
    };
    const makeFile = (size: number) => ({ bytes: Buffer.from(make(size)), size });
    await read(makeFile(20_000));
    expect(await growsTooFast(makeFile, read, 160_000)).toBe(false);
    expect(growth).toBeLessThan(mostGrowth);
  },
  60_000,
);
