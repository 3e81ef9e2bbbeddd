import { join, resolve } from "node:path";
import { Collection, findBesideCheckout } from "@carrel/testing";
import {
  queryModeDocuments,
  queryModeQuestions,
  queryModeSets,
} from "../libs/retrieval/test/query-mode.ts";

const chosen =
  process.argv.find((argument) => argument.startsWith("--collection="))?.split("=")[1] ?? null;
const data = findBesideCheckout("data");
const folders =
  chosen !== null
    ? [resolve(chosen)]
    : data === null
      ? []
      : ["cranfield", "cisi"].map((name) => join(data, name));

/** Questions and the documents that answer them. */
export interface Judged {
  name: string;
  documents: { id: string; title: string; text: string }[];
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
