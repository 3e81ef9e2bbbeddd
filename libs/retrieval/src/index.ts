export { analyseQuestion } from "./analyse.ts";
export { chunkTerms, languageMark, searchTerms } from "./chunk-terms.ts";
export { findKeyTerm } from "./key-term.ts";
export { closestPassages } from "./closest-passages.ts";
export { coverageDepth, scoreByCoverage, type RankedChunk } from "./fuse.ts";
export type { ExpansionTerm } from "./expand-question.ts";
export { chanceRecall, recallByVectors, recallByWords, splitInHalves } from "./half-recall.ts";
export { detectLanguage, usesLatinScript, writtenLanguage } from "./language.ts";
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
export { summarise, readSummaryRequest } from "./summarise.ts";
