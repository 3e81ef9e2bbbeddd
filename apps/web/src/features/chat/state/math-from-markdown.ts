import type { CompileContext, Extension, fromMarkdown, Token } from "mdast-util-from-markdown";
import { formulaHeight } from "./formula-height.ts";

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
  // In a table, a pipe within a cell is always escaped.
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
