import type { FieldsData } from "@kenjiuno/msgreader";
import type { Address } from "postal-mime";
import { cleanText, decodeText } from "./decode-text.ts";
import { InnerFiles, type ParseInner } from "./inner-files.ts";
import { chooseTexts, plainText, type Mail, type MailBody } from "./mail-body.ts";
import { parseHtml } from "./parse-html.ts";
import { addMail, noteUnread } from "./parse-mail.ts";
import { parseRtf } from "./parse-rtf.ts";
import { UnreadableError, type ParsedText } from "./parsed-document.ts";
import type { Recognition } from "./recognise-text.ts";
import { TextBuilder } from "./text-builder.ts";

/** Reads an attachment's bytes. */
type Open = (attachment: FieldsData) => Uint8Array;

const addressOf = (name = "", address = ""): Address => ({ name, address: address || name });

const peopleOf = ({ recipients = [] }: FieldsData, type: "to" | "cc"): Address[] =>
  recipients
    .filter(({ recipType = "to" }) => recipType === type)
    .map(({ name, smtpAddress, email }) => addressOf(name, smtpAddress ?? email));

/** Identifiers of the files that a page shows. */
const shownIn = ({ bodyHtml = "", html }: FieldsData): Set<string> => {
  const page = `${bodyHtml}${Buffer.from(html ?? []).toString("latin1")}`;
  return new Set(Array.from(page.matchAll(/\bcid:([^"'\s>)]{1,300})/gi), ([, id]) => id!));
};

/** Outlook keeps a formatted mail as HTML or, older, only as compressed RTF. */
async function pageOf({ bodyHtml, html, compressedRtf }: FieldsData): Promise<ParsedText | null> {
  if (bodyHtml) return parseHtml(bodyHtml);
  if (html) return parseHtml(decodeText(html, { kind: "html" }).text);
  if (!compressedRtf) return null;
  try {
    const { decompressRTF } = await import("@kenjiuno/decompressrtf");
    return parseRtf(Uint8Array.from(decompressRTF([...compressedRtf])));
  } catch {
    // Damaged; the plain text says the same.
    return null;
  }
}

async function toMail(fields: FieldsData, open: Open): Promise<Mail> {
  const page = await pageOf(fields);
  const { attachments = [] } = fields;
  const shown = shownIn(fields);
  const body: MailBody = {
    texts: chooseTexts(
      [{ isPage: false, parsed: plainText(fields.body ?? "") }],
      page ? [{ isPage: true, parsed: page }] : [],
    ),
    files: attachments
      .filter(({ innerMsgContent, attachmentHidden }) => !innerMsgContent && !attachmentHidden)
      .map((attachment) => ({
        type: attachment.attachMimeTag ?? "application/octet-stream",
        name: attachment.fileName ?? attachment.fileNameShort ?? attachment.name ?? null,
        bytes: open(attachment),
        isEmbedded: shown.has(attachment.pidContentId ?? ""),
      })),
    mails: attachments
      .flatMap(({ innerMsgContentFields }) => innerMsgContentFields ?? [])
      .map((inner) => () => toMail(inner, open)),
  };
  const date = new Date(fields.clientSubmitTime ?? fields.messageDeliveryTime ?? "");
  const sender = addressOf(fields.senderName, fields.senderSmtpAddress ?? fields.senderEmail);
  return {
    facts: {
      subject: fields.subject ?? "",
      from: sender.address === "" ? undefined : sender,
      to: peopleOf(fields, "to"),
      cc: peopleOf(fields, "cc"),
      date: Number.isNaN(date.getTime()) ? undefined : date.toISOString(),
    },
    body,
  };
}

/** A mail as Outlook saves it (.msg), like any other mail. */
export async function parseMsg(
  bytes: Uint8Array,
  parseInner: ParseInner | null = null,
  recognition: Recognition | null = null,
): Promise<ParsedText> {
  const { default: module } = await import("@kenjiuno/msgreader");
  const MsgReader = module.default;
  const out = new TextBuilder({ code: "file-kind.mail" });
  const inner = new InnerFiles(parseInner, recognition);
  let mail: Mail;
  try {
    const reader = new MsgReader(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    const fields = reader.getFileData();
    if (fields.error) throw new Error(cleanText(fields.error));
    mail = await toMail(fields, (attachment) => reader.getAttachment(attachment).content);
  } catch (cause) {
    throw new UnreadableError(
      { code: "file.damaged", params: { what: { code: "file-kind.mail" } } },
      { cause },
    );
  }
  await addMail(out, mail, inner);
  noteUnread(out, inner);
  return out.build();
}
