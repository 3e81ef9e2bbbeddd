import { cleanText } from "./decode-text.ts";
import { parseDocx } from "./parse-docx.ts";
import { UnreadableError, type ParsedText } from "./parsed-document.ts";
import { convertWithLibreOffice } from "./run-libreoffice.ts";
import { TextBuilder } from "./text-builder.ts";

const word = { code: "file-kind.word-document" } as const;
const damagedWord = (cause?: unknown): UnreadableError =>
  new UnreadableError({ code: "file.damaged", params: { what: word } }, { cause });

/** How a Word document starts, and what it says about itself ([MS-DOC] 2.5.2). */
const signature = 0xa5ec;
const flagsAt = 10;
const encryptedFlag = 0x0100;

/** Throws UnreadableError if it is no Word document or encrypted. */
async function checkWord(bytes: Buffer): Promise<void> {
  const { CFB } = await import("@e965/xlsx");
  const container = CFB.read(bytes, { type: "buffer" });
  const content = CFB.find(container, "WordDocument")?.content;
  const start = content ? Buffer.from(content.slice(0, flagsAt + 2) as Uint8Array) : null;
  if (!start || start.length < flagsAt + 2 || start.readUInt16LE(0) !== signature)
    throw damagedWord();
  if ((start.readUInt16LE(flagsAt) & encryptedFlag) !== 0)
    throw new UnreadableError({ code: "file.password-protected", params: { what: word } });
}

/** Its text without headings and tables, which only LibreOffice reads. */
async function extractText(bytes: Buffer): Promise<ParsedText> {
  const { default: WordExtractor } = await import("word-extractor");
  const out = new TextBuilder(word);
  const document = await new WordExtractor().extract(bytes).catch((cause: unknown) => {
    throw damagedWord(cause);
  });
  const texts = [
    document.getHeaders({ includeFooters: false }),
    document.getBody(),
    document.getTextboxes({ includeHeadersAndFooters: false }),
    document.getFootnotes(),
    document.getEndnotes(),
    document.getAnnotations(),
    document.getFooters(),
  ];
  for (const text of texts)
    // Cells are separated by tabs, paragraphs by line breaks.
    for (const line of cleanText(text).split("\n"))
      out.addParagraph(line.replace(/\t+/g, " | ").replace(/(?: \| )+$/, ""));
  return out.build();
}

/** An old Word document (.doc), with its structure if LibreOffice is installed. */
export async function parseDoc(bytes: Uint8Array): Promise<ParsedText> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  await checkWord(buffer);
  const converted = await convertWithLibreOffice(bytes, "doc");
  return typeof converted === "string" ? extractText(buffer) : parseDocx(converted.bytes);
}

/** An old presentation (.ppt). Throws UnreadableError if LibreOffice isn't installed. */
export async function parsePpt(bytes: Uint8Array): Promise<ParsedText> {
  const converted = await convertWithLibreOffice(bytes, "ppt");
  if (converted === "missing")
    throw new UnreadableError({ code: "file.old-presentation" }, { curable: true });
  if (converted === "failed")
    throw new UnreadableError({
      code: "file.damaged",
      params: { what: { code: "file-kind.presentation" } },
    });
  return (await import("./parse-pptx.ts")).parsePptx(converted.bytes);
}
