import { type MarkupNode, element, writeMarkdown } from "@carrel/markup";
import { z } from "zod";

/** A node of the Atlassian Document Format (version 1). */
const adfNode = z.looseObject({
  type: z.string().catch(""),
  text: z.string().catch(""),
  attrs: z.record(z.string(), z.unknown()).catch({}),
  content: z.array(z.unknown()).catch([]),
  marks: z
    .array(
      z.looseObject({
        type: z.string().catch(""),
        attrs: z.record(z.string(), z.unknown()).catch({}),
      }),
    )
    .catch([]),
});
type AdfNode = z.output<typeof adfNode>;

/** Deeper nodes are left out, as in other markup. */
const maxDepth = 60;

/** Elements by the name of the node that they stand for. */
const plain = new Map([
  ["paragraph", "p"],
  ["blockquote", "blockquote"],
  ["bulletList", "ul"],
  ["orderedList", "ol"],
  ["listItem", "li"],
  ["taskList", "ul"],
  ["decisionList", "ul"],
  ["decisionItem", "li"],
  ["table", "table"],
  ["tableRow", "tr"],
  ["tableHeader", "th"],
  ["tableCell", "td"],
]);
const marks = new Map([
  ["strong", "strong"],
  ["em", "em"],
  ["code", "code"],
  ["strike", "del"],
]);

/** Writes a document as Markdown; anything else is empty. */
export const writeAdf = (document: unknown): string => writeMarkdown(convert(document, 0));

function convert(value: unknown, depth: number): MarkupNode[] {
  const parsed = adfNode.safeParse(value);
  if (!parsed.success || depth > maxDepth) return [];
  const node = parsed.data;
  const attribute = (name: string): string => {
    const found = node.attrs[name];
    return typeof found === "string" || typeof found === "number" ? String(found) : "";
  };
  const contents = (): MarkupNode[] => node.content.flatMap((child) => convert(child, depth + 1));
  const name = plain.get(node.type);
  if (name !== undefined) {
    const spans = { colspan: attribute("colspan") || "1", rowspan: attribute("rowspan") || "1" };
    const start = attribute("order");
    return [element(name, contents(), { ...spans, ...(start !== "" && { start }) })];
  }
  switch (node.type) {
    case "text":
      return [withMarks(node)];
    case "hardBreak":
      return [element("br", [])];
    case "rule":
      return [element("hr", [])];
    case "heading":
      return [element(`h${Math.min(6, Math.max(1, Number(attribute("level")) || 1))}`, contents())];
    case "codeBlock":
      return [element("pre", contents(), { "data-language": attribute("language") })];
    case "taskItem":
      return [element("li", contents(), { "data-checked": String(attribute("state") === "DONE") })];
    case "panel":
      return [element("blockquote", [title(attribute("panelType")), ...contents()])];
    case "expand":
    case "nestedExpand":
      return [title(attribute("title")), element("div", contents())];
    case "mention":
      return [`@${attribute("text").replace(/^@/, "") || "someone"}`];
    case "emoji":
      return [attribute("text") || attribute("shortName")];
    case "date":
      return [readDate(attribute("timestamp"))];
    case "status":
      return [`[${attribute("text")}]`];
    case "inlineCard":
    case "blockCard":
    case "embedCard":
      return [element("a", [attribute("url")], { href: attribute("url") })];
    case "media":
    case "mediaInline":
      return [element("img", [], { alt: attribute("alt") || attribute("__fileName") || "file" })];
    default:
      return [element("span", contents())];
  }
}

function title(text: string): MarkupNode {
  return element("p", [element("strong", [text.replace(/^./u, (first) => first.toUpperCase())])]);
}

function withMarks({ text, marks: all }: AdfNode): MarkupNode {
  return all.slice(0, 10).reduce<MarkupNode>((inner, { type, attrs }) => {
    const { href } = attrs;
    if (type === "link" && typeof href === "string") return element("a", [inner], { href });
    const name = marks.get(type);
    return name === undefined ? inner : element(name, [inner]);
  }, text);
}

/** Milliseconds since 1970. */
function readDate(timestamp: string): string {
  const date = new Date(Number(timestamp));
  return Number.isNaN(date.getTime()) ? "" : date.toISOString().slice(0, 10);
}
