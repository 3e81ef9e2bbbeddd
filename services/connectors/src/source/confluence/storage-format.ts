import {
  type MarkupElement,
  type MarkupNode,
  element,
  findElement,
  parseMarkup,
  textOf,
  writeMarkdown,
} from "@carrel/markup";

/*
 * Confluence's storage format: XHTML with macros (`ac:structured-macro`), resources (`ri:page`) and
 * what the new editor adds (`ac:adf-extension`). Each is replaced with plain elements.
 */

/** Names of users by account id, user key or username. */
type UserNames = ReadonlyMap<string, string>;

/** Notes, by macro or panel type, and what they are called. */
const panels = new Map([
  ["info", "Info"],
  ["note", "Note"],
  ["tip", "Tip"],
  ["warning", "Warning"],
  ["success", "Success"],
  ["error", "Error"],
  ["panel", ""],
  ["custom", ""],
]);
/** Macros that only arrange or hide what is in them. */
const frames = new Set([
  "section",
  "column",
  "details",
  "excerpt",
  "div",
  "span",
  "align",
  "toc-zone",
  "table-filter",
  "table-joiner",
  "pivot-table",
]);
/** Macros that show nothing of their own. */
const silent = new Set([
  "toc",
  "anchor",
  "style",
  "livesearch",
  "pagetreesearch",
  "change-history",
]);
const codes = new Set(["code", "noformat", "code-block", "codeblock", "plantuml", "mermaid"]);
const markups = new Set(["html", "html-include", "xhtml"]);
const formulas = new Set(["mathblock", "mathinline", "latex", "latex-block", "latex-inline"]);
const includes = new Map([
  ["include", "Includes"],
  ["excerpt-include", "Includes an excerpt of"],
]);
/** Parameters of a macro that say something to readers. */
const telling =
  /^(title|text|name|label|labels|cql|jqlquery|key|url|page|query|filter|diagramname|displayname|filename)$/;
/** Macros within a line of text. */
const inline = new Set([
  "status",
  "jira",
  "profile",
  "mathinline",
  "latex-inline",
  "anchor",
  "span",
]);
/** Elements that only hold data for the editor. */
const data = new Set([
  "ac:parameter",
  "ac:adf-attribute",
  "ac:placeholder",
  "ac:task-id",
  "ac:task-uuid",
]);

/** Reads a page's body as Markdown; `base` is the page's address. */
export function readStorage(body: string, users: UserNames, base: string): string {
  return writeMarkdown(rewriteAll(parseMarkup(body), users), base);
}

/** The users that a page mentions, each once. */
export function findMentions(body: string): string[] {
  const found = new Set<string>();
  const visit = (node: MarkupNode): void => {
    if (typeof node === "string") return;
    if (node.name === "ri:user") found.add(userOf(node));
    node.children.forEach(visit);
  };
  if (body.includes("ri:user")) parseMarkup(body).forEach(visit);
  found.delete("");
  return [...found];
}

const userOf = ({ attributes }: MarkupElement): string =>
  attributes.get("ri:account-id") ??
  attributes.get("ri:userkey") ??
  attributes.get("ri:username") ??
  "";

const rewriteAll = (nodes: readonly MarkupNode[], users: UserNames): MarkupNode[] =>
  nodes.flatMap((node) => (typeof node === "string" ? [node] : rewrite(node, users)));

function rewrite(node: MarkupElement, users: UserNames): MarkupNode[] {
  const { name, attributes, children } = node;
  if (data.has(name)) return [];
  switch (name) {
    case "ac:structured-macro":
    case "ac:macro":
      return rewriteMacro(node, users);
    case "ac:link":
      return rewriteLink(node, users);
    case "ac:image":
      return [describeImage(node, users)];
    case "ac:emoticon":
      return [describeEmoticon(attributes)];
    case "time":
      return [attributes.get("datetime") ?? textOf(children)];
    case "ac:task-list":
      return [element("ul", rewriteAll(children, users))];
    case "ac:task":
      return [rewriteTask(node, users)];
    case "ac:layout":
    case "ac:layout-section":
    case "ac:layout-cell":
    case "ac:rich-text-body":
      return [element("div", rewriteAll(children, users))];
    case "ac:adf-extension": {
      const content = findElement(children, "ac:adf-node");
      if (content !== null) return rewrite(content, users);
      return rewriteAll(findElement(children, "ac:adf-fallback")?.children ?? children, users);
    }
    case "ac:adf-node":
      return rewriteNode(node, users);
    default:
      if (name.startsWith("ri:")) return [nameResource(node, users)];
      return [{ name, attributes, children: rewriteAll(children, users) }];
  }
}

