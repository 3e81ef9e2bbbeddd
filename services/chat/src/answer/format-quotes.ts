import type { Quotation } from "./quote-passages.ts";
import type { AnswerTask } from "./answerer.ts";

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

const closestHeading = "No sentence answers this directly. The closest passages:";

/** Yields the answer in pieces, one per quote, as they are sent. */
export function* formatQuotation({ kind, quotes }: Quotation): Generator<string> {
  if (kind === "closest-passages") yield closestHeading;
  for (const [index, { text, passage }] of quotes.entries()) {
    const isFirst = kind === "answer" && index === 0;
    yield `${isFirst ? "" : "\n\n"}${(kind === "answer" ? citeQuote : quoteExcerpt)(text, passage)}`;
  }
}

/** The answer in chat mode if nothing is near. */
export function sayNothingFound({
  documentCount,
  waitsForStore,
  isRestricted,
}: Pick<AnswerTask, "documentCount" | "waitsForStore" | "isRestricted">): string {
  if (waitsForStore !== null)
    return `${waitsForStore} isn't available, so the documents of this workspace can't be searched yet. They will be added automatically once it's back.`;
  if (documentCount === 0)
    return "This workspace has no documents yet, so there is nothing to quote.";
  return isRestricted
    ? "I found nothing in the documents you chose that answers this."
    : "I found nothing in the documents of this workspace that answers this.";
}
