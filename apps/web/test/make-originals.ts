import JSZip from "jszip";
import { onePixel } from "./one-pixel.ts";
import type { FakeOriginal } from "./originals.ts";

const filler =
  "The load was taken at −8 °C outdoors, after the façade works of 2016, and compared with the room that each radiator serves.";
/** Below the fold, so that a test sees the viewer scroll. */
const long = Array.from({ length: 30 }, (_, n) => `${n + 1}. ${filler}`);

/** The passage in each document: a paragraph, and rows of a table. */
export const paragraph =
  "At a flow temperature of 48 °C, 78 % of the installed radiators cover the room load without any change. The remaining 22 % are almost all in corner rooms on the top floor.";
export const quoted =
  "At a flow temperature of 48 °C, 78 % of the installed radiators cover the room load without any change.";
const header = ["Flow", "Seasonal factor", "To replace"];
const rows = [
  ["55 °C", "2.9", "3 %"],
  ["48 °C", "3.4", "22 %"],
  ["42 °C", "3.7", "61 %"],
];
/** The rows as extraction writes them. */
export const tableText = rows
  .map((row) => row.map((cell, index) => `${header[index]}: ${cell}`).join("\n"))
  .join("\n\n");
const points = ["Balance the risers first.", "Heat the hot water to 60 °C once a week."];

const text = [
  "Emitter survey",
  ...long,
  "Emitter capacity at lower flow temperatures",
  paragraph,
  tableText,
  points.map((point) => `- ${point}`).join("\n"),
  ...long,
].join("\n\n");

const escape = (value: string): string => value.replace(/&/g, "&amp;").replace(/</g, "&lt;");
const strong = (value: string): string =>
  escape(value)
    .replace("78 %", "<strong>78 %</strong>")
    .replace("corner rooms", "<em>corner</em> rooms");

const body = (picture: string): string => `<h1>Emitter survey</h1>
${long.map((each) => `<p>${escape(each)}</p>`).join("\n")}
<h2>Emitter capacity at lower flow temperatures</h2>
<p>${strong(paragraph)}</p>
<table><thead><tr>${header.map((cell) => `<th>${cell}</th>`).join("")}</tr></thead>
<tbody>${rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join("")}</tr>`).join("\n")}</tbody></table>
<ul>${points.map((point) => `<li>${point}</li>`).join("")}</ul>
<p><img src="${picture}" alt="A radiator"></p>
${long.map((each) => `<p>${escape(each)}</p>`).join("\n")}`;

export const html = (): FakeOriginal => ({
  title: "Emitter survey.html",
  mime: "text/html",
  bytes: Buffer.from(
    `<!doctype html><html><head><title>x</title><style>p{color:red}</style></head><body><nav>Home</nav>${body("https://evil.test/p.png")}</body></html>`,
  ),
  text,
});

export const markdown = (): FakeOriginal => {
  const source = [
    "---\ntags: heating\n---",
    "# Emitter survey",
    ...long.map((each) => each.replace(/^(\d+)\./, "$1\\.")),
    "## Emitter capacity at lower flow temperatures",
    paragraph.replace("78 %", "**78 %**"),
    `| ${header.join(" | ")} |\n| --- | --- | --- |\n${rows.map((row) => `| ${row.join(" | ")} |`).join("\n")}`,
    points.map((point) => `- ${point}`).join("\n"),
    "- [x] done\n- [ ] open",
    ...long.map((each) => each.replace(/^(\d+)\./, "$1\\.")),
  ].join("\n\n");
  return {
    title: "survey.md",
    mime: "text/markdown",
    bytes: Buffer.from(source),
    text: source,
  };
};

const relations = (list: [string, string, string][]): string =>
  `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${list.map(([id, type, target]) => `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"/>`).join("")}</Relationships>`;

export async function docx(): Promise<FakeOriginal> {
  const run = (value: string, bold = false): string =>
    `<w:r>${bold ? "<w:rPr><w:b/></w:rPr>" : ""}<w:t xml:space="preserve">${escape(value)}</w:t></w:r>`;
  const styled = (value: string, style = ""): string =>
    `<w:p>${style ? `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>` : ""}${value}</w:p>`;
  const [lead, rest] = paragraph.split("78 %") as [string, string];
  const row = (cells: string[], head: boolean): string =>
    `<w:tr>${head ? "<w:trPr><w:tblHeader/></w:trPr>" : ""}${cells.map((cell) => `<w:tc>${styled(run(cell))}</w:tc>`).join("")}</w:tr>`;
  const content = [
    styled(run("Emitter survey"), "Heading1"),
    ...long.map((each) => styled(run(each))),
    styled(run("Emitter capacity at lower flow temperatures"), "Heading2"),
    styled(run(lead) + run("78 %", true) + run(rest)),
    `<w:tbl>${row(header, true)}${rows.map((cells) => row(cells, false)).join("")}</w:tbl>`,
    ...points.map(
      (point) =>
        `<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr>${run(point)}</w:p>`,
    ),
    ...long.map((each) => styled(run(each))),
  ].join("");
  const word = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
  const zip = new JSZip()
    .file(
      "[Content_Types].xml",
      '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/></Types>',
    )
    .file("_rels/.rels", relations([["r1", "officeDocument", "word/document.xml"]]))
    .file(
      "word/_rels/document.xml.rels",
      relations([
        ["r1", "styles", "styles.xml"],
        ["r2", "numbering", "numbering.xml"],
      ]),
    )
    .file(
      "word/styles.xml",
      `<w:styles ${word}>${[1, 2].map((n) => `<w:style w:type="paragraph" w:styleId="Heading${n}"><w:name w:val="heading ${n}"/></w:style>`).join("")}</w:styles>`,
    )
    .file(
      "word/numbering.xml",
      `<w:numbering ${word}><w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num></w:numbering>`,
    )
    .file(
      "word/document.xml",
      `<?xml version="1.0"?><w:document ${word}><w:body>${content}</w:body></w:document>`,
    );
  return {
    title: "Emitter survey.docx",
    mime: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    bytes: await zip.generateAsync({ type: "nodebuffer" }),
    text,
  };
}

/** A book with these chapters, each given as the content of a page's body. */
export async function makeBook(chapters: readonly string[]): Promise<Buffer> {
  const zip = new JSZip()
    .file(
      "META-INF/container.xml",
      '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
    )
    .file(
      "OPS/book.opf",
      `<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><manifest>${chapters.map((_, n) => `<item id="c${n}" href="text/c${n}.xhtml" media-type="application/xhtml+xml"/>`).join("")}<item id="p" href="images/a%20b.png" media-type="image/png"/></manifest><spine>${chapters.map((_, n) => `<itemref idref="c${n}"/>`).join("")}</spine></package>`,
    )
    .file("OPS/images/a b.png", onePixel);
  for (const [n, chapter] of chapters.entries())
    zip.file(`OPS/text/c${n}.xhtml`, `<?xml version="1.0"?><html><body>${chapter}</body></html>`);
  return zip.generateAsync({ type: "nodebuffer" });
}

export const epub = async (): Promise<FakeOriginal> => ({
  title: "Emitter survey.epub",
  mime: "application/epub+zip",
  bytes: await makeBook(["<h1>Preface</h1><p>Nothing here.</p>", body("../images/a%20b.png")]),
  text: `Preface\n\nNothing here.\n\n${text}`,
});
