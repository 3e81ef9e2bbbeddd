import { readContentLines, splitValue, unescapeText, type ContentLine } from "./content-lines.ts";
import { cleanText } from "./decode-text.ts";
import { parseText } from "./parse-text.ts";
import type { ParsedText } from "./parsed-document.ts";
import { TextBuilder } from "./text-builder.ts";

const labels = new Map([
  ["ORG", "Organization"],
  ["TITLE", "Title"],
  ["ROLE", "Role"],
  ["NICKNAME", "Nickname"],
  ["TEL", "Phone"],
  ["EMAIL", "Email"],
  ["ADR", "Address"],
  ["URL", "Website"],
  ["IMPP", "Messenger"],
  ["BDAY", "Birthday"],
  ["ANNIVERSARY", "Anniversary"],
  ["GENDER", "Gender"],
  ["LANG", "Language"],
  ["CATEGORIES", "Categories"],
  ["RELATED", "Related"],
  ["NOTE", "Note"],
]);
const structured = new Set(["N", "ORG", "ADR", "GENDER"]);
/** Says how a number is reached, not whose it is. */
const technical = /^(?:pref|internet|voice|x-.*)$/;

/** For example `+49 30 1 (work, cell)`. */
function writeValue({ name, params, value }: ContentLine): string {
  const text = structured.has(name)
    ? splitValue(value)
        .filter((part) => part !== "")
        .join(", ")
    : unescapeText(value).replace(/^(?:tel|mailto):/i, "");
  const types = (params.get("TYPE") ?? "")
    .toLowerCase()
    .split(",")
    .filter((type) => type !== "" && !technical.test(type));
  return types.length === 0 || text === "" ? text : `${text} (${types.join(", ")})`;
}

/** Given name before family name. */
function writeName(value: string): string {
  const [family = "", given = "", additional = "", prefix = "", suffix = ""] = splitValue(value);
  return [prefix, given, additional, family, suffix].filter((part) => part !== "").join(" ");
}

/** People and organisations of a vCard file, each under its name. */
export function parseVcard(source: string): ParsedText {
  const text = cleanText(source);
  const out = new TextBuilder();
  let name = "";
  let lines: string[] = [];
  for (const line of readContentLines(text)) {
    if (line.name === "BEGIN") {
      name = "";
      lines = [];
    } else if (line.name === "FN") name = unescapeText(line.value) || name;
    else if (line.name === "N") name ||= writeName(line.value);
    else if (line.name === "END") {
      out.addHeading(name || (lines[0] ?? ""), 1);
      out.addParagraph(lines.join("\n"));
    } else if (labels.has(line.name) && line.params.get("ENCODING")?.toLowerCase() !== "b") {
      const value = writeValue(line);
      if (value !== "") lines.push(`${labels.get(line.name)}: ${value}`);
    }
  }
  const parsed = out.build();
  return parsed.text === "" ? parseText(text) : parsed;
}
