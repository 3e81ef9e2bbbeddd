import iconv from "iconv-lite";
import { Repetition } from "./sheet-row.ts";
import { writeTable } from "./write-table.ts";

/** The rows of one table of an RTF document, while they are read. */
export class RtfTable {
  private readonly rows: string[][] = [];
  private headerRows = 0;
  private isHeader = false;
  /** The current row's finished cells, and which of them continue the cell above. */
  private cells: string[] = [];
  private continued: boolean[] = [];
  private isContinued = false;
  /** Text of the cell being read. */
  private lines: string[] = [];
  private readonly repetition = new Repetition();

  startRow(): void {
    this.continued = [];
    this.isContinued = false;
    this.isHeader = false;
  }

  markHeader(): void {
    this.isHeader = true;
  }

  continueAbove(): void {
    this.isContinued = true;
  }

  defineCell(): void {
    this.continued.push(this.isContinued);
    this.isContinued = false;
  }

  addText(text: string): void {
    if (text !== "") this.lines.push(text);
  }

  endCell(): void {
    const column = this.cells.length;
    const own = this.lines.join("\n");
    this.repetition.addOwn(own);
    const above = this.continued[column] ? this.rows.at(-1)?.[column] : undefined;
    this.cells.push(above !== undefined && this.repetition.mayRepeat(above) ? above : own);
    this.lines = [];
  }

  endRow(): void {
    if (this.lines.length > 0) this.endCell();
    if (this.isHeader && this.headerRows === this.rows.length) this.headerRows++;
    this.rows.push(this.cells);
    this.cells = [];
  }

  get isOpen(): boolean {
    return this.cells.length > 0 || this.lines.length > 0;
  }

  /** The table's paragraphs. */
  write(): string[] {
    if (this.isOpen) this.endRow();
    const rows = this.rows.filter((row) => row.some((cell) => cell !== ""));
    return writeTable({ rows, headerRows: this.headerRows < rows.length ? this.headerRows : 0 });
  }
}

/** Where text goes: the document itself, or lines that are written later. */
export interface Target {
  kind: "body" | "header" | "footer" | "footnote" | "comment" | "author" | "box";
  lines: string[];
}

/** What a group inherits from the one around it. */
export interface State {
  /** Skipped groups; text boxes inside them are read only if they are optional. */
  skip: "no" | "optional" | "always";
  /** Whether the group follows `\*` or is the older of two versions. */
  isOptional: boolean;
  skipsNextGroup: boolean;
  inFonts: boolean;
  isHidden: boolean;
  isDeleted: boolean;
  unicodeSkip: number;
  outline: number | null;
  font: number;
  /** The font of double-byte characters, and whether it is in use. */
  wideFont: number | null;
  isWide: boolean;
  target: Target;
}

/** State outside all groups. */
export const initialState = (target: Target): State => ({
  skip: "no",
  isOptional: false,
  skipsNextGroup: false,
  inFonts: false,
  isHidden: false,
  isDeleted: false,
  unicodeSkip: 1,
  outline: null,
  font: 0,
  wideFont: null,
  isWide: false,
  target,
});

/** Text beside an RTF document's main text: footnotes, comments, headers and footers. */
export class RtfAsides {
  /** Number of footnotes begun so far. */
  footnotes = 0;
  readonly footers: string[] = [];
  private readonly seen = new Set<string>();
  /** Written after the paragraph that is being read. */
  private notes: string[] = [];
  private author = "";

  take(): string[] {
    return this.notes.splice(0);
  }

  /** Whether a header or footer is there for the first time; it is on every page. */
  isNew(text: string): boolean {
    const isNew = text !== "" && !this.seen.has(text);
    this.seen.add(text);
    return isNew;
  }

  /** Returns the paragraph that it belongs to, with its mark. */
  add(kind: Target["kind"], text: string, paragraph: string): string {
    if (kind === "author") this.author = text;
    else if (kind === "comment")
      this.notes.push(this.author === "" ? `Comment: ${text}` : `${this.author}: ${text}`);
    else if (kind === "box") this.notes.push(text);
    else if (kind === "footnote") {
      const mark = `[${this.footnotes}]`;
      this.notes.push(text.startsWith(mark) ? text : `${mark} ${text}`);
      return paragraph.trimEnd().endsWith(mark) ? paragraph : paragraph + mark;
    } else if (this.isNew(text)) (kind === "footer" ? this.footers : this.notes).push(text);
    return paragraph;
  }
}

