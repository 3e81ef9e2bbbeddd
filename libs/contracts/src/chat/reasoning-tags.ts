import { splitRegions, type ReasoningRegion, type SplitAnswer } from "./reasoning-spans.ts";

/*
 * Finds reasoning by its tags in answers without spans, which older versions stored or existing
 * clients have rewritten.
 */

interface TagPair {
  open: RegExp;
  close: RegExp;
}

/** `open` is sticky, to match at a position; `close` is global, to search from one. */
const pair = (open: string, close: string): TagPair => ({
  open: new RegExp(open, "iy"),
  close: new RegExp(close, "ig"),
});

/** Harmony (gpt-oss) sends each channel as a separate message; only `final` is the answer. */
const harmonyHeader = String.raw`(?:<\|start\|>assistant)?<\|channel\|>`;
const harmonyEnd = String.raw`<\|(?:end|return|call)\|>`;
const finalHeader = new RegExp(
  String.raw`(?:${harmonyEnd}\s*)?${harmonyHeader}final[^<]{0,200}<\|message\|>`,
  "iy",
);
const trailingEnd = new RegExp(String.raw`\s*${harmonyEnd}\s*$`, "i");

/** The server's own tags, which it writes around any model's reasoning. */
const ownTags = pair("<think>", "</think>");

const tagPairs: readonly TagPair[] = [
  ownTags,
  ...["thinking", "thought", "reasoning", "seed:think"].map((name) =>
    pair(`<${name}>`, `</${name}>`),
  ),
  pair(String.raw`\[THINK\]`, String.raw`\[/THINK\]`), // Magistral
  pair("◁think▷", "◁/think▷"), // Kimi
  pair(String.raw`<\|channel>thought`, String.raw`<channel\|>`), // Gemma 4
  pair("<unused94>thought", "<unused95>"), // MedGemma
  pair(String.raw`<\|inner_prefix\|>`, String.raw`<\|inner_suffix\|>`), // Apertus
  pair(String.raw`<\|begin_of_thought\|>`, String.raw`<\|end_of_thought\|>`),
  pair(String.raw`<\|START_THINKING\|>`, String.raw`<\|END_THINKING\|>`), // Cohere
  pair(
    String.raw`${harmonyHeader}(?:analysis|commentary)[^<]{0,200}<\|message\|>`,
    String.raw`${harmonyEnd}|(?=<\|start\|>|<\|channel\|>)`,
  ),
  // Harmony without its special tokens, which some servers drop.
  pair("analysis(?=[^]{0,100000}?assistantfinal)", "assistantfinal"),
];

/**
 * A closing tag whose opening one was part of the prompt; it doesn't count after an opening tag.
 */
const bareClose =
  /<think>|<\/(?:think|thinking|thought|seed:think)>|\[\/THINK\]|◁\/think▷|<\|end_of_thought\|>/gi;
/** Precedes a tag that the text only mentions. */
const beforeMention = /[ \t"'`(“«]/;
/** What precedes the server's tag between two steps of an answer. */
const stepEnd = /[\n.!?:…。！？)\]*]/;

/** Separates an answer from its reasoning by tags alone. Also part of the web app. */
export const splitWritten = (text: string): SplitAnswer =>
  splitRegions(text, findWrittenReasoning(text));

/**
 * Separates only what this server wrote as reasoning: in answers that API clients send back, other
 * tags are part of the text.
 */
export function splitOwnTags(text: string): SplitAnswer {
  const leading = findLeading(text, (start) => readPair(ownTags, text, start));
  return splitRegions(text, [...leading, ...findBetweenSteps(text, leading.at(-1)?.end ?? 0)]);
}

/**
 * Finds reasoning at the start of an answer, and what the server wrote as reasoning between its
 * steps. A tag in code, or one that a sentence mentions, is text. Takes linear time.
 */
