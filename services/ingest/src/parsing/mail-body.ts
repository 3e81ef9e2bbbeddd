import type { Email } from "postal-mime";
import { cleanText, decodeText } from "./decode-text.ts";
import { parseHtml } from "./parse-html.ts";
import type { ParsedText } from "./parsed-document.ts";

/** One part of a mail: its type, name and content, or its own parts. */
export interface MailPart {
  /** MIME type in lower case, such as `text/html`. */
  type: string;
  charset: string | null;
  name: string | null;
  isAttached: boolean;
  /** Shown inside the page that it came with. */
  isEmbedded: boolean;
  /** Empty for a part that only holds others. */
  bytes: Uint8Array;
  /** The content as plain text, with its lines joined if it is "flowed". */
  text: () => string;
  parts: MailPart[];
}

/** What postal-mime keeps of each part. Its types leave it out, so its version is pinned. */
interface MimeNode {
  contentType: { parsed: { value: string; params: Record<string, string> } };
  contentDisposition: { parsed: { value: string; params: Record<string, string> } };
  contentId?: string;
  content: ArrayBuffer | null;
  childNodes: MimeNode[];
  getTextContent: () => string;
}

/** A mail's headers and parts. */
export async function readMail(bytes: Uint8Array): Promise<{ facts: Email; root: MailPart }> {
  const { default: PostalMime, decodeWords } = await import("postal-mime");
  joinBlobParts();
  const parser = new PostalMime({
    maxNestingDepth: 64,
    // Mails in mails are read by their own call.
    forceRfc822Attachments: true,
    maxRfc822NestingDepth: 0,
  });
  const facts = await parser.parse(bytes);
  const toPart = (node: MimeNode, isRelated: boolean): MailPart => {
    const { value: type, params } = node.contentType.parsed;
    const disposition = node.contentDisposition.parsed;
    const name = disposition.params.filename ?? params.name ?? null;
    const content = new Uint8Array(node.content ?? new ArrayBuffer(0));
    const charset = params.charset ?? null;
    return {
      type,
      charset,
      name: name === null ? null : decodeWords(name),
      isAttached: disposition.value === "attachment",
      isEmbedded: isRelated && node.contentId !== undefined,
      bytes: content,
      text: () => (charset === null ? decodeText(content).text : node.getTextContent()),
      parts: node.childNodes.map((child) => toPart(child, type === "multipart/related")),
    };
  };
  return { facts, root: toPart((parser as unknown as { root: MimeNode }).root, false) };
}

/** A page in a mail, by the charset that its part or, without one, the page itself declares. */
export const decodePage = ({ bytes, charset }: MailPart): string =>
  decodeText(bytes, { declared: charset, kind: "html" }).text;

type BlobPieces = ConstructorParameters<typeof Blob>[0];
/** Fewer parts aren't worth a copy. */
const manyParts = 1_000;

/**
 * postal-mime makes a part of a Blob of each line, and Node takes 20 µs to read a part: a mail of
 * 1 MB of empty lines took 14 s. Makes new Blobs of many parts have a single one.
 */
function joinBlobParts(): void {
  const Original = Blob;
  if (Original.name === "JoinedBlob") return;
  globalThis.Blob = class JoinedBlob extends Original {
    /** Files, which extend the original, are still Blobs. */
    static [Symbol.hasInstance](value: unknown): boolean {
      return value instanceof Original;
    }

    constructor(parts: BlobPieces = [], options?: ConstructorParameters<typeof Blob>[1]) {
      const list = [...parts];
      const isPlain = list.every((part) => typeof part === "string" || isBytes(part));
      super(
        list.length > manyParts && isPlain ? [Buffer.concat(list.map(toBytes))] : list,
        options,
      );
    }
  };
}

const isBytes = (part: unknown): boolean => ArrayBuffer.isView(part) || part instanceof ArrayBuffer;
const toBytes = (part: unknown): Uint8Array =>
  typeof part === "string"
    ? Buffer.from(part)
    : ArrayBuffer.isView(part)
      ? new Uint8Array(part.buffer, part.byteOffset, part.byteLength)
      : new Uint8Array(part as ArrayBuffer);

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
