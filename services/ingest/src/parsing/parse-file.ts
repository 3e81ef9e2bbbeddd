import type { KnownFault } from "@carrel/contracts";
import {
  charsetInType,
  decodeText,
  encodingNote,
  storable,
  type EncodingHints,
} from "./decode-text.ts";
import { detectFormat, extensionOf, type DetectedFormat } from "./detect-format.ts";
import { formatByExtension, formats } from "./formats.ts";
import type { ParseInner } from "./inner-files.ts";
import {
  ProcessingRequiredError,
  UnreadableError,
  type Format,
  type ParsedPart,
  type ParsedText,
} from "./parsed-document.ts";
import type { Recognition } from "./recognise-text.ts";
import { TextBuilder } from "./text-builder.ts";

/**
 * `parts` holds the sheets of a spreadsheet or the files of an archive, and is null for other formats;
 * the text holds all of them.
 */
export interface ParsedFile extends ParsedText {
  format: Format;
  mime: string;
  docSource: string;
  parts: ParsedPart[] | null;
}

/**
 * Headings beyond are only text. Each starts a chunk, so a file of 1 MB with a heading in every line
 * made 330,000 chunks, whose storing delayed other files by 20 s.
 */
const maxHeadings = 10_000;

/** Stamps, page numbers and titles have fewer letters; a document's own text has more. */
const fewLetters = 100;

/** Extension to assume from a declared MIME type (of a web page) if the file name has none. */
const extensionFor: Record<string, string> = {
  "text/html": ".html",
  "application/xhtml+xml": ".html",
  "application/pdf": ".pdf",
  "text/markdown": ".md",
  "text/csv": ".csv",
  "application/json": ".json",
  "text/plain": ".txt",
  "application/xml": ".xml",
  "text/xml": ".xml",
  "application/rss+xml": ".rss",
  "message/rfc822": ".eml",
  "application/mbox": ".mbox",
  "application/rtf": ".rtf",
  "text/rtf": ".rtf",
  "text/vcard": ".vcf",
  "text/calendar": ".ics",
  "text/vtt": ".vtt",
  "application/x-subrip": ".srt",
};

/** Parsers are loaded on first use: a thread that only reads text needs no spreadsheet library. */
async function parse(
  { format, mime }: DetectedFormat,
  bytes: Uint8Array,
  extension: string,
  recognition: Recognition | null,
  parseInner: ParseInner | null,
  decode: (kind: EncodingHints["kind"]) => string,
): Promise<ParsedText | ParsedPart[]> {
  const text = (): string => decode("text");
  switch (format) {
    case "pdf":
      return (await import("./parse-pdf.ts")).parsePdf(bytes, recognition, parseInner);
    case "docx":
      return (await import("./parse-docx.ts")).parseDocx(bytes, recognition);
    case "pptx":
      return (await import("./parse-pptx.ts")).parsePptx(bytes, recognition);
    case "xlsx":
    case "xls":
      return (await import("./parse-spreadsheet.ts")).parseSpreadsheet(bytes, format);
    case "ods":
      return (await import("./parse-ods.ts")).parseOds(bytes);
    case "odt":
    case "odp":
      return (await import("./parse-odf.ts")).parseOdf(bytes, format, recognition);
    case "epub":
      return (await import("./parse-epub.ts")).parseEpub(bytes, recognition);
    case "eml":
      return (await import("./parse-mail.ts")).parseEml(bytes, parseInner, recognition);
    case "mbox":
      return (await import("./parse-mail.ts")).parseMbox(bytes, parseInner, recognition);
    case "msg":
      return (await import("./parse-msg.ts")).parseMsg(bytes, parseInner, recognition);
    case "doc":
      return (await import("./parse-old-office.ts")).parseDoc(bytes);
    case "ppt":
      return (await import("./parse-old-office.ts")).parsePpt(bytes);
    case "iwork":
      return (await import("./parse-iwork.ts")).parseIwork(bytes, recognition);
    case "zip":
      return (await import("./parse-zip.ts")).parseZip(bytes, parseInner);
    case "image":
      return (await import("./parse-image.ts")).parseImage(bytes, recognition);
    case "audio":
    case "video":
      throw new ProcessingRequiredError("transcription", 0, mime);
    case "rtf":
      return (await import("./parse-rtf.ts")).parseRtf(bytes);
    case "xml":
      return (await import("./parse-xml.ts")).parseXml(decode("xml"));
    case "code":
      return (await import("./parse-code.ts")).parseCode(text());
    case "html":
      return (await import("./parse-web-page.ts")).parseWebPage(decode("html"), {
        isXml: extension === ".xhtml",
        recognition,
      });
    case "markdown":
      return (await import("./parse-markdown.ts")).parseMarkdown(text());
    case "csv":
      return (await import("./parse-csv.ts")).parseCsv(text());
    case "json":
      return (await import("./parse-json.ts")).parseJson(text());
    case "mhtml":
      return (await import("./parse-mhtml.ts")).parseMhtml(bytes);
    case "notebook":
      return (await import("./parse-notebook.ts")).parseNotebook(text());
    case "vcard":
      return (await import("./parse-vcard.ts")).parseVcard(text());
    case "calendar":
      return (await import("./parse-calendar.ts")).parseCalendar(text());
    case "subtitles":
      return (await import("./parse-subtitles.ts")).parseSubtitles(text());
    case "text":
      return (await import("./parse-text.ts")).parseText(text());
  }
}

