import { cleanText } from "./decode-text.ts";
import { paragraph, type Block } from "./office-block.ts";
import { AlternateContent, altText, isShown, sizeInStyle } from "./office-part.ts";
import { MathReader } from "./read-math.ts";
import type { XmlHandlers } from "./read-xml.ts";
import { symbolOf } from "./symbol-fonts.ts";
import { WordText } from "./word-paragraph.ts";
import type { WordPart } from "./word-part.ts";
import { isOn } from "./word-styles.ts";
import { WordTables } from "./word-tables.ts";

/** A header or footer by the id of its relation. */
interface MarginReference {
  kind: "header" | "footer";
  id: string;
}

/** The headers and footers that a document's sections show. */
class WordSections {
  readonly shown: MarginReference[] = [];
  private references: (MarginReference & { pages: string })[] = [];
  private hasTitlePage = false;

  open(name: string, attributes: Record<string, string>): void {
    if (name === "titlePg") this.hasTitlePage = isOn(attributes.val);
    else if (name === "headerReference" || name === "footerReference")
      this.references.push({
        kind: name === "headerReference" ? "header" : "footer",
        id: attributes.id ?? "",
        pages: attributes.type ?? "default",
      });
  }

  /** Ends a section; headers of first and even pages only count if they are switched on. */
  close(hasEvenPages: boolean): void {
    for (const { kind, id, pages } of this.references)
      if ((pages !== "first" || this.hasTitlePage) && (pages !== "even" || hasEvenPages))
        this.shown.push({ kind, id });
    this.references = [];
    this.hasTitlePage = false;
  }
}

/** A body, comment, note, header or footer. */
export interface WordItem {
  id: string;
  author: string;
  type: string;
  blocks: Block[];
}

/** A place for paragraphs: an item, a cell, a text box. */
interface Container {
  blocks: Block[];
  /** Text of paragraphs whose mark was deleted: it continues in the next one. */
  carried: string;
  /** Paragraphs that are open around it. */
  depth: number;
}

const items = new Set(["body", "hdr", "ftr", "comment", "footnote", "endnote"]);
/** Elements that aren't shown: properties before a change, readings above text, what was moved away. */
const silent = new Set(["rt", "moveFrom", "del", "sdtEndPr", "tblPrEx", "numberingChange"]);

/** Text boxes aren't read deeper than Word nests them, since each passes its blocks on. */
const deepestContainer = 100;

/** Reads WordprocessingML in one pass into blocks. */
export class WordReader implements XmlHandlers {
  readonly items: WordItem[] = [];
  readonly sections = new WordSections();
  readonly pictures = new Set<string>();
  private readonly parents: string[] = [];
  private readonly containers: Container[] = [];
  private readonly content: WordText;
  private readonly tables = new WordTables();
  private readonly alternatives = new AlternateContent();
  /** Comments and notes, which follow their paragraph or table. */
  private remarks: Block[] = [];
  private math: MathReader | null = null;
  private skip = 0;
  private inControlProperties = 0;
  private collected: "text" | "instruction" | null = null;
  private size: { width: number; height: number } | null = null;
  constructor(private readonly part: WordPart) {
    this.content = new WordText(part.document.styles);
  }

  open(name: string, attributes: Record<string, string>): void {
    if (this.skip > 0) return void this.skip++;
    if (this.math) return this.math.open(name, attributes);
    const parent = this.parents.at(-1) ?? "";
    if (this.isSilent(name, parent)) return void (this.skip = 1);
    this.parents.push(name);
    if (this.inControlProperties > 0) return this.openInControlProperties(name, attributes);
    if (items.has(name)) return this.openItem(attributes);
    if (parent === "rPr") return this.openRunProperty(name, attributes);
    if (parent === "pPr" || parent === "numPr")
      return this.content.readParagraphProperty(name, attributes.val);
    if (this.tables.open(name, parent, attributes)) {
      if (name === "tc") this.openContainer();
      return;
    }
    this.openContent(name, parent, attributes);
  }

