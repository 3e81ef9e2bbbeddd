import { estimateTokens, type ModelMessage, type ToolResultPart } from "@carrel/providers";
import type { StoredStep } from "./run-step.repository.ts";

type ToolStep = Extract<StoredStep, { kind: "tool" }>;

/** A page of a long result, in characters, if the window has room for it. */
const longestPage = 24_000;
const shortestPage = 1_000;
/** Of what follows a page, in characters. */
const longestNote = 200;

/** Cuts a text at paragraphs, otherwise at lines or words, into pages of at most `size` characters. */
function listPages(text: string, size: number): string[] {
  const pages: string[] = [];
  let rest = text;
  while (rest.length > size) {
    const page = rest.slice(0, size);
    const cut = ["\n\n", "\n", " "]
      .map((mark) => page.lastIndexOf(mark))
      .find((at) => at > size / 2);
    const end = cut ?? (/[\uD800-\uDBFF]$/.test(page) ? size - 1 : size);
    pages.push(rest.slice(0, end));
    rest = rest.slice(end).replace(/^\s/, "");
  }
  return [...pages, rest];
}

/** The tool with which a model reads on in a long result. */
export const readOnName = "read-result";

function showResult({ result: { text, step } }: ToolStep, size: number): string {
  const pages = listPages(text ?? "", size);
  // A part that the model has asked for is a page and a note.
  return pages.length === 1 || (text ?? "").length <= size + longestNote
    ? (text ?? "")
    : `${pages[0]!}\n\n[This is part 1 of ${pages.length}. To read on, call ${readOnName} with step ${step.id} and part 2.]`;
}

/** The part of a result that `read-result` returns. */
export function readPart(text: string, size: number, part: number): string {
  const pages = listPages(text, size);
  const page = pages[part - 1];
  if (page === undefined) return `There are only ${pages.length} parts.`;
  const next = part < pages.length ? ` To read on, ask for part ${part + 1}.` : "";
  return `${page}\n\n[Part ${part} of ${pages.length}.${next}]`;
}

/** How much of one result a model with this window reads at once, in characters. */
export const pageSize = (windowTokens: number): number =>
  Math.max(shortestPage, Math.min(longestPage, Math.floor(windowTokens / 6) * 3));

interface Exchange {
  assistant: ModelMessage;
  results: ToolStep[];
}

/**
 * The steps of a run as messages that follow the question, within `room` tokens. If they don't fit,
 * old results are left out with a note of how to read them again, never cut in the middle; then the
 * last results get shorter pages, and then the oldest calls are left out.
 *
 * @param count tokens of a text
 */
export function buildRunMessages(
  steps: readonly StoredStep[],
  room: number,
  windowTokens: number,
  count: (text: string) => number = estimateTokens,
): ModelMessage[] {
  const exchanges = listExchanges(steps);
  const shown = new Map<ToolStep, string>();
  let size = pageSize(windowTokens);
  for (const { results } of exchanges)
    for (const step of results) shown.set(step, showResult(step, size));
  const fixed = exchanges.map(({ assistant }) => count(JSON.stringify(assistant.content)));
  const total = (): number =>
    exchanges.reduce(
      (sum, { results }, index) =>
        sum + fixed[index]! + results.reduce((all, step) => all + count(shown.get(step)!) + 8, 0),
      0,
    );
  for (const { results } of exchanges.slice(0, -1)) {
    if (total() <= room) break;
    for (const step of results) {
      const left = leftOut(step);
      if (left.length < shown.get(step)!.length) shown.set(step, left);
    }
  }
  while (total() > room && size > shortestPage) {
    size = Math.max(shortestPage, Math.floor(size / 2));
    for (const step of exchanges.at(-1)?.results ?? []) shown.set(step, showResult(step, size));
  }
  while (total() > room && exchanges.length > 1) {
    exchanges.shift();
    fixed.shift();
  }
  return exchanges.flatMap(({ assistant, results }): ModelMessage[] => [
    assistant,
    { role: "tool", content: results.map((step) => toResult(step, shown.get(step)!)) },
  ]);
}

const leftOut = ({ result: { step, text } }: ToolStep): string =>
  `[Left out to save space: ${(text ?? "").length} characters. To read it again, call ${readOnName} with step ${step.id} and part 1.]`;

const toResult = ({ call, result }: ToolStep, output: string): ToolResultPart => ({
  type: "tool-result",
  id: call.id,
  name: call.name,
  output,
  ...(result.step.state !== "done" && { isError: true }),
});

function listExchanges(steps: readonly StoredStep[]): Exchange[] {
  const exchanges: Exchange[] = [];
  for (const step of steps)
    if (step.kind === "model")
      exchanges.push({ assistant: { role: "assistant", content: step.call.parts }, results: [] });
    else exchanges.at(-1)?.results.push(step);
  return exchanges;
}
