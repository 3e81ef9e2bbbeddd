/**
 * The excerpts in an answer that shows the closest passages, in the order of its sources: it has one
 * block quote for each, which ends with its citation mark and has no empty line.
 */
export const splitExcerpts = (answer: string): string[] =>
  answer
    .split("\n\n> ")
    .slice(1)
    .map((block) => block.replace(/\n> ?/g, "\n").replace(/\s*\[\d+\]$/, ""));