  text(text: string): void {
    if (this.skip > 0) return;
    if (this.math) this.math.text(text);
    else if (this.collected === "text") this.content.addInFont(text);
    else if (this.collected === "instruction") this.content.fields.addInstruction(text);
  }

  close(name: string): void {
    if (this.skip > 0) return void this.skip--;
    if (this.math) {
      const formula = this.math.close(name);
      if (formula === null) return;
      this.math = null;
      this.parents.pop();
      return this.content.add(formula);
    }
    this.parents.pop();
    this.alternatives.close(name);
    if (name === "sdtPr") this.inControlProperties--;
    else if (name === "t" || name === "instrText") this.collected = null;
    else if (name === "r") this.content.closeRun();
    else if (name === "p") this.closeParagraph();
    else if (name === "tc" && this.tables.isOpen) this.tables.closeCell(this.closeContainer());
    else if (name === "tr") this.tables.closeRow();
    else if (name === "tbl") this.closeTable();
    else if (name === "txbxContent") this.addAfter(this.closeContainer());
    else if (name === "sdt") this.content.closeControl();
    else if (name === "sectPr") this.sections.close(this.part.document.hasEvenPages);
    else if (items.has(name)) {
      this.addRemarks();
      this.items.at(-1)!.blocks = this.closeContainer();
    }
  }

  private isSilent(name: string, parent: string): boolean {
    if (name.endsWith("Change")) return true;
    if (name === "txbxContent") return this.containers.length > deepestContainer;
    // In properties, these say that a paragraph's mark or a row was deleted.
    if (silent.has(name)) return parent !== "rPr" && parent !== "trPr";
    return this.alternatives.skips(name, this.content.shown);
  }

  private openItem({ id = "", author = "", type = "" }: Record<string, string>): void {
    this.items.push({ id, author, type, blocks: [] });
    this.openContainer();
  }

  private openContainer(): void {
    this.containers.push({ blocks: [], carried: "", depth: this.content.depth });
  }

  private openInControlProperties(name: string, { val }: Record<string, string>): void {
    if (name === "checkbox") this.content.markControl(false);
    else if (name === "checked" && this.parents.at(-2) === "checkbox")
      this.content.markControl(isOn(val));
    else if (name === "sdtPr") this.inControlProperties++;
  }

  private openContent(name: string, parent: string, attributes: Record<string, string>): void {
    switch (name) {
      case "p":
        this.content.openParagraph();
        break;
      case "r":
        this.content.openRun();
        break;
      case "t":
        this.collected = "text";
        break;
      case "instrText":
        this.collected = "instruction";
        break;
      case "tab":
      case "ptab":
        if (parent === "r") this.content.add("\t");
        break;
      case "br":
      case "cr":
        if (parent === "r") this.content.add("\n");
        break;
      case "noBreakHyphen":
        this.content.add("-");
        break;
      case "sym":
        this.content.add(
          symbolOf(attributes.font ?? null, parseInt(attributes.char ?? "", 16) || 0),
        );
        break;
      case "oMath":
      case "oMathPara":
        this.math = new MathReader();
        this.math.open(name, attributes);
        break;
      case "fldChar":
        this.openFieldCharacter(attributes.fldCharType);
        break;
      case "sdt":
        this.content.openControl();
        break;
      case "sdtPr":
        this.inControlProperties++;
        break;
      case "txbxContent":
        this.openContainer();
        break;
      case "footnoteReference":
      case "endnoteReference":
        this.addNote(name, attributes);
        break;
      case "commentReference":
        this.remarks.push(...this.part.comment(attributes.id ?? ""));
        break;
      default:
        if (parent === "sectPr") this.sections.open(name, attributes);
        else if (parent === "ffData" || parent === "checkBox" || parent === "ddList")
          this.content.fields.readForm(name, attributes.val);
        else this.openDrawing(name, attributes);
    }
  }

