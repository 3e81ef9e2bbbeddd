import { useLayoutEffect, useMemo, useRef, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { pageArea } from "../../../components/ui/side-panel.ts";
import { alignPassage } from "../state/align-passage.ts";
import { resolvePath } from "../state/book-path.ts";
import { markRanges, readRendered, without } from "../state/mark-ranges.ts";
import type { Passage } from "../state/passage.ts";
import { renderMailHeader, type MailTexts } from "../state/render-mail-header.ts";
import { sanitiseHtml } from "../state/sanitise-html.ts";
import type { ConvertedDocument } from "../worker/conversion.ts";
import { EdgeBar } from "./edge-bar.tsx";
import { scrollToMark } from "./scroll-to-mark.ts";

const wrapper = (tag: "mark" | "span", className: string) => (): HTMLElement => {
  const element = document.createElement(tag);
  element.className = className;
  return element;
};

/** A copy of the document with the passage and its quotes marked; null: it isn't in the document. */
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
