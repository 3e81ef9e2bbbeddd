import type { Address } from "postal-mime";
import { cleanText } from "./decode-text.ts";
import { extensionOf } from "./detect-format.ts";
import { formatByExtension } from "./formats.ts";
import { InnerFiles, type ParseInner } from "./inner-files.ts";
import { openMail, type Mail, type MailFacts, type MailFile } from "./mail-body.ts";
import { UnreadableError, type ParsedText } from "./parsed-document.ts";
import type { Recognition } from "./recognise-text.ts";
import { TextBuilder } from "./text-builder.ts";

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
/** A separator holds a sender and a date; longer lines are text. */
const longestSeparator = 400;
const sender = /^From (?:\S+@\S+|-|MAILER-DAEMON|\S+)(?: |$)/i;
/** `Mon Jan  1 00:00:00 2024`, with or without a time zone, or `2024-01-01T00:00:00Z`, at the end. */
const date =
  /\d{1,2}:\d{2}(?::\d{2})?(?: [A-Z]{1,5}| [+-]\d{4})? \d{4}(?: [+-]\d{4})?$|\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}\S{0,20}$/;
const header = /^(?:>?From |[!-9;-~]+:)/;

const lineAt = (bytes: Buffer, at: number): string => {
  const end = bytes.subarray(at, at + longestSeparator).indexOf(lineFeed);
  const line = end < 0 ? bytes.subarray(at, at + longestSeparator) : bytes.subarray(at, at + end);
  return line.toString("latin1").trimEnd();
};

function nextLine(bytes: Buffer, at: number): number {
  const end = bytes.indexOf(lineFeed, at);
  return end < 0 ? bytes.length : end + 1;
}

/** Whether the line before is empty, or there is none. */
function isAfterBlank(bytes: Buffer, at: number): boolean {
  if (at === 0) return true;
  if (bytes[at - 1] !== lineFeed) return false;
  const before = bytes[at - 2] === carriageReturn ? at - 2 : at - 1;
  return before === 0 || bytes[before - 1] === lineFeed;
}

/**
 * Whether a line that starts with "From " separates two mails rather than belongs to a letter: it
 * has a sender and a date, and headers follow.
 */
function isSeparator(bytes: Buffer, at: number): boolean {
  if (at === 0) return true;
  const line = lineAt(bytes, at);
  return (
    isAfterBlank(bytes, at) &&
    sender.test(line) &&
    date.test(line) &&
    header.test(lineAt(bytes, nextLine(bytes, at)))
  );
}

/** Where a mail that states its length ends; null if it states none, or a wrong one. */
function statedEnd(bytes: Buffer, start: number): number | null {
  let length: number | null = null;
  let at = start;
  for (; at < bytes.length; at = nextLine(bytes, at)) {
    const line = lineAt(bytes, at);
    if (line === "") break;
    const stated = /^Content-Length:\s*(\d{1,12})$/i.exec(line)?.[1];
    if (stated !== undefined) length = Number(stated);
  }
  if (length === null) return null;
  let end = nextLine(bytes, at) + length;
  while (end < bytes.length && (bytes[end] === lineFeed || bytes[end] === carriageReturn)) end++;
  return end === bytes.length || (end < bytes.length && isSeparator(bytes, end)) ? end : null;
}

/**
 * The mails of a mailbox. A line of a letter that starts with "From " doesn't start another one,
 * whether the mailbox quotes it (`>From `), states each mail's length, or does neither.
 */
function* splitMailbox(bytes: Buffer): Generator<Buffer> {
  let start = -1;
  for (let at = bytes.indexOf("From "); at >= 0; at = bytes.indexOf("From ", at)) {
    if (!isSeparator(bytes, at)) {
      at += 1;
      continue;
    }
    if (start >= 0) yield bytes.subarray(start, at);
    start = nextLine(bytes, at);
    at = statedEnd(bytes, start) ?? start;
  }
  if (start >= 0) yield bytes.subarray(start);
}

const maxMails = 100_000;
/** Mails in mails. */
const deepest = 5;

const nameOf = (address: Address): string =>
  address.address === undefined
    ? `${address.name}: ${address.group.map(nameOf).join(", ")}`
    : address.name === "" || address.name === address.address
      ? address.address
      : `${address.name} <${address.address}>`;
const sizeOf = (bytes: number): string =>
  bytes >= 1024 * 1024
    ? `${(bytes / 1024 / 1024).toFixed(1)} MB`
    : `${Math.max(1, Math.round(bytes / 1024))} KB`;

/** A calendar invitation has no file name. */
const filenameOf = ({ name, type }: MailFile): string =>
  name ?? (type === "text/calendar" || type === "application/ics" ? "invitation.ics" : "");

/** Embedded pictures are logos and signatures in the page; Outlook gives them names. */
const isPicture = (type: string, filename: string): boolean =>
  type.startsWith("image/") || formatByExtension.get(extensionOf(filename)) === "image";

/** `+0100`, maybe with a comment. */
const zone = /\s([+-])(\d\d)(\d\d)\s*(?:\([^()]*\)\s*)?$/;

