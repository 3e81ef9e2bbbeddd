import rehypeHighlight from "rehype-highlight";
import type { Options } from "react-markdown";

/** Colours code whose language is named; it does not guess. */
export const highlightPlugin: NonNullable<Options["rehypePlugins"]>[number] = [
  rehypeHighlight,
  { detect: false },
];
