import type { ConvertedDocument } from "../worker/conversion.ts";
import { resolvePath } from "./book-path.ts";
import { renderMailHeader, type MailTexts } from "./render-mail-header.ts";
import { sanitiseHtml } from "./sanitise-html.ts";

/** Wide tables scroll by themselves, also with the keyboard. */
function makeScrollable(table: HTMLTableElement): void {
  const box = document.createElement("div");
  box.className = "table-scroll";
  box.tabIndex = 0;
  table.replaceWith(box);
  box.append(table);
}

/** The document as an element that is safe to insert into the page. */
export function renderDocument(
  { parts, pictures }: ConvertedDocument,
  texts: MailTexts,
): HTMLElement {
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
