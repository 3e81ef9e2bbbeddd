/** A formula in Markdown, starting at its opening mark. */
export interface Formula {
  /** Set as a block, apart from the text. */
  isDisplay: boolean;
  markLength: 1 | 2;
  /** Offset of the closing mark; null while it is missing from a growing text. */
  end: number | null;
}

/** LaTeX commands that define other commands. */
const definitions = /\\(?:[egx]?def|let|futurelet|(?:new|renew|provide)command)(?![A-Za-z])/;

/**
 * Whether a formula defines commands. KaTeX replaces each by its definition, which may be as long
 * as the formula: 200 of them take seconds, so such a formula may use fewer.
 */
export const definesCommands = (source: string): boolean => definitions.test(source);
/**
 * KaTeX's limit on expanded commands in a formula; LaTeX's own commands expand to a few characters.
 */
export const mostExpansions = (source: string): number => (definesCommands(source) ? 50 : 200);

/** What decides where a formula ends: escapes, dollars, code and the end of the paragraph. */
const stops = /\\[^]|\$+|`|\n[ \t>]*(?:`{3}|~{3})|\n(?=[ \t>]*\n)/g;
const closings: Readonly<Record<string, string>> = { "\\(": "\\)", "\\[": "\\]", $$: "$$", $: "$" };

/** `$5 and then 7$`: an amount of money and words, without anything that only formulas have. */
const isMoneyAndWords = (source: string): boolean =>
  /^\d\S*\s/.test(source) && !/[\\^_={}+]/.test(source) && /\p{L}{2}/u.test(source);
/** `\[1\]`, `\[x\]`: escaped brackets around a reference or a mark. */
const escapedBrackets = /^[\s\dx,–-]*$/i;

function markAt(text: string, start: number): string | null {
  const two = text.slice(start, start + 2);
  if (two !== "$$") return two.startsWith("$") ? "$" : two in closings ? two : null;
  return text[start + 2] === "$" ? null : two;
}

/** Whether a closing mark, followed by `next`, closes the formula whose source comes before it. */
function isClosed(mark: string, source: string, next: string): boolean {
  if (source.trim() === "") return false;
  if (mark === "$") return !/\s$/.test(source) && !/\d/.test(next) && !isMoneyAndWords(source);
  return mark !== "\\[" || (next !== "(" && !escapedBrackets.test(source));
}

/** How far back to look for an opening code mark. */
const codeReach = 300;

/** Whether code opened earlier in the paragraph is still open. */
function isInOpenCode(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - codeReach), start);
  const paragraph = before.slice(before.lastIndexOf("\n\n") + 1);
  return (paragraph.match(/`+/g)?.length ?? 0) % 2 === 1;
}

/**
 * The formula that opens here, or null if it is plain text. `block`: it may contain code marks, and
 * blank lines if its mark is on a line of its own.
 */
export function formulaAt(
  text: string,
  start: number,
  growing: boolean,
  block: { blankLines: boolean } | null = null,
): Formula | null {
  const mark = markAt(text, start);
  if (mark === null) return null;
  const from = start + mark.length;
  if (mark === "$" && /^(?:\s|$)/.test(text.slice(from, from + 1))) return null;
  if (growing && !block && isInOpenCode(text, start)) return null;
  const formula = {
    isDisplay: mark === "$$" || mark === "\\[",
    markLength: mark.length as 1 | 2,
  };
  stops.lastIndex = from;
  for (let stop = stops.exec(text); stop !== null; stop = stops.exec(text)) {
    const [found] = stop;
    const isMark = found === closings[mark];
    if (isMark) {
      const after = stop.index + found.length;
      const source = text.slice(from, stop.index);
      if (!isClosed(mark, source, text.charAt(after))) return null;
      // A digit, another dollar or an address may still follow.
      const isOpen = growing && after === text.length && mark !== "\\(";
      return { ...formula, end: isOpen ? null : stop.index };
    }
    if (found === mark) return null; // the next one opens before this one is closed
    if (found.startsWith("$") && mark.startsWith("$") && found.length >= mark.length) return null;
    if (found === "`" && !block) return null;
    if (found === "\n" && !block?.blankLines) return null;
    if (found.length > 1 && found.startsWith("\n")) return null;
  }
  const isPrice = mark === "$" && /\d/.test(text.charAt(from));
  return growing && !isPrice ? { ...formula, end: null } : null;
}

const marks = /^[ \t>]*(`{3,}|~{3,})|`+|\\[^]|\$+/gm;
/** What may precede a block on its line: list and quotation marks. */
const containers = /^(?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])*$/;
/** How far around a mark to look; people write less than that there. */
const reach = 200;
const endsLine = (text: string, at: number): boolean =>
  /^[ \t]*(?:\n|$)/.test(text.slice(at, at + reach));
/** Code marks farther apart don't belong together; keeps the search linear. */
const longestCode = 2_000;

/** The offset after the code that these marks open. */
function skipCode(text: string, after: number, run: string, isFence: boolean): number {
  if (!isFence) {
    const end = text.slice(after, after + longestCode).search(new RegExp(`(?<!\`)${run}(?!\`)`));
    return end === -1 ? after : after + end + run.length;
  }
  const close = new RegExp(`^[ \\t>]*\\${run[0]}{${run.length},}[ \\t]*$`, "gm");
  close.lastIndex = after;
  return close.exec(text) ? close.lastIndex : text.length;
}

/** Formulas that fill whole lines, by the offset of their opening mark. */
export function findFormulaBlocks(text: string, growing: boolean): ReadonlyMap<number, Formula> {
  const found = new Map<number, Formula>();
  marks.lastIndex = 0;
  for (let match = marks.exec(text); match !== null; match = marks.exec(text)) {
    const [mark, fence] = match;
    const after = marks.lastIndex;
    if (fence !== undefined || mark.startsWith("`"))
      marks.lastIndex = skipCode(text, after, fence ?? mark, fence !== undefined);
    if (mark !== "$$" && mark !== "\\[") continue;
    const start = match.index;
    const before = text.slice(Math.max(0, start - reach), start);
    const isFirst = containers.test(before.slice(before.lastIndexOf("\n") + 1));
    const blankLines = endsLine(text, after);
    const formula = formulaAt(text, start, growing, isFirst ? { blankLines } : null);
    if (!formula) continue;
    const end = formula.end === null ? text.length : formula.end + 2;
    if (isFirst && endsLine(text, end)) found.set(start, formula);
    marks.lastIndex = end;
  }
  return found;
}
