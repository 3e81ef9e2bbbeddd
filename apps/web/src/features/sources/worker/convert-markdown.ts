import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";

/** At the start of a file, between lines of hyphens. */
const frontMatter = /^---[ \t]*\n([\s\S]*?\n)(?:---|\.\.\.)[ \t]*(?:\n|$)/;
const escapeHtml = (text: string): string =>
  text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
const checkbox = /<input type="checkbox" disabled=""( checked="")? ?\/?>/g;

/**
 * GitHub-flavoured Markdown to HTML. HTML in it is kept and left to the sanitizer; front matter is
 * kept as written, because passages may come from it.
 */
export function convertMarkdown(source: string): string {
  const text = source.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n");
  const [matter = "", fields = ""] = frontMatter.exec(text) ?? [];
  const html = micromark(text.slice(matter.length), {
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
    allowDangerousHtml: true,
  }).replace(checkbox, (_, checked?: string) => (checked ? "☑" : "☐"));
  return matter === "" ? html : `<pre>${escapeHtml(fields.trimEnd())}</pre>\n${html}`;
}
