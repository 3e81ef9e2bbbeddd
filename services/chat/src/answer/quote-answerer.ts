import { setTimeout as wait } from "node:timers/promises";
import { quotingProvider } from "@carrel/contracts";
import { readSummaryRequest } from "@carrel/retrieval";
import { findTexts, type Texts } from "@carrel/texts";
import { selectSources } from "../retrieval/earlier-sources.ts";
import { cutIntoPassages } from "../retrieval/full-texts.ts";
import type { Overview } from "../retrieval/question-search.ts";
import { notifyCoverage, type AnswerTask, type Answerer } from "./answerer.ts";
import type { QuoteFinder } from "./quote-finder.ts";
import type { Quotation } from "./quote-passages.ts";

/*
 * Quotes as Markdown: a document's text must not break out of its quote, and none of it may be
 * interpreted as HTML by the programs that show answers.
 */

/** Text with lists, tables, code, links or bold words; other text is taken as it is. */
const markdown =
  /^ {0,3}(?:```|~~~|[-*+] |\d{1,9}[.)] )|^ *\|?(?: *:?-+:? *\|)+ *:?-*:? *$|\]\(|\*\*\S/m;
const indented = /^(?: {2,}|\t)\S/m;
const fence = /^ {0,3}(?:```|~~~)/;
/** A line break within a sentence of a printed paragraph. */
const wrapped = /(?<=[^\n]{39}[^\n.:;!?{}()])\n(?=\p{Ll})/gu;
/** Code; or the start of a tag or of a definition, which would turn citation marks into links. */
const codeOrMarkup =
  /(^ {0,3}(`{3,}|~{3,})[\s\S]*?\n {0,3}\2|`[^`\n]*`)|<(?=[a-z/!?])(?!https?:|mailto:)|^\[(?=[^\]\n]+\]:)/gim;
const tableRule = /^ *\|?(?: *:?-+:? *\|)+ *:?-*:? *$/m;

/** A quote and the mark that cites its source, which a table or code can't contain. */
function citeQuote(text: string, number: number): string {
  const last = text.slice(text.lastIndexOf("\n") + 1);
  const isBlock = fence.test(last) || (tableRule.test(text) && last.includes("|"));
  return `${text}${isBlock ? "\n\n" : " "}[${number}]`;
}

/** An excerpt in a block quote. Its lines are kept, and its tags are shown as text. */
const quoteExcerpt = (text: string, number: number): string =>
  citeQuote(asMarkdown(text), number)
    .split("\n")
    .map((line) => (line === "" ? ">" : `> ${line}`))
    .join("\n");

function asMarkdown(text: string): string {
  if (!markdown.test(text)) {
    if (indented.test(text)) return `\`\`\`\n${text}\n\`\`\``;
    // A backslash at a line's end is a line break.
    return escapeMarkup(text.replace(wrapped, " ")).replace(/(?<=\S)\n(?=\S)/g, "\\\n");
  }
  return escapeMarkup(text);
}

const escapeMarkup = (text: string): string =>
  text.replace(codeOrMarkup, (match, code: string | undefined) => code ?? `\\${match}`);

/** Yields the answer in pieces, one per quote, as they are sent. */
export function* formatQuotation({ kind, quotes }: Quotation, say: Texts): Generator<string> {
  if (kind === "closest-passages") yield say("closestPassages");
  for (const [index, { text, passage }] of quotes.entries()) {
    const isFirst = kind === "answer" && index === 0;
    yield `${isFirst ? "" : "\n\n"}${(kind === "answer" ? citeQuote : quoteExcerpt)(text, passage)}`;
  }
}

/** The answer in chat mode if nothing is near. */
export function sayNothingFound(
  {
    documentCount,
    waitsForStore,
    places,
  }: Pick<AnswerTask, "documentCount" | "waitsForStore" | "places">,
  say: Texts,
): string {
  if (waitsForStore !== null) return say("storeUnavailable", { store: waitsForStore });
  if (documentCount === 0) return say("noDocuments");
  return say(places === null ? "nothingFound" : "nothingFoundInChoice");
}

/** Pause between two quotes, so that they appear one after the other. */
const quotePauseMs = 20;

/** The beginning of an overview of the documents; suggested questions are taken from it, too. */
export const quotedOverview: Overview = { documents: 20, passages: 8, isBroad: false };

/** The built-in answerer: quotes the documents, without a model or an API key. */
export class QuoteAnswerer implements Answerer {
  readonly provider = quotingProvider;
  readonly model = quotingProvider;
  readonly fullTextLimit = 400_000;
  readonly usesMemories = false;
  readonly overview = quotedOverview;

  constructor(private readonly quotes: QuoteFinder) {}

  wantsOverview(question: string): boolean {
    return readSummaryRequest(question) !== null;
  }

  async answer(task: AnswerTask): Promise<"answered" | "nothing-found"> {
    const { draft, output, passages, question, signal } = task;
    if (task.attachments.some(({ blobKey }) => blobKey !== undefined))
      draft.notify(output, { code: "notice.images-not-quoted" });
    const quotation = await this.quotes.find(
      {
        question,
        fullTexts: cutIntoPassages(task.fullTexts, this.fullTextLimit),
        readings: task.readings,
        passages,
        threshold: task.workspace.similarityThreshold,
      },
      signal,
    );
    const isOfAll = task.fullTexts.length === 0 && readSummaryRequest(question)?.length === 0;
    draft.notes.quoted = quotation.passages.map((passage) => passage.chunkId);
    if (quotation.kind === "nothing-found" && draft.mode === "query") return "nothing-found";
    if (isOfAll) notifyCoverage(task, quotation.passages);
    draft.kind = quotation.kind === "answer" ? null : quotation.kind;
    draft.setSources(selectSources(quotation.passages));
    output.startWriting(draft.sources, draft.kind);
    draft.promptText = question;
    const say = findTexts(task.scope.language);
    const pieces =
      quotation.kind === "nothing-found"
        ? [sayNothingFound(task, say)]
        : formatQuotation(quotation, say);
    for (const piece of pieces) {
      signal.throwIfAborted();
      // One stream part per quote: texts within 15 ms are merged into one part.
      if (draft.text.length > 0) await wait(quotePauseMs);
      // Verbatim, because what looks like a citation mark in a document isn't one.
      output.sendText(draft.text.pushVerbatim(piece));
    }
    return "answered";
  }
}
