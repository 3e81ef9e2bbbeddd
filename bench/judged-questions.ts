import { join, resolve } from "node:path";
import { Collection, findBesideCheckout } from "@carrel/testing";
import {
  queryModeDocuments,
  queryModeQuestions,
  queryModeSets,
} from "../libs/retrieval/test/query-mode.ts";
import { readXquadArticles, xquadLanguages } from "../libs/retrieval/test/xquad.ts";

const chosen =
  process.argv.find((argument) => argument.startsWith("--collection="))?.split("=")[1] ?? null;
const data = findBesideCheckout("data");
const folders =
  chosen !== null
    ? [resolve(chosen)]
    : data === null
      ? []
      : ["cranfield", "cisi"].map((name) => join(data, name));

export interface JudgedDocument {
  id: string;
  title: string;
  text: string;
  /** Its parts, if questions are judged by parts; positions in characters. */
  parts?: { id: string; start: number; end: number }[];
}

/** Questions and the documents, or parts of documents, that answer them. */
export interface Judged {
  name: string;
  documents: JudgedDocument[];
  questions: { text: string; wanted: ReadonlySet<string> }[];
}

/** The collections of texts and judged questions; those whose folder is missing are left out. */
export async function readCollections(): Promise<Judged[]> {
  const collections = folders.map((folder) => new Collection(folder));
  const missing = collections.filter(({ exists }) => !exists);
  if (missing.length > 0 || collections.length === 0)
    console.log(
      `Not measured, missing (corpus.jsonl, queries.jsonl, qrels.tsv): ${missing.map(({ folder }) => folder).join(", ") || "../shared/data"}. Choose one with --collection=<folder>.`,
    );
  return Promise.all(
    collections
      .filter(({ exists }) => exists)
      .map(async (collection) => {
        const relevant = await collection.relevant();
        return {
          name: collection.folder,
          documents: await collection.documents(),
          questions: (await collection.questions()).flatMap(({ id, text }) =>
            relevant.get(id)?.size ? [{ text, wanted: relevant.get(id)! }] : [],
          ),
        };
      }),
  );
}

/** The questions of the query-mode tests. */
export async function readTestQuestions(): Promise<Judged> {
  const judged: Judged = {
    name: "questions of the tests, each with the one document that answers it",
    documents: [],
    questions: [],
  };
  for (const set of queryModeSets) {
    for (const document of await queryModeDocuments(set))
      judged.documents.push({ ...document, id: `${set}/${document.title}` });
    for (const { question, document } of await queryModeQuestions(set))
      if (document !== undefined)
        judged.questions.push({ text: question, wanted: new Set([`${set}/${document}`]) });
  }
  return judged;
}

/** XQuAD: whole articles with questions that one paragraph each answers, in five languages. */
export async function readArticles(): Promise<Judged[]> {
  if (chosen !== null) return [];
  const sets = await Promise.all(
    xquadLanguages.map(async (language): Promise<Judged | null> => {
      const articles = await readXquadArticles(language);
      if (articles === null) return null;
      const judged: Judged = { name: `XQuAD ${language}`, documents: [], questions: [] };
      for (const { article, paragraphs } of articles) {
        const id = String(article);
        const parts: NonNullable<JudgedDocument["parts"]> = [];
        let text = "";
        for (const [place, paragraph] of paragraphs.entries()) {
          const start = text.length;
          text += `${paragraph.text}\n\n`;
          const part = { id: `${id}/${place}`, start, end: start + paragraph.text.length };
          parts.push(part);
          for (const { question } of paragraph.questions)
            judged.questions.push({ text: question, wanted: new Set([part.id]) });
        }
        judged.documents.push({ id, title: "", text, parts });
      }
      return judged;
    }),
  );
  return sets.filter((judged) => judged !== null);
}
