import rehypeHighlight from "rehype-highlight";
import type { Options } from "react-markdown";

/** Highlights code whose language is named; never guesses it. */
export const highlightPlugin: NonNullable<Options["rehypePlugins"]>[number] = [
  rehypeHighlight,
  { detect: false },
];
