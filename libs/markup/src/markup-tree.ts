import { Tokenizer } from "htmlparser2";

export interface MarkupElement {
  /** Lower case, with its prefix. */
  name: string;
  attributes: ReadonlyMap<string, string>;
  children: MarkupNode[];
}
export type MarkupNode = string | MarkupElement;

/** The rest of a longer text is left out. */
const longestMarkup = 3_000_000;
const longestAttribute = 4_000;
const maxAttributes = 50;
/** Deeper elements are left out, and their text belongs to the deepest one that is kept. */
const maxDepth = 60;
const maxElements = 100_000;

const voids = new Set(["area", "br", "col", "embed", "hr", "img", "input", "link", "meta", "wbr"]);
/** What an opening tag closes, and the element around it beyond which it doesn't. */
const implied = new Map([
  ["li", { closes: ["li"], within: ["ul", "ol"] }],
  ["dt", { closes: ["dt", "dd"], within: ["dl"] }],
  ["dd", { closes: ["dt", "dd"], within: ["dl"] }],
  ["td", { closes: ["td", "th"], within: ["tr", "table"] }],
  ["th", { closes: ["td", "th"], within: ["tr", "table"] }],
  ["tr", { closes: ["tr"], within: ["table"] }],
]);
const closeParagraphs =
  /^(p|div|section|article|ul|ol|dl|table|pre|blockquote|h[1-6]|hr|ac:layout.*)$/;
const unread = new Set(["script", "style", "template", "noscript", "head"]);

export const element = (
  name: string,
  children: MarkupNode[],
  attributes: Record<string, string> = {},
): MarkupElement => ({ name, attributes: new Map(Object.entries(attributes)), children });

/** The text of nodes, as written. */
export function textOf(nodes: readonly MarkupNode[]): string {
  const parts: string[] = [];
  const collect = (node: MarkupNode): void => {
    if (typeof node === "string") parts.push(node);
    else if (node.name === "br") parts.push("\n");
    else if (!unread.has(node.name)) node.children.forEach(collect);
  };
  nodes.forEach(collect);
  return parts.join("");
}

/** The first element with a name, at any depth. */
export function findElement(nodes: readonly MarkupNode[], name: string): MarkupElement | null {
  for (const node of nodes) {
    if (typeof node === "string") continue;
    const found = node.name === name ? node : findElement(node.children, name);
    if (found !== null) return found;
  }
  return null;
}

/**
 * Parses HTML and XHTML with prefixed elements and CDATA, however broken, in one pass, in time and
 * memory proportional to its length and no deeper than 60 elements.
 */
export function parseMarkup(markup: string): MarkupNode[] {
  const text = markup.slice(0, longestMarkup);
  const root: MarkupNode[] = [];
  const open: { name: string; children: MarkupNode[] }[] = [{ name: "", children: root }];
  /** Open elements that are too deep to be kept. */
  let tooDeep = 0;
  let elements = 0;
  let name = "";
  let attribute = "";
  let value = "";
  let attributes = new Map<string, string>();

  let texts: string[] = [];

  const addText = (part: string): void => void texts.push(part);
  const flushText = (): void => {
    if (texts.length === 0) return;
    const part = texts.join("");
    texts = [];
    const { children } = open.at(-1)!;
    const last = children.length - 1;
    if (typeof children[last] === "string") children[last] += part;
    else children.push(part);
  };
  const closeImplied = (): void => {
    if (open.at(-1)!.name === "p" && closeParagraphs.test(name)) open.pop();
    const rule = implied.get(name);
    if (rule === undefined) return;
    const at = open.findLastIndex(
      (each) => rule.closes.includes(each.name) || rule.within.includes(each.name),
    );
    if (at > 0 && rule.closes.includes(open[at]!.name)) open.length = at;
  };
  const start = (isClosed: boolean): void => {
    flushText();
    if (tooDeep === 0) closeImplied();
    const isEmpty = isClosed || voids.has(name);
    if (tooDeep > 0 || open.length > maxDepth || elements >= maxElements) {
      if (!isEmpty) tooDeep += 1;
      return;
    }
    elements += 1;
    const children: MarkupNode[] = [];
    open.at(-1)!.children.push({ name, attributes, children });
    if (!isEmpty) open.push({ name, children });
  };
  const end = (closed: string): void => {
    flushText();
    if (tooDeep > 0) {
      tooDeep -= 1;
      return;
    }
    const at = open.findLastIndex((each) => each.name === closed);
    if (at > 0) open.length = at;
  };

  const nameAt = (from: number, to: number): string =>
    text.slice(from, Math.min(to, from + 100)).toLowerCase();
  const tokenizer = new Tokenizer(
    { xmlMode: false, decodeEntities: true },
    {
      onopentagname(from, to) {
        name = nameAt(from, to);
        attributes = new Map();
      },
      onattribname(from, to) {
        attribute = nameAt(from, to);
        value = "";
      },
      onattribdata(from, to) {
        if (value.length < longestAttribute)
          value += text.slice(from, Math.min(to, from + longestAttribute));
      },
      onattribentity(code) {
        if (value.length < longestAttribute) value += String.fromCodePoint(code);
      },
      onattribend() {
        if (!attributes.has(attribute) && attributes.size < maxAttributes)
          attributes.set(attribute, value);
      },
      onopentagend: () => start(false),
      onselfclosingtag: () => start(true),
      onclosetag: (from, to) => end(nameAt(from, to)),
      ontext: (from, to) => addText(text.slice(from, to)),
      ontextentity: (code) => addText(String.fromCodePoint(code)),
      oncdata: (from, to, offset) => addText(text.slice(from, to - offset)),
      oncomment: () => undefined,
      ondeclaration: () => undefined,
      onprocessinginstruction: () => undefined,
      onend: () => undefined,
    },
  );
  tokenizer.write(text);
  tokenizer.end();
  flushText();
  return root;
}
