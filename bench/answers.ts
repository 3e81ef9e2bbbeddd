import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { openLanceStore } from "@carrel/vector-store";
import { openLibrary } from "../libs/retrieval/test/query-mode.ts";
import {
  containsAnswer,
  readXquad,
  xquadLanguages,
  type QuestionSet,
} from "../libs/retrieval/test/xquad.ts";
import { readQueryMode, variants } from "./answer-questions.ts";

/** Outcome of the questions of one kind, as shares of them. */
interface Outcome {
  right: number;
  other: number;
  closest: number;
  /** Closest passages that contain the answer. */
  closestRight: number;
  refused: number;
  /** A passage that search found contains the answer. */
  inPassages: number;
  /** No passage passed the default threshold. */
  withoutResult: number;
}

const option = (name: string): string | null =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.split("=")[1] ?? null;

type Library = Awaited<ReturnType<typeof openLibrary>>;

/**
 * Answers without a model, in query mode: how many questions are answered with a sentence that
 * contains an accepted answer, asked plainly and with polite or formal additions.
 * `--languages=en,de`, `--questions=60`, `--fold=0`, `--plain`, `--show=other|refused|…`.
 */
export async function measureAnswers(folder: string): Promise<void> {
  if ((option("sets") ?? "") !== "xquad")
    for (const set of await readQueryMode()) await measureSet(set, folder);
  const languages = option("languages")?.split(",").filter(Boolean) ?? xquadLanguages;
  for (const language of languages) {
    const set = await readXquad(language, {
      fold: Number(option("fold") ?? 0),
      most: Number(option("questions") ?? (language === "en" ? 60 : 30)),
    });
    if (set === null) {
      console.log("Answers: not measured, ../shared/data/xquad is missing");
      return;
    }
    await measureSet(set, folder);
  }
}

async function measureSet(set: QuestionSet, folder: string): Promise<void> {
  const store = await openLanceStore({ folder: join(folder, randomUUID()) });
  const library = await openLibrary(store, 1, set.documents);
  console.log(
    `\n${set.name}: ${set.documents.length} documents, ${set.answerable.length} answerable and ${set.unanswerable.length} unanswerable questions; share in percent\n` +
      `  ${"".padEnd(28)}right other closest (with answer) refused | in passages, no result`,
  );
  const ways = process.argv.includes("--plain") ? {} : (variants[set.language] ?? {});
  for (const [name, ask] of Object.entries({ plain: (text: string) => text, ...ways })) {
    print(name, await count(library, set.answerable, ask));
    print("  about other articles", await count(library, set.unanswerable, ask));
    print("  paragraph removed", await count(library, set.removed, ask));
  }
  await store.close();
}

function print(name: string, outcome: Outcome): void {
  const percent = (share: number): string => (100 * share).toFixed(1).padStart(5);
  console.log(
    `  ${name.padEnd(28)}${percent(outcome.right)} ${percent(outcome.other)} ${percent(outcome.closest)}   (${percent(outcome.closestRight)})      ${percent(outcome.refused)}   | ${percent(outcome.inPassages)} ${percent(outcome.withoutResult)}`,
  );
}

async function count(
  library: Library,
  questions: QuestionSet["answerable"],
  ask: (text: string) => string,
): Promise<Outcome> {
  const outcome: Outcome = {
    right: 0,
    other: 0,
    closest: 0,
    closestRight: 0,
    refused: 0,
    inPassages: 0,
    withoutResult: 0,
  };
  const show = option("show");
  for (const { text, answers } of questions) {
    const { passages, quotes, closest } = await library.ask(ask(text));
    const contains = (texts: { text: string }[]): boolean =>
      containsAnswer(
        texts.map((each) => each.text),
        answers,
      );
    const kind = kindOf(quotes, closest, contains);
    outcome[kind] += 1 / questions.length;
    if (contains(passages)) outcome.inPassages += 1 / questions.length;
    if (kind === "closest" && contains(closest)) outcome.closestRight += 1 / questions.length;
    if (passages.length === 0) outcome.withoutResult += 1 / questions.length;
    if (
      show === kind ||
      (show === "false" && answers.length === 0 && kind === "other") ||
      (show === "wrong" && answers.length > 0 && kind !== "right")
    )
      console.log(
        `    ${text}  [${answers.join(" | ")}]${contains(passages) ? " (in passages)" : ""}\n${[...quotes, ...closest].map((quote) => `      → ${quote.score.toFixed(2)} ${quote.text}`).join("\n")}`,
      );
  }
  return outcome;
}

function kindOf<Text>(
  quotes: Text[],
  closest: Text[],
  contains: (texts: Text[]) => boolean,
): "right" | "other" | "closest" | "refused" {
  if (quotes.length > 0) return contains(quotes) ? "right" : "other";
  return closest.length > 0 ? "closest" : "refused";
}
