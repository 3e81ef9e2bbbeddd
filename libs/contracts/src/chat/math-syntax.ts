import type {
  Code,
  Construct,
  Effects,
  Extension,
  State,
  Token,
  TokenizeContext,
} from "micromark-util-types";
import {
  definesCommands,
  findFormulaBlocks,
  formulaAt,
  mostExpansions,
  type Formula,
} from "./formulas.ts";

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
