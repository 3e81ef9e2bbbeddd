import { provenEndings, type DocumentKind, type DocumentSource } from "@carrel/contracts";

const endings: Record<Exclude<DocumentKind, "other">, string[]> = {
  ...provenEndings,
  slides: [...provenEndings.slides, "key"],
  sheet: [...provenEndings.sheet, "csv", "tsv"],
  text: ["txt", "rst", "org", "adoc", "log", "srt", "vtt"],
  markdown: ["md", "markdown", "mdx"],
  web: ["html", "htm", "xhtml"],
  mail: [...provenEndings.mail, "eml", "mbox"],
  code: [
    "js",
    "mjs",
    "cjs",
    "ts",
    "mts",
    "cts",
    "jsx",
    "tsx",
    "py",
    "rb",
    "go",
    "rs",
    "java",
    "kt",
    "kts",
    "scala",
    "swift",
    "c",
    "h",
    "cc",
    "cpp",
    "cxx",
    "hpp",
    "cs",
    "fs",
    "vb",
    "php",
    "pl",
    "pm",
    "lua",
    "r",
    "jl",
    "ex",
    "exs",
    "erl",
    "hs",
    "ml",
    "clj",
    "dart",
    "groovy",
    "sh",
    "bash",
    "zsh",
    "fish",
    "ps1",
    "bat",
    "sql",
    "css",
    "scss",
    "less",
    "vue",
    "svelte",
    "tex",
    "tf",
    "proto",
    "graphql",
    "m",
    "asm",
    "s",
    "zig",
    "nim",
  ],
  data: ["json", "jsonl", "ndjson", "xml", "yaml", "yml", "toml", "ini", "cfg", "conf", "svg"],
};
const byEnding = new Map(
  Object.entries(endings).flatMap(([kind, names]) =>
    names.map((name) => [name, kind as DocumentKind] as const),
  ),
);
export const kindsByContent = Object.keys(provenEndings);
/** Kinds by MIME type; the first match wins. */
const byType: [RegExp, DocumentKind][] = [
  [/^application\/pdf/, "pdf"],
  [/^text\/html|xhtml|multipart\/related/, "web"],
  [/wordprocessingml|opendocument\.text|msword/, "word"],
  [/presentation|powerpoint/, "slides"],
  [/spreadsheet|ms-excel|text\/(csv|tab-separated)/, "sheet"],
  [/markdown/, "markdown"],
  [/epub/, "book"],
  [/mbox|rfc822|outlook/, "mail"],
  [/json|xml|yaml|toml/, "data"],
  [/^image\//, "image"],
  [/^audio\//, "audio"],
  [/^video\//, "video"],
  [/javascript|typescript|x-(python|sh|c|java|ruby)/, "code"],
  [/^text\//, "text"],
];

/**
 * The kind of a document: `web` for a fetched page, otherwise by file extension, then by MIME type.
 */
export function kindOf(document: {
  filename: string;
  mime: string;
  source?: DocumentSource;
}): DocumentKind {
  if (document.source?.kind === "link") return "web";
  const ending = /\.([a-z0-9]+)$/i.exec(document.filename)?.[1]?.toLowerCase() ?? "";
  return (
    byEnding.get(ending) ??
    byType.find(([type]) => type.test(document.mime.toLowerCase()))?.[1] ??
    "other"
  );
}
