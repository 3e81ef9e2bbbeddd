import { formatNumber } from "./number-format.ts";

/** A level of a list style. */
interface OdfLevel {
  isBullet: boolean;
  format: string;
  prefix: string;
  suffix: string;
  /** Number of levels that the item's number shows. */
  shown: number;
  start: number;
  /** The whole label, with `%1%` for the number of the first level. */
  pattern: string | null;
}
export type OdfListStyle = (OdfLevel | undefined)[];

const levels = 10;
const longest = 60;
/** First characters of number formats that OpenDocument describes by example. */
const byExample: Record<string, string> = {
  "1": "decimal",
  a: "lowerColumn",
  A: "upperColumn",
  i: "lowerRoman",
  I: "upperRoman",
  "①": "decimalEnclosedCircle",
  "１": "decimalFullWidth",
  一: "chineseCounting",
  壹: "chineseLegalSimplified",
  壱: "japaneseLegal",
  甲: "ideographTraditional",
  子: "ideographZodiac",
  ア: "aiueo",
  ｱ: "aiueo",
  イ: "iroha",
  ｲ: "iroha",
  일: "koreanDigital",
  하: "koreanLegal",
  가: "ganada",
  ㄱ: "chosung",
  α: "greekLower",
  Α: "greekUpper",
  а: "russianLower",
  А: "russianUpper",
  א: "hebrew2",
  أ: "arabicAlpha",
  ก: "thaiLetters",
};

function formatOf(example: string, isSynced: boolean): string {
  if (example === "") return "none";
  if (/^0+1/.test(example)) return "decimalZero";
  if (/^1st/.test(example)) return "ordinal";
  if (/^First/i.test(example)) return "ordinalText";
  if (/^One/i.test(example)) return "cardinalText";
  const format = byExample[example.charAt(0)] ?? "decimal";
  return isSynced ? format.replace("Column", "Letter") : format;
}

/** Reads a level of a list style from its element's attributes. */
function readOdfLevel(name: string, attributes: Record<string, string>): OdfLevel {
  return {
    isBullet: !name.includes("number") && !name.startsWith("outline"),
    format: formatOf(attributes["num-format"] ?? "", attributes["num-letter-sync"] === "true"),
    prefix: (attributes["num-prefix"] ?? "").slice(0, longest),
    suffix: (attributes["num-suffix"] ?? "").slice(0, longest),
    shown: Math.min(levels, Math.max(1, Number(attributes["display-levels"]) || 1)),
    start: Math.trunc(Number(attributes["start-value"] ?? 1)) || 0,
    pattern: attributes["num-list-format"]?.slice(0, longest) ?? null,
  };
}

/** Counts the items of one list, and of lists that continue it. */
export class OdfCounters {
  private readonly values: (number | undefined)[] = [];

  /** Restarts the counting of a level. */
  restart(level: number): void {
    this.values.length = Math.min(this.values.length, level);
  }

  /** The label of the next item at a level (from 0); null for bullets, "" without a number. */
  next(style: OdfListStyle, level: number, start: number | null): string | null {
    const definition = style[level];
    const last = this.values[level];
    const { values } = this;
    values.length = Math.min(values.length, level + 1);
    values[level] = start ?? (last === undefined ? (definition?.start ?? 1) : last + 1);
    if (!definition || definition.isBullet) return null;
    if (definition.format === "none") return (definition.prefix + definition.suffix).trim();
    const numberAt = (index: number): string =>
      formatNumber(
        values[index] ?? style[index]?.start ?? 1,
        style[index]?.isBullet === true ? "none" : (style[index]?.format ?? "decimal"),
      );
    if (definition.pattern !== null)
      return definition.pattern
        .replace(/%(\d{1,2})%/g, (_, digits: string) => {
          const index = Number(digits) - 1;
          return index >= 0 && index <= level ? numberAt(index) : "";
        })
        .trim();
    const from = Math.max(0, level - definition.shown + 1);
    const numbers = Array.from({ length: level - from + 1 }, (_, i) => numberAt(from + i));
    return (
      definition.prefix +
      numbers.filter((number) => number !== "").join(".") +
      definition.suffix
    ).trim();
  }
}

/** An open list: its style, its counters, and whether its current item has its label. */
interface OpenList {
  style: string;
  counters: OdfCounters;
  isItem: boolean;
  isLabelled: boolean;
  start: number | null;
}

/** Lists of an OpenDocument text, nested and continued. */
export class OdfLists {
  private lists: OpenList[] = [];
  private readonly suspended: OpenList[][] = [];
  private readonly byId = new Map<string, OdfCounters>();
  private readonly lastOfStyle = new Map<string, OdfCounters>();

  constructor(private readonly styles: ReadonlyMap<string, OdfListStyle>) {}

