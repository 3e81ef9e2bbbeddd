import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { findBesideCheckout } from "@carrel/testing";

/** A question and its accepted answers; none if the uploaded documents don't answer it. */
export interface AskedQuestion {
  text: string;
  answers: string[];
}

/** Documents to upload, and questions about them and about others. */
export interface QuestionSet {
  name: string;
  language: string;
  documents: { title: string; text: string }[];
  answerable: AskedQuestion[];
  /** Questions about articles that aren't uploaded. */
  unanswerable: AskedQuestion[];
  /**
   * Questions about one paragraph, removed from each uploaded article: the topic is still there.
   */
  removed: AskedQuestion[];
}

/** Whether texts contain one of the accepted answers. */
export function containsAnswer(texts: readonly string[], answers: readonly string[]): boolean {
  const joined = normalise(texts.join("\n"));
  return answers.some((answer) => joined.includes(normalise(answer)));
}

const normalise = (text: string): string => text.toLowerCase().replace(/\s+/g, " ").trim();

/** One article, in the order of the file. */
export interface Article {
  article: number;
  paragraphs: { text: string; questions: { question: string; answers: string[] }[] }[];
}

export const xquadLanguages = ["en", "de", "es", "zh", "ar"];
const xquad = findBesideCheckout("data");

/** The articles in one language; null if the data is missing. */
export async function readXquadArticles(language: string): Promise<Article[] | null> {
  if (xquad === null) return null;
  const lines = await readFile(join(xquad, "xquad", `${language}.jsonl`), "utf8").catch(() => null);
  return lines?.split("\n").flatMap((line): Article[] => (line ? [JSON.parse(line)] : [])) ?? null;
}

/**
 * XQuAD in one language: articles as documents, without every third one (`fold`, 0 to 2: which),
 * and without one paragraph of each. `most`: number of questions of each kind, spread evenly. null
 * if the data is missing.
 */
export async function readXquad(
  language: string,
  { fold = 0, most = Infinity }: { fold?: number; most?: number } = {},
): Promise<QuestionSet | null> {
  const articles = await readXquadArticles(language);
  if (articles === null) return null;
  const [uploaded, others] = [true, false].map((isUploaded) =>
    articles.filter(({ article }) => (article % 3 !== fold) === isUploaded),
  ) as [Article[], Article[]];
  const paragraphsOf = (some: Article[], isRemoved: boolean): Article["paragraphs"] =>
    some.flatMap(({ article, paragraphs }) =>
      paragraphs.filter((_, place) => (place === article % paragraphs.length) === isRemoved),
    );
  const questionsOf = (paragraphs: Article["paragraphs"]): AskedQuestion[] =>
    paragraphs.flatMap(({ questions }) =>
      questions.map(({ question, answers }) => ({ text: question, answers })),
    );
  const withoutAnswers = ({ text }: AskedQuestion): AskedQuestion => ({ text, answers: [] });
  return {
    name: `XQuAD ${language}`,
    language,
    documents: uploaded.map((each) => ({
      title: `article-${each.article}.txt`,
      text: paragraphsOf([each], false)
        .map(({ text }) => text)
        .join("\n\n"),
    })),
    answerable: spread(questionsOf(paragraphsOf(uploaded, false)), most),
    unanswerable: spread(questionsOf(others.flatMap(({ paragraphs }) => paragraphs)), most).map(
      withoutAnswers,
    ),
    removed: spread(questionsOf(paragraphsOf(uploaded, true)), most).map(withoutAnswers),
  };
}

function spread<Item>(items: Item[], most: number): Item[] {
  const step = Math.max(1, items.length / most);
  return items.filter((_, place) => Math.floor(place / step) !== Math.floor((place - 1) / step));
}
