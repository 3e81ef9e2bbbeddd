import { setTimeout as wait } from "node:timers/promises";
import { quotingProvider } from "@carrel/contracts";
import { readSummaryRequest } from "@carrel/retrieval";
import type { Overview } from "../retrieval/question-search.ts";
import { cutIntoPassages } from "../retrieval/full-texts.ts";
import { selectSources } from "../retrieval/select-sources.ts";
import { notifyCoverage, type Answerer, type AnswerTask } from "./answerer.ts";
import type { QuoteFinder } from "./quote-finder.ts";
import { formatQuotation, sayNothingFound } from "./format-quotes.ts";

/** Pause between two quotes, so that they appear one after the other. */
const quotePauseMs = 20;

/** What an overview of the documents begins with; suggested questions are taken from it, too. */
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
    const pieces =
      quotation.kind === "nothing-found" ? [sayNothingFound(task)] : formatQuotation(quotation);
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
