import type { Passage, SourceWire } from "@carrel/contracts";

/**
 * Returns the passages as sources of an answer, in the order of their citation numbers;
 * wire-contract 4.8, with the document header before the text.
 */
export function selectSources(passages: readonly Passage[]): SourceWire[] {
  return passages.map(buildSource);
}

/** The header above a document's text in a prompt and in a source. */
export const documentHeader = ({
  title,
  published,
}: {
  title: string;
  published: string;
}): string =>
  `<document_metadata>\nsourceDocument: ${title}\npublished: ${published}\n</document_metadata>\n\n`;

function buildSource(passage: Passage): SourceWire {
  return {
    id: passage.chunkId,
    url: passage.url,
    title: passage.title,
    docAuthor: passage.docAuthor,
    description: passage.description,
    docSource: passage.docSource,
    chunkSource: passage.chunkSource,
    published: passage.published,
    wordCount: passage.wordCount,
    token_count_estimate: passage.tokenCountEstimate,
    text: documentHeader(passage) + passage.text,
    score: passage.score,
    documentId: passage.documentId,
    docpath: passage.docpath,
    page: passage.page,
    start: passage.start,
    end: passage.end,
    headingPath: passage.headingPath,
  };
}

/**
 * Drops passages contained in a larger passage of the same document; of identical ranges, keeps the
 * first. Preserves the order.
 */
export function dropContainedPassages(passages: readonly Passage[]): Passage[] {
  return passages.filter(
    (one, index) =>
      !passages.some(
        (other, otherIndex) =>
          otherIndex !== index &&
          other.documentId === one.documentId &&
          other.start <= one.start &&
          other.end >= one.end &&
          (otherIndex < index || other.end - other.start > one.end - one.start),
      ),
  );
}
