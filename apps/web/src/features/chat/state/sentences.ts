/**
 * The complete sentences of `text` from character `from`; an unfinished last one is left for later.
 */
export function finishedSentences(text: string, from: number): { words: string; to: number } {
  const rest = text.slice(from);
  const segments = [...new Intl.Segmenter(undefined, { granularity: "sentence" }).segment(rest)];
  segments.pop(); // may still grow
  const words = segments.map((segment) => segment.segment).join("");
  return { words: words.replace(/[*_`#>|]|\[\d+\]/g, "").trim(), to: from + words.length };
}
