import type { Passage, SourceWire } from "@carrel/contracts";

/** Whether search rated the passage. Full texts and overviews don't come from search. */
export const isRated = ({ denseScore, textScore }: Passage): boolean =>
  denseScore !== null || textScore !== null;

/**
 * Returns the passages as sources of an answer, in the order of their citation numbers;
 * wire-contract 4.8, with the document header before the text. Only rated ones have a score.
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

/** A source's text without that header. */
export const withoutHeader = (text: string): string =>
  text.replace(/^<document_metadata>[\s\S]*?<\/document_metadata>\s*/, "");

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
    ...(isRated(passage) && { score: passage.score }),
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
 * first. The larger one keeps all of the text, so it also takes the better one's place and score:
 * what ranks low may not fit into the prompt.
 */
export function dropContainedPassages(passages: readonly Passage[]): Passage[] {
  const kept: Passage[] = [];
  for (const passage of passages) {
    if (kept.some((other) => contains(other, passage))) continue;
    const place = kept.findIndex((other) => contains(passage, other));
    if (place === -1) {
      kept.push(passage);
      continue;
    }
    const { score } = kept[place]!;
    const rest = kept.slice(place + 1).filter((other) => !contains(passage, other));
    kept.splice(place, Infinity, { ...passage, score }, ...rest);
  }
  return kept;
}

export const contains = (outer: Passage, inner: Passage): boolean =>
  outer.documentId === inner.documentId && outer.start <= inner.start && outer.end >= inner.end;
