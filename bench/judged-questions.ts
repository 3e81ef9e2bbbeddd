import { join, resolve } from "node:path";
import { Collection } from "@carrel/testing";
import {
  queryModeDocuments,
  queryModeQuestions,
  queryModeSets,
} from "../libs/retrieval/test/query-mode.ts";

const option = (name: string): string | undefined =>
  process.argv
    .slice(2)
    .find((argument) => argument.startsWith(`--${name}=`))
    ?.slice(name.length + 3);
const collection = new Collection(
  resolve(
    option("collection") ??
      process.argv.slice(2).find((argument) => !argument.startsWith("-")) ??
      join(import.meta.dirname, "../../shared/data/cranfield"),
  ),
);

/** Questions and the documents that answer them. */
export interface Judged {
  name: string;
  documents: { id: string; title: string; text: string }[];
  questions: { text: string; wanted: ReadonlySet<string> }[];
}

/** A collection of texts and judged questions; null if its folder is missing. */
export async function readCollection(): Promise<Judged | null> {
  if (!collection.exists) {
    console.log(
      `No collection at ${collection.folder} (corpus.jsonl, queries.jsonl, qrels.tsv), so it is not measured. Choose one with --collection=<folder>.`,
    );
    return null;
  }
  const [documents, questions, relevant] = await Promise.all([
    collection.documents(),
    collection.questions(),
    collection.relevant(),
  ]);
  return {
    name: collection.folder,
    documents,
    questions: questions.flatMap(({ id, text }) =>
      relevant.get(id)?.size ? [{ text, wanted: relevant.get(id)! }] : [],
    ),
  };
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
