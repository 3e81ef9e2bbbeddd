import type { RunStep } from "@carrel/contracts";

/** A text that a tool returned to be cited. */
export interface ResultPassage {
  /** By which the model cites it. */
  number: number;
  title: string | null;
  text: string;
}

/** The last block may have been cut off, even within its header or end. */
const block = /\[CONTEXT (\d+)\]:\n([\s\S]*?)(?:\n\[END CONTEXT \1\]|(?:\n\[[^\n]*)?$)/g;
const header = /^<document_metadata>[\s\S]*?(?:<\/document_metadata>\s*|$)/;
const documentTitle = /^<document_metadata>\nsourceDocument: (.+)\n/;

/** The title that `read-web-page` writes above the page's text. */
const pageTitle = /^# (.+)\nAddress: /;

/**
 * The passages in a result of Carrel's own tools, which models get as `buildContext` has them; null
 * if it has none. Other servers' tools may imitate these marks, so theirs are shown as they are.
 */
export function findPassages(
  { skill }: Pick<RunStep, "skill">,
  result: string,
): ResultPassage[] | null {
  if (/^(?:mcp:|@@(?!flow_))/.test(skill)) return null;
  const passages = [...result.matchAll(block)].map(([, number, text = ""]) => ({
    number: Number(number),
    title: (documentTitle.exec(text) ?? pageTitle.exec(result))?.[1] ?? null,
    text: text.replace(header, "").trim(),
  }));
  return passages.length === 0 ? null : passages;
}