interface Macro {
  name: string;
  parameters: ReadonlyMap<string, MarkupElement>;
  body: MarkupNode[] | null;
  /** Plain text. */
  text: string | null;
}

function readMacro({ attributes, children }: MarkupElement): Macro {
  const parts = children.filter((child) => typeof child !== "string");
  const macro: Macro = {
    name: (attributes.get("ac:name") ?? "").toLowerCase(),
    parameters: new Map(
      parts
        .filter(({ name }) => name === "ac:parameter" || name === "ac:default-parameter")
        .map((part) => [(part.attributes.get("ac:name") ?? "").toLowerCase(), part]),
    ),
    body: parts.find(({ name }) => name === "ac:rich-text-body")?.children ?? null,
    text: null,
  };
  const plain = parts.find(({ name }) => name === "ac:plain-text-body");
  return plain === undefined ? macro : { ...macro, text: textOf(plain.children) };
}

function rewriteMacro(node: MarkupElement, users: UserNames): MarkupNode[] {
  const macro = readMacro(node);
  const { name, body, text } = macro;
  const parameter = (key: string): string =>
    textOf(macro.parameters.get(key)?.children ?? []).trim();
  const contents = (): MarkupNode[] => rewriteAll(body ?? [], users);
  if (name === "status") {
    const label = parameter("title") || parameter("colour") || parameter("color");
    return label === "" ? [] : [element("span", [`[${label}]`])];
  }
  if (codes.has(name))
    return titled(parameter("title"), [
      element("pre", [text ?? textOf(contents())], { "data-language": parameter("language") }),
    ]);
  if (panels.has(name)) return [note(panels.get(name)!, parameter("title"), contents())];
  if (name === "expand" || name === "ui-expand") return titled(parameter("title"), contents());
  if (formulas.has(name)) {
    const formula = (text ?? parameter("body")).trim() || textOf(contents()).trim();
    return [element(inline.has(name) ? "span" : "p", [`$${formula}$`])];
  }
  if (markups.has(name) && text !== null) return [element("div", parseMarkup(text))];
  if (includes.has(name)) return [included(includes.get(name)!, macro)];
  if (frames.has(name) && body !== null)
    return [element(name === "span" ? "span" : "div", contents())];
  if (silent.has(name)) return contents();
  return describeMacro(macro, users);
}

/** A macro that isn't known: what is in it; without a body, its name and what it was told. */
function describeMacro({ name, parameters, body, text }: Macro, users: UserNames): MarkupNode[] {
  if (body !== null) return [element("div", rewriteAll(body, users))];
  if (text !== null && text.trim() !== "") return [element("pre", [text])];
  const said = [...parameters]
    .map(([key, { children }]) =>
      telling.test(key) || findResource(children) !== null
        ? textOf(rewriteAll(children, users)).replace(/\s+/g, " ").trim()
        : "",
    )
    .filter((part) => part !== "");
  if (name === "" && said.length === 0) return [];
  const shown = `[${[name, said.join(", ")].filter((part) => part !== "").join(": ")}]`;
  return [element(inline.has(name) ? "span" : "p", [shown])];
}

const titled = (title: string, contents: MarkupNode[]): MarkupNode[] => [
  ...(title === "" ? [] : [element("p", [element("strong", [title])])]),
  element("div", contents),
];

const note = (kind: string, title: string, contents: MarkupNode[]): MarkupElement => {
  const heading = [kind, title].filter((part) => part !== "").join(": ");
  return element("blockquote", titled(heading, contents));
};

/** Named, not followed: the other page is a document of its own. */
function included(verb: string, { parameters }: Macro): MarkupElement {
  const [page] = [...parameters.values()].flatMap(
    ({ children }) => findElement(children, "ri:page") ?? [],
  );
  const title =
    page?.attributes.get("ri:content-title") ??
    [...parameters.values()].map(({ children }) => textOf(children).trim()).find(Boolean) ??
    "another page";
  return element("p", [`[${verb}: ${title}]`]);
}

