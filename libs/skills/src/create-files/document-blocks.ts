import type { Nodes, PhrasingContent, RootContent, TableCell } from "mdast";
import { ToolError } from "../tool.ts";
import { cleanText } from "./file-name.ts";

/** A piece of text that looks the same throughout. */
export interface Span {
  text: string;
  isBold?: boolean;
  isItalic?: boolean;
  isStruck?: boolean;
  isCode?: boolean;
  /** http, https or mailto. */
  link?: string;
}

/** A part of a document, as PDF and Word files are written from it. A span's "\n" breaks the line. */
export type Block =
  | { kind: "heading"; level: number; spans: Span[] }
  | { kind: "paragraph"; spans: Span[] }
  | { kind: "code"; text: string }
  | { kind: "quote"; blocks: Block[] }
  | { kind: "list"; start: number | null; items: ListItem[] }
  | { kind: "table"; align: (CellAlign | null)[]; rows: Span[][][] }
  | { kind: "rule" };
export interface ListItem {
  isChecked: boolean | null;
  blocks: Block[];
}
export type CellAlign = "left" | "right" | "center";

/** In characters. */
const longestMarkdown = 1_000_000;
/** Lists and quotes within each other. */
const deepest = 8;

/** Addresses that mean the same wherever the file is opened. */
const portable = /^(?:https?:\/\/|mailto:)[^\s<>"]+$/i;

const marker = /[*_~`[\]<>!&@:|+-]/g;
/** As for exported chats: the parser's time grows with a paragraph's length times its markers. */
const mostWork = 20_000_000;

/**
 * Reads Markdown with GitHub's tables, task lists and struck text. HTML is shown as it is written,
 * pictures become links to them, and nothing is fetched. ToolError if it is too long.
 */
export async function readMarkdown(markdown: string): Promise<Block[]> {
  if (markdown.length > longestMarkdown)
    throw new ToolError(
      `The content is longer than ${longestMarkdown.toLocaleString("en")} characters. Make several files.`,
    );
  const text = cleanText(markdown);
  if (isTooMuchWork(text))
    return text
      .split(/\n[ \t]*\n/)
      .filter((paragraph) => paragraph.trim() !== "")
      .map((paragraph) => ({ kind: "paragraph", spans: [{ text: paragraph.trim() }] }));
  const [{ fromMarkdown }, { gfmFromMarkdown }, { gfm }] = await Promise.all([
    import("mdast-util-from-markdown"),
    import("mdast-util-gfm"),
    import("micromark-extension-gfm"),
  ]);
  const root = fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  const definitions = new Map<string, string>();
  for (const node of root.children)
    if (node.type === "definition" && !definitions.has(node.identifier))
      definitions.set(node.identifier, node.url);
  return new Reader(definitions).blocks(root.children, 0);
}

function isTooMuchWork(text: string): boolean {
  let work = 0;
  for (const paragraph of text.split(/\n[ \t]*\n/)) {
    // Deeply nested quotes and lists take as long as many markers.
    work += paragraph.length * (paragraph.match(marker)?.length ?? 0);
    if (work > mostWork) return true;
  }
  return false;
}

class Reader {
  constructor(private readonly definitions: ReadonlyMap<string, string>) {}

  blocks(nodes: readonly RootContent[], depth: number): Block[] {
    return nodes.flatMap((node) => this.block(node, depth));
  }

  private block(node: RootContent, depth: number): Block[] {
    if (depth > deepest) return textBlocks(node);
    switch (node.type) {
      case "heading":
        return [{ kind: "heading", level: node.depth, spans: this.spans(node.children) }];
      case "paragraph":
        return [{ kind: "paragraph", spans: this.spans(node.children) }];
      case "code":
        return [{ kind: "code", text: node.value }];
      case "html":
        return [{ kind: "paragraph", spans: [{ text: withoutBreaks(node.value) }] }];
      case "blockquote":
        return [{ kind: "quote", blocks: this.blocks(node.children, depth + 1) }];
      case "thematicBreak":
        return [{ kind: "rule" }];
      case "list":
        return [
          {
            kind: "list",
            start: node.ordered === true ? (node.start ?? 1) : null,
            items: node.children.map((item) => ({
              isChecked: item.checked ?? null,
              blocks: this.blocks(item.children, depth + 1),
            })),
          },
        ];
      case "table":
        return [
          {
            kind: "table",
            align: node.align ?? [],
            rows: node.children.map((row) => row.children.map((cell) => this.cell(cell))),
          },
        ];
      case "footnoteDefinition": {
        const [first, ...others] = this.blocks(node.children, depth + 1);
        const mark: Span = { text: `[${node.identifier}] ` };
        return first?.kind === "paragraph"
          ? [{ ...first, spans: [mark, ...first.spans] }, ...others]
          : [{ kind: "paragraph", spans: [mark] }, ...(first ? [first] : []), ...others];
      }
      case "definition":
      case "yaml":
        return [];
      default:
        return textBlocks(node);
    }
  }

  private cell(cell: TableCell): Span[] {
    return this.spans(cell.children);
  }

  private spans(nodes: readonly PhrasingContent[], style: Omit<Span, "text"> = {}): Span[] {
    return nodes.flatMap((node): Span[] => {
      switch (node.type) {
        case "text":
          return [{ text: node.value.replace(/\n/g, " "), ...style }];
        case "strong":
          return this.spans(node.children, { ...style, isBold: true });
        case "emphasis":
          return this.spans(node.children, { ...style, isItalic: true });
        case "delete":
          return this.spans(node.children, { ...style, isStruck: true });
        case "inlineCode":
          return [{ text: node.value, ...style, isCode: true }];
        case "break":
          return [{ text: "\n", ...style }];
        case "html":
          return [{ text: withoutBreaks(node.value), ...style }];
        case "link":
          return this.spans(node.children, { ...style, ...linkTo(node.url) });
        case "linkReference":
          return this.spans(node.children, {
            ...style,
            ...linkTo(this.definitions.get(node.identifier) ?? ""),
          });
        case "image":
          return [{ text: node.alt || "Picture", ...style, ...linkTo(node.url) }];
        case "imageReference":
          return [
            {
              text: node.alt || "Picture",
              ...style,
              ...linkTo(this.definitions.get(node.identifier) ?? ""),
            },
          ];
        case "footnoteReference":
          return [{ text: `[${node.identifier}]`, ...style }];
        default:
          return [];
      }
    });
  }
}

/** A line break is the only HTML that models need within a table's cell. */
const withoutBreaks = (html: string): string => html.replace(/<br\s*\/?>/gi, "\n");

const linkTo = (address: string): { link?: string } =>
  address.length <= 2_000 && portable.test(address) ? { link: address } : {};

/** All text of a node that is nested too deeply. */
function textBlocks(node: Nodes): Block[] {
  const texts: string[] = [];
  const rest: Nodes[] = [node];
  while (rest.length > 0) {
    const next = rest.pop()!;
    if ("value" in next) texts.push(next.value);
    if ("children" in next) rest.push(...next.children.toReversed());
  }
  return [{ kind: "paragraph", spans: [{ text: texts.join(" ") }] }];
}

/** The text of spans without their looks. */
export const plainText = (spans: readonly Span[]): string => spans.map(({ text }) => text).join("");