/** Groups without document text: colours, pictures, properties and the like. */
export const unreadGroups = new Set([
  ...["colortbl", "info", "pict", "fldinst", "listtable", "listoverridetable", "rsidtbl"],
  ...["generator", "themedata", "colorschememapping", "latentstyles", "datastore", "xmlnstbl"],
  ...["filetbl", "revtbl", "pnseclvl", "bkmkstart", "bkmkend", "nonshppict", "wgrffmtfilter"],
  ...["background", "panose", "falt", "mmathPr", "objdata", "objclass", "objname", "shprslt", "xe"],
  ...[
    "tc",
    "rxe",
    "txe",
    "ftnsep",
    "ftnsepc",
    "ftncn",
    "aftnsep",
    "aftnsepc",
    "aftncn",
    "template",
  ],
  ...["atrfstart", "atrfend", "atndate", "atntime", "atnparent", "atnref", "atnicn", "pgptbl"],
  ...["private", "keycode", "docvar", "userprops", "formfield", "datafield", "stylesheet"],
]);
/** Groups that old readers skip (`\*`) and that have text nevertheless. */
export const optionalGroups = new Set([
  ...["cs", "ts", "ds", "moMath", "moMathPara", "oMath", "oMathPara", "mr"],
  ...["annotation", "atnauthor", "ud", "footnote", "shptxt", "dptxbxtext"],
]);
/** Groups of text inside skipped ones: text boxes, and what an object shows. */
export const innerGroups = new Set(["shptxt", "dptxbxtext", "result"]);
export const headerGroups = new Set(["header", "headerl", "headerr", "headerf"]);
export const footerGroups = new Set(["footer", "footerl", "footerr", "footerf"]);

export const symbolWords = new Map([
  ["line", "\n"],
  ["lbr", "\n"],
  ["softline", "\n"],
  ["tab", "\t"],
  ["emdash", "—"],
  ["endash", "–"],
  ["bullet", "•"],
  ["lquote", "‘"],
  ["rquote", "’"],
  ["ldblquote", "“"],
  ["rdblquote", "”"],
  ["emspace", " "],
  ["enspace", " "],
  ["qmspace", " "],
]);
export const paragraphWords = new Set(["par", "sect", "page", "column", "softpage"]);

/** Code pages by the character sets of fonts (RTF specification 1.9.1, \fcharset). */
const charsets = new Map<number, number>([
  [77, 10_000],
  [78, 932],
  [79, 949],
  [80, 936],
  [81, 950],
  [83, 1255],
  [84, 1256],
  [85, 1253],
  [86, 1254],
  [88, 10_029],
  [89, 10_007],
  [128, 932],
  [129, 949],
  [130, 1361],
  [134, 936],
  [136, 950],
  [161, 1253],
  [162, 1254],
  [163, 1258],
  [177, 1255],
  [178, 1256],
  [186, 1257],
  [204, 1251],
  [222, 874],
  [238, 1250],
  [254, 437],
  [255, 850],
]);
const symbolCharset = 2;
/** Names of code pages that aren't `windows-…`. */
const labels = new Map<number, string>([
  [866, "ibm866"],
  [874, "windows-874"],
  [932, "shift_jis"],
  [936, "gbk"],
  [949, "euc-kr"],
  [950, "big5"],
  [10_000, "macintosh"],
  [10_001, "shift_jis"],
  [10_007, "x-mac-cyrillic"],
  [20_866, "koi8-r"],
  [21_866, "koi8-u"],
  [54_936, "gb18030"],
  [65_001, "utf-8"],
]);
/** Names in iconv-lite, for what the Encoding Standard lacks. */
const others = new Map<number, string>([
  [10_006, "macgreek"],
  [10_029, "maccenteuro"],
  [10_079, "maciceland"],
  [10_081, "macturkish"],
]);
/** Bullets and ticks of symbol fonts. */
const symbols = new Map([
  [0xa7, "▪"],
  [0xa8, "☐"],
  [0xb7, "•"],
  [0xd8, "➢"],
  [0xfc, "✓"],
  [0xfe, "☒"],
]);

type RtfDecoder = (bytes: string) => string;

const toBytes = (text: string): Buffer => Buffer.from(text, "latin1");

const decodeSymbols: RtfDecoder = (bytes) =>
  bytes.replace(/[\x80-\xff]/g, (byte) => symbols.get(byte.charCodeAt(0)) ?? byte);

function makeDecoder(codePage: number): RtfDecoder | null {
  const iconvName = others.get(codePage) ?? `cp${codePage}`;
  try {
    const decoder = new TextDecoder(labels.get(codePage) ?? `windows-${codePage}`);
    return (bytes) => decoder.decode(toBytes(bytes));
  } catch {
    return iconv.encodingExists(iconvName)
      ? (bytes) => iconv.decode(toBytes(bytes), iconvName)
      : null;
  }
}

/** What is known of a font. */
export interface RtfFont {
  charset: number | null;
  codePage: number | null;
}

/** Chooses how bytes are decoded: by their font, or by the file's own code page. */
export class RtfEncodings {
  private readonly decoders = new Map<number, RtfDecoder>();
  /** The file's code page. */
  codePage = 1252;

  decoderOf(font: RtfFont | undefined): RtfDecoder {
    if (font?.charset === symbolCharset) return decodeSymbols;
    const ofFont = font?.codePage ?? charsets.get(font?.charset ?? 0);
    return this.decoder(ofFont ?? this.codePage);
  }

  private decoder(codePage: number): RtfDecoder {
    const known = this.decoders.get(codePage);
    if (known) return known;
    const made = makeDecoder(codePage) ?? makeDecoder(1252)!;
    this.decoders.set(codePage, made);
    return made;
  }
}
