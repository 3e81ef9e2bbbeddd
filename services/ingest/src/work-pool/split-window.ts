import { hash } from "node:crypto";
import { chunkTerms, detectLanguage, splitText } from "@carrel/retrieval/indexing";
import { headingsAt, pageAt } from "../parsing/heading-path.ts";
import type { PreparedChunk, SplitTask, TermsTask } from "./work.ts";

/** Characters used to detect the language; more wouldn't change the answer. */
const languageSample = 20_000;

/** `text` is the document's text, or at least its beginning. */
export const detectDocumentLanguage = (text: string): string | null =>
  detectLanguage(text.slice(0, languageSample));

/** Splits one window of a document into chunks with positions, terms and content hashes. */
export function splitWindow(task: SplitTask): PreparedChunk[] {
  const { text, offset, title, chunking, language } = task;
  let above = headingsAt(task.headings, offset);
  const headings = [{ start: 0, path: above.map(({ title }) => title) }];
  for (const heading of task.headings) {
    if (heading.start <= offset || heading.start >= offset + text.length) continue;
    above = [...above.filter(({ level }) => level < heading.level), heading];
    headings.push({ start: heading.start - offset, path: above.map(({ title }) => title) });
  }
  const chunks = splitText({
    text,
    size: chunking.size,
    overlap: chunking.overlap,
    maximum: chunking.maximum,
    headings,
    openings: task.openings,
  });
  return chunks.map((chunk): PreparedChunk => {
    const piece = text.slice(chunk.start, chunk.end);
    return {
      start: offset + chunk.start,
      end: offset + chunk.end,
      page: pageAt(task.pages, offset + chunk.start),
      headingPath: chunk.headingPath,
      contentHash: hashContent(embeddedText(piece, chunk.headingPath)),
      terms: chunkTerms({ text: piece, title, headingPath: chunk.headingPath, language }).join(" "),
    };
  });
}

/** Returns the same terms that splitting produced for these pieces. */
export function termsOf({ title, sample, pieces }: TermsTask): string[] {
  const language = detectDocumentLanguage(sample);
  return pieces.map(({ text, headingPath }) =>
    chunkTerms({ text, title, headingPath, language }).join(" "),
  );
}

/**
 * The text of a chunk as it is embedded: with the headings it doesn't already start with, since
 * they carry context that the passage alone lacks.
 */
export function embeddedText(text: string, headingPath: string[]): string {
  const missing = headingPath.filter((heading) => !text.startsWith(heading));
  return missing.length === 0 ? text : `${missing.join(" › ")}\n${text}`;
}

export const hashContent = (text: string): Buffer => hash("sha256", text, "buffer");
