import PostalMime, { type Address, type Email } from "postal-mime";
import { dataUrlOf, type ConvertedDocument, type MailHeader } from "./conversion.ts";

/** A mailbox with more mails is shown as text. */
const mostMails = 500;

const escapeHtml = (text: string): string =>
  text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
/** Plain text as paragraphs with its lines. */
const paragraphsOf = (text: string): string =>
  text
    .trim()
    .split(/\n[^\S\n]*(?:\n[^\S\n]*)+/)
    .map((paragraph) => `<p>${escapeHtml(paragraph).replace(/\n/g, "<br>")}</p>`)
    .join("\n");

const nameOf = (address: Address): string =>
  address.address === undefined
    ? `${address.name}: ${address.group.map(nameOf).join(", ")}`
    : address.name === "" || address.name === address.address
      ? address.address
      : `${address.name} <${address.address}>`;

const headerOf = ({ subject, from, to, cc, date, attachments }: Email): MailHeader => ({
  subject: subject ?? "",
  from: from ? nameOf(from) : "",
  to: (to ?? []).map(nameOf).join(", "),
  cc: (cc ?? []).map(nameOf).join(", "),
  date: date ?? "",
  attachments: attachments
    .filter(({ related }) => !related)
    .map(({ filename, content }) => ({
      name: filename ?? "",
      bytes: typeof content === "string" ? content.length : content.byteLength,
    })),
});

/** The mails of a mailbox: each starts with "From " at its beginning or after an empty line. */
function splitMailbox(bytes: ArrayBuffer): string[] {
  const text = new TextDecoder("latin1").decode(bytes).replace(/\r\n/g, "\n");
  return text
    .split(/(?:^|\n\n)From [^\n]*\n/)
    .slice(1)
    .map((mail) => mail.replace(/^>(>*From )/gm, "$1"));
}
const toBytes = (latin1: string): Uint8Array =>
  Uint8Array.from(latin1, (character) => character.charCodeAt(0));

/** A mail, or all mails of a mailbox, with their pictures. */
export async function convertMail(bytes: ArrayBuffer, mime: string): Promise<ConvertedDocument> {
  const mails = mime === "application/mbox" ? splitMailbox(bytes).map(toBytes) : [bytes];
  if (mails.length > mostMails) throw new Error("The mailbox has too many mails to display.");
  const parts: ConvertedDocument["parts"] = [];
  const pictures = new Map<string, string>();
  for (const each of mails) {
    const mail = await PostalMime.parse(each, { maxNestingDepth: 64 });
    parts.push({
      html: mail.html ?? paragraphsOf(mail.text ?? ""),
      folder: "",
      mail: headerOf(mail),
    });
    for (const { contentId, mimeType, content } of mail.attachments)
      if (contentId && /^image\/(?:png|jpeg|gif|webp)$/.test(mimeType))
        pictures.set(
          `cid:${contentId.replace(/^<|>$/g, "")}`,
          await dataUrlOf(content as ArrayBuffer, mimeType),
        );
  }
  return { kind: "document", parts, pictures };
}
