/*
 * Jira's wiki markup, as self-hosted Jira stores descriptions and comments: read line by line, so
 * that the time it takes grows with its length only.
 */

/** A longer line is kept as it is written. */
const longestLine = 20_000;

const openers = /^\{(code|noformat|quote|panel)(?::([^}]{0,500}))?\}/;

/** Writes wiki markup as Markdown. */
export function writeWikiMarkup(markup: string): string {
  const out: string[] = [];
  /** The closing tag of a block of code that is open. */
  let code: string | null = null;
  let quotes = 0;
  const push = (line: string): void => void out.push(`${"> ".repeat(Math.min(quotes, 5))}${line}`);
  for (const line of splitTags(markup)) {
    if (code !== null) {
      if (line.trim() === code) {
        push("```");
        code = null;
      } else push(line);
      continue;
    }
    const [, tag, options = ""] = openers.exec(line.trim()) ?? [];
    if (tag === "code" || tag === "noformat") {
      code = `{${tag}}`;
      push(`\`\`\`${tag === "code" ? languageOf(options) : ""}`);
    } else if (tag === "quote" || tag === "panel") {
      const isEnd = options === "" && quotes > 0;
      quotes += isEnd ? -1 : 1;
      const title = /title=([^|]{1,200})/.exec(options)?.[1];
      if (title !== undefined) push(`**${title.trim()}**`);
      else if (isEnd) out.push("");
    } else push(writeLine(line));
  }
  if (code !== null) push("```");
  return out
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

/** Double braces are text in a fixed width, whatever it says. */
const tags = /((?<!\{)\{(?:code|noformat|quote|panel)(?::[^}]{0,500})?\}(?!\}))/;

/** Tags of blocks stand in lines of their own. */
const splitTags = (markup: string): string[] =>
  markup.split(/\r\n|\r|\n/).flatMap((line) => {
    const parts = line.split(tags);
    return parts.length === 1 ? parts : parts.filter((part) => part.trim() !== "");
  });

/** Of `{code:java}` and `{code:title=A|language=java}`. */
function languageOf(options: string): string {
  const parts = options.split("|");
  const named = parts.find((part) => part.startsWith("language="))?.slice("language=".length);
  const language = named ?? parts.find((part) => !part.includes("=")) ?? "";
  return /^[\w+#.-]{1,30}/.exec(language)?.[0] ?? "";
}

function writeLine(line: string): string {
  if (line.length > longestLine) return line;
  const heading = /^\s*h([1-6])\.\s+(\S.*)$/.exec(line);
  if (heading) return `${"#".repeat(Number(heading[1]))} ${writeInline(heading[2]!)}`;
  const quote = /^\s*bq\.\s+(\S.*)$/.exec(line);
  if (quote) return `> ${writeInline(quote[1]!)}`;
  const item = /^\s*([*#-]{1,10})\s+(\S.*)$/.exec(line);
  if (item) {
    const bullets = item[1]!;
    const bullet = bullets.endsWith("#") ? "1. " : "- ";
    return `${"  ".repeat(bullets.length - 1)}${bullet}${writeInline(item[2]!)}`;
  }
  if (/^\s*-{4,}\s*$/.test(line)) return "---";
  if (/^\s*\|/.test(line)) return writeRow(line.trim());
  return writeInline(line);
}

/** A heading row has double bars. */
function writeRow(line: string): string {
  const isHeading = line.startsWith("||");
  const cells = line
    .split(isHeading ? "||" : "|")
    .slice(1)
    .map((cell) => writeInline(cell.trim()));
  if (cells.at(-1) === "") cells.pop();
  const row = `| ${cells.join(" | ")} |`;
  return isHeading ? `${row}\n| ${cells.map(() => "---").join(" | ")} |` : row;
}

const writeInline = (text: string): string =>
  text
    .replace(/\{color(:[^}]{1,40})?\}/g, "")
    .replace(/\{\{([^{}]{1,1000})\}\}/g, "`$1`")
    .replace(/(^|[\s(])\*(\S(?:[^*\n]{0,1000}\S)?)\*(?=$|[\s).,;:!?])/g, "$1**$2**")
    .replace(/(^|[\s(])_(\S(?:[^_\n]{0,1000}\S)?)_(?=$|[\s).,;:!?])/g, "$1*$2*")
    .replace(/!([^!\s|]{1,300})(\|[^!\n]{0,300})?!/g, "[Image: $1]")
    .replace(/\[~(?:accountid:)?([^\]\s]{1,300})\]/g, "@$1")
    .replace(
      /\[([^[\]|\n]{1,1000})\|(https?:\/\/[^\]\s|]{1,2000})(\|[^\]\n]{0,200})?\]/g,
      "[$1]($2)",
    )
    .replace(/\[(https?:\/\/[^\]\s|]{1,2000})\]/g, "$1")
    .trimEnd();
