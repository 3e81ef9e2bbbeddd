import { asksHowTo } from "./answer-kind.ts";
import { blockAround } from "./excerpt.ts";
import type { QuotablePassage, QuotableSentence } from "./quotable-sentence.ts";
import type { TextBlock } from "./quotable-units.ts";
import type { SelectedSentence } from "./select-sentences.ts";
import { joinLines } from "./split-sentences.ts";

export interface QuotedSentence {
  /**
   * Verbatim, without surrounding markup. Sentences have their lines joined; lists, tables and code
   * keep them, and may repeat a table's head or close code that continues.
   */
  text: string;
  /** Number of its passage, from 1. */
  passage: number;
  /** Position in the passage's text, end exclusive. */
  start: number;
  end: number;
  score: number;
}

/**
 * Maximum length of a list or code quoted as a whole; a longer one is cut to what surrounds the
 * sentence.
 */
const longestBlock = 800;
const stepNumber = /^\s*\d{1,3}[.)]\s/;

/**
 * The quotes of the selected sentences, in reading order: adjacent sentences as one, code as a
 * block with its lead-in, and a list as a whole if it is the answer.
 */
export function quoteText(
  selected: readonly SelectedSentence[],
  sentences: readonly QuotableSentence[],
  { question, passages }: { question: string; passages: readonly QuotablePassage[] },
): QuotedSentence[] {
  const quotes: (QuotedSentence & { last: number })[] = [];
  const howTo = asksHowTo(question);
  for (const { sentence, score } of selected) {
    const { passage, index } = sentence;
    const { text } = passages[passage]!;
    const before = quotes.at(-1);
    if (before?.passage === passage + 1 && sentence.end <= before.end) continue;
    const own = sentences.filter((other) => other.passage === passage);
    const block = wholeBlock(sentence, selected, own, text, howTo);
    if (block !== null) {
      const units = own.map(({ unit }) => unit);
      const place = units.findIndex((unit) => unit.block === block.block && unit.end >= block.from);
      const excerpt = blockAround(text, units, place, longestBlock);
      // The lead-in may have been quoted just before.
      if (before?.passage === passage + 1 && before.end > excerpt.start) quotes.pop();
      quotes.push({ ...excerpt, passage: passage + 1, score, last: -1 });
    } else if (
      before?.passage === passage + 1 &&
      before.last === index - 1 &&
      isSameParagraph(sentences[index - 1]!, sentence)
    ) {
      before.end = sentence.end;
      before.text = joinLines(text.slice(before.start, before.end));
      before.score = Math.max(before.score, score);
      before.last = index;
    } else
      quotes.push({
        text: sentence.text,
        passage: passage + 1,
        start: sentence.start,
        end: sentence.end,
        score,
        last: index,
      });
  }
  return quotes.map(({ text, passage, start, end, score }) => ({
    text,
    passage,
    start,
    end,
    score,
  }));
}

const isSameParagraph = (one: QuotableSentence, other: QuotableSentence): boolean =>
  one.unit.block === other.unit.block &&
  one.unit.block.kind === "prose" &&
  !one.form &&
  !other.form;

/** The block to quote instead of a sentence, from a position on; null if the sentence is enough. */
function wholeBlock(
  { unit, start }: QuotableSentence,
  selected: readonly SelectedSentence[],
  own: readonly QuotableSentence[],
  text: string,
  howTo: boolean,
): { block: TextBlock; from: number } | null {
  const { block } = unit;
  if (block.kind === "code") return { block, from: start };
  if (block.kind === "prose") {
    const led = own.find((other) => other.unit.block.lead?.start === unit.start)?.unit.block;
    const leads = led !== undefined && (/[:：]$/.test(text.slice(unit.start, unit.end)) || howTo);
    return leads ? { block: led, from: led.start } : null;
  }
  if (block.kind !== "list") return null;
  const isSteps = stepNumber.test(text.slice(unit.outer.start, unit.outer.end));
  const several = selected.filter(({ sentence }) => sentence.unit.block === block).length > 1;
  return several || (isSteps && howTo) ? { block, from: start } : null;
}
