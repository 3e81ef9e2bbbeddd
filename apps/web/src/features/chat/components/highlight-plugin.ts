import type { Options } from "react-markdown";
import rehypeHighlight from "rehype-highlight";

/** Highlights code whose language is named; never guesses the language. */
export const highlightPlugin: NonNullable<Options["rehypePlugins"]>[number] = [
  rehypeHighlight,
  { detect: false },
];
