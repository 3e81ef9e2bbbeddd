import type { Address, Email } from "postal-mime";
import { cleanText } from "./decode-text.ts";
import { joinBlobParts } from "./join-blob-parts.ts";
import { parseHtml } from "./parse-html.ts";
import { UnreadableError, type ParsedText } from "./parsed-document.ts";
import { TextBuilder } from "./text-builder.ts";

const maxMails = 100_000;
const noText: ParsedText = { text: "", headings: [], pages: [] };

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

async function readMail(bytes: Uint8Array): Promise<Email> {
  const { default: PostalMime } = await import("postal-mime");
  joinBlobParts();
  return PostalMime.parse(bytes, { maxNestingDepth: 64, maxRfc822NestingDepth: 5 });
}

/**
 * Writes the subject as a heading, then people and date, the text, and the names of the
 * attachments.
 */
function addMail(out: TextBuilder, mail: Email): void {
  out.addHeading(cleanText(mail.subject ?? "") || "Mail without a subject", 1);
  const lines = [
    mail.from && `From: ${nameOf(mail.from)}`,
    mail.to?.length && `To: ${mail.to.map(nameOf).join(", ")}`,
    mail.cc?.length && `Cc: ${mail.cc.map(nameOf).join(", ")}`,
    mail.date && `Date: ${mail.date}`,
  ].filter((line) => typeof line === "string");
  out.addParagraph(cleanText(lines.join("\n")));
  const plain = cleanText(mail.text ?? "").trim();
  if (plain !== "") out.addParagraph(plain);
  else out.addParsed(mail.html ? parseHtml(mail.html) : noText, 1);
  const attachments = mail.attachments.map(
    ({ filename, mimeType, content }) =>
      `Attachment: ${filename ?? "without a name"} (${mimeType}, ${sizeOf(typeof content === "string" ? content.length : content.byteLength)})`,
  );
  out.addParagraph(cleanText(attachments.join("\n")));
}

const hasHeaders = (mail: Email): boolean =>
  mail.from !== undefined ||
  mail.subject !== undefined ||
  mail.date !== undefined ||
  mail.to !== undefined ||
  mail.messageId !== undefined;

/** Parses one mail. Throws UnreadableError if it has no mail headers. */
export async function parseEml(bytes: Uint8Array): Promise<ParsedText> {
  const mail = await readMail(bytes).catch((cause: unknown) => {
    throw new UnreadableError({ code: "file.mail-malformed" }, { cause });
  });
  if (!hasHeaders(mail)) throw new UnreadableError({ code: "file.mail-without-headers" });
  const out = new TextBuilder({ code: "file-kind.mail" });
  addMail(out, mail);
  return out.build();
}

/** A mail starts at `From ` at the beginning of the mailbox or after an empty line. */
function* splitMailbox(bytes: Buffer): Generator<Buffer> {
  let start = -1;
  for (let at = bytes.indexOf("From "); at >= 0; at = bytes.indexOf("From ", at + 1)) {
    const afterBlank =
      at === 0 ||
      bytes.subarray(at - 2, at).toString("latin1") === "\n\n" ||
      bytes.subarray(at - 4, at).toString("latin1") === "\r\n\r\n";
    if (!afterBlank) continue;
    if (start >= 0) yield bytes.subarray(start, at);
    const lineEnd = bytes.indexOf("\n", at);
    start = lineEnd < 0 ? bytes.length : lineEnd + 1;
  }
  if (start >= 0) yield bytes.subarray(start);
}

/**
 * Mails of a mailbox in order, each under its subject; an unreadable one is listed without its
 * content.
 */
export async function parseMbox(bytes: Uint8Array): Promise<ParsedText> {
  const out = new TextBuilder({ code: "file-kind.mailbox" });
  let mails = 0;
  for (const piece of splitMailbox(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))) {
    if (++mails > maxMails)
      throw new UnreadableError({ code: "file.too-many-mails", params: { limit: maxMails } });
    // Mailbox writers quote lines of a mail that start with "From ".
    const unquoted = piece.includes("\n>From ")
      ? Buffer.from(piece.toString("latin1").replace(/^>(>*From )/gm, "$1"), "latin1")
      : piece;
    const mail = await readMail(unquoted).catch(() => null);
    if (mail) addMail(out, mail);
    else out.addHeading("Unreadable mail", 1);
  }
  if (mails === 0) throw new UnreadableError({ code: "file.mailbox-empty" });
  return out.build();
}
