import { excerptAround } from "./excerpt.ts";
import { rateSentences, type ExtractiveInput } from "./quote-sentences.ts";
import type { QuotedSentence } from "./quote-text.ts";
import { rankSentence } from "./select-sentences.ts";
import type { RatedSentence } from "./sentence-features.ts";

const maxExcerpts = 3;
/**
 * An excerpt is left out if it covers less than this share of what the best one covers of the
 * question: it only shares a common word with it.
 */
const minShareOfBest = 0.3;

/**
 * What to show if no sentence answers the question: at most 3 readable excerpts, one per passage,
 * best first. An excerpt is a run of whole sentences around the best one, or its list, table or
 * code with its lead-in, of about 500 characters, with lines and Markdown as in the passage. Empty
 * only if no passage contains an informative word of the question.
 */
export function closestPassages(input: ExtractiveInput): QuotedSentence[] {
  const sentences = rateSentences(input);
  const inPassages = [...Map.groupBy(sentences, ({ passage }) => passage).values()];
  const best = inPassages
    .map((own) => own.reduce((most, each) => (rankOf(each) > rankOf(most) ? each : most)))
    .sort((a, b) => rankOf(b) - rankOf(a));
  const most = best.reduce((share, sentence) => Math.max(share, nearness(sentence)), 0);
  return best
    .filter((sentence) => nearness(sentence) > 0 && nearness(sentence) >= minShareOfBest * most)
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
        score: nearness(sentence),
      };
    });
}

const rankOf = ({ features }: RatedSentence): number => rankSentence(features);
/** The share of the question that the sentence, its neighbours and its headings cover. */
const nearness = ({ features }: RatedSentence): number => features.around;
