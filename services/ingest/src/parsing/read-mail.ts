import type { Email } from "postal-mime";
import { decodeText } from "./decode-text.ts";

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
