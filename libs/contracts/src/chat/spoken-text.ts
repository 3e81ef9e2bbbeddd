/** Markdown as spoken text: without markup, citations, code and addresses. */
export const toSpokenText = (markdown: string): string =>
  markdown
    .replace(/```[\s\S]*?(```|$)/g, " ")
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/ ?\[\^?\d+\]/g, "")
    .replace(/^\s*\|?[\s:|-]+\|?\s*$/gm, "")
    .replace(/[*`~]|\b_+|_+\b/g, "")
    .replace(/[#>|]/g, " ")
    .replace(/[ \t]+/g, " ")
    .trim();
