import {
  estimateTokens,
  type AssistantPart,
  type ModelMessage,
  type ToolResultPart,
} from "@carrel/providers";
import { pageSize, readOnName } from "./run-messages.ts";
import type { EarlierStep } from "./run-step.repository.ts";
import { readObject } from "./tool-input.ts";

type EarlierCall = Extract<EarlierStep, { kind: "tool" }>;

/** A reply that called tools, and what they returned. */
export interface EarlierExchange {
  turnId: number;
  reasoning: string;
  calls: EarlierCall[];
}

/** Share of the window for the steps of earlier answers, if the answer's own leave so much. */
export const earlierShare = 0.2;

/**
 * Groups the calls that a model replied with at once. Calls of tools that it doesn't have any more
 * are left out, because some vendors check them against the tools they are offered.
 *
 * @param rows in order
 */
export function listEarlierExchanges(
  rows: readonly EarlierStep[],
  tools: readonly { name: string }[],
): EarlierExchange[] {
  const known = new Set(tools.map(({ name }) => name));
  // Its numbers meant the steps of its own answer.
  known.delete(readOnName);
  const exchanges: EarlierExchange[] = [];
  for (const row of rows) {
    const { turnId } = row;
    if (row.kind === "model" || exchanges.at(-1)?.turnId !== turnId)
      exchanges.push({ turnId, reasoning: "", calls: [] });
    const last = exchanges.at(-1)!;
    if (row.kind === "model") last.reasoning = reasoningOf(row.parts);
    else if (known.has(row.call.name)) last.calls.push(row);
  }
  return exchanges.filter(({ calls }) => calls.length > 0);
}

/** Some vendors require it back with the calls; signatures were only for the answer itself. */
const reasoningOf = (parts: readonly AssistantPart[]): string =>
  parts.map((part) => (part.type === "reasoning" ? part.text : "")).join("");

/**
 * The exchanges as messages, by the turn whose answer they precede, within `room` tokens. Long
 * results, and others from the oldest on if they don't fit, are left out with a note of how to read
 * them; then the oldest exchanges are left out. Nothing is cut in the middle.
 */
export function buildEarlierMessages(
  exchanges: readonly EarlierExchange[],
  room: number,
  windowTokens: number,
  count: (text: string) => number = estimateTokens,
): Map<number, ModelMessage[]> {
  const longest = pageSize(windowTokens);
  const shown = exchanges.map((exchange) => ({
    messages: toMessages(exchange, (call) =>
      call.text === null || call.text.length > longest ? leftOut(call) : numberless(call.text),
    ),
    short: toMessages(exchange, (call) => {
      const note = leftOut(call);
      return call.text !== null && call.text.length <= note.length ? numberless(call.text) : note;
    }),
    turnId: exchange.turnId,
  }));
  const sizeOf = (messages: readonly ModelMessage[]): number =>
    count(JSON.stringify(messages.map(({ content }) => content)));
  const sizes = shown.map(({ messages }) => sizeOf(messages));
  let total = sizes.reduce((sum, size) => sum + size, 0);
  for (const [index, exchange] of shown.entries()) {
    if (total <= room) break;
    const size = sizeOf(exchange.short);
    total += size - sizes[index]!;
    sizes[index] = size;
    exchange.messages = exchange.short;
  }
  let first = 0;
  while (total > room && first < shown.length) total -= sizes[first++]!;
  const byTurn = new Map<number, ModelMessage[]>();
  for (const { turnId, messages } of shown.slice(first))
    byTurn.set(turnId, [...(byTurn.get(turnId) ?? []), ...messages]);
  return byTurn;
}

/**
 * Puts the steps of earlier answers between their questions and their texts.
 *
 * @param messages questions and answers in turn, then the new question
 * @param turnIds of these questions
 */
export const insertEarlier = (
  messages: readonly ModelMessage[],
  turnIds: readonly (number | null)[],
  earlier: ReadonlyMap<number, ModelMessage[]>,
): ModelMessage[] =>
  messages.flatMap((message, index) => {
    const turnId = index % 2 === 0 ? turnIds[index / 2] : undefined;
    return turnId == null ? [message] : [message, ...(earlier.get(turnId) ?? [])];
  });

/** The numbers of sources start anew with each answer, so the model must not cite earlier ones. */
export const numberless = (text: string): string =>
  text.replace(/\[(END )?CONTEXT \d+\]/g, (_, end: string | undefined) => `[${end ?? ""}SOURCE]`);

const leftOut = ({ turnId, id, length }: EarlierCall): string =>
  `[Left out to save space: ${length} characters. To read it again, call ${readOnName} with answer ${turnId}, step ${id} and part 1.]`;

function toMessages(
  { calls, reasoning }: EarlierExchange,
  show: (call: EarlierCall) => string,
): ModelMessage[] {
  return [
    {
      role: "assistant",
      content: [
        ...(reasoning === "" ? [] : [{ type: "reasoning" as const, text: reasoning }]),
        ...calls.map((row) => ({
          type: "tool-call" as const,
          id: callIdOf(row),
          name: row.call.name,
          input: readObject(row.call.input),
        })),
      ],
    },
    {
      role: "tool",
      content: calls.map((row): ToolResultPart => ({
        type: "tool-result",
        id: callIdOf(row),
        name: row.call.name,
        output: show(row),
        ...(row.state !== "done" && { isError: true }),
      })),
    },
  ];
}

/**
 * Models number their calls anew in each answer, and vendors have different rules for IDs: nine
 * letters and digits suit all.
 */
const callIdOf = ({ turnId, position }: EarlierCall): string =>
  turnId.toString(36).padStart(6, "0") + position.toString(36).padStart(3, "0");
