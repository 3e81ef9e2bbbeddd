import type { QuotablePassage, QuotableSentence } from "./quotable-sentence.ts";

const maxSentences = 3;
/**
 * Sentences below this share of the best one are not quoted, because they only share a word. `own`
 * applies to their own content.
 */
const minShareOfBest = { score: 0.6, own: 0.5 };
/** Passages below this share of the best one's score are not quoted: a weaker one never wins. */
const minShareOfPassage = 0.5;
/**
 * Where only a weaker passage seems to contain the kind of answer asked for, a sentence with nearly
 * all of the question is quoted instead: a notice may write its dates in its own way.
 */
const nearlyAll = 0.8;

/** The best sentence, then the next best that come close to it and add something new. */
export function selectSentences(
  sentences: QuotableSentence[],
  passages: readonly QuotablePassage[],
  threshold: number,
): QuotableSentence[] {
  const bestPassage = passages.reduce(
    (most, { score, isUnrated }) => (isUnrated ? most : Math.max(most, score)),
    0,
  );
  const isStrong = ({ passage }: QuotableSentence): boolean => {
    const { score, isUnrated } = passages[passage]!;
    return isUnrated === true || score >= minShareOfPassage * bestPassage;
  };
  const candidates = sentences.filter(
    ({ own, score }) => own > 0 && score > 0 && score >= threshold,
  );
  // The header of a mail names its subject and people, but only its text says something about them.
  const texts = candidates.filter(({ form }) => form !== "mail-header");
  const answering = texts.length > 0 ? texts : candidates;
  const strong = answering.filter(isStrong);
  const good =
    strong.length > 0 || answering.length === 0
      ? strong
      : sentences.filter(
          (sentence) =>
            sentence.own > 0 &&
            sentence.coverage >= Math.max(threshold, nearlyAll) &&
            isStrong(sentence),
        );
  const best = good.reduce<QuotableSentence | null>(
    (most, sentence) =>
      most === null ||
      sentence.score * (0.5 + 0.5 * sentence.own) > most.score * (0.5 + 0.5 * most.own)
        ? sentence
        : most,
    null,
  );
  if (best === null) return [];
  const chosen: QuotableSentence[] = [];
  const marginalScore = (sentence: QuotableSentence): number => {
    const similarity = chosen.reduce(
      (most, other) => Math.max(most, overlap(sentence.terms, other.terms)),
      0,
    );
    return (
      sentence.score *
      (0.5 + 0.5 * sentence.own) *
      (0.9 + 0.1 * passages[sentence.passage]!.score) *
      (1 - 0.5 * similarity)
    );
  };
  const left = new Set(
    good.filter(
      (sentence) =>
        sentence.score >= minShareOfBest.score * best.score &&
        sentence.own >= minShareOfBest.own * best.own,
    ),
  );
  while (chosen.length < maxSentences && left.size) {
    const next = [...left].reduce((most, sentence) =>
      marginalScore(sentence) > marginalScore(most) ? sentence : most,
    );
    left.delete(next);
    if (!chosen.some((other) => overlap(next.terms, other.terms) > 0.8)) chosen.push(next);
  }
  const fact = missingFact(chosen, sentences);
  if (fact !== undefined) chosen.splice(1, chosen.length, fact);
  return chosen.sort((a, b) => a.passage - b.passage || a.start - b.start);
}

/**
 * The date, place or price that the quotes lack, from the "header: value" lines under the same
 * heading: a notice names them apart from its sentences.
 */
function missingFact(
  chosen: readonly QuotableSentence[],
  sentences: readonly QuotableSentence[],
): QuotableSentence | undefined {
  if (chosen.some(({ evidence }) => evidence > 0)) return undefined;
  return sentences.find(
    (sentence) =>
      sentence.form === "record" &&
      sentence.evidence > 0 &&
      sentence.announced > 0 &&
      sentence.passage === chosen[0]!.passage,
  );
}

function overlap(a: Set<string>, b: Set<string>): number {
  let common = 0;
  for (const term of a) if (b.has(term)) common++;
  return common / Math.max(1, Math.min(a.size, b.size));
}
