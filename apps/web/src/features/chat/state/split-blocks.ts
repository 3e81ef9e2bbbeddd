import { inlineMathConstructs, mathSyntax } from "@carrel/contracts/math-syntax";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { mathFromMarkdown } from "./math-from-markdown.ts";

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
 * parsed again, so that streaming a long answer does not slow down.
 */
export function splitBlocks(text: string, before: Blocks | null, growing: boolean): Blocks {
  // Only in the last block of a growing text, an unclosed formula may become one.
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
 * remark plugin: parses GitHub-flavoured Markdown and formulas with the syntax that blocks are
 * split by. Replaces remark-gfm and remark-math, which include serializers that are not needed
 * here. Emphasis stays text in a block with an absurd number of markers.
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
  if ((block.match(/[*_~]+/g)?.length ?? 0) > maxEmphasisMarkers)
    data.micromarkExtensions.push(withoutEmphasis);
}
