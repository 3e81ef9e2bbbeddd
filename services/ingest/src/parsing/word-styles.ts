import type { Archive } from "./archive.ts";
import { readXmlPart } from "./read-xml.ts";

/** A style's own properties; undefined ones are inherited from the style it is based on. */
interface Style {
  name: string;
  basedOn: string | null;
  outline?: number;
  list?: string;
  listLevel?: number;
  isHidden?: boolean;
  isBold?: boolean;
  font?: string;
}

/** Heading styles of writers that translate their names; Word itself always stores English ones. */
const headingName =
  /^(?:heading|überschrift|ueberschrift|berschrift|titre|título|titulo|titolo|título|kop|rubrik|overskrift|otsikko|nagłówek|nagwek|nadpis|zaglavlje|naslov|címsor|başlık|balk|επικεφαλίδα|заголовок|标题|標題|見出し|제목|judul|tiêu đề)[\s_-]*([1-9])$/iu;
/** Values of properties that are switched on by their mere presence. */
export const isOn = (value: string | undefined): boolean =>
  !["0", "false", "off", "none"].includes(value ?? "");
const deepestChain = 50;

/** Styles of a Word document, each with what it inherits. */
export class WordStyles {
  private readonly styles = new Map<string, Style>();

  /** Heading level from 1 of a paragraph style; 0 for text. */
  headingLevel(id: string): number {
    for (const style of this.chain(id)) {
      const name = style.name.trim();
      if (/^title$/i.test(name)) return 1;
      if (/^subtitle$/i.test(name)) return 2;
      const digit = headingName.exec(name)?.[1];
      if (digit !== undefined) return Number(digit);
      if (style.outline !== undefined) return style.outline < 9 ? style.outline + 1 : 0;
    }
    // A style that isn't defined, in a document that was written by a program.
    return this.styles.has(id) ? 0 : Number(headingName.exec(id)?.[1] ?? 0);
  }

  /** The list that numbers paragraphs of a style. */
  list(id: string): { list: string; level: number | null } | null {
    const list = this.inherited(id, "list");
    return list === undefined || list === "0"
      ? null
      : { list, level: this.inherited(id, "listLevel") ?? null };
  }

  isHidden(id: string): boolean {
    return this.inherited(id, "isHidden") ?? false;
  }

  isBold(id: string): boolean {
    return this.inherited(id, "isBold") ?? false;
  }

  font(id: string): string | null {
    return this.inherited(id, "font") ?? null;
  }

  /** Reads the definitions (`word/styles.xml`). */
  async read(archive: Archive, part: string): Promise<void> {
    let style: Style | null = null;
    let changes = 0;
    await readXmlPart(archive, part, {
      open: (name, attributes) => {
        const { val: value } = attributes;
        // Skips properties before a tracked change, and properties of parts of a table.
        if (name.endsWith("Change") || name === "tblStylePr") changes++;
        if (name === "style") {
          style = { name: "", basedOn: null };
          this.styles.set(attributes.styleId ?? "", style);
        } else if (!style || changes > 0) return;
        else if (name === "name") style.name = value ?? "";
        else if (name === "basedOn") style.basedOn = value ?? null;
        else if (name === "outlineLvl") style.outline = Number(value) || 0;
        else if (name === "numId") style.list = value ?? "";
        else if (name === "ilvl") style.listLevel = Number(value) || 0;
        else if (name === "vanish") style.isHidden = isOn(value);
        else if (name === "b") style.isBold = isOn(value);
        else if (name === "rFonts") style.font = attributes.ascii ?? attributes.hAnsi ?? undefined;
      },
      close: (name) => {
        if (name.endsWith("Change") || name === "tblStylePr") changes--;
        if (name === "style") style = null;
      },
    });
  }

  /** The style and those it is based on. */
  private *chain(id: string): Generator<Style> {
    let next: string | null = id;
    for (let depth = 0; next !== null && depth < deepestChain; depth++) {
      const style = this.styles.get(next);
      if (!style) return;
      yield style;
      next = style.basedOn;
    }
  }

  private inherited<K extends keyof Style>(id: string, key: K): Style[K] | undefined {
    for (const style of this.chain(id)) if (style[key] !== undefined) return style[key];
    return undefined;
  }
}
