import { useLayoutEffect, useMemo, useRef, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { pageArea } from "../../../components/ui/styles.ts";
import { formatBytes, formatDateTime, joinNames } from "../../../lib/format.ts";
import { alignPassage } from "../state/align-passage.ts";
import type { Passage, Range } from "../state/passage.ts";
import { sanitiseHtml } from "../state/sanitise-html.ts";
import { resolvePath, type ConvertedDocument, type MailHeader } from "../worker/conversion.ts";
import { EdgeBar, scrollToMark } from "./page-parts.tsx";

/** The text of a rendered document, a line per block, and the text nodes it comes from. */
interface RenderedText {
  text: string;
  nodes: { node: Text; start: number }[];
}

const inline = new Set(
  "A ABBR B BDI BDO CITE CODE DEL DFN EM I INS KBD Q RP RT RUBY S SAMP SMALL SPAN STRONG SUB SUP TIME U VAR WBR".split(
    " ",
  ),
);

function readRendered(root: Node): RenderedText {
  const nodes: RenderedText["nodes"] = [];
  let text = "";
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  /** The block that contained the last text. */
  let block: Node | null = null;
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (!(node instanceof Text)) {
      if (node.nodeName === "BR") text += " ";
      continue;
    }
    let parent = node.parentNode;
    while (parent && parent !== root && inline.has(parent.nodeName)) parent = parent.parentNode;
    if (block !== null && block !== parent) text += "\n";
    block = parent;
    nodes.push({ node, start: text.length });
    // A block's own line breaks are white space, not ends of blocks.
    text += node.data.replace(/\n/g, " ");
  }
  return { text, nodes };
}

/** What is left of `ranges` without `others`; both are in order. */
function without(ranges: readonly Range[], others: readonly Range[]): Range[] {
  return ranges.flatMap((range) => {
    const rest: Range[] = [];
    let { start } = range;
    for (const other of others) {
      if (other.end <= start || other.start >= range.end) continue;
      if (other.start > start) rest.push({ start, end: other.start });
      start = Math.max(start, other.end);
    }
    if (start < range.end) rest.push({ start, end: range.end });
    return rest;
  });
}

/** Wraps the ranges of a rendered text in elements made by `wrap`. Its nodes are split. */
function markRanges(
  { nodes }: RenderedText,
  marks: readonly (Range & { wrap: () => HTMLElement })[],
): void {
  // From the end, so that splitting a node doesn't change the offsets before it.
  const ordered = [...marks].sort((a, b) => b.start - a.start);
  let index = nodes.length - 1;
  for (const { start, end, wrap } of ordered) {
    while (index > 0 && nodes[index]!.start >= end) index -= 1;
    for (let at = index; at >= 0; at -= 1) {
      const { node, start: offset } = nodes[at]!;
      const length = node.data.length;
      if (offset + length <= start) break;
      const from = Math.max(0, start - offset);
      const until = Math.min(length, end - offset);
      if (until <= from) continue;
      if (until < length) node.splitText(until);
      const part = from > 0 ? node.splitText(from) : node;
      const wrapper = wrap();
      part.replaceWith(wrapper);
      wrapper.append(part);
      if (from === 0) nodes[at]!.node = document.createTextNode("");
    }
  }
}

const wrapper = (tag: "mark" | "span", className: string) => (): HTMLElement => {
  const element = document.createElement(tag);
  element.className = className;
  return element;
};

/**
 * A copy of the document with the passage and its quotes marked; null if it isn't in the document.
 */
function markPassage(content: HTMLElement, passage: Passage): HTMLElement | null {
  const marked = content.cloneNode(true) as HTMLElement;
  if (passage.text.trim() === "") return marked;
  const rendered = readRendered(marked);
  const alignment = alignPassage(rendered.text, passage.text, passage.position);
  if (!alignment) return null;
  const whole = alignment.rangesOf(0, passage.text.length);
  const quoted = passage.quotes.flatMap(({ start, end }) => alignment.rangesOf(start, end));
  const strong = quoted.length > 0 ? quoted : whole;
  if (strong.length === 0) return null;
  markRanges(rendered, [
    ...strong.map((range) => ({ ...range, wrap: wrapper("mark", "text-hit") })),
    ...without(whole, strong).map((range) => ({
      ...range,
      wrap: wrapper("span", "text-passage"),
    })),
  ]);
  return marked;
}

