import { cleanText } from "./decode-text.ts";
import { UnreadableError, type ParsedText } from "./parsed-document.ts";
import {
  RtfAsides,
  RtfTable,
  footerGroups,
  headerGroups,
  initialState,
  innerGroups,
  optionalGroups,
  paragraphWords,
  symbolWords,
  unreadGroups,
  type State,
  type Target,
  RtfEncodings,
  type RtfFont,
} from "./rtf-state.ts";
import { TextBuilder } from "./text-builder.ts";

/** A piece of RTF. Text and bytes are in the encoding of the font that is in use there. */
type RtfToken =
  | { kind: "word"; name: string; parameter: number | null }
  | { kind: "symbol"; symbol: string }
  | { kind: "byte"; byte: number }
  | { kind: "text"; text: string }
  | { kind: "open" }
  | { kind: "close" };

const token =
  /\\([a-z]{1,40})(-?\d{1,10})? ?|\\'([0-9a-f]{2})|\\([\s\S])|([{}])|[\r\n\0]+|[^\\{}\r\n\0]+|\\/giy;

/** The pieces of an RTF file, without the raw bytes of its pictures. */
function* readRtf(bytes: Uint8Array): Generator<RtfToken> {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  token.lastIndex = 0;
  for (let at = 0; at < source.length;) {
    token.lastIndex = at;
    const [all, name, digits, hex, symbol, brace] = token.exec(source)!;
    at = token.lastIndex;
    if (name !== undefined) {
      const parameter = digits === undefined ? null : Number(digits);
      if (name === "bin") at += Math.max(0, parameter ?? 0);
      else yield { kind: "word", name, parameter };
    } else if (hex !== undefined) yield { kind: "byte", byte: parseInt(hex, 16) };
    else if (symbol !== undefined) yield { kind: "symbol", symbol };
    else if (brace !== undefined) yield { kind: brace === "{" ? "open" : "close" };
    else if (!/^[\r\n\0\\]/.test(all)) yield { kind: "text", text: all };
  }
}

const deepest = 5_000;
const longestHeading = 300;

/** Reads an RTF document, following RTF specification 1.9.1. No maintained library exists. */
class RtfReader {
  private readonly out = new TextBuilder({ code: "file-kind.rtf" });
  private readonly encodings = new RtfEncodings();
  private readonly fonts = new Map<number, RtfFont>();
  private readonly stack: State[] = [];
  private readonly body: Target = { kind: "body", lines: [] };
  private state: State = initialState(this.body);
  private defaultFont = 0;
  /** Characters after `\u` that say the same in the file's code page. */
  private skipped = 0;
  private paragraph = "";
  /** Text that isn't decoded yet, and in which font. */
  private encoded = "";
  private table: RtfTable | null = null;
  private inRow = false;
  private readonly asides = new RtfAsides();

  read(bytes: Uint8Array): ParsedText {
    for (const token of readRtf(bytes)) {
      this.add(token);
      // What follows the last bracket isn't RTF.
      if (token.kind === "close" && this.stack.length === 0) break;
    }
    if (this.stack.length > 0)
      throw new UnreadableError({
        code: "file.damaged",
        params: { what: { code: "file-kind.rtf" } },
      });
    this.endParagraph();
    this.endTable();
    this.writeNotes();
    for (const footer of this.asides.footers) this.out.addParagraph(footer);
    return this.out.build();
  }

  private add(token: RtfToken): void {
    if (token.kind === "open") this.open();
    else if (token.kind === "close") this.close();
    else if (token.kind === "word") this.word(token.name, token.parameter);
    else if (token.kind === "symbol") this.symbol(token.symbol);
    else if (token.kind === "byte") {
      if (this.skipped > 0) this.skipped--;
      else if (this.isRead) this.encoded += String.fromCharCode(token.byte);
    } else {
      const text = token.text.slice(this.skipped);
      this.skipped = Math.max(0, this.skipped - token.text.length);
      if (this.isRead) this.encoded += text;
    }
  }

  private get isRead(): boolean {
    const { skip, isHidden, isDeleted, inFonts } = this.state;
    return skip === "no" && !isHidden && !isDeleted && !inFonts;
  }

