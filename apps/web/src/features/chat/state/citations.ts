/** Markdown tree nodes, reduced to what is used here. */
interface Node {
  type: string;
  value?: string;
  children?: Node[];
  data?: { hName: string; hProperties: Record<string, unknown> };
}

const mark = /\[(\d{1,3}(?:\s*,\s*\d{1,3})*)\]/g;
const untouched = new Set([
  "link",
  "linkReference",
  "code",
  "inlineCode",
  "math",
  "inlineMath",
  "image",
  "definition",
]);
/** Blocks that a citation's words cannot span. */
const blocks = new Set([
  "root",
  "paragraph",
  "heading",
  "tableCell",
  "listItem",
  "list",
  "table",
  "tableRow",
  "blockquote",
]);

/**
 * Splits a text into words and source numbers. With three sources `[4]` stays text, unless `count`
 * is not known yet.
 */
export function splitCitations(text: string, count: number | null): (string | number)[] {
  const pieces: (string | number)[] = [];
  let at = 0;
  for (const match of text.matchAll(mark)) {
    const numbers = (match[1] ?? "").split(",").map((n) => Number(n.trim()));
    if (numbers.some((n) => n < 1 || (count !== null && n > count))) continue;
    const words = text.slice(at, match.index).replace(/(?<! ) +$/, ""); // the citation stays attached
    if (words) pieces.push(words);
    pieces.push(...numbers);
    at = match.index + match[0].length;
  }
  if (at < text.length) pieces.push(text.slice(at));
  return pieces;
}

/**
 * Collects the words that a citation supports: the text before it in its block, back to the
 * previous citation. Adjacent citations share them.
 */
class Words {
  private before = "";
  private isMarked = false;
  add(words: string): void {
    if (this.isMarked && /[\p{L}\p{N}]/u.test(words)) {
      this.before = "";
      this.isMarked = false;
    }
    this.before += words;
  }
  atMark(): string {
    this.isMarked = true;
    return this.before.replace(/^[\s.,;:!?。，；！？)\]]+/u, "").trim();
  }
}

const textOf = (node: Node): string =>
  node.value ?? (node.type === "break" ? " " : (node.children ?? []).map(textOf).join(""));

const lastWord = /\S+$/u;
/** How many characters stay with a number in languages without spaces between words. */
const longestWord = 12;

/** Puts citations into one unbreakable element with the end of the text before them. */
function keepTogether(pieces: readonly Node[]): Node[] {
  const nodes: Node[] = [];
  let group: Node[] | null = null;
  for (const piece of pieces) {
    const before = nodes.at(-1);
    if (piece.type !== "citation") group = null;
    else if (group === null && before?.type === "text") {
      const word = lastWord.exec(before.value!.slice(-longestWord))?.[0] ?? "";
      before.value = before.value!.slice(0, before.value!.length - word.length);
      group = [{ type: "text", value: word }];
      nodes.push({
        type: "citations",
        data: { hName: "span", hProperties: { className: "cite-group" } },
        children: group,
      });
    }
    (group ?? nodes).push(piece);
  }
  return nodes;
}

/** remark plugin: turns citations into `cite-mark` elements that carry the words they support. */
export function remarkCitations(options: { count: number | null }) {
  const visit = (node: Node, outer: Words): void => {
    if (!node.children || untouched.has(node.type)) return outer.add(textOf(node));
    const words = blocks.has(node.type) ? new Words() : outer;
    node.children = node.children.flatMap((child) => {
      if (child.type !== "text" || child.value === undefined) {
        visit(child, words);
        return [child];
      }
      const pieces = splitCitations(child.value, options.count).map((piece): Node => {
        if (typeof piece === "number")
          return {
            type: "citation",
            data: { hName: "cite-mark", hProperties: { number: piece, words: words.atMark() } },
            children: [],
          };
        words.add(piece);
        return { type: "text", value: piece };
      });
      return keepTogether(pieces);
    });
  };
  return (tree: Node): void => visit(tree, new Words());
}

/**
 * Ends of paragraphs, list items and table cells in Markdown, precise enough to tell which words a
 * citation supports.
 */
const blockEnd = /\n\s*\n|\n(?=\s*(?:[-*+]|\d+[.)])\s)|\n(?=\s*[|#>])|(?<=\S)\s*\|/;

/** The numbers of the sources that an answer cites. */
export const citedNumbers = (answer: string, count: number): ReadonlySet<number> =>
  new Set(splitCitations(answer, count).filter((piece) => typeof piece === "number"));

/** All texts in an answer's Markdown that cite this source. */
export function quotesOf(answer: string, number: number): string[] {
  return answer.split(blockEnd).flatMap((block) => {
    const words = new Words();
    return splitCitations(block.replace(/^\s*(?:[-*+]|\d+[.)])\s+/, ""), null).flatMap((piece) => {
      if (piece === number) return [words.atMark()];
      if (typeof piece === "number") words.atMark();
      else words.add(piece);
      return [];
    });
  });
}
