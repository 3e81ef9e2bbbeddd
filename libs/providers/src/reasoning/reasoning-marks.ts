/** How a model marks reasoning in its text. Compared ignoring case. */
export interface ReasoningMark {
  open: string;
  closings: readonly string[];
  /** Whether chat templates write the opening mark, so that the text has only the closing one. */
  isOpenedByTemplates?: boolean;
}

const tag = (name: string): ReasoningMark => ({ open: `<${name}>`, closings: [`</${name}>`] });
const openedTag = (name: string): ReasoningMark => ({ ...tag(name), isOpenedByTemplates: true });

/**
 * The marks that models write, from their chat templates and from the reasoning parsers of vLLM
 * and SGLang (2025 and 2026). Servers that don't parse them leave them in the text. Marks made of
 * ordinary words (Granite 3.2's "Here is my thought process:") are left out: any model may begin an
 * answer with them, all of which would then count as reasoning.
 */
export const reasoningMarks: readonly ReasoningMark[] = [
  // DeepSeek, Qwen, QwQ, GLM, MiniMax, Granite 3.3, Nemotron and most others.
  openedTag("think"),
  tag("thinking"),
  // EXAONE and fine-tunes of Gemma.
  tag("thought"),
  tag("reasoning"),
  openedTag("seed:think"),
  // Magistral.
  { open: "[THINK]", closings: ["[/THINK]"], isOpenedByTemplates: true },
  // Kimi.
  { open: "◁think▷", closings: ["◁/think▷"], isOpenedByTemplates: true },
  // Gemma 4 and MedGemma.
  { open: "<|channel>thought", closings: ["<channel|>"] },
  { open: "<unused94>thought", closings: ["<unused95>"] },
  // Command A Reasoning.
  { open: "<|START_THINKING|>", closings: ["<|END_THINKING|>"] },
  // OpenThinker, Sky-T1.
  { open: "<|begin_of_thought|>", closings: ["<|end_of_thought|>"] },
  // Apertus.
  { open: "<|inner_prefix|>", closings: ["<|inner_suffix|>"] },
];

/**
 * Tags around the answer, right after reasoning. Tags such as Granite's `<response>` are left out:
 * they may be what the user asked for.
 */
export const answerWrappers: readonly (readonly [open: string, close: string])[] = [
  ["<|START_RESPONSE|>", "<|END_RESPONSE|>"],
  ["<|begin_of_solution|>", "<|end_of_solution|>"],
];

const escapePattern = (text: string): string => text.replaceAll(/[|[\]\\.?*+(){}^$]/g, "\\$&");

export const anyOf = (texts: readonly string[], flags = "i"): RegExp =>
  new RegExp(texts.map(escapePattern).join("|"), flags);

/** How much of the end of `text` may be the beginning of one of these. */
export function heldLength(text: string, marks: readonly string[]): number {
  let held = 0;
  const end = text.slice(-longest(marks)).toLowerCase();
  for (const mark of marks) {
    const lower = mark.toLowerCase();
    for (let length = Math.min(end.length, mark.length - 1); length > held; length--)
      if (end.endsWith(lower.slice(0, length))) held = length;
  }
  return held;
}

const longest = (marks: readonly string[]): number =>
  marks.reduce((most, { length }) => Math.max(most, length), 0);

export const startsWith = (text: string, mark: string): boolean =>
  text.slice(0, mark.length).toLowerCase() === mark.toLowerCase();

/** Whether the text may turn out to start with the mark when more arrives. */
export const mayStartWith = (text: string, mark: string): boolean =>
  text.length < mark.length && startsWith(mark, text);

/** Receives an answer whose reasoning is separated from its text. */
export interface ReasoningSink {
  text(piece: string): void;
  reasoning(piece: string): void;
  /** All text so far was reasoning. */
  textWasReasoning(): void;
}
