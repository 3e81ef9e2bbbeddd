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
const mostChains = 20;
const mostFound = 1_000;
/** Comparisons of elements with conditions; a selector that needs more can't be used. */
const mostComparisons = 20_000_000;

/**
 * The elements that a CSS selector names, in the order of the page; null if it can't be read. Types,
 * IDs, classes, attributes, descendants, children and commas are known, but no pseudo-classes.
 */
export function selectElements(
  nodes: readonly MarkupNode[],
  selector: string,
): MarkupElement[] | null {
  if (selector.length > longest) return null;
  const chains = selector.split(",").map(readChain);
  if (chains.length > mostChains || chains.includes(null)) return null;
  const found: MarkupElement[] = [];
  let comparisons = 0;
  const isMatch = (node: MarkupElement, wanted: Compound): boolean => {
    comparisons += 1;
    return matches(node, wanted);
  };
  const visit = (node: MarkupNode, around: readonly MarkupElement[]): void => {
    if (typeof node === "string" || found.length >= mostFound || comparisons > mostComparisons)
      return;
    const path = [...around, node];
    if (chains.some((chain) => matchesChain(path, chain!, isMatch))) found.push(node);
    for (const child of node.children) visit(child, path);
  };
  for (const node of nodes) visit(node, []);
  return comparisons > mostComparisons ? null : found;
}

function readChain(text: string): Compound[] | null {
  let rest = text.trim();
  if (rest === "") return null;
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

/**
 * Whether the last element of a path, seen from the page's root, fulfils a chain. All places where
 * each of its conditions may be met are kept, because trying them one after the other would take
 * exponential time.
 */
function matchesChain(
  path: readonly MarkupElement[],
  chain: readonly Compound[],
  isMatch: (node: MarkupElement, wanted: Compound) => boolean,
): boolean {
  if (!isMatch(path.at(-1)!, chain.at(-1)!)) return false;
  let places: readonly number[] = [path.length - 1];
  for (let at = chain.length - 1; at > 0 && places.length > 0; at -= 1) {
    const { isChild } = chain[at]!;
    const candidates = isChild
      ? places.map((place) => place - 1).filter((place) => place >= 0)
      : path.slice(0, places.at(-1)).map((_, place) => place);
    places = candidates.filter((place) => isMatch(path[place]!, chain[at - 1]!));
  }
  return places.length > 0;
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