/** The new editor's panels, decisions and so on. */
function rewriteNode({ attributes, children }: MarkupElement, users: UserNames): MarkupNode[] {
  const content = children.filter(
    (child): child is MarkupElement =>
      typeof child !== "string" &&
      (child.name === "ac:adf-content" || child.name === "ac:adf-node"),
  );
  const contents = rewriteAll(
    content.flatMap((part) => (part.name === "ac:adf-content" ? part.children : [part])),
    users,
  );
  const attribute = (key: string): string =>
    textOf(
      children.flatMap((child) =>
        typeof child !== "string" &&
        child.name === "ac:adf-attribute" &&
        child.attributes.get("key") === key
          ? child.children
          : [],
      ),
    ).trim();
  const type = attributes.get("type") ?? "";
  if (type === "panel") return [note(panels.get(attribute("panel-type")) ?? "", "", contents)];
  if (type === "decision-list") return [element("ul", contents)];
  if (type === "decision-item")
    return [
      element("li", [
        `${attribute("state") === "DECIDED" ? "Decided" : "Undecided"}: `,
        ...contents,
      ]),
    ];
  return [element("div", contents)];
}

function rewriteTask({ children }: MarkupElement, users: UserNames): MarkupElement {
  const status = textOf(findElement(children, "ac:task-status")?.children ?? []).trim();
  const body = findElement(children, "ac:task-body")?.children ?? [];
  return element("li", rewriteAll(body, users), {
    "data-checked": String(status === "complete"),
  });
}

/** A link to a page, file, space or person: its text, and what it leads to if that differs. */
function rewriteLink({ attributes, children }: MarkupElement, users: UserNames): MarkupNode[] {
  const resource = findResource(children);
  const target = resource === null ? "" : nameResource(resource, users);
  const rich = findElement(children, "ac:link-body");
  const plain = findElement(children, "ac:plain-text-link-body");
  const shown: MarkupNode[] =
    rich !== null ? rewriteAll(rich.children, users) : [textOf(plain?.children ?? [])];
  const text = textOf(shown).trim();
  if (text === "") return [target || (attributes.get("ac:anchor") ?? "")];
  return target === "" || target.startsWith("@") || text.includes(target)
    ? [element("span", shown)]
    : [element("span", [...shown, ` (${target})`])];
}

const findResource = (nodes: readonly MarkupNode[]): MarkupElement | null => {
  for (const node of nodes) {
    if (typeof node === "string") continue;
    const found = node.name.startsWith("ri:") ? node : findResource(node.children);
    if (found !== null) return found;
  }
  return null;
};

function nameResource(resource: MarkupElement, users: UserNames): string {
  const { name, attributes } = resource;
  if (name === "ri:user") return `@${users.get(userOf(resource)) ?? "someone"}`;
  return (
    attributes.get("ri:content-title") ??
    attributes.get("ri:filename") ??
    attributes.get("ri:value") ??
    attributes.get("ri:space-key") ??
    ""
  );
}

/** Pictures of pages are named, because the document has only its text. */
function describeImage({ attributes, children }: MarkupElement, users: UserNames): MarkupElement {
  const resource = findResource(children);
  const file = resource === null ? "" : nameResource(resource, users);
  const caption = textOf(findElement(children, "ac:caption")?.children ?? []).trim();
  const alt = attributes.get("ac:alt") ?? attributes.get("ac:title") ?? "";
  const names = [alt, caption, file].filter((part) => part.trim() !== "");
  return element("img", [], { alt: [...new Set(names)].join(" – ") });
}

const emoticons = new Map([
  ["smile", "🙂"],
  ["sad", "🙁"],
  ["cheeky", "😛"],
  ["laugh", "😄"],
  ["wink", "😉"],
  ["thumbs-up", "👍"],
  ["thumbs-down", "👎"],
  ["information", "ℹ️"],
  ["tick", "✅"],
  ["cross", "❌"],
  ["warning", "⚠️"],
  ["question", "❓"],
  ["light-on", "💡"],
  ["heart", "❤️"],
]);

function describeEmoticon(attributes: ReadonlyMap<string, string>): string {
  const name = attributes.get("ac:name") ?? "";
  return (
    attributes.get("ac:emoji-fallback") ??
    emoticons.get(name) ??
    attributes.get("ac:emoji-shortname") ??
    (name === "" ? "" : `:${name}:`)
  );
}