function Content({ element }: { element: HTMLElement }) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => place.current?.replaceChildren(element), [element]);
  return <div ref={place} />;
}

/**
 * A document with its headings, lists, tables and pictures, opened at the passage. Falls back to
 * its text if the passage isn't found in it.
 */
export default function DocumentPage({
  converted,
  passage,
  number,
  fallback,
}: {
  converted: ConvertedDocument;
  passage: Passage;
  number: number | null;
  fallback: ReactNode;
}) {
  const { t } = useTranslation("sources");
  const rendered = useMemo(
    () =>
      renderDocument(converted, {
        noSubject: t("mailNoSubject"),
        from: t("mailFrom"),
        to: t("mailTo"),
        cc: t("mailCc"),
        date: t("mailDate"),
        attachments: t("mailAttachments"),
        unnamed: t("mailUnnamed"),
      }),
    [converted, t],
  );
  const marked = useMemo(() => markPassage(rendered, passage), [rendered, passage]);
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const hit = marked?.querySelector(".text-hit");
    if (hit && box.current) scrollToMark(box.current, hit);
  }, [marked]);

  if (!marked) return fallback;
  return (
    <div className={pageArea} ref={box} role="region" aria-label={t("text")} tabIndex={0}>
      <article className="paper paper-document" dir="auto">
        <Content element={marked} />
        <EdgeBar of={marked} number={number} />
      </article>
    </div>
  );
}

/** Wide tables scroll by themselves, also with the keyboard. */
function makeScrollable(table: HTMLTableElement): void {
  const box = document.createElement("div");
  box.className = "table-scroll";
  box.tabIndex = 0;
  table.replaceWith(box);
  box.append(table);
}

/** The document as an element that is safe to insert into the page. */
function renderDocument({ parts, pictures }: ConvertedDocument, texts: MailTexts): HTMLElement {
  const content = document.createElement("div");
  for (const { html, folder, mail } of parts) {
    const section = document.createElement("section");
    if (mail) section.append(renderMailHeader(mail, texts));
    section.append(
      sanitiseHtml(
        html,
        (source) =>
          pictures.get(source.startsWith("cid:") ? source : resolvePath(folder, source)) ?? null,
      ),
    );
    for (const table of section.querySelectorAll("table"))
      if (!table.parentElement?.closest("table")) makeScrollable(table);
    content.append(section);
  }
  return content;
}

interface MailTexts {
  noSubject: string;
  from: string;
  to: string;
  cc: string;
  date: string;
  attachments: string;
  unnamed: string;
}

/** The subject, people, date and attachments of a mail. */
function renderMailHeader(mail: MailHeader, texts: MailTexts): HTMLElement {
  const header = document.createElement("header");
  const subject = document.createElement("h1");
  subject.textContent = mail.subject || texts.noSubject;
  const list = document.createElement("dl");
  const sent = Date.parse(mail.date);
  for (const [name, value] of [
    [texts.from, mail.from],
    [texts.to, mail.to],
    [texts.cc, mail.cc],
    [texts.date, Number.isNaN(sent) ? mail.date : formatDateTime(sent)],
    [
      texts.attachments,
      joinNames(
        mail.attachments.map(
          (each) => `${each.name || texts.unnamed} (${formatBytes(each.bytes)})`,
        ),
      ),
    ],
  ] as const) {
    if (value === "") continue;
    const term = document.createElement("dt");
    term.textContent = name;
    const description = document.createElement("dd");
    description.textContent = value;
    list.append(term, description);
  }
  header.append(subject, list);
  return header;
}
