import { type MarkupElement, type MarkupNode, element } from "@carrel/markup";
import { z } from "zod";

const richText = z
  .array(
    z.looseObject({
      plain_text: z.string().catch(""),
      href: z.string().nullish().catch(null),
      annotations: z
        .object({
          bold: z.boolean().catch(false),
          italic: z.boolean().catch(false),
          strikethrough: z.boolean().catch(false),
          code: z.boolean().catch(false),
        })
        .partial()
        .catch({}),
    }),
  )
  .catch([]);

/** A block; what is in it depends on its type, and lies in the field of that name. */
export const notionBlock = z.looseObject({
  id: z.string(),
  type: z.string(),
  has_children: z.boolean().default(false),
});
export type NotionBlock = z.output<typeof notionBlock>;
/** With the blocks in it. */
export interface BlockTree {
  block: NotionBlock;
  children: BlockTree[];
}

const contents = z
  .looseObject({
    rich_text: richText.optional(),
    caption: richText.optional(),
    cells: z.array(richText).optional(),
    title: z.string().optional(),
    name: z.string().optional(),
    url: z.string().optional(),
    expression: z.string().optional(),
    language: z.string().optional(),
    checked: z.boolean().optional(),
    has_column_header: z.boolean().optional(),
    icon: z.looseObject({ emoji: z.string().optional() }).nullish(),
    external: z.looseObject({ url: z.string().optional() }).optional(),
  })
  .catch({});

const lists = new Map([
  ["bulleted_list_item", "ul"],
  ["to_do", "ul"],
  ["numbered_list_item", "ol"],
]);
/** Notion's own names, in which others are found too. */
const plain = new Map([
  ["paragraph", "p"],
  ["heading_1", "h2"],
  ["heading_2", "h3"],
  ["heading_3", "h4"],
  ["quote", "blockquote"],
]);

/** Items of a list that follow each other are one. */
export function convertBlocks(trees: readonly BlockTree[]): MarkupNode[] {
  const nodes: MarkupNode[] = [];
  let list: MarkupElement | null = null;
  for (const tree of trees) {
    const name = lists.get(tree.block.type);
    if (name === undefined) {
      list = null;
      nodes.push(...convertBlock(tree));
      continue;
    }
    if (list?.name !== name) {
      list = element(name, []);
      nodes.push(list);
    }
    list.children.push(...convertBlock(tree));
  }
  return nodes;
}

function convertBlock({ block, children }: BlockTree): MarkupNode[] {
  const { type } = block;
  const own = contents.parse(block[type]);
  const text = convertText(own.rich_text ?? []);
  const inner = (): MarkupNode[] => convertBlocks(children);
  const name = plain.get(type);
  if (name !== undefined)
    return name === "blockquote"
      ? [element(name, [element("p", text), ...inner()])]
      : [element(name, text), ...inner()];
  switch (type) {
    case "bulleted_list_item":
    case "numbered_list_item":
      return [element("li", [...text, ...inner()])];
    case "to_do":
      return [
        element("li", [...text, ...inner()], { "data-checked": String(own.checked ?? false) }),
      ];
    case "toggle":
      return [element("p", [element("strong", text)]), ...inner()];
    case "callout": {
      const icon = own.icon?.emoji === undefined ? [] : [`${own.icon.emoji} `];
      return [element("blockquote", [element("p", [...icon, ...text]), ...inner()])];
    }
    case "code":
      return [
        element("pre", [(own.rich_text ?? []).map((part) => part.plain_text).join("")], {
          "data-language": (own.language ?? "").replaceAll(" ", "-"),
        }),
      ];
    case "equation":
      return [element("p", [`$${own.expression ?? ""}$`])];
    case "divider":
      return [element("hr", [])];
    case "table":
      return [convertTable(children, own.has_column_header ?? false)];
    case "child_page":
    case "child_database":
      return [element("p", [`[Page: ${own.title ?? ""}]`])];
    case "bookmark":
    case "embed":
    case "link_preview":
      return [element("p", [link(own.url ?? "", convertText(own.caption ?? []))])];
    case "image":
    case "file":
    case "pdf":
    case "video":
    case "audio": {
      const caption = (own.caption ?? []).map((part) => part.plain_text).join("");
      const file = own.name ?? own.external?.url?.split("/").at(-1) ?? type;
      return [element("p", [element("img", [], { alt: caption || file })])];
    }
    default:
      return [element("p", text), ...inner()];
  }
}

function convertTable(rows: readonly BlockTree[], isHeaded: boolean): MarkupElement {
  return element(
    "table",
    rows.map(({ block }, row) => {
      const cells = contents.parse(block[block.type]).cells ?? [];
      const name = isHeaded && row === 0 ? "th" : "td";
      return element(
        "tr",
        cells.map((cell) => element(name, convertText(cell))),
      );
    }),
  );
}

const link = (href: string, text: MarkupNode[]): MarkupElement =>
  element("a", text.length > 0 ? text : [href], { href });

function convertText(parts: z.output<typeof richText>): MarkupNode[] {
  return parts.flatMap(({ plain_text: text, href, annotations }) => {
    const lines = text
      .split("\n")
      .flatMap((line, at): MarkupNode[] => (at === 0 ? [line] : [element("br", []), line]));
    const marked = (
      [
        ["code", annotations.code],
        ["del", annotations.strikethrough],
        ["em", annotations.italic],
        ["strong", annotations.bold],
      ] as const
    ).reduce<MarkupNode[]>(
      (inner, [name, isOn]) => (isOn === true ? [element(name, inner)] : inner),
      lines,
    );
    return href ? [link(href, marked)] : marked;
  });
}

const named = z.looseObject({ name: z.string().catch("") });
const property = z.looseObject({ type: z.string() });

/** What a property of a page says, as people read it. */
export function readProperty(value: unknown): string {
  const parsed = property.safeParse(value);
  return parsed.success ? readValue(parsed.data.type, parsed.data[parsed.data.type]) : "";
}

function readValue(type: string, value: unknown): string {
  switch (type) {
    case "title":
    case "rich_text":
      return richText
        .parse(value)
        .map((part) => part.plain_text)
        .join("");
    case "select":
    case "status":
      return named.safeParse(value).data?.name ?? "";
    case "multi_select":
    case "people":
    case "files":
      return (z.array(named).safeParse(value).data ?? [])
        .map(({ name }) => name)
        .filter((name) => name !== "")
        .join(", ");
    case "date": {
      const date = z.object({ start: z.string(), end: z.string().nullish() }).safeParse(value).data;
      return [date?.start, date?.end].filter(Boolean).join(" – ");
    }
    case "checkbox":
      return value === true ? "yes" : "no";
    case "formula":
      return readProperty(value);
    case "unique_id": {
      const id = z
        .object({ prefix: z.string().nullish(), number: z.number() })
        .safeParse(value).data;
      return [id?.prefix, id?.number].filter((part) => part != null).join("-");
    }
    default:
      return typeof value === "string" || typeof value === "number" ? String(value) : "";
  }
}
