/** What a code block can be shown as, besides its source. */
export function previewKind(language: string, source: string): "diagram" | "page" | null {
  if (source.trim() === "") return null;
  if (language === "mermaid") return "diagram";
  if (language === "html" || language === "svg") return "page";
  return language === "xml" && /^\s*(?:<\?xml[^>]*>\s*)?<svg[\s>]/.test(source) ? "page" : null;
}
