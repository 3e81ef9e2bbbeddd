import { ToolError } from "../tool.ts";
import { cleanText, fileNameOf } from "./file-name.ts";

const plain = "text/plain";
/** Files of text that can be made, by extension. None runs when it is opened with a double click. */
const types: Readonly<Record<string, string>> = {
  txt: plain,
  md: "text/markdown",
  csv: "text/csv",
  tsv: "text/tab-separated-values",
  json: "application/json",
  jsonl: plain,
  ndjson: plain,
  geojson: "application/json",
  html: "text/html",
  xml: "application/xml",
  yaml: plain,
  yml: plain,
  toml: plain,
  ini: plain,
  conf: plain,
  cfg: plain,
  env: plain,
  properties: plain,
  log: plain,
  css: "text/css",
  scss: plain,
  less: plain,
  ics: "text/calendar",
  vcf: "text/vcard",
  srt: plain,
  vtt: "text/vtt",
  tex: plain,
  bib: plain,
  rst: plain,
  adoc: plain,
  org: plain,
  diff: plain,
  patch: plain,
  sql: plain,
  graphql: plain,
  proto: plain,
  ...Object.fromEntries(
    "py ts tsx mts jsx mjs cjs js vue svelte java kt kts scala groovy c h cc cpp hpp cs fs go rs rb php swift m mm r jl lua pl sh bash zsh fish dart ex exs erl hs clj elm nim zig v sol asm dockerfile tf hcl nix cmake gradle mk ipynb tsv mmd dot puml"
      .split(" ")
      .map((extension) => [extension, plain]),
  ),
  ipynb: "application/json",
};
const synonyms: Readonly<Record<string, string>> = {
  text: "txt",
  plaintext: "txt",
  markdown: "md",
  htm: "html",
  xhtml: "html",
  javascript: "js",
  typescript: "ts",
  python: "py",
  ruby: "rb",
  rust: "rs",
  golang: "go",
  shell: "sh",
  calendar: "ics",
};
/** In characters; the limit of bytes comes on top. */
const longest = 2_000_000;

export interface TextFile {
  name: string;
  mime: string;
  bytes: Uint8Array;
}

/** A file of text in UTF-8. ToolError if its kind can't be made, or its JSON is broken. */
export function writeTextFile(o: {
  name: string;
  content: string;
  format?: string | undefined;
}): TextFile {
  if (o.content.length > longest)
    throw new ToolError(`The content is longer than ${longest.toLocaleString("en")} characters.`);
  const extension = extensionOf(o.name, o.format);
  const content = contentOf(extension, cleanText(o.content));
  return {
    name: fileNameOf(o.name, extension, spellings(extension)),
    mime: types[extension]!,
    bytes: Buffer.from(content, "utf8"),
  };
}

const spellings = (extension: string): string[] =>
  Object.keys(synonyms).filter((each) => synonyms[each] === extension);

/** What follows the name's last dot if that looks like an extension, else the format, else txt. */
function extensionOf(name: string, format: string | undefined): string {
  const own = /\.([\p{L}\d]{1,12})[\s.]*$/u.exec(name.replace(/\p{C}/gu, ""))?.[1]?.toLowerCase();
  const given = format?.trim().toLowerCase().replace(/^\./, "");
  const known = (each: string | undefined): string | null => {
    const plainName =
      each === undefined ? "" : Object.hasOwn(synonyms, each) ? synonyms[each]! : each;
    return Object.hasOwn(types, plainName) ? plainName : null;
  };
  const found = known(own) ?? known(given);
  if (found !== null) return found;
  if (own !== undefined && /^[a-z]/.test(own)) throw refuse(own);
  if (given !== undefined && given !== "") throw refuse(given);
  return "txt";
}

const others: Readonly<Record<string, string>> = {
  pdf: "create-pdf-file",
  docx: "create-docx-file",
  doc: "create-docx-file",
  xlsx: "create-excel-file",
  xls: "create-excel-file",
  pptx: "create-pptx-presentation",
  ppt: "create-pptx-presentation",
};
const refuse = (extension: string): ToolError =>
  new ToolError(
    Object.hasOwn(others, extension)
      ? `Use ${others[extension]} for .${extension} files.`
      : `Files with the extension .${extension.slice(0, 20)} can't be created. Use .txt, .md, .csv, .json, .html or a programming language's.`,
  );

function contentOf(extension: string, content: string): string {
  if (extension === "json" || extension === "geojson" || extension === "ipynb") {
    try {
      JSON.parse(content);
    } catch (error) {
      throw new ToolError(`The content isn't valid JSON: ${(error as Error).message}`);
    }
  }
  if (extension === "csv" || extension === "tsv") {
    const safe = disarmCells(content, extension === "tsv" ? "\t" : separatorOf(content));
    // Without the mark, Excel reads UTF-8 as the system's old encoding.
    return /[^\0-\x7F]/.test(safe) && !safe.startsWith("\uFEFF") ? `\uFEFF${safe}` : safe;
  }
  return content;
}

/** Of the first line. */
function separatorOf(content: string): string {
  const [line = ""] = content.split("\n", 1);
  const bare = line.replace(/"(?:[^"]|"")*"/g, "");
  return (bare.match(/;/g)?.length ?? 0) > (bare.match(/,/g)?.length ?? 0) ? ";" : ",";
}

const isNumber = /^[-+]?[\d.,\s]+(?:e[-+]?\d+)?\s?%?$/i;

/**
 * Spreadsheets run cells that begin like a formula, so those get an apostrophe in front, which shows
 * them as text. Numbers keep their sign.
 */
function disarmCells(content: string, separator: string): string {
  let made = "";
  let at = content.startsWith("\uFEFF") ? 1 : 0;
  made += content.slice(0, at);
  while (at < content.length) {
    const isQuoted = content[at] === '"';
    let end = at;
    if (isQuoted) {
      end += 1;
      while (end < content.length && !(content[end] === '"' && content[end + 1] !== '"'))
        end += content[end] === '"' ? 2 : 1;
      end = Math.min(content.length, end + 1);
    }
    while (end < content.length && content[end] !== separator && content[end] !== "\n") end += 1;
    const raw = content.slice(at, end);
    const inner = isQuoted ? raw.slice(1).replace(/"$/, "") : raw;
    const isFormula =
      /^[\s]*[=@+\-|%]/.test(inner) && !isNumber.test(inner.trim()) && inner.trim() !== "-";
    made += isFormula ? (isQuoted ? `"'${raw.slice(1)}` : `'${raw}`) : raw;
    made += content.slice(end, end + 1);
    at = end + 1;
  }
  return made;
}
