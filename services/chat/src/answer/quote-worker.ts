import { quotePassages, type Quotation, type QuoteTask } from "./quote-passages.ts";

/**
 * Runs in a worker thread (quote-finder.ts): ranking the sentences of whole documents would block
 * the streams.
 */
export default function quote(task: QuoteTask): Quotation {
  return quotePassages(task);
}
