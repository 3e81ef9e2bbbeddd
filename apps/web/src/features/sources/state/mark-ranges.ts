import type { Range } from "./range.ts";

/** The text of a rendered document, a line per block, and the text nodes it comes from. */
export interface RenderedText {
  text: string;
  nodes: { node: Text; start: number }[];
}

const inline = new Set(
  "A ABBR B BDI BDO CITE CODE DEL DFN EM I INS KBD Q RP RT RUBY S SAMP SMALL SPAN STRONG SUB SUP TIME U VAR WBR".split(
    " ",
  ),
);

export function readRendered(root: Node): RenderedText {
  const nodes: RenderedText["nodes"] = [];
  let text = "";
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  /** The block that the last text was in. */
  let block: Node | null = null;
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (!(node instanceof Text)) {
      if (node.nodeName === "BR") text += " ";
      continue;
    }
    let parent = node.parentNode;
    while (parent && parent !== root && inline.has(parent.nodeName)) parent = parent.parentNode;
    if (block !== null && block !== parent) text += "\n";
    block = parent;
    nodes.push({ node, start: text.length });
    // A block's own line breaks are white space, not ends of blocks.
    text += node.data.replace(/\n/g, " ");
  }
  return { text, nodes };
}

/** What remains of `ranges` without `others`; both are in order. */
export function without(ranges: readonly Range[], others: readonly Range[]): Range[] {
  return ranges.flatMap((range) => {
    const rest: Range[] = [];
    let { start } = range;
    for (const other of others) {
      if (other.end <= start || other.start >= range.end) continue;
      if (other.start > start) rest.push({ start, end: other.start });
      start = Math.max(start, other.end);
    }
    if (start < range.end) rest.push({ start, end: range.end });
    return rest;
  });
}

/** Wraps the ranges of a rendered text in elements made by `wrap`. Its nodes are split. */
export function markRanges(
  { nodes }: RenderedText,
  marks: readonly (Range & { wrap: () => HTMLElement })[],
): void {
  // From the end, so that splitting a node leaves the offsets before it as they are.
  const ordered = [...marks].sort((a, b) => b.start - a.start);
  let index = nodes.length - 1;
  for (const { start, end, wrap } of ordered) {
    while (index > 0 && nodes[index]!.start >= end) index -= 1;
    for (let at = index; at >= 0; at -= 1) {
      const { node, start: offset } = nodes[at]!;
      const length = node.data.length;
      if (offset + length <= start) break;
      const from = Math.max(0, start - offset);
      const until = Math.min(length, end - offset);
      if (until <= from) continue;
      if (until < length) node.splitText(until);
      const part = from > 0 ? node.splitText(from) : node;
      const wrapper = wrap();
      part.replaceWith(wrapper);
      wrapper.append(part);
      if (from === 0) nodes[at]!.node = document.createTextNode("");
    }
  }
}
