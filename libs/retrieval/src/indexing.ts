// What indexing needs, without search: threads that split documents load nothing else.
export { chunkTerms } from "./chunk-terms.ts";
export { detectLanguage } from "./language.ts";
export { openingAt, splitText } from "./split-text.ts";
