import type { Options } from "react-markdown";
import rehypeHighlight from "rehype-highlight";

/** Highlights code whose language is named; never guesses it. */
export const highlightPlugin: NonNullable<Options["rehypePlugins"]>[number] = [
  rehypeHighlight,
  { detect: false },
];
