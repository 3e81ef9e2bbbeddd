import { inverseDocumentFrequency } from "@carrel/vector-store";
import { analyseQuestion, analyseTerms } from "./analyse.ts";
import { answerKind } from "./answer-kind.ts";
import { fold } from "./fold.ts";
import { detectLanguage } from "./language.ts";
import {
  quotableSentences,
  type QuotablePassage,
  type QuotableSentence,
} from "./quotable-sentence.ts";
import type { QuotedSentence } from "./quote-text.ts";

/** Requests for a summary in the languages with a stemmer, folded. */
const requests = new RegExp(
  `(?:^|[^\\p{L}])(?:${[
    // English
    "summari[sz]e|sum up|(?:give|write|make|show)[^.?]{0,30}(?:summary|overview)|(?:summary|overview) of|(?:main|key) (?:points?|findings|takeaways)|tl;?dr",
    // German, French, Spanish, Italian, Portuguese, Dutch
    "zusammenfass\\p{L}*|fass\\p{L}* [^?]*zusammen|hauptpunkte|kernaussagen|uberblick uber",
    "resume[rz]?|resumer|points? (?:principaux|cles|essentiels)",
    "resum(?:e|en|ir|a)|puntos (?:principales|clave)",
    "riassum\\p{L}+|riepilog\\p{L}+|punti (?:principali|chiave)",
    "resumo|resuma|pontos (?:principais|chave)",
    "samenvat\\p{L}*|vat [^?]*samen|hoofdpunten",
    // Swedish, Norwegian, Danish, Finnish, Hungarian, Romanian
    "sammanfatta\\p{L}*|oppsummer\\p{L}*|sammendrag|opsummer\\p{L}*|sammenfat\\p{L}*|tiivista\\p{L}*|yhteenveto|osszefoglal\\p{L}*|foglal[dj]\\p{L}* ossze|rezum\\p{L}+",
    // Turkish, Lithuanian, Indonesian, Vietnamese
    "ozetle\\p{L}*|ozeti?|apibendrin\\p{L}+|santrauk\\p{L}+|ringkas\\p{L}*|rangkum\\p{L}*|tom tat",
    // Russian, Ukrainian, Greek
    "резюмир\\p{L}+|обобщи\\p{L}*|кратко излож\\p{L}+|кратк\\p{L}+ содержание|подсум\\p{L}+|узагальн\\p{L}+|стисло виклад\\p{L}+|συνοψ\\p{L}+|περιληψη",
  ].join("|")})(?=[^\\p{L}]|$)`,
  "u",
);
/** Words of a request that don't name a topic. */
const plain =
  /^(?:main|key|point|points|finding|findings|takeaway|takeaways|decision|decisions|conclusion|conclusions|summary|overview|document|documents|dokument|dokumente|dokumenten|file|files|text|texts|workspace|short|brief|important|document|documento|documentos|documenti)$/;

/**
 * The words that say what to summarise, folded; empty for everything. null if the question asks for
 * something else: "What was in the executive summary of 2019?" asks for a fact.
 */
export function readSummaryRequest(question: string): string[] | null {
  const folded = fold(question);
  const request = requests.exec(folded);
  if (request === null || answerKind(question) !== null) return null;
  return analyseQuestion(folded.replace(request[0], " "), { languages: [] })
    .filter((word) => word.isStop !== true)
    .map((word) => word.forms[0]!)
    .filter((word) => !plain.test(word));
}

/** Maximum sentences of a summary, unless it covers more documents. */
const maxSentences = 5;
/** Maximum documents in a summary, with one sentence each. */
const maxSummarised = 12;
/** Comparing every pair is quadratic, so only the first sentences of each passage are compared. */
const maxCompared = 300;
/** Usual values of LexRank: minimum similarity of linked sentences, and damping. */
const minSimilarity = 0.1,
  damping = 0.85;
const rounds = 30;
/** A sentence with fewer terms says little, and one with more is rarely a sentence. */
const terms = { least: 4, most: 60 };
/** Sentences this similar to a chosen one add nothing. */
const maxSimilarity = 0.5;

/**
 * The sentences most similar to the others (LexRank), without repeats, in reading order: the best
 * of each document (`title`), of at most twelve, then others up to five. Needs only the languages'
 * stems. `topic`: only passages under a title or heading with one of these words, else those with
 * one in their text; all if there are none.
 */