  private open(): void {
    if (this.stack.length >= deepest)
      throw new UnreadableError({
        code: "file.nested-too-deep",
        params: { what: { code: "file-kind.rtf" }, limit: deepest },
      });
    this.flush();
    this.skipped = 0;
    const isSkipped = this.state.skipsNextGroup;
    this.state.skipsNextGroup = false;
    this.stack.push(this.state);
    this.state = { ...this.state, isOptional: false };
    if (isSkipped) this.state.skip = "optional";
  }

  private close(): void {
    this.flush();
    this.skipped = 0;
    const { target } = this.state;
    const outer = this.stack.pop();
    if (!outer) return;
    if (target !== outer.target) this.endTarget(target);
    this.state = outer;
  }

  private symbol(symbol: string): void {
    if (symbol === "*") this.state.isOptional = true;
    else if (symbol === "\n" || symbol === "\r") this.endParagraph();
    else if (symbol === "~") this.write("\u00a0");
    else if (symbol === "_") this.write("-");
    else if (symbol !== "-" && symbol !== ":" && symbol !== "|") this.write(symbol);
  }

  private write(text: string): void {
    if (this.skipped > 0) this.skipped--;
    else if (this.isRead) {
      this.flush();
      this.paragraph += text;
    }
  }

  private flush(): void {
    if (this.encoded === "") return;
    const { isWide, wideFont, font } = this.state;
    const current = this.fonts.get(isWide && wideFont !== null ? wideFont : font);
    this.paragraph += this.encodings.decoderOf(current)(this.encoded);
    this.encoded = "";
  }

  private word(name: string, parameter: number | null): void {
    if (this.state.inFonts) return this.describeFont(name, parameter);
    if (this.startGroup(name)) return;
    const { state } = this;
    const isOn = parameter !== 0;
    if (paragraphWords.has(name)) this.endParagraph();
    else if (symbolWords.has(name)) this.write(symbolWords.get(name)!);
    else if (name === "u" && parameter !== null) this.writeUnicode(parameter);
    else if (name === "uc") state.unicodeSkip = Math.min(10, Math.max(0, parameter ?? 1));
    else if (name === "v") this.setHidden("isHidden", isOn);
    else if (name === "deleted") this.setHidden("isDeleted", isOn);
    else if (name === "plain") {
      this.setHidden("isHidden", false);
      this.setHidden("isDeleted", false);
      this.setFont({ font: this.defaultFont, wideFont: null, isWide: false });
    } else if (name === "f") this.setFont({ font: parameter ?? 0 });
    else if (name === "af" && state.isWide) this.setFont({ wideFont: parameter ?? 0 });
    else if (name === "dbch") this.setFont({ isWide: true });
    else if (name === "loch" || name === "hich") this.setFont({ isWide: false });
    else if (name === "pard") state.outline = null;
    else if (name === "outlinelevel")
      state.outline = parameter === null || parameter > 5 ? null : parameter;
    else if (name === "upr") state.skipsNextGroup = true;
    else if (name === "chftn")
      this.write(`[${this.asides.footnotes + (this.isIn("footnote") ? 0 : 1)}]`);
    else if (/^(?:ansi|mac|pca?|ansicpg|deff)$/.test(name)) this.declare(name, parameter);
    else this.tableWord(name);
  }

  /** Whether a word says what the group is, and is done with. */
  private startGroup(name: string): boolean {
    const { state } = this;
    const { isOptional } = state;
    state.isOptional = false;
    if (name === "fonttbl") state.inFonts = true;
    else if (headerGroups.has(name)) this.startTarget("header");
    else if (footerGroups.has(name)) this.startTarget("footer");
    else if (name === "footnote") {
      this.asides.footnotes++;
      this.startTarget("footnote");
    } else if (name === "annotation") this.startTarget("comment");
    else if (name === "atnauthor") this.startTarget("author");
    else if (innerGroups.has(name)) {
      if (state.skip === "optional") {
        state.skip = "no";
        this.startTarget("box");
      }
    } else if (unreadGroups.has(name)) state.skip = "always";
    else if (name === "object") state.skip = "optional";
    else if (isOptional && !optionalGroups.has(name) && state.skip === "no")
      state.skip = "optional";
    else return false;
    return true;
  }

