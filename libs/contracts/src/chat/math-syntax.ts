import type {
  Code,
  Construct,
  Effects,
  Extension,
  State,
  Token,
  TokenizeContext,
} from "micromark-util-types";

/** A formula in Markdown, starting at its opening mark. */
interface Formula {
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
const definesCommands = (source: string): boolean => definitions.test(source);
/**
 * KaTeX's limit on expanded commands in a formula; LaTeX's own commands expand to a few characters.
 */
const mostExpansions = (source: string): number => (definesCommands(source) ? 50 : 200);

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
function formulaAt(
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
function findFormulaBlocks(text: string, growing: boolean): ReadonlyMap<number, Formula> {
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

export { definesCommands, findFormulaBlocks, formulaAt, mostExpansions };

declare module "micromark-util-types" {
  interface TokenTypeMap {
    inlineFormula: "inlineFormula";
    displayFormula: "displayFormula";
    formulaBlock: "formulaBlock";
    /** The source of a formula that is still growing, inline or as a block. */
    openFormula: "openFormula";
    openFormulaBlock: "openFormulaBlock";
    formulaMark: "formulaMark";
    formulaSource: "formulaSource";
  }
}

const dollar = 36;
const backslash = 92;
const isLineEnd = (code: Code): boolean => code !== null && code < -2;

/** Names of the inline constructs, which don't affect where blocks start and end. */
export const inlineMathConstructs = ["formula"];

/**
 * micromark extension: formulas as Pandoc and the models' vendors write them, `$…$` and `\(…\)`
 * inline, `$$…$$` and `\[…\]` as blocks. The opening `$` is followed by something other than a
 * blank; the closing one comes after something other than a blank and before something other than a
 * digit; `\$` is a dollar. Nothing in code is a formula. An unclosed formula is text; in a growing
 * text it is shown as written. `text` is what will be parsed.
 */
export function mathSyntax(text: string, growing: boolean): Extension {
  const blocks = findFormulaBlocks(text, growing);
  const block = formulaConstruct((offset) => blocks.get(offset) ?? null, {
    name: "formulaBlock",
    concrete: true,
  });
  const inline = formulaConstruct((offset) => formulaAt(text, offset, growing), {
    name: "formula",
    previous(code) {
      return code !== dollar || this.events.at(-1)?.[1].type === "characterEscape";
    },
  });
  return {
    flow: { [dollar]: block, [backslash]: block },
    text: { [dollar]: inline, [backslash]: inline },
  };
}

/** The next line of a block, unless it only continues a paragraph (laziness). */
const nextLine: Construct = {
  partial: true,
  tokenize(effects, ok, nok) {
    return (code) => {
      effects.enter("lineEnding");
      effects.consume(code);
      effects.exit("lineEnding");
      return (next) => (this.parser.lazy[this.now().line] ? nok(next) : ok(next));
    };
  },
};

/** The end of each formula is known beforehand, so anything else costs a single step. */
function formulaConstruct(
  find: (offset: number) => Formula | null,
  construct: Omit<Construct, "tokenize">,
): Construct {
  return { ...construct, tokenize };

  function tokenize(this: TokenizeContext, effects: Effects, ok: State, nok: State): State {
    const isBlock = construct.concrete === true;
    let formula: Formula;
    let whole: Token;
    let mark: Token;
    let marked = 0;

    const start: State = (code) => {
      const found = find(this.now().offset);
      if (!found) return nok(code);
      formula = found;
      whole = effects.enter(
        isBlock ? "formulaBlock" : formula.isDisplay ? "displayFormula" : "inlineFormula",
      );
      mark = effects.enter("formulaMark");
      return open(code);
    };

    const open: State = (code) => {
      if (marked < formula.markLength) {
        marked += 1;
        effects.consume(code);
        return open;
      }
      effects.exit("formulaMark");
      return this.interrupt ? ok(code) : between(code);
    };

    const between: State = (code) => {
      if (code === null) return formula.end === null ? leaveOpen(code) : nok(code);
      if (this.now().offset === formula.end) {
        marked = 0;
        effects.enter("formulaMark");
        return close(code);
      }
      if (isLineEnd(code)) {
        if (isBlock)
          return effects.attempt(nextLine, between, formula.end === null ? leaveOpen : nok)(code);
        effects.enter("lineEnding");
        effects.consume(code);
        effects.exit("lineEnding");
        return between;
      }
      effects.enter("formulaSource");
      return source(code);
    };

    const source: State = (code) => {
      if (code === null || isLineEnd(code) || this.now().offset === formula.end) {
        effects.exit("formulaSource");
        return between(code);
      }
      effects.consume(code);
      return source;
    };

    const close: State = (code) => {
      const isBlank = code === 32 || code === -1 || code === -2;
      if (marked < formula.markLength || (isBlock && isBlank)) {
        marked += 1;
        effects.consume(code);
        return close;
      }
      effects.exit("formulaMark");
      effects.exit(whole.type);
      return ok(code);
    };

    const leaveOpen: State = (code) => {
      mark.type = "formulaSource";
      whole.type = isBlock ? "openFormulaBlock" : "openFormula";
      effects.exit(whole.type);
      return ok(code);
    };

    return start;
  }
}
