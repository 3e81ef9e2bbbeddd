/** Markdown as spoken text: without markup, reasoning, citations, code and addresses. */
export const toSpokenText = (markdown: string): string =>
  markdown
    .replace(/<think>[\s\S]*?(<\/think>|$)/g, " ")
    .replace(/```[\s\S]*?(```|$)/g, " ")
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/ ?\[\^?\d+\]/g, "")
    .replace(/^\s*\|?[\s:|-]+\|?\s*$/gm, "")
    .replace(/[*`~]|\b_+|_+\b/g, "")
    .replace(/[#>|]/g, " ")
    .replace(/[ \t]+/g, " ")
    .trim();
