import "katex/dist/katex.min.css";
import { mostExpansions } from "@carrel/contracts/math-syntax";
import type { Root, RootContent } from "hast";
import rehypeKatex from "rehype-katex";

const options = {
  throwOnError: false,
  // Models write Unicode and line breaks that LaTeX lacks; KaTeX would warn about each.
  strict: "ignore",
  errorColor: "var(--danger-fg)",
  trust: false,
  maxSize: 20, // in em; a larger rule or space would cover the conversation
} as const;

export const textOf = (node: Root | RootContent): string =>
  "children" in node ? node.children.map(textOf).join("") : "value" in node ? node.value : "";

/** Formulas; an invalid one shows its source in the danger colour instead of failing the answer. */
export const mathPlugin =
  () =>
  (...[tree, file]: Parameters<ReturnType<typeof rehypeKatex>>): void =>
    rehypeKatex({ ...options, maxExpand: mostExpansions(textOf(tree)) })(tree, file);
