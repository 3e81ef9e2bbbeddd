import { quotePassages, type Quotation, type QuoteTask } from "./quote-passages.ts";

/**
 * Runs in a worker thread (quote-finder.ts): the sentences of whole documents are too many to be
 * ranked beside streams.
 */
export default function quote(task: QuoteTask): Quotation {
  return quotePassages(task);
}