/** Stays with the file that was decoded: what is in another file can't be read again on its own. */
const isEncoding = ({ code }: KnownFault): boolean => code === "file-note.encoding-guessed";

/** Names in a note are as they are in the file. */
const storableNote = (note: KnownFault): KnownFault =>
  JSON.parse(JSON.stringify(note), (_key, value: unknown) =>
    typeof value === "string" ? storable(value) : value,
  ) as KnownFault;

/** Adds what was assumed about the whole file, and removes characters that can't be stored. */
function finish<Parsed extends ParsedText>(parsed: Parsed, assumed: readonly KnownFault[]): Parsed {
  const { notes: found = [], ...content } = parsed;
  const notes = [...assumed, ...found.filter((note) => !isEncoding(note))].map(storableNote);
  return {
    ...content,
    text: storable(parsed.text),
    headings: parsed.headings.map((heading) => ({ ...heading, title: storable(heading.title) })),
    ...(notes.length > 0 && { notes }),
  } as Parsed;
}

/** The bytes decide what a file is; its reader should know if its name says something else. */
function nameNote({ format, mime }: DetectedFormat, extension: string): KnownFault[] {
  const named = formatByExtension.get(extension);
  return named === undefined || named === format
    ? []
    : [{ code: "file-note.named-otherwise", params: { extension, type: mime } }];
}

/** Whether a text is so short that it may be no more than what stands on scanned pages. */
const hasFewLetters = (text: string): boolean =>
  text.length < 10 * fewLetters && text.replaceAll(/[^\p{L}\p{N}]/gu, "").length < fewLetters;

/** Whether an error is an expected outcome rather than a parser failing on damaged content. */
const isOurs = (fault: unknown): boolean =>
  fault instanceof UnreadableError || fault instanceof ProcessingRequiredError;

/**
 * Parses a file into text with its headings and pages. Throws UnreadableError, with the message of
 * wire-contract 6.3 if it defines one, and ProcessingRequiredError for work not done here:
 * recognition of a file without text of its own, without `recognition`, and transcription. `parseInner` reads the files inside it.
 */
export async function parseFile(
  file: {
    bytes: Uint8Array;
    filename: string;
    mime: string | null;
    /** Encoding that a reader chose; null or absent to detect it. */
    encoding?: string | null;
  },
  recognition: Recognition | null = null,
  parseInner: ParseInner | null = (inner, innerRecognition = null) =>
    parseFile(inner, innerRecognition, null),
): Promise<ParsedFile> {
  const { filename } = file;
  if (file.bytes.length === 0)
    throw new UnreadableError({ code: "file.empty", params: { filename } });
  const extension = extensionOf(file.filename);
  const declared = extensionFor[file.mime?.split(";")[0]?.trim().toLowerCase() ?? ""];
  const detected = await detectFormat(
    file.bytes,
    extension === "" && declared ? `${file.filename}${declared}` : file.filename,
  );
  const facts = formats[detected.format];
  const notes: KnownFault[] = nameNote(detected, extension);
  const decode = (kind: EncodingHints["kind"]): string => {
    const hints = { declared: charsetInType(file.mime ?? ""), chosen: file.encoding, kind };
    const decoded = decodeText(file.bytes, hints);
    notes.push(...encodingNote(decoded));
    return decoded.text;
  };
  const parsed = await parse(
    detected,
    file.bytes,
    extension,
    recognition,
    parseInner,
    decode,
  ).catch((fault: unknown) => {
    // A parser failed on unforeseen content, such as nesting beyond the stack or an invalid
    // length: the file is at fault.
    throw !isOurs(fault) &&
      (fault instanceof RangeError || fault instanceof TypeError || fault instanceof SyntaxError)
      ? new UnreadableError(
          { code: "file.damaged", params: { what: facts.noun } },
          { cause: fault },
        )
      : fault;
  });
  const parts = Array.isArray(parsed)
    ? parsed.map((part) => finish({ ...part, name: storable(part.name) }, notes))
    : null;
  const whole = parts ? joinParts(parts, facts.noun) : finish(parsed as ParsedText, notes);
  const { toRecognise = 0 } = whole;
  const isMail =
    detected.format === "eml" || detected.format === "mbox" || detected.format === "msg";
  // A mail is what somebody wrote, however short.
  if (toRecognise > 0 && recognition === null && !isMail && hasFewLetters(whole.text))
    throw new ProcessingRequiredError("recognition", toRecognise);
  if (!/[\p{L}\p{N}]/u.test(whole.text))
    throw new UnreadableError({ code: "file.no-text", params: { filename } });
  const docSource =
    detected.language === null
      ? facts.docSource
      : `a ${detected.language} source code file uploaded by the user.`;
  const headings = whole.headings.slice(0, maxHeadings);
  return { ...whole, headings, format: detected.format, mime: detected.mime, docSource, parts };
}

/**
 * Joins the sheets of a spreadsheet or the files of an archive into one text, each under its name,
 * for a chat file, which stays one document. `what` names the file if that is too long.
 */
function joinParts(parts: ParsedPart[], what: KnownFault): ParsedText {
  const out = new TextBuilder(what);
  for (const part of parts) {
    if (parts.length > 1) out.addHeading(part.name, 1);
    out.addParsed(part, 1);
  }
  return out.build();
}
