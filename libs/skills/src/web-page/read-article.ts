import { clipText } from "@carrel/contracts";
import {
  findElement,
  parseMarkup,
  textOf,
  writeMarkdown,
  type MarkupElement,
  type MarkupNode,
} from "@carrel/markup";
import { onOneLine, withoutHidden } from "../plain-text.ts";
import { lengthOf, visibleNodes } from "./hidden-styles.ts";

export interface Article {
  title: string;
  author: string;
  /** As the page says it: usually ISO 8601. */
  published: string;
  description: string;
  /** Markdown, with links and without pictures; '' if the page shows no text. */
  text: string;
}

const longestFact = 300;
const longestData = 200_000;

/* What every page of a site has, by element or role. */
const navigation = new Set(["nav", "navigation", "search"]);
const furniture = new Set(["header", "footer", "aside", "banner", "contentinfo", "complementary"]);

const roleOf = ({ attributes }: MarkupElement): string =>
  (attributes.get("role") ?? "").trim().toLowerCase();

const isArticle = (node: MarkupElement): boolean =>
  node.name === "main" || node.name === "article" || roleOf(node) === "main";

/**
 * Reads an HTML page's main text and what it says about itself, in time proportional to its length.
 *
 * @param address where its relative links start
 */
export function readArticle(html: string, address: string): Article {
  const page = parseMarkup(html);
  const facts = readFacts(page);
  const visible = visibleNodes(page);
  const content = selectContent(visible);
  const base = findElement(page, "base")?.attributes.get("href");
  const from =
    base !== undefined && URL.canParse(base, address) ? new URL(base, address).href : address;
  const fact = (...candidates: (string | undefined)[]): string =>
    clipText(
      onOneLine(candidates.find((one) => one !== undefined && one.trim() !== "") ?? ""),
      longestFact,
    );
  const heading = findElement(visible, "h1");
  return {
    title: fact(
      textOf(findElement(page, "title")?.children ?? []),
      facts.get("og:title"),
      heading === null ? undefined : textOf([heading]),
    ),
    author: fact(facts.get("author"), facts.get("article:author"), facts.get("ld:author")),
    published: fact(
      facts.get("article:published_time"),
      facts.get("ld:datepublished"),
      facts.get("date"),
      facts.get("dc.date"),
      facts.get("citation_publication_date"),
    ),
    description: fact(facts.get("description"), facts.get("og:description")),
    text: withoutHidden(writeMarkdown(content, from)),
  };
}

/** The part of a page that is its content: the services read pages into documents the same way. */
function selectContent(nodes: readonly MarkupNode[]): MarkupNode[] {
  const articles: { node: MarkupElement; length: number }[] = [];
  const collect = (node: MarkupNode): void => {
    if (typeof node === "string") return;
    if (isArticle(node)) articles.push({ node, length: lengthOf([node]) });
    else node.children.forEach(collect);
  };
  nodes.forEach(collect);
  const whole = lengthOf(nodes);
  const longest = articles.reduce<{ node: MarkupElement; length: number } | null>(
    (best, one) => (best === null || one.length > best.length ? one : best),
    null,
  );
  if (longest !== null && longest.length > 0.3 * whole) return withoutFurniture([longest.node]);
  const rest = withoutFurniture(nodes);
  // A page that has nothing else shows its navigation.
  return lengthOf(rest) > 0 ? rest : [...nodes];
}

/** Within an article, a header or footer belongs to the text. */
function withoutFurniture(nodes: readonly MarkupNode[], isInArticle = false): MarkupNode[] {
  return nodes.flatMap((node): MarkupNode[] => {
    if (typeof node === "string") return [node];
    const names = [node.name, roleOf(node)];
    if (names.some((name) => navigation.has(name))) return [];
    const isIn = isInArticle || isArticle(node);
    if (!isIn && names.some((name) => furniture.has(name))) return [];
    return [{ ...node, children: withoutFurniture(node.children, isIn) }];
  });
}

/** Metadata by name, in lower case; the first of each counts. */
function readFacts(page: readonly MarkupNode[]): Map<string, string> {
  const facts = new Map<string, string>();
  const add = (name: string, value: unknown): void => {
    if (typeof value === "string" && value.trim() !== "" && !facts.has(name))
      facts.set(name, clipText(value, 1_000));
  };
  const visit = (node: MarkupNode): void => {
    if (typeof node === "string") return;
    const { name, attributes, children } = node;
    if (name === "meta") {
      const key =
        attributes.get("name") ?? attributes.get("property") ?? attributes.get("itemprop");
      add((key ?? "").toLowerCase(), attributes.get("content"));
    } else if (
      name === "script" &&
      /^application\/ld\+json/i.test(attributes.get("type")?.trim() ?? "")
    )
      readLinkedData(children.filter((child) => typeof child === "string").join(""), add);
    else children.forEach(visit);
  };
  page.forEach(visit);
  return facts;
}

/** Who wrote a page and when, from its linked data (schema.org). */
function readLinkedData(text: string, add: (name: string, value: unknown) => void): void {
  if (text.length > longestData) return;
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return;
  }
  const things = [data]
    .flat()
    .flatMap((one) => [one, (one as { "@graph"?: unknown })?.["@graph"]].flat());
  for (const thing of things) {
    if (typeof thing !== "object" || thing === null) continue;
    const { author, datePublished } = thing as { author?: unknown; datePublished?: unknown };
    add("ld:datepublished", datePublished);
    const [first] = [author].flat();
    add(
      "ld:author",
      typeof first === "object" ? (first as { name?: unknown } | null)?.name : first,
    );
  }
}
