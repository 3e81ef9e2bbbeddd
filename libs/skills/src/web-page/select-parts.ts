/** A shorter text is given as a whole. */
const longestWhole = 16_000;
const partLength = 1_500;

/**
 * The parts of a long text that share most words with a question, in the order of the text, with
 * its beginning; the whole text if it is short or none does.
 */
export async function selectParts(text: string, question: string): Promise<string> {
  if (text.length <= longestWhole) return text;
  const { chunkTerms, detectLanguage, searchTerms, splitText } = await import("@carrel/retrieval");
  const wanted = new Set(searchTerms(question));
  const language = detectLanguage(text);
  const parts = splitText({ text, size: partLength, overlap: 0 }).map(({ start, end }) => {
    const part = text.slice(start, end);
    const terms = new Set(chunkTerms({ text: part, title: "", headingPath: [], language }));
    return { start, end, found: [...wanted].filter((term) => terms.has(term)) };
  });
  const counts = new Map<string, number>();
  for (const { found } of parts)
    for (const term of found) counts.set(term, (counts.get(term) ?? 0) + 1);
  const rated = parts.map((part) => ({
    ...part,
    // A word that every part has says nothing.
    score: part.found.reduce(
      (sum, term) => sum + Math.log(1 + parts.length / counts.get(term)!),
      0,
    ),
  }));
  const best = rated.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score);
  if (best.length === 0) return text;
  const kept = new Set<{ start: number; end: number }>([rated[0]!]);
  let length = partLength;
  for (const part of best) {
    if (length + part.end - part.start > longestWhole) break;
    if (!kept.has(part)) length += part.end - part.start;
    kept.add(part);
  }
  let written = "";
  let until = 0;
  for (const part of rated) {
    if (!kept.has(part)) continue;
    const gap = part.start - until > 10 ? "\n\n[…]\n\n" : "\n\n";
    written += (written === "" ? "" : gap) + text.slice(part.start, part.end).trim();
    until = part.end;
  }
  return text.length - until > 10 ? `${written}\n\n[…]` : written;
}
