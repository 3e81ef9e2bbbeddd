import { readOdfLevel, type OdfListStyle } from "./odf-lists.ts";

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