/** Date of a mail, by its sender's clock where the header names its offset. */
function dateOf({ date, headers = [] }: MailFacts): string | undefined {
  const time = Date.parse(date ?? "");
  if (Number.isNaN(time)) return date;
  const header = headers.find(({ key }) => key === "date")?.value ?? "";
  const [, sign, hours = "00", minutes = "00"] = zone.exec(header) ?? [];
  const offset = (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  const local = new Date(time + offset * 60_000).toISOString();
  const name = offset === 0 ? "UTC" : `UTC${sign}${hours}:${minutes}`;
  return `${local.slice(0, 10)} ${local.slice(11, 16)} (${name})`;
}

/** The subject as a heading, then people and date. */
function addHead(out: TextBuilder, mail: MailFacts, level: number): void {
  out.addHeading(cleanText(mail.subject ?? "") || "Mail without a subject", level);
  const lines = [
    mail.from && `From: ${nameOf(mail.from)}`,
    mail.to?.length && `To: ${mail.to.map(nameOf).join(", ")}`,
    mail.cc?.length && `Cc: ${mail.cc.map(nameOf).join(", ")}`,
    mail.date && `Date: ${dateOf(mail)}`,
  ].filter((line) => typeof line === "string");
  out.addParagraph(cleanText(lines.join("\n")));
}

/**
 * Writes a mail: its head, text and the names of its attachments, then the attachments' texts and
 * the mails that it forwards, each under a heading.
 */
export async function addMail(
  out: TextBuilder,
  { facts, body }: Mail,
  inner: InnerFiles,
  level = 1,
): Promise<void> {
  addHead(out, facts, level);
  const { texts, files, mails } = body;
  for (const { parsed } of texts) out.addParsed(parsed, level);
  const attachments = files.map(
    (file) =>
      `Attachment: ${filenameOf(file) || "without a name"} (${file.type}, ${sizeOf(file.bytes.length)})`,
  );
  out.addParagraph(cleanText(attachments.join("\n")));
  for (const file of files) {
    const filename = filenameOf(file);
    if (file.isEmbedded && isPicture(file.type, filename)) continue;
    const text = await inner.read(file.bytes, filename, file.type);
    if (text === null) continue;
    out.addHeading(cleanText(filename) || "Attachment without a name", level + 1);
    out.addParsed(text, level + 1);
  }
  for (const open of mails) {
    const mail = level > deepest ? null : await open().catch(() => null);
    if (mail) await addMail(out, mail, inner, level + 1);
    else out.addHeading("Unreadable mail", level + 1);
  }
}

const hasHeaders = (mail: MailFacts): boolean =>
  mail.from !== undefined ||
  mail.subject !== undefined ||
  mail.date !== undefined ||
  mail.to !== undefined ||
  mail.messageId !== undefined;

/** Says which attachments weren't read, and how much of them is left to recognition. */
export function noteUnread(out: TextBuilder, { unread, toRecognise }: InnerFiles): void {
  out.leaveToRecognition(toRecognise);
  if (unread > 0) out.note({ code: "file-note.attachments-unread", params: { count: unread } });
}

/** Parses one mail. Throws UnreadableError if it has no mail headers. */
export async function parseEml(
  bytes: Uint8Array,
  parseInner: ParseInner | null = null,
  recognition: Recognition | null = null,
): Promise<ParsedText> {
  const mail = await openMail(bytes).catch((cause: unknown) => {
    throw new UnreadableError({ code: "file.mail-malformed" }, { cause });
  });
  if (!hasHeaders(mail.facts)) throw new UnreadableError({ code: "file.mail-without-headers" });
  const out = new TextBuilder({ code: "file-kind.mail" });
  const inner = new InnerFiles(parseInner, recognition);
  await addMail(out, mail, inner);
  noteUnread(out, inner);
  return out.build();
}

/**
 * Mails of a mailbox in order, each under its subject; an unreadable one is listed without its
 * content.
 */
export async function parseMbox(
  bytes: Uint8Array,
  parseInner: ParseInner | null = null,
  recognition: Recognition | null = null,
): Promise<ParsedText> {
  const out = new TextBuilder({ code: "file-kind.mailbox" });
  const inner = new InnerFiles(parseInner, recognition);
  let mails = 0;
  for (const piece of splitMailbox(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))) {
    if (++mails > maxMails)
      throw new UnreadableError({ code: "file.too-many-mails", params: { limit: maxMails } });
    // Mailbox writers quote lines of a mail that start with "From ".
    const unquoted = piece.includes("\n>From ")
      ? Buffer.from(piece.toString("latin1").replace(/^>(>*From )/gm, "$1"), "latin1")
      : piece;
    const mail = await openMail(unquoted).catch(() => null);
    if (mail) await addMail(out, mail, inner);
    else out.addHeading("Unreadable mail", 1);
  }
  if (mails === 0) throw new UnreadableError({ code: "file.mailbox-empty" });
  noteUnread(out, inner);
  return out.build();
}