  private isIn(kind: Target["kind"]): boolean {
    return this.state.target.kind === kind;
  }

  private startTarget(kind: Target["kind"]): void {
    if (this.state.skip !== "no") return;
    this.flush();
    // Text of the paragraph that the group is in.
    const target = { kind, lines: [this.paragraph] };
    this.paragraph = "";
    this.state.target = target;
  }

  private endTarget({ kind, lines: [before = "", ...lines] }: Target): void {
    const last = cleanText(this.paragraph).trim();
    const text = [...lines, last].filter((line) => line !== "").join("\n");
    const isBetween = before === "" && !this.table;
    this.paragraph = before;
    if (kind === "header" && isBetween && this.asides.isNew(text)) this.out.addParagraph(text);
    else this.paragraph = this.asides.add(kind, text, before);
  }

  private describeFont(name: string, parameter: number | null): void {
    const isFont = name === "f" && parameter !== null;
    if (isFont) this.fonts.set((this.state.font = parameter), { charset: null, codePage: null });
    const font = this.fonts.get(this.state.font);
    if (name === "fcharset" && font) font.charset = parameter;
    else if (name === "cpg" && font) font.codePage = parameter;
  }

  private declare(name: string, parameter: number | null): void {
    if (name === "mac") this.encodings.codePage = 10_000;
    else if (name === "pc") this.encodings.codePage = 437;
    else if (name === "pca") this.encodings.codePage = 850;
    else if (name === "ansicpg" && parameter !== null && parameter > 0)
      this.encodings.codePage = parameter;
    else if (name === "deff") this.state.font = this.defaultFont = parameter ?? 0;
  }

  private setFont(change: Partial<Pick<State, "font" | "wideFont" | "isWide">>): void {
    this.flush();
    Object.assign(this.state, change);
  }

  private setHidden(which: "isHidden" | "isDeleted", isOn: boolean): void {
    this.flush();
    this.state[which] = isOn;
  }

  private writeUnicode(parameter: number): void {
    this.skipped = 0;
    this.write(String.fromCharCode(parameter < 0 ? parameter + 65_536 : parameter & 0xffff));
    this.skipped = this.state.unicodeSkip;
  }

  private tableWord(name: string): void {
    if (this.state.skip !== "no") return;
    if (this.state.target !== this.body) {
      if (name === "cell") this.write(" | ");
      else if (name === "row") this.endParagraph();
    } else if (name === "trowd" || name === "intbl") {
      this.startRow();
      if (name === "trowd") this.table?.startRow();
    } else if (name === "trhdr") this.table?.markHeader();
    else if (name === "clvmrg") this.table?.continueAbove();
    else if (name === "cellx") this.table?.defineCell();
    else if (name === "cell" && this.table) {
      this.endParagraph();
      this.table.endCell();
    } else if (name === "nestcell") this.write(" | ");
    else if (name === "nestrow") this.endParagraph();
    else if (name === "row") {
      this.table?.endRow();
      this.inRow = false;
    }
  }

  private startRow(): void {
    if (!this.inRow && this.paragraph + this.encoded !== "") this.endParagraph();
    this.inRow = true;
    this.table ??= new RtfTable();
  }

  private endTable(): void {
    if (!this.table) return;
    for (const paragraph of this.table.write()) this.out.addParagraph(paragraph);
    this.table = null;
    this.writeNotes();
  }

  private writeNotes(): void {
    for (const note of this.asides.take()) this.out.addParagraph(note);
  }

  private endParagraph(): void {
    if (this.state.skip !== "no") return;
    this.flush();
    const text = cleanText(this.paragraph).trim();
    this.paragraph = "";
    const { target, outline } = this.state;
    if (target !== this.body) {
      if (text !== "") target.lines.push(text);
      return;
    }
    if (this.table && this.inRow) return this.table.addText(text);
    if (text !== "") this.endTable();
    if (outline !== null && text.length <= longestHeading) this.out.addHeading(text, outline + 1);
    else this.out.addParagraph(text);
    this.writeNotes();
  }
}

/** Text of an RTF document with its headings (outline levels) and table rows. */
export const parseRtf = (bytes: Uint8Array): ParsedText => new RtfReader().read(bytes);
