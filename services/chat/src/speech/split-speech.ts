/** The first piece is short, so that its audio arrives soon. */
const firstCharacters = 160;
/** Later pieces are generated while earlier ones are heard. */
const laterCharacters = 1_200;

/** Pieces of at most `longest` characters that end with a sentence, where sentences are shorter. */
export function splitSpeech(text: string, longest: number): string[] {
  const pieces: string[] = [];
  for (const sentence of listSentences(text, longest)) {
    const last = pieces.at(-1);
    const limit = Math.min(longest, pieces.length === 1 ? firstCharacters : laterCharacters);
    if (last !== undefined && last.length + 1 + sentence.length <= limit)
      pieces[pieces.length - 1] = `${last} ${sentence}`;
    else pieces.push(sentence);
  }
  return pieces;
}

/** Sentences; longer ones are cut at spaces. */
function* listSentences(text: string, longest: number): Iterable<string> {
  const segmenter = new Intl.Segmenter(undefined, { granularity: "sentence" });
  for (const { segment } of segmenter.segment(text)) {
    let rest = segment.replace(/\s+/g, " ").trim();
    while (rest.length > longest) {
      const space = rest.lastIndexOf(" ", longest);
      const end = space > 0 ? space : longest;
      yield rest.slice(0, end);
      rest = rest.slice(end).trim();
    }
    if (rest !== "") yield rest;
  }
}
