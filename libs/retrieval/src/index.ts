export {
  analyse,
  analyseQuestion,
  analyseTerms,
  type AnalysedTerm,
  type QuestionWord,
} from "./analyse.ts";
export { chunkTerms } from "./chunk-terms.ts";
export { coverageDepth, scoreByCoverage } from "./coverage.ts";
export type { ExpansionTerm } from "./expand-question.ts";
export { fuse, type RankedChunk } from "./fuse.ts";
export { detectLanguage } from "./language.ts";
export type { ChunkContent } from "./near-duplicates.ts";
export {
  bodyTermsOf,
  rankCandidates,
  searchCandidates,
  type Candidates,
  type Ranking,
  type SearchRequest,
} from "./search.ts";
export {
  selectPassages,
  type ChunkFate,
  type ChunkPlace,
  type SelectedPassage,
} from "./select-passages.ts";
export { splitText, type Chunk, type SplitOptions } from "./split-text.ts";
export { quoteSentences, type ExtractiveInput, type QuotedSentence } from "./quote-sentences.ts";
