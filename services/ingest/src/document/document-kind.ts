import type { DocumentKind, DocumentSource } from "@carrel/contracts";

const endings: Record<Exclude<DocumentKind, "other">, string[]> = {
  pdf: ["pdf"],
  word: ["doc", "docx", "odt", "rtf"],
  slides: ["ppt", "pptx", "odp", "key"],
  sheet: ["xls", "xlsx", "ods", "csv", "tsv"],
  text: ["txt", "rst", "org", "adoc", "log", "srt", "vtt"],
  markdown: ["md", "markdown", "mdx"],
  web: ["html", "htm", "xhtml"],
  mail: ["eml", "mbox", "msg"],
  book: ["epub"],
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
  image: ["png", "jpg", "jpeg", "webp", "gif", "bmp", "tif", "tiff"],
  audio: ["mp3", "wav", "ogg", "oga", "opus", "m4a", "flac"],
  video: ["mp4", "mpeg", "mpg", "mov", "mkv", "avi", "webm"],
};
const byEnding = new Map(
  Object.entries(endings).flatMap(([kind, names]) =>
    names.map((name) => [name, kind as DocumentKind] as const),
  ),
);
/**
 * Kinds that content proves, whatever the name: a text named ".pdf" is detected when it is parsed,
 * and so is a PDF named ".txt".
 */
export const kindsByContent: readonly DocumentKind[] = [
  "pdf",
  "word",
  "slides",
  "sheet",
  "book",
  "mail",
  "image",
  "audio",
  "video",
];
/** Kinds by MIME type; the first match wins. */
const byType: [RegExp, DocumentKind][] = [
  [/^application\/pdf/, "pdf"],
  [/^text\/html|xhtml/, "web"],
  [/wordprocessingml|opendocument\.text|msword/, "word"],
  [/presentation|powerpoint/, "slides"],
  [/spreadsheet|ms-excel|text\/(csv|tab-separated)/, "sheet"],
  [/markdown/, "markdown"],
  [/epub/, "book"],
  [/mbox|rfc822/, "mail"],
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
