import { inlineMathConstructs, mathSyntax } from "@carrel/contracts/math-syntax";
import {
  fromMarkdown,
  type CompileContext,
  type Extension,
  type Token,
} from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";

/** Heights in em as drawn by KaTeX: of a plain line, and of one with a fraction or limits. */
const plain = 1.6;
const withFraction = 2.45;
const withLimits = 3.8;
/** A formula scrolls sideways, never vertically, so only its content makes it tall. */
const most = 60;

function rowHeight(row: string): number {
  if (/\\(?:sum|prod|bigcup|bigcap)(?![a-z])/i.test(row)) return withLimits;
  return /\\(?:[dtc]?frac|[dt]?binom|int|lim)(?![a-z])/i.test(row) ? withFraction : plain;
}

/**
 * Estimated height in em of a formula set apart, so that little moves when the drawn formula
 * replaces its source.
 */
const formulaHeight = (source: string): number =>
  Math.min(
    most,
    source.split("\\\\").reduce((sum, row) => sum + rowHeight(row), 0),
  );

declare module "mdast" {
  interface PhrasingContentMap {
    inlineMath: Formula<"inlineMath">;
  }
  interface RootContentMap {
    inlineMath: Formula<"inlineMath">;
    math: Formula<"math">;
  }
}

interface Formula<Type extends string> {
  type: Type;
  position?: ReturnType<typeof fromMarkdown>["position"];
  value: string;
  data: {
    hName: string;
    hProperties: { className: string[]; style?: string };
    hChildren: { type: "text"; value: string }[];
  };
}

const formula = <Type extends string>(
  type: Type,
  hName: string,
  className: string,
): Formula<Type> => ({
  type,
  value: "",
  data: { hName, hProperties: { className: [className] }, hChildren: [] },
});

function enter(
  context: CompileContext,
  token: Token,
  node: Parameters<CompileContext["enter"]>[0],
) {
  context.enter(node, token);
  context.buffer();
}

function exit(this: CompileContext, token: Token): void {
  let value = this.resume();
  // Within a table cell, a pipe is always escaped.
  if ("inTable" in this.data && this.data.inTable) value = value.replace(/\\\|/g, "|");
  const node = this.stack.at(-1);
  if (node?.type === "inlineMath" || node?.type === "math") {
    node.value = value.trim();
    if (node.data.hProperties.className[0] === "math-display")
      node.data.hProperties.style = `min-block-size: ${formulaHeight(node.value).toFixed(2)}em`;
    node.data.hChildren = [{ type: "text", value: node.value }];
  }
  this.exit(token);
}

/**
 * mdast extension: `inlineMath` and `math` nodes of the syntax in `@carrel/contracts/math-syntax`,
 * which become `span` or `div` elements with their source until KaTeX renders them.
 */
export const mathFromMarkdown: Extension = {
  enter: {
    inlineFormula(token) {
      enter(this, token, formula("inlineMath", "span", "math-inline"));
    },
    displayFormula(token) {
      enter(this, token, formula("inlineMath", "span", "math-display"));
    },
    formulaBlock(token) {
      enter(this, token, formula("math", "div", "math-display"));
    },
    formulaSource(token) {
      this.config.enter.data!.call(this, token);
    },
    openFormulaBlock(token) {
      this.enter({ type: "paragraph", children: [] }, token);
    },
  },
  exit: {
    inlineFormula: exit,
    displayFormula: exit,
    formulaBlock: exit,
    formulaSource(token) {
      this.config.exit.data!.call(this, token);
    },
    openFormulaBlock(token) {
      this.exit(token);
    },
  },
};

/**
 * Markdown split into top-level blocks. While text is only appended, all but the last are final.
 */
export interface Blocks {
  text: string;
  growing: boolean;
  blocks: string[];
  /** Offset of the last block in `text`. */
  tail: number;
}

const syntax = {
  extensions: [gfm()],
  mdastExtensions: [gfmFromMarkdown(), mathFromMarkdown],
};

/** Inline constructs, which don't affect where blocks start and end. */
const inline = [
  "attention",
  "autolink",
  "codeText",
  "emailAutolink",
  "gfmFootnoteCall",
  "gfmPotentialFootnoteCall",
  "hardBreakEscape",
  "htmlText",
  "labelEnd",
  "labelStartImage",
  "labelStartLink",
  ...inlineMathConstructs,
  "protocolAutolink",
  "strikethrough",
  "tasklistCheck",
  "wwwAutolink",
];

function blockOffsets(text: string, growing: boolean): { start: number; end: number }[] {
  const extensions = [
    ...syntax.extensions,
    mathSyntax(text, growing),
    { disable: { null: inline } },
  ];
  return fromMarkdown(text, { ...syntax, extensions }).children.map((node) => ({
    start: node.position?.start.offset ?? 0,
    end: node.position?.end.offset ?? text.length,
  }));
}

/**
 * Splits text into blocks, reusing `before`: if text was only appended, just its last block is
 * parsed again, so that streaming a long answer doesn't slow down.
 */
export function splitBlocks(text: string, before: Blocks | null, growing: boolean): Blocks {
  // An unclosed formula may only become one in the last block of a growing text.
  const isAppended =
    before !== null &&
    before.blocks.length > 0 &&
    text.startsWith(before.text) &&
    !(growing && !before.growing);
  if (isAppended && text.length === before.text.length && growing === before.growing) return before;
  const from = isAppended ? before.tail : 0;
  const rest = text.slice(from);
  const parts = blockOffsets(rest, growing);
  const unchanged = isAppended ? before.blocks.slice(0, -1) : [];
  const blocks = parts.map((part, index) =>
    rest.slice(index === 0 ? 0 : part.start, index + 1 < parts.length ? part.end : rest.length),
  );
  return {
    text,
    growing,
    blocks: [...unchanged, ...blocks],
    tail: from + (parts.at(-1)?.start ?? 0),
  };
}

/**
 * More than people write in one list or table. Resolving emphasis takes quadratic time, and a page
 * would freeze for seconds at ten thousand markers.
 */
const maxEmphasisMarkers = 2_000;
const withoutEmphasis = { disable: { null: ["attention", "strikethrough"] } };

/**
 * remark plugin: parses GitHub-flavoured Markdown and formulas with the same syntax that splits
 * blocks. Replaces remark-gfm and remark-math, which include serializers that aren't needed here.
 * Emphasis stays text in a block with an absurd number of markers.
 */
export function remarkSyntax(
  this: { data: () => object },
  { block, growing }: { block: string; growing: boolean },
): void {
  const data = this.data() as {
    micromarkExtensions?: unknown[];
    fromMarkdownExtensions?: unknown[];
  };
  (data.micromarkExtensions ??= []).push(...syntax.extensions, mathSyntax(block, growing));
  (data.fromMarkdownExtensions ??= []).push(...syntax.mdastExtensions);
  if ((block.match(/\*+|_+|~+/g)?.length ?? 0) > maxEmphasisMarkers)
    data.micromarkExtensions.push(withoutEmphasis);
}
