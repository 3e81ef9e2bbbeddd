const syllables = "ba co de fi gu ha ki lo mu ne pa ri so tu va we xi yo za ther".split(" ");
const functionWords = "the of and to in is that for with not".split(" ");

/**
 * Reproducible text in which few words are frequent, as in a language. A third are function words
 * of English, by which the language of real texts is recognised.
 */
export function prose(seed: number, characters: number): string {
  let state = (seed * 2_654_435_761 + 1) >>> 0;
  const random = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const word = (): string => {
    if (random() < 1 / 3) return functionWords[Math.floor(random() * functionWords.length)]!;
    let [rest, text] = [Math.floor(20_000 * random() ** 4), ""];
    do {
      text += syllables[rest % 20];
      rest = Math.floor(rest / 20);
    } while (rest > 0);
    return text;
  };
  let text = "";
  while (text.length < characters) {
    const sentence = Array.from({ length: 8 + Math.floor(random() * 12) }, word).join(" ");
    text += `${sentence}. `;
  }
  return text.slice(0, characters);
}
