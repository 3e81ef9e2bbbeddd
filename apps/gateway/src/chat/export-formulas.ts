import { definesCommands, mostExpansions } from "@carrel/contracts/math-syntax";
import katex from "katex";
import type { Options } from "micromark";

type HtmlExtension = NonNullable<Options["htmlExtensions"]>[number];

/** Maximum characters that KaTeX reads of one text, which takes about 0.1 s. */
const mostRead = 20_000;
/** Fixed cost of any formula, in characters. */
const perFormula = 10;

const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Each command that a formula defines may become as long as the formula. */
const costOf = (source: string): number =>
  perFormula + source.length * (definesCommands(source) ? mostExpansions(source) : 1);

/** As MathML, which browsers display without a style sheet or fonts; the source if that fails. */
function renderFormula(source: string, displayMode: boolean): string {
  try {
    return katex.renderToString(source, {
      displayMode,
      output: "mathml",
      strict: "ignore",
      trust: false,
      maxExpand: mostExpansions(source),
      maxSize: 20,
    });
  } catch {
    return `<code>${escapeHtml(source)}</code>`;
  }
}

/** micromark extension: writes the formulas of `mathSyntax` in one text. */
export function mathHtml(): HtmlExtension {
  let left = mostRead;
  type Exit = NonNullable<NonNullable<HtmlExtension["exit"]>["inlineFormula"]>;
  const begin: Exit = function () {
    this.buffer();
  };
  const write = (displayMode: boolean): Exit =>
    function () {
      const written = this.resume().trim();
      // Set by the extension that writes tables.
      const inTable = (this.getData as (key: string) => unknown)("tableAlign") !== undefined;
      const source = inTable ? written.replace(/\\\|/g, "|") : written;
      left -= costOf(source);
      this.raw(
        left < 0 ? `<code>${escapeHtml(source)}</code>` : renderFormula(source, displayMode),
      );
    };
  return {
    enter: { inlineFormula: begin, displayFormula: begin, formulaBlock: begin },
    exit: {
      inlineFormula: write(false),
      displayFormula: write(true),
      formulaBlock: write(true),
      formulaSource(token) {
        this.raw(this.sliceSerialize(token));
      },
    },
  };
}
