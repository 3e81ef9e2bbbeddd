import type { Email } from "postal-mime";
import { cleanText } from "./decode-text.ts";
import { parseHtml } from "./parse-html.ts";
import type { ParsedText } from "./parsed-document.ts";
import { decodePage, readMail, type MailPart } from "./read-mail.ts";

/** A file that came with a mail. */
export type MailFile = Pick<MailPart, "type" | "name" | "bytes" | "isEmbedded">;

/** A mail's texts, and the files and mails that came with it. */
export interface MailBody {
  texts: { isPage: boolean; parsed: ParsedText }[];
  files: MailFile[];
  mails: (() => Promise<Mail>)[];
}

export type MailFacts = Pick<Email, "subject" | "from" | "to" | "cc" | "date" | "messageId"> &
  Partial<Pick<Email, "headers">>;
export interface Mail {
  facts: MailFacts;
  body: MailBody;
}

/** Distinct words beyond which a plain text is more than "view this mail in a browser". */
const longestStub = 25;
/** Characters compared. */
const compared = 100_000;

export const plainText = (text: string): ParsedText => ({
  text: cleanText(text).trim(),
  headings: [],
  pages: [],
});
const isMail = ({ type, name }: MailPart): boolean =>
  type === "message/rfc822" ||
  (/\.eml$/i.test(name ?? "") && /^(?:application\/octet-stream|text\/plain)$/.test(type));

const wordsOf = (texts: MailBody["texts"]): Set<string> =>
  new Set(
    texts
      .map(({ parsed }) => parsed.text)
      .join("\n")
      .slice(0, compared)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu),
  );

const countMissing = (words: Set<string>, from: Set<string>): number =>
  [...words].filter((word) => !from.has(word)).length;

/**
 * The plain text if it says what the page says. Otherwise the page, with a plain text that is more
 * than a stub before it.
 */
export function chooseTexts(plain: MailBody["texts"], page: MailBody["texts"]): MailBody["texts"] {
  const said = wordsOf(plain);
  const shown = wordsOf(page);
  if (shown.size === 0) return plain;
  if (countMissing(shown, said) <= shown.size / 2) return plain;
  return countMissing(said, shown) > longestStub ? [...plain, ...page] : page;
}

/**
 * Takes the best of the parts that say the same in several ways; keeps files and invitations from
 * all.
 */
function readAlternatives(parts: MailPart[]): MailBody {
  const bodies = parts.map(readBody);
  const plain = bodies.find(({ texts }) => texts.some(({ isPage }) => !isPage));
  const page = bodies.findLast((body) => body !== plain && body.texts.length > 0);
  return {
    texts: chooseTexts(plain?.texts ?? [], page?.texts ?? []),
    files: bodies.flatMap(({ files }) => files),
    mails: bodies.flatMap(({ mails }) => mails),
  };
}

/** Sorts a part of a mail into its texts, files and mails. */
function readBody(part: MailPart): MailBody {
  if (part.parts.length > 0) {
    if (part.type === "multipart/alternative") return readAlternatives(part.parts);
    const bodies = part.parts.map(readBody);
    return {
      texts: bodies.flatMap(({ texts }) => texts),
      files: bodies.flatMap(({ files }) => files),
      mails: bodies.flatMap(({ mails }) => mails),
    };
  }
  const body: MailBody = { texts: [], files: [], mails: [] };
  if (part.bytes.length === 0 && part.name === null) return body;
  const isInline = !part.isAttached;
  if (isMail(part)) body.mails.push(() => openMail(part.bytes));
  else if (isInline && part.type === "text/html")
    body.texts.push({ isPage: true, parsed: parseHtml(decodePage(part)) });
  else if (
    isInline &&
    (/^(?:text\/plain|message\/delivery-status|message\/feedback-report)$/.test(part.type) ||
      part.type.startsWith("multipart/"))
  )
    body.texts.push({ isPage: false, parsed: plainText(part.text()) });
  // A picture without a name belongs to the page that shows it.
  else if (!part.isEmbedded || part.name !== null) body.files.push(part);
  return body;
}

/** Reads a mail in the internet's format. Rejects if it isn't one. */
export async function openMail(bytes: Uint8Array): Promise<Mail> {
  const { facts, root } = await readMail(bytes);
  return { facts, body: readBody(root) };
}
