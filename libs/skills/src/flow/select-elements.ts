import type { MarkupElement, MarkupNode } from "@carrel/markup";

/** One element's conditions: `a.external[rel="me"]`. */
interface Compound {
  name: string | null;
  attributes: { name: string; operator: string; value: string }[];
  /** Whether the element before it must be its parent, not only around it. */
  isChild: boolean;
}

const compound =
  /^(?:([\w-]+|\*)|#([\w-]+)|\.([\w-]+)|\[\s*([\w:-]+)\s*(?:([~|^$*]?=)\s*(?:"([^"]*)"|'([^']*)'|([^\s\]]+))\s*)?\])/;
const longest = 1_000;
const mostFound = 1_000;

/**
 * The elements that a CSS selector names, in the order of the page; null if it can't be read. Types,
 * IDs, classes, attributes, descendants, children and commas are known, but no pseudo-classes.
 */
export function selectElements(
  nodes: readonly MarkupNode[],
  selector: string,
): MarkupElement[] | null {
  const chains = selector.split(",").map(readChain);
  if (chains.some((chain) => chain === null)) return null;
  const found: MarkupElement[] = [];
  const visit = (node: MarkupNode, around: readonly MarkupElement[]): void => {
    if (typeof node === "string" || found.length >= mostFound) return;
    if (chains.some((chain) => matchesChain(node, around, chain!))) found.push(node);
    const inside = [...around, node];
    for (const child of node.children) visit(child, inside);
  };
  for (const node of nodes) visit(node, []);
  return found;
}

function readChain(text: string): Compound[] | null {
  let rest = text.trim();
  if (rest === "" || rest.length > longest) return null;
  const chain: Compound[] = [];
  let isChild = false;
  while (rest !== "") {
    const one: Compound = { name: null, attributes: [], isChild };
    let match = compound.exec(rest);
    if (match === null) return null;
    for (; match !== null; match = compound.exec(rest)) {
      const [whole, name, id, className, attribute, operator = "", ...values] = match;
      if (name !== undefined) {
        // A type can only come first.
        if (one.name !== null || one.attributes.length > 0) return null;
        one.name = name.toLowerCase();
      } else if (id !== undefined) one.attributes.push({ name: "id", operator: "=", value: id });
      else if (className !== undefined)
        one.attributes.push({ name: "class", operator: "~=", value: className });
      else
        one.attributes.push({
          name: attribute!.toLowerCase(),
          operator,
          value: values.find((value) => value !== undefined) ?? "",
        });
      rest = rest.slice(whole.length);
    }
    chain.push(one);
    const combinator = /^\s*>\s*|^\s+/.exec(rest)?.[0];
    if (rest !== "" && combinator === undefined) return null;
    isChild = combinator?.includes(">") === true;
    rest = rest.slice(combinator?.length ?? 0);
    if (rest === "" && isChild) return null;
  }
  return chain;
}

function matchesChain(
  node: MarkupElement,
  around: readonly MarkupElement[],
  chain: readonly Compound[],
): boolean {
  const last = chain.at(-1)!;
  if (!matches(node, last)) return false;
  if (chain.length === 1) return true;
  const before = chain.slice(0, -1);
  const candidates = last.isChild ? around.slice(-1) : around;
  return candidates.some((candidate) =>
    matchesChain(candidate, around.slice(0, around.indexOf(candidate)), before),
  );
}

const matches = (node: MarkupElement, { name, attributes }: Compound): boolean =>
  (name === null || name === "*" || node.name === name) &&
  attributes.every((wanted) => matchesAttribute(node.attributes.get(wanted.name), wanted));

function matchesAttribute(
  value: string | undefined,
  wanted: Compound["attributes"][number],
): boolean {
  if (value === undefined) return false;
  switch (wanted.operator) {
    case "":
      return true;
    case "~=":
      return value.split(/\s+/).includes(wanted.value);
    case "|=":
      return value === wanted.value || value.startsWith(`${wanted.value}-`);
    case "^=":
      return wanted.value !== "" && value.startsWith(wanted.value);
    case "$=":
      return wanted.value !== "" && value.endsWith(wanted.value);
    case "*=":
      return wanted.value !== "" && value.includes(wanted.value);
    default:
      return value === wanted.value;
  }
}
