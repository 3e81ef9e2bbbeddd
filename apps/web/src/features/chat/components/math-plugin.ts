import "katex/dist/katex.min.css";
import rehypeKatex from "rehype-katex";
import type { Options } from "react-markdown";

/** Formulas; an invalid one shows its source in the danger colour instead of failing the answer. */
export const mathPlugin: NonNullable<Options["rehypePlugins"]>[number] = [
  rehypeKatex,
  {
    throwOnError: false,
    // Models write Unicode and line breaks that LaTeX lacks; KaTeX would warn about each.
    strict: "ignore",
    errorColor: "var(--danger-fg)",
    trust: false,
    maxExpand: 200,
    maxSize: 20, // in em; a larger rule or space would cover the conversation
  },
];
