import { clipText } from "@carrel/contracts";
import { type MarkupElement, type MarkupNode, textOf } from "@carrel/markup";

/** More of a page's styles aren't read. */
const longestStyles = 500_000;

const declarations = (style: string): Map<string, string> =>
  new Map(
    clipText(style, 2_000)
      .replace(/\/\*[^*]*\*\//g, "")
      .split(";")
      .flatMap((one) => {
        const colon = one.indexOf(":");
        if (colon < 0) return [];
        const value = one.slice(colon + 1).replace(/!\s*important/i, "");
        return [[one.slice(0, colon).trim().toLowerCase(), value.trim().toLowerCase()] as const];
      }),
  );

const lengthPattern = /^(-?\d{0,6}\.?\d{1,6})\s*(px|pt|em|rem|%|vw|vh|in|cm)?$/;

/** A length in pixels, roughly; null for what isn't one. */
function pixels(value = ""): number | null {
  const found = lengthPattern.exec(value);
  if (found === null) return null;
  const unit = found[2] ?? "";
  return Number(found[1]) * (/^(?:em|rem|%|vw|vh)$/.test(unit) ? 10 : unit === "in" ? 96 : 1);
}

/** Whether an element with these declarations takes no visible space. */
function isStyledAway(style: ReadonlyMap<string, string>): boolean {
  const is = (name: string, value: RegExp): boolean => value.test(style.get(name) ?? "");
  const isZero = (name: string, most: number): boolean => {
    const length = pixels(style.get(name));
    return length !== null && length >= 0 && length <= most;
  };
  if (is("display", /^none\b/) || is("visibility", /^(?:hidden|collapse)/)) return true;
  if (is("content-visibility", /^hidden/)) return true;
  if (is("opacity", /^(?:0?\.0\d*|0|[0-4]%)$/) || is("filter", /opacity\(0/)) return true;
  if (isZero("font-size", 2) || is("font", /(?:^|\s)0(?:px|pt|em)?[\s/]/)) return true;
  if (is("transform", /scale\(0(?:\.0\d*)?[),]/)) return true;
  const isClipped = is("overflow", /hidden|clip/);
  if (isClipped && ["height", "max-height", "width", "max-width"].some((one) => isZero(one, 1)))
    return true;
  if (is("clip", /rect\(\s*(?:0|1px|0px)/) || is("clip-path", /inset\(\s*(?:50|100)%|circle\(0/))
    return true;
  const isMoved = is("position", /absolute|fixed/);
  const away = ["left", "right", "top", "bottom", "margin-left", "margin-top"];
  if (isMoved && away.some((one) => (pixels(style.get(one)) ?? 0) <= -900)) return true;
  if ((pixels(style.get("text-indent")) ?? 0) <= -900) return true;
  const color = style.get("color") ?? style.get("-webkit-text-fill-color");
  const isGradient = is("background-clip", /text/) || is("-webkit-background-clip", /text/);
  if (color !== undefined && /^(?:transparent|rgba\([^)]*,\s*0?(?:\.0\d*)?\))$/.test(color))
    return !isGradient;
  const background = style.get("background-color") ?? style.get("background");
  return color !== undefined && background !== undefined && sameColor(color, background);
}

const names: Readonly<Record<string, string>> = { white: "255,255,255", black: "0,0,0" };

/** Red, green and blue; null for what isn't a plain color. */
function channels(color: string): string | null {
  if (Object.hasOwn(names, color)) return names[color]!;
  const hex = /^#([\da-f]{3}|[\da-f]{6})$/.exec(color)?.[1];
  if (hex !== undefined) {
    const parts = hex.length === 3 ? [...hex].map((one) => one + one) : hex.match(/../g)!;
    return parts.map((one) => Number.parseInt(one, 16)).join(",");
  }
  const rgb =
    /^rgba?\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})\s*(?:[,/]\s*1(?:\.0)?\s*)?\)$/.exec(color);
  return rgb === null ? null : rgb.slice(1, 4).map(Number).join(",");
}

function sameColor(one: string, other: string): boolean {
  const first = channels(one);
  const second = channels(other);
  if (first === null || second === null) return false;
  const theirs = second.split(",").map(Number);
  // Nobody reads what differs so little.
  return first.split(",").every((value, index) => Math.abs(Number(value) - theirs[index]!) <= 8);
}

/** Classes and ids that a page's own styles hide. */
function hiddenNames(nodes: readonly MarkupNode[]): Set<string> {
  const sheets: string[] = [];
  const collect = (node: MarkupNode): void => {
    if (typeof node === "string") return;
    if (node.name === "style") sheets.push(node.children.filter(isText).join(""));
    else node.children.forEach(collect);
  };
  nodes.forEach(collect);
  const names = new Set<string>();
  const css = withoutComments(clipText(sheets.join("\n"), longestStyles));
  let depth = 0;
  let start = 0;
  for (let at = 0; at < css.length; at++) {
    const sign = css[at];
    if (sign === "{") {
      const selector = css.slice(start, at).trim();
      start = at + 1;
      // Within @media, a rule may be for print.
      if (depth > 0 || selector.startsWith("@")) depth++;
      else {
        const end = css.indexOf("}", at);
        if (end < 0) break;
        if (isStyledAway(declarations(css.slice(at + 1, end)))) addSelected(selector, names);
        at = end;
        start = end + 1;
      }
    } else if (sign === "}" || sign === ";") {
      if (sign === "}") depth = Math.max(0, depth - 1);
      start = at + 1;
    }
  }
  return names;
}

/** Selectors that are no more than a class or an id, of any element. */
function addSelected(selectors: string, names: Set<string>): void {
  if (selectors.length > 2_000) return;
  for (const one of selectors.split(",")) {
    const name = /^[\w-]{0,50}([.#][\w-]{1,200})$/.exec(one.trim())?.[1];
    if (name !== undefined) names.add(name);
  }
}

function withoutComments(css: string): string {
  const parts: string[] = [];
  for (let at = 0; at < css.length;) {
    const start = css.indexOf("/*", at);
    parts.push(css.slice(at, start < 0 ? undefined : start));
    const end = start < 0 ? -1 : css.indexOf("*/", start + 2);
    if (end < 0) break;
    at = end + 2;
  }
  return parts.join(" ");
}

const isText = (node: MarkupNode): node is string => typeof node === "string";

const forReadersOnly =
  /(?:^|\s)(?:sr-only|visually-?hidden|screen-?reader(?:-text|-only)?|offscreen)(?=\s|$)/i;

/** Elements whose content isn't text of the page, or is none that a person sees there. */
const dropped = new Set(
  (
    "script style template noscript head svg math canvas object embed applet iframe frame audio video " +
    "picture img map area input select option optgroup datalist textarea button dialog"
  ).split(" "),
);

interface Around {
  /** Whether an element around may have a background of its own, so that white text can be read. */
  isColored: boolean;
}

/**
 * The nodes without what a person wouldn't see: hidden by attribute, by style or by the page's
 * style sheet, in the color of its background, and everything that isn't text.
 */
export function visibleNodes(nodes: readonly MarkupNode[]): MarkupNode[] {
  const names = hiddenNames(nodes);
  const isHidden = ({ attributes }: MarkupElement, around: Around): boolean => {
    const hidden = attributes.get("hidden");
    if (hidden !== undefined && !/^until-found$/i.test(hidden)) return true;
    if (/^true$/i.test(attributes.get("aria-hidden")?.trim() ?? "")) return true;
    const classes = attributes.get("class") ?? "";
    if (forReadersOnly.test(classes)) return true;
    if (names.size > 0) {
      if (names.has(`#${attributes.get("id") ?? ""}`)) return true;
      if (classes.split(/\s+/).some((one) => names.has(`.${one}`))) return true;
    }
    const style = attributes.get("style");
    const own = declarations(style ?? "");
    if (isStyledAway(own)) return true;
    const color = own.get("color") ?? attributes.get("color")?.toLowerCase();
    return color !== undefined && !around.isColored && sameColor(color, "white");
  };
  const isColored = ({ name, attributes }: MarkupElement): boolean =>
    name !== "html" &&
    (attributes.has("class") ||
      attributes.has("id") ||
      attributes.has("bgcolor") ||
      /background/i.test(attributes.get("style") ?? ""));
  const keep = (node: MarkupNode, around: Around): MarkupNode[] => {
    if (typeof node === "string") return [node];
    if (dropped.has(node.name)) return [];
    const own = { isColored: around.isColored || isColored(node) };
    if (isHidden(node, own)) return [];
    return [{ ...node, children: node.children.flatMap((child) => keep(child, own)) }];
  };
  return nodes.flatMap((node) => keep(node, { isColored: false }));
}

/** How much text nodes have. */
export const lengthOf = (nodes: readonly MarkupNode[]): number =>
  textOf(nodes).replace(/\s+/g, " ").trim().length;
