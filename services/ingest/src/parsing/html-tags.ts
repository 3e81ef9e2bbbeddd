import { clipText } from "@carrel/contracts";
/** The attributes that decide what is read, and how long their values are. */
const kept = new Set(["role", "hidden", "aria-hidden", "rowspan", "colspan"]);
const longestValue = 40;
/** Attributes that are text, or say what an element is; of other elements they aren't read. */
const ofElement = new Map<string, ReadonlySet<string>>([
  ["img", new Set(["alt", "width", "height"])],
  ["area", new Set(["alt"])],
  ["input", new Set(["type", "value", "checked", "alt"])],
  ["iframe", new Set(["srcdoc"])],
  ["math", new Set(["alttext"])],
  ["meta", new Set(["name", "property", "itemprop", "content"])],
  ["template", new Set(["shadowrootmode"])],
]);
const longestText = 1_000_000;

export interface StartTag {
  /** What is kept in the result. */
  values: Map<string, string>;
  /** What is only used for reading it. */
  facts: Map<string, string>;
  /** Written as empty: `<a/>`. */
  isClosed: boolean;
  isStyledAway: boolean;
  end: number;
}

const space = /[\s/]*/y;
/** An attribute's name, and its value in one of three spellings. */
const attribute = /([^\s/>][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*)))?/y;
const styledAway = /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse))/i;

/** Reads the rest of a start tag from `at`. */
export function readStartTag(source: string, element: string, at: number): StartTag {
  const values = new Map<string, string>();
  const facts = new Map<string, string>();
  const wanted = ofElement.get(element);
  let isStyledAway = false;
  for (let end = at; ; end = attribute.lastIndex) {
    space.lastIndex = end;
    space.exec(source);
    end = space.lastIndex;
    if (end >= source.length || source[end] === ">") {
      if (/^until-found$/i.test(values.get("hidden") ?? "")) values.delete("hidden");
      return { values, facts, isStyledAway, isClosed: source[end - 1] === "/", end: end + 1 };
    }
    attribute.lastIndex = end;
    const [, name = "", double, single, bare] = attribute.exec(source)!;
    const key = name.length > longestValue ? "" : name.toLowerCase();
    const value = double ?? single ?? bare ?? "";
    if (wanted?.has(key)) {
      if (!facts.has(key)) facts.set(key, clipText(value, longestText).trim());
    } else if (key === "style") isStyledAway ||= styledAway.test(clipText(value, 1_000));
    else if (kept.has(key) && !values.has(key) && /^[\w-]*$/.test(clipText(value.trim(), 1_000)))
      values.set(key, clipText(value.trim(), longestValue));
  }
}
