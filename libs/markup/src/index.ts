export * from "./markup-tree.ts";
export { writeMarkdown } from "./write-markdown.ts";
