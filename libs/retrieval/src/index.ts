export { analyseQuestion } from "./analyse.ts";
export { chunkTerms, languageMark } from "./chunk-terms.ts";
export { searchTerms } from "./search-terms.ts";
export { closestPassages } from "./closest-passages.ts";
export { coverageDepth, scoreByCoverage } from "./coverage.ts";
export type { ExpansionTerm } from "./expand-question.ts";
export { type RankedChunk } from "./fuse.ts";
export { findKeyTerm } from "./key-term.ts";
export { chanceRecall, recallByVectors, recallByWords, splitInHalves } from "./half-recall.ts";
export { detectLanguage } from "./language.ts";
export {
  bodyTermsOf,
  minReach,
  rankCandidates,
  searchCandidates,
  searchedWords,
  type Candidates,
  type Ranking,
} from "./search.ts";
export { selectPassages, type ChunkFate, type SelectedPassage } from "./select-passages.ts";
export { splitText } from "./split-text.ts";
export { quoteSentences } from "./quote-sentences.ts";
export type { QuotedSentence } from "./quote-text.ts";
export { summarise } from "./summarise.ts";
export { readSummaryRequest } from "./summary-request.ts";
export { usesLatinScript, writtenLanguage } from "./written-language.ts";
