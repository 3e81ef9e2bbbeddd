import type { Passage, SourceWire } from "./source.ts";

/** Whether search rated the passage. Full texts and overviews don't come from search. */
export const isRated = ({ denseScore, textScore }: Passage): boolean =>
  denseScore !== null || textScore !== null;

/** The header above a document's text in a prompt and in a source. */
export const documentHeader = ({
  title,
  published,
}: {
  title: string;
  published: string;
}): string =>
  `<document_metadata>\nsourceDocument: ${title}\npublished: ${published}\n</document_metadata>\n\n`;

/** A source's text without that header. */
export const withoutHeader = (text: string): string =>
  text.replace(/^<document_metadata>[\s\S]*?<\/document_metadata>\s*/, "");

/**
 * The passage as a source of an answer (wire-contract 4.8), with the document header before the
 * text. Only a rated one has a score.
 */
export function buildSource(passage: Passage): SourceWire {
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
    ...(isRated(passage) && { score: passage.score }),
    documentId: passage.documentId,
    docpath: passage.docpath,
    page: passage.page,
    start: passage.start,
    end: passage.end,
    headingPath: passage.headingPath,
    ...(passage.asOf !== undefined && { asOf: passage.asOf, revision: passage.revision }),
  };
}

/**
 * wire-contract 4.7: the texts as blocks, numbered from `first` so that a citation mark is a
 * block's number.
 */
export function buildContext(texts: readonly string[], first = 1): string {
  return texts
    .map((text, index) => {
      const number = first + index;
      return `[CONTEXT ${number}]:\n${text}\n[END CONTEXT ${number}]\n\n`;
    })
    .join("");
}
