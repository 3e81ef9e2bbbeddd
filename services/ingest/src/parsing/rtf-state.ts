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