function findWrittenReasoning(text: string): ReasoningRegion[] {
  if (!/[<[◁]|^\s*analysis/.test(text)) return [];
  const leading = findLeading(text, (start) => readBlock(text, start));
  const rest = leading.at(-1)?.end ?? 0;
  const found = leading.length === 0 ? findBareClose(text) : leading;
  const harmony = endOfFinal(text, rest);
  return [...found, ...findBetweenSteps(text, found.at(-1)?.end ?? 0), ...harmony];
}

/** Several blocks may follow each other. */
function findLeading(
  text: string,
  read: (start: number) => ReasoningRegion | null,
): ReasoningRegion[] {
  const found: ReasoningRegion[] = [];
  for (let end = 0; end < text.length;) {
    const start = skipSpace(text, end);
    const block = read(start);
    if (block === null) break;
    found.push(block);
    end = block.end;
  }
  return found;
}

function readBlock(text: string, start: number): ReasoningRegion | null {
  const header = matchAt(finalHeader, text, start);
  if (header !== null) return { start, end: header, from: header, to: header, milliseconds: null };
  for (const tags of tagPairs) {
    const block = readPair(tags, text, start);
    if (block !== null) return block;
  }
  return null;
}

function readPair({ open, close }: TagPair, text: string, start: number): ReasoningRegion | null {
  const from = matchAt(open, text, start);
  if (from === null) return null;
  close.lastIndex = from;
  const closing = close.exec(text);
  const to = closing?.index ?? text.length;
  return { start, end: to + (closing?.[0].length ?? 0), from, to, milliseconds: null };
}

function findBareClose(text: string): ReasoningRegion[] {
  for (const { index, 0: tag } of outsideCode(text, bareClose)) {
    if (tag.toLowerCase() === "<think>") return [];
    const end = index + tag.length;
    const isMentioned =
      beforeMention.test(text[index - 1] ?? "") &&
      !/^(?:[ \t]*\n|\s*$)/.test(text.slice(end, end + 100));
    if (isMentioned) continue;
    return [{ start: 0, end, from: 0, to: index, milliseconds: null }];
  }
  return [];
}

function findBetweenSteps(text: string, after: number): ReasoningRegion[] {
  const found: ReasoningRegion[] = [];
  let end = after;
  for (const { index, 0: tag } of outsideCode(text, /<think>/g, after)) {
    if (index < end || !stepEnd.test(text[index - 1] ?? "\n")) continue;
    const from = index + tag.length;
    const to = text.indexOf("</think>", from);
    if (to === -1) break;
    end = to + "</think>".length;
    found.push({ start: index, end, from, to, milliseconds: null });
  }
  return found;
}

/** The token that ends Harmony's final message. */
function endOfFinal(text: string, after: number): ReasoningRegion[] {
  const tail = text.slice(Math.max(after, text.length - 50));
  const match = after === 0 ? null : trailingEnd.exec(tail);
  if (match === null) return [];
  const start = text.length - tail.length + match.index;
  return [{ start, end: text.length, from: start, to: start, milliseconds: null }];
}

/** Matches that aren't in a code span or fence; a span ends with its paragraph. */
function* outsideCode(text: string, pattern: RegExp, after = 0): Generator<RegExpExecArray> {
  const scan = new RegExp(`(\`+)|(\\n[ \\t]*\\n)|${pattern.source}`, pattern.flags);
  scan.lastIndex = after;
  let fence = 0;
  for (let match = scan.exec(text); match !== null; match = scan.exec(text)) {
    const ticks = match[1]?.length ?? 0;
    if (ticks > 0) fence = fence === 0 ? ticks : fence === ticks ? 0 : fence;
    else if (match[2] !== undefined) fence = fence < 3 ? 0 : fence;
    else if (fence === 0) yield match;
  }
}

/** The position after a match, or null. */
function matchAt(pattern: RegExp, text: string, position: number): number | null {
  pattern.lastIndex = position;
  return pattern.test(text) ? pattern.lastIndex : null;
}

function skipSpace(text: string, from: number): number {
  const space = /\s*/y;
  space.lastIndex = from;
  space.test(text);
  return space.lastIndex;
}
