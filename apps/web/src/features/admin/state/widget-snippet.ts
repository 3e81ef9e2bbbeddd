import type { Widget } from "../api/widgets.ts";

const escaped = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll('"', "&quot;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");

/** The script tag that shows the widget on a site; `server` is this instance's origin. */
export function scriptSnippet(
  { uuid, appearance }: Pick<Widget, "uuid" | "appearance">,
  server: string,
): string {
  const attributes = {
    embedId: uuid,
    baseApiUrl: `${server}/api/embed`,
    ...appearance,
  };
  return [
    "<script",
    ...Object.entries(attributes).map(([name, value]) => {
      const attribute = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      return `  data-${attribute}="${escaped(value)}"`;
    }),
    `  src="${server}/embed/carrel-widget.js"`,
    "></script>",
  ].join("\n");
}

export const pageAddress = ({ uuid }: Pick<Widget, "uuid">, server: string): string =>
  `${server}/embed/${uuid}/chat`;

/** Shows the full-page chat inside a page. */
export const frameSnippet = (widget: Pick<Widget, "uuid">, server: string, title: string): string =>
  `<iframe src="${pageAddress(widget, server)}" title="${escaped(title)}" width="400" height="600" style="border: 0"></iframe>`;
