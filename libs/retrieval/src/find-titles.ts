export const sentenceEnd = /[.!?…:;。！？：；؟۔।]["'”’»)\]*_]*$/u;
/** Scripts without full stops, where the lack of one doesn't mark a heading. */
export const withoutStops = /[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
/** "header: value", the format of CSV rows and of facts on a notice. */
export const recordLine = /^[^.!?]{1,60}: \S/;
const longestTitle = 80;
/** "2. New library", "§ 3 Deposit", "Article 4 Duties": at most seven words after the number. */
const numbered =
  /^\s*(?:§+\s*\d+\p{L}?|\d{1,2}(?:\.\d{1,2})*[.)]?|[IVX]{1,4}\.|(?:Art(?:icle|ikel)?|Section|Chapter|Kapitel|Abschnitt)\.?\s+\d+[.:]?)\s+["'“„«(]?\p{Lu}\S*(?:\s+\S+){0,6}$/u;
const startsProse = /^\s*(?:["'“„«]?[\p{Lu}\p{Lo}]|\(\p{N}{1,2}\)\s)/u;
/** How many lines below a title to look for its text. */
const reach = 12;

/** The number of the next line with text; -1 if there is none nearby. */
function nextText(lines: readonly string[], number: number): number {
  const end = Math.min(lines.length, number + reach);
  for (let next = number + 1; next < end; next++) if (lines[next]!.trim() !== "") return next;
  return -1;
}

/** Whether the line is a heading known to the parser, with text below it. */
export function isKnownHeading(
  lines: readonly string[],
  number: number,
  headings: readonly string[],
): boolean {
  return headings.includes(lines[number]!.trim()) && nextText(lines, number) >= 0;
}

/** Whether the line is a numbered title above prose, and not an entry of a numbered list. */
export function isNumberedTitle(lines: readonly string[], number: number): boolean {
  const line = lines[number]!;
  if (line.length > longestTitle || sentenceEnd.test(line) || !numbered.test(line)) return false;
  let before = number - 1;
  while (before > number - reach && lines[before]?.trim() === "") before -= 1;
  const below = nextText(lines, number);
  if (below < 0 || !startsProse.test(lines[below]!) || numbered.test(lines[below]!)) return false;
  if (/^\s*\d{1,2}[.)]\s/.test(lines[before] ?? "")) return false;
  let last = below;
  while (last - below < reach && lines[last + 1]?.trim()) last += 1;
  return sentenceEnd.test(lines[last]!);
}

/** A separate short line without sentence-ending punctuation, before text or facts. */
export function isTitle(lines: readonly string[], number: number): boolean {
  const bare = lines[number]!.trim();
  const below = nextText(lines, number);
  if (below < 0) return false;
  if (/^(\*\*|__)[^*_.!?]+\1$/.test(bare)) return true;
  if (!isShortLine(lines, number) || recordLine.test(bare)) return false;
  // Titles may follow each other.
  let text = below;
  while (text >= 0 && isShortLine(lines, text) && !recordLine.test(lines[text]!)) {
    text = nextText(lines, text);
    if (text - number > reach) return false;
  }
  if (text < 0) return false;
  return (
    sentenceEnd.test(lines[text]!) || lines[text]!.length > longestTitle || isFacts(lines, text)
  );
}

/** A paragraph that is one short line but not a sentence. */
function isShortLine(lines: readonly string[], number: number): boolean {
  const bare = lines[number]!.trim();
  return (
    bare.length <= longestTitle &&
    !sentenceEnd.test(bare) &&
    !withoutStops.test(bare) &&
    !/^(?:[-*+•|>#]|\d{1,3}[.)]\s)/.test(bare) &&
    !lines[number + 1]?.trim() &&
    !lines[number - 1]?.trim()
  );
}

/** A paragraph of at least two "header: value" lines. */
const isFacts = (lines: readonly string[], number: number): boolean =>
  recordLine.test(lines[number]!) && recordLine.test(lines[number + 1] ?? "");