export function summarise(
  passages: QuotablePassage[],
  topic: readonly string[] = [],
): QuotedSentence[] {
  const isAbout = narrow(passages, topic);
  const perPassage = Math.max(1, Math.floor(maxCompared / Math.max(1, passages.length)));
  const sentences = passages.slice(0, maxCompared).flatMap((passage, index) =>
    quotableSentences(passage, index, detectLanguage(passage.text))
      .filter(
        ({ terms: own, refersBack, form }) =>
          isAbout(index) &&
          !refersBack &&
          form !== "mail-header" &&
          own.size >= terms.least &&
          own.size <= terms.most,
      )
      .slice(0, perPassage),
  );
  const similarity = compare(sentences);
  const ranks = rankByLinks(similarity);
  const chosen: number[] = [];
  const ranked = [...sentences.keys()].sort((a, b) => ranks[b]! - ranks[a]! || a - b);
  const isNew = (index: number): boolean =>
    chosen.every((other) => similarity[index]![other]! < maxSimilarity);
  const documents = [
    ...Map.groupBy(ranked, (index) => documentOf(passages[sentences[index]!.passage]!)).values(),
  ];
  if (documents.length > 1)
    for (const own of documents.slice(0, maxSummarised)) {
      const merits = new Map(own.map((index) => [index, meritOf(index, own, sentences, ranks)]));
      const best = own.filter(isNew).sort((a, b) => merits.get(b)! - merits.get(a)! || a - b)[0];
      if (best !== undefined) chosen.push(best);
    }
  for (const index of ranked) {
    if (chosen.length >= maxSentences) break;
    if (isNew(index)) chosen.push(index);
  }
  return chosen
    .sort((a, b) => a - b)
    .map((index) => {
      const { text, passage, start, end } = sentences[index]!;
      return { text, passage: passage + 1, start, end, score: 1 };
    });
}

/** Weights of the parts of a sentence's merit. */
const share = { heading: 0.7, lead: 0.3, record: 0.5 };
/** A shorter sentence says less. */
const fullLength = 80;

/**
 * How well a sentence represents its document, whose sentences are `own`, best rank first: by its
 * rank, the words of its title and headings, its length and its position, because documents begin
 * with their subject.
 */
function meritOf(
  index: number,
  own: readonly number[],
  sentences: readonly QuotableSentence[],
  ranks: readonly number[],
): number {
  const { above, form, terms: words, text } = sentences[index]!;
  const named = [...above].filter((term) => words.has(term)).length;
  const place = own.filter((other) => other < index).length;
  const merit =
    ranks[index]! / ranks[own[0]!]! +
    (share.heading * named) / Math.max(1, above.size) +
    share.lead / (1 + place);
  return merit * Math.min(1, text.length / fullLength) * (form === "record" ? share.record : 1);
}

const documentOf = ({ documentId, title }: QuotablePassage): string => documentId ?? title;

function narrow(
  passages: QuotablePassage[],
  topic: readonly string[],
): (passage: number) => boolean {
  const languages = [...new Set(passages.flatMap(({ text }) => detectLanguage(text) ?? []))];
  const forms = new Set(
    analyseQuestion(topic.join(" "), { languages }).flatMap((word) => word.forms),
  );
  const contains = ({ text }: { text: string }, language: string | null): boolean =>
    analyseTerms(text, { language }).some((term) => forms.has(term));
  const titled = passages.map(({ text, title, headingPath }) =>
    contains({ text: [title, ...headingPath].join("\n") }, detectLanguage(text)),
  );
  if (titled.includes(true)) return (passage) => titled[passage]!;
  const written = passages.map((passage) => contains(passage, detectLanguage(passage.text)));
  return written.includes(true) ? (passage) => written[passage]! : () => true;
}

/** Cosine of the sentences' IDF vectors. */
function compare(sentences: QuotableSentence[]): Float64Array[] {
  const frequencies = new Map<string, number>();
  for (const { terms: own } of sentences)
    for (const term of own) frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
  const weightOf = (term: string): number =>
    inverseDocumentFrequency(frequencies.get(term)!, sentences.length);
  const lengths = sentences.map(({ terms: own }) =>
    Math.sqrt([...own].reduce((sum, term) => sum + weightOf(term) ** 2, 0)),
  );
  const similarity = sentences.map(() => new Float64Array(sentences.length));
  for (const [a, one] of sentences.entries())
    for (let b = 0; b < a; b++) {
      let shared = 0;
      for (const term of one.terms)
        if (sentences[b]!.terms.has(term)) shared += weightOf(term) ** 2;
      const cosine = shared / (lengths[a]! * lengths[b]! || 1);
      similarity[a]![b] = similarity[b]![a] = cosine;
    }
  return similarity;
}

/** PageRank over sentences that are similar enough. */
function rankByLinks(similarity: Float64Array[]): number[] {
  const count = similarity.length;
  const links = similarity.map((row) =>
    [...row.keys()].filter((other) => row[other]! >= minSimilarity),
  );
  let ranks = similarity.map(() => 1 / count);
  for (let round = 0; round < rounds; round++)
    ranks = links.map(
      (linked) =>
        (1 - damping) / count +
        damping * linked.reduce((sum, other) => sum + ranks[other]! / links[other]!.length, 0),
    );
  return ranks;
}