  private openDrawing(name: string, attributes: Record<string, string>): void {
    switch (name) {
      case "extent":
        this.size = { width: Number(attributes.cx), height: Number(attributes.cy) };
        break;
      case "docPr":
        this.addAfter(altText(attributes.descr ?? ""));
        break;
      case "shape":
      case "rect":
        this.size = sizeInStyle(attributes.style ?? "");
        this.addAfter(altText(attributes.alt ?? ""));
        break;
      case "textpath":
        this.addAfter([paragraph(cleanText(attributes.string ?? ""))]);
        break;
      case "blip":
      case "imagedata":
        this.addPicture(attributes.embed ?? attributes.id ?? "");
        break;
      case "chart":
      case "altChunk":
        this.addAfter(this.part.inserted.get(attributes.id ?? "") ?? []);
        break;
      case "relIds":
        this.addAfter(this.part.inserted.get(attributes.dm ?? "") ?? []);
        break;
      case "OLEObject":
        this.addAfter(this.part.embeddedFile(attributes.id ?? ""));
        break;
    }
  }

  private openRunProperty(name: string, attributes: Record<string, string>): void {
    // Among the properties of a paragraph's mark, only its deletion counts.
    if (this.parents.at(-3) !== "pPr") return this.content.readRunProperty(name, attributes);
    const { paragraph } = this.content;
    if (paragraph && (name === "del" || name === "moveFrom")) paragraph.isMarkDeleted = true;
  }

  private openFieldCharacter(type: string | undefined): void {
    if (type === "begin") this.content.fields.begin();
    else if (type === "separate") this.content.fields.separate();
    else if (type === "end") this.content.add(this.content.fields.end());
  }

  private addAfter(blocks: readonly Block[]): void {
    if (blocks.length === 0) return;
    this.content.shown++;
    const container = this.containers.at(-1);
    const isInParagraph = this.content.depth > (container?.depth ?? 0);
    const target = isInParagraph ? this.content.paragraph!.after : container?.blocks;
    for (const block of blocks) target?.push(block);
  }

  private addPicture(id: string): void {
    const target = this.part.relations.get(id)?.target;
    if (target === undefined || (this.size && !isShown(this.size))) return;
    this.pictures.add(target);
    this.addAfter([{ kind: "picture", part: target }]);
  }

  private addNote(reference: string, { id = "", customMarkFollows }: Record<string, string>): void {
    const kind = reference === "footnoteReference" ? "footnote" : "endnote";
    const note = this.part.document.notes.get(`${kind} ${id}`);
    if (!note) return;
    const mark = customMarkFollows !== undefined && isOn(customMarkFollows) ? "" : `[${note.mark}]`;
    this.content.add(mark);
    this.remarks.push(paragraph(`${mark} ${note.text}`.trim()));
  }

  private closeContainer(): Block[] {
    const container = this.containers.pop();
    if (!container) return [];
    if (container.carried.trim() !== "") container.blocks.push(paragraph(container.carried.trim()));
    return container.blocks;
  }

  private closeParagraph(): void {
    const done = this.content.closeParagraph();
    const container = this.containers.at(-1);
    if (!done || !container) return;
    done.text = container.carried + done.text;
    container.carried = "";
    if (done.isMarkDeleted) container.carried = done.text;
    else {
      const block = this.part.document.blockOf(done);
      if (block) container.blocks.push(block);
    }
    for (const block of done.after) container.blocks.push(block);
    if (this.containers.length === 1) this.addRemarks();
  }

  private addRemarks(): void {
    for (const remark of this.remarks) this.containers.at(-1)?.blocks.push(remark);
    this.remarks = [];
  }

  private closeTable(): void {
    const grid = this.tables.closeTable();
    if (grid && grid.rows.length > 0) this.addAfter([{ kind: "table", grid }]);
    if (this.containers.length === 1) this.addRemarks();
  }
}
