import { excerptAround } from "./excerpt.ts";
import type { QuotableSentence } from "./quotable-sentence.ts";
import { rateSentences, type ExtractiveInput, type QuotedSentence } from "./quote-sentences.ts";

const maxExcerpts = 3;
/** An excerpt below this part of the best one's score is left out. */
const minShareOfBest = 0.2;

/**
 * What to show if no sentence answers the question: at most 3 readable excerpts, one per passage,
 * best first. An excerpt is a run of whole sentences around the best one, or its list, table or code
 * with what leads into it, of about 500 characters, with its lines and Markdown as in the passage.
 * Empty only if no passage has an informative word of the question.
 */
export function closestPassages(input: ExtractiveInput): QuotedSentence[] {
  const { sentences } = rateSentences(input);
  const inPassages = [...Map.groupBy(sentences, ({ passage }) => passage).values()];
  const best = inPassages
    .map((own) => own.reduce((most, each) => (nearness(each) > nearness(most) ? each : most)))
    .filter((sentence) => nearness(sentence) > 0)
    .sort((a, b) => nearness(b) - nearness(a));
  const least = minShareOfBest * (best[0] === undefined ? 0 : nearness(best[0]));
  return best
    .filter((sentence) => nearness(sentence) >= least)
    .slice(0, maxExcerpts)
    .map((sentence) => {
      const units = sentences
        .filter(({ passage }) => passage === sentence.passage)
        .map(({ unit }) => unit);
      return {
        ...excerptAround(
          input.passages[sentence.passage]!.text,
          units,
          units.indexOf(sentence.unit),
        ),
        passage: sentence.passage + 1,
        score: sentence.score,
      };
    });
}

/** How near a sentence is to the question, whether or not it contains the kind of answer asked for. */
const nearness = ({ coverage }: QuotableSentence): number => coverage;