  /** A note, cell or text box starts, whose lists are its own. */
  suspend(): void {
    this.suspended.push(this.lists);
    this.lists = [];
  }

  resume(): void {
    this.lists = this.suspended.pop() ?? [];
  }

  open(attributes: Record<string, string>): void {
    const outer = this.lists.at(-1);
    const style = attributes["style-name"] ?? outer?.style ?? "";
    const isContinued = attributes["continue-numbering"] === "true";
    const counters =
      outer?.counters ??
      this.byId.get(attributes["continue-list"] ?? "") ??
      (isContinued ? this.lastOfStyle.get(style) : undefined) ??
      new OdfCounters();
    if (outer && !isContinued) counters.restart(this.lists.length);
    if (attributes.id !== undefined) this.byId.set(attributes.id, counters);
    this.lastOfStyle.set(style, counters);
    this.lists.push({ style, counters, isItem: false, isLabelled: false, start: null });
  }

  openItem(isNumbered: boolean, start: string | undefined): void {
    const list = this.lists.at(-1);
    if (!list) return;
    list.isItem = isNumbered;
    list.isLabelled = false;
    list.start = start === undefined ? null : Math.trunc(Number(start)) || 0;
  }

  close(): void {
    this.lists.pop();
  }

  /**
   * What stands before a paragraph: "- ", its number, or nothing if it continues an item. Null
   * outside lists.
   */
  label(): string | null {
    const list = this.lists.at(-1);
    if (!list) return null;
    if (!list.isItem || list.isLabelled) return "";
    list.isLabelled = true;
    const style = this.styles.get(list.style) ?? [];
    const label = list.counters.next(style, Math.min(levels, this.lists.length) - 1, list.start);
    return label === null ? "- " : label === "" ? "" : `${label} `;
  }
}

interface Style {
  parent: string | null;
  /** The list that numbers its paragraphs; "" takes them out of one. */
  list?: string;
  isHidden?: boolean;
  isBold?: boolean;
}

const levelName = /^(?:list-level-style-(?:number|bullet|image)|outline-level-style)$/;
const deepestChain = 50;

/** Styles of an OpenDocument file that decide about its text. */
export class OdfStyles {
  readonly lists = new Map<string, OdfListStyle>();
  /** Numbers of headings by level. */
  outline: OdfListStyle = [];
  private readonly styles = new Map<string, Style>();
  private current: Style | null = null;
  private list: OdfListStyle | null = null;

  /** Reads an element; whether it belongs to a style. */
  open(name: string, attributes: Record<string, string>): boolean {
    if (name === "style") {
      this.current = { parent: attributes["parent-style-name"] ?? null };
      if (attributes["list-style-name"] !== undefined)
        this.current.list = attributes["list-style-name"];
      this.styles.set(`${attributes.family} ${attributes.name}`, this.current);
    } else if (name === "list-style" || name === "outline-style") {
      this.list = [];
      if (name === "outline-style") this.outline = this.list;
      else this.lists.set(attributes.name ?? "", this.list);
    } else if (levelName.test(name)) {
      const level = Math.min(10, Math.max(1, Number(attributes.level) || 1));
      if (this.list) this.list[level - 1] = readOdfLevel(name, attributes);
    } else if (name === "text-properties" && this.current) {
      if (attributes.display !== undefined) this.current.isHidden = attributes.display === "none";
      const weight = attributes["font-weight"];
      if (weight !== undefined) this.current.isBold = weight === "bold" || Number(weight) >= 600;
    } else if (name === "drawing-page-properties" && this.current)
      this.current.isHidden = attributes.visibility === "hidden";
    else return this.current !== null || this.list !== null;
    return true;
  }

  close(name: string): void {
    if (name === "style") this.current = null;
    else if (name === "list-style" || name === "outline-style") this.list = null;
  }

  isHidden(family: string, name: string | undefined): boolean {
    return this.inherited(family, name, "isHidden") ?? false;
  }

  isBold(family: string, name: string | undefined): boolean {
    return this.inherited(family, name, "isBold") ?? false;
  }

  /** Whether a heading's style takes it out of the numbering of headings. */
  isUnnumbered(name: string | undefined): boolean {
    return this.inherited("paragraph", name, "list") === "";
  }

  private inherited<K extends keyof Style>(
    family: string,
    name: string | undefined,
    key: K,
  ): Style[K] | undefined {
    let style = name === undefined ? undefined : this.styles.get(`${family} ${name}`);
    for (let depth = 0; style && depth < deepestChain; depth++) {
      if (style[key] !== undefined) return style[key];
      style = style.parent === null ? undefined : this.styles.get(`${family} ${style.parent}`);
    }
    return undefined;
  }
}
