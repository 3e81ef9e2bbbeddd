/** Markdown tree nodes, reduced to what is used here. */
interface Node {
  type: string;
  identifier?: string;
  children?: Node[];
  data?: { hName: string; hProperties: Record<string, unknown> };
}

/** A definition's number and text; the text is missing until it has arrived. */
export interface Footnote {
  number: number;
  text: string | null;
}
/** Footnotes by label, in the order of their numbers. */
export type Footnotes = ReadonlyMap<string, Footnote>;

const none: Footnotes = new Map();
const definition = /^ {0,3}\[\^([^\]\s]{1,100})\]:/;
const call = /\[\^([^\]\s]{1,100})\]/g;
const startsAsCode = /^(?: {0,3}(?:```|~~~)| {4}|\t)/;
const labelOf = (text: string): string => text.toLowerCase();

export const isDefinition = (block: string): boolean => definition.test(block);

/** Removes the label, and the indentation of further lines. */
const textOf = (block: string): string =>
  block.replace(definition, "").replace(/^(?: {4}|\t)/gm, "");

function callsIn(block: string): string[] {
  if (!block.includes("[^") || startsAsCode.test(block)) return [];
  return Array.from(block.matchAll(call), (match) => labelOf(match[1]!));
}

/**
 * Numbers the footnotes of a text in the order of their first references. Blocks are parsed
 * separately, so they don't know the definitions in other blocks. In a growing text, a number
 * counts as a footnote before its definition arrives.
 */
export function collectFootnotes(blocks: readonly string[], growing: boolean): Footnotes {
  if (!blocks.some((block) => block.includes("[^"))) return none;
  const texts = new Map<string, string>();
  for (const block of blocks) {
    const label = definition.exec(block)?.[1];
    if (label !== undefined && !texts.has(labelOf(label))) texts.set(labelOf(label), textOf(block));
  }
  const notes = new Map<string, Footnote>();
  const add = (label: string): void => {
    if (notes.has(label)) return;
    const text = texts.get(label) ?? null;
    if (text !== null || (growing && /^\d{1,3}$/.test(label)))
      notes.set(label, { number: notes.size + 1, text });
  };
  for (const block of blocks)
    if (!isDefinition(block)) for (const label of callsIn(block)) add(label);
  for (const label of texts.keys()) add(label); // never referred to, or only by other footnotes
  return notes;
}

/** The footnotes that a block refers to, as `label=number` lines. */
export const footnotesOf = (block: string, notes: Footnotes): string =>
  notes.size === 0
    ? ""
    : [...new Set(callsIn(block))]
        .flatMap((label) => {
          const note = notes.get(label);
          return note ? [`${label}=${note.number}`] : [];
        })
        .join("\n");

const pairsOf = (references: string): [string, number][] =>
  references === ""
    ? []
    : references.split("\n").map((line) => {
        const at = line.lastIndexOf("=");
        return [line.slice(0, at), Number(line.slice(at + 1))];
      });

/** Puts empty definitions before a block, so that its references are parsed as such. */
export const withDefinitions = (block: string, references: string): string =>
  references === ""
    ? block
    : `${pairsOf(references)
        .map(([label]) => `[^${label}]: .`)
        .join("\n\n")}\n\n${block}`;

/** remark plugin: turns references into `footnote-mark` elements with their numbers. */
export function remarkFootnotes({ references }: { references: string }) {
  const numbers = new Map(pairsOf(references));
  const replace = (node: Node): Node => {
    if (node.type !== "footnoteReference") {
      visit(node);
      return node;
    }
    const number = numbers.get(labelOf(node.identifier ?? ""));
    return {
      type: "footnote",
      data: { hName: "footnote-mark", hProperties: { number } },
      children: [],
    };
  };
  const visit = (node: Node): void => {
    if (node.children)
      node.children = node.children
        .filter(({ type }) => type !== "footnoteDefinition")
        .map(replace);
  };
  return visit;
}
