import { withToolFaults } from "../tool-fault.ts";
import type { DocumentPart, DocumentPort } from "./document-port.ts";

/** Characters asked for at once. */
const readLength = 100_000;

/**
 * A document's text from `from` to `to`, in as many requests as it takes; less if the document has
 * become shorter, or once it has `mostBytes` of UTF-8.
 */
export async function readRange(
  documents: Pick<DocumentPort, "text">,
  id: string,
  { from, to, mostBytes = Infinity }: { from: number; to: number; mostBytes?: number },
  signal: AbortSignal,
): Promise<DocumentPart> {
  const whole: DocumentPart = { text: "", start: from, end: from, pages: [], headings: [] };
  const texts: string[] = [];
  for (let bytes = 0; whole.end < to && bytes < mostBytes;) {
    signal.throwIfAborted();
    const until = Math.min(to, whole.end + Math.min(readLength, Math.ceil(mostBytes - bytes)));
    const part = await withToolFaults(documents.text(id, whole.end, until, signal));
    if (part.end <= whole.end) break;
    bytes += Buffer.byteLength(part.text);
    texts.push(part.text);
    // What applies at the start of a part has been told at the end of the one before.
    const isNew = ({ start }: { start: number }): boolean =>
      start >= whole.end || whole.end === from;
    whole.pages.push(...part.pages.filter(isNew));
    whole.headings.push(...part.headings.filter(isNew));
    whole.end = part.end;
  }
  return { ...whole, text: texts.join("") };
}
