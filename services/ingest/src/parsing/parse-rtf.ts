import { cleanText } from "./decode-text.ts";
import { UnreadableError, type ParsedText } from "./parsed-document.ts";
import { TextBuilder } from "./text-builder.ts";

/**
 * Groups without document text: fonts, colours, styles, pictures, field instructions and the like.
 */
const destinations = new Set([
  "fonttbl",
  "colortbl",
  "stylesheet",
  "info",
  "pict",
  "object",
  "fldinst",
  "header",
  "headerl",
  "headerr",
  "headerf",
  "footer",
  "footerl",
  "footerr",
  "footerf",
  "listtable",
  "listoverridetable",
  "rsidtbl",
  "generator",
  "themedata",
  "colorschememapping",
  "latentstyles",
  "datastore",
  "xmlnstbl",
  "filetbl",
  "revtbl",
  "pnseclvl",
  "bkmkstart",
  "bkmkend",
  "nonshppict",
  "mmathPr",
  "wgrffmtfilter",
  "themedata",
  "background",
  "panose",
  "falt",
]);
const symbols: Record<string, string> = {
  line: "\n",
  tab: "\t",
  emdash: "—",
  endash: "–",
  bullet: "•",
  lquote: "‘",
  rquote: "’",
  ldblquote: "“",
  rdblquote: "”",
  emspace: " ",
  enspace: " ",
  qmspace: " ",
};
const codePages: Record<number, string> = {
  437: "ibm866",
  866: "ibm866",
  874: "windows-874",
  932: "shift_jis",
  936: "gbk",
  949: "euc-kr",
  950: "big5",
  10_000: "macintosh",
  65_001: "utf-8",
};
const deepest = 5_000;

/** What a group inherits from the one around it. */
interface State {
  skip: boolean;
  unicodeSkip: number;
  outline: number | null;
}

/**
 * Text of an RTF document with its headings (outline levels) and table rows, following RTF
 * specification 1.9.1. Hand-written because no maintained library exists.
 */
export function parseRtf(bytes: Uint8Array): ParsedText {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  const out = new TextBuilder({ code: "file-kind.rtf" });
  const stack: State[] = [];
  let state: State = { skip: false, unicodeSkip: 1, outline: null };
  let decoder = new TextDecoder("windows-1252");
  let paragraph = "";
  let cells: string[] | null = null;
  let encoded: number[] = [];
  let skipCharacters = 0;
  const flushBytes = (): void => {
    if (encoded.length === 0) return;
    paragraph += decoder.decode(Uint8Array.from(encoded));
    encoded = [];
  };
  const write = (text: string): void => {
    if (skipCharacters > 0) {
      skipCharacters -= 1;
      return;
    }
    flushBytes();
    if (!state.skip) paragraph += text;
  };
  const endParagraph = (): void => {
    flushBytes();
    const text = cleanText(paragraph).trim();
    paragraph = "";
    if (cells) {
      if (text !== "") cells[cells.length - 1] = `${cells.at(-1) ?? ""}\n${text}`.trim();
      return;
    }
    if (state.outline !== null && text.length <= 300) out.addHeading(text, state.outline + 1);
    else out.addParagraph(text);
  };
  const word = (name: string, parameter: number | null): void => {
    if (destinations.has(name)) {
      flushBytes();
      state.skip = true;
      return;
    }
    if (name === "par" || name === "sect" || name === "page") {
      if (!state.skip) endParagraph();
      return;
    }
    if (name === "pard") state.outline = null;
    else if (name === "outlinelevel")
      state.outline = parameter === null || parameter > 5 ? null : parameter;
    else if (name === "trowd") {
      if (!cells) {
        if (paragraph.trim() !== "") endParagraph();
        cells = [""];
      }
    } else if (name === "cell" && cells) {
      endParagraph();
      cells.push("");
    } else if (name === "row" && cells) {
      const row: string[] = cells;
      cells = null;
      out.addParagraph(
        row
          .filter((cell) => cell !== "")
          .map((cell) => cell.replace(/\s+/g, " "))
          .join(" | "),
      );
    } else if (name === "ansicpg" && parameter !== null) {
      try {
        decoder = new TextDecoder(codePages[parameter] ?? `windows-${parameter}`);
      } catch {
        decoder = new TextDecoder("windows-1252");
      }
    } else if (name === "uc") state.unicodeSkip = Math.min(10, Math.max(0, parameter ?? 1));
    else if (name === "u" && parameter !== null) {
      skipCharacters = 0;
      write(String.fromCharCode(parameter < 0 ? parameter + 65_536 : parameter & 0xffff));
      skipCharacters = state.unicodeSkip;
    } else if (name in symbols) write(symbols[name]!);
  };
  const token =
    /\\([a-z]{1,40})(-?\d{1,10})? ?|\\'([0-9a-f]{2})|\\([\s\S])|([{}])|[\r\n]+|[^\\{}\r\n]+/gi;
  for (const [all, name, parameter, hex, symbol, brace] of source.matchAll(token)) {
    if (name !== undefined) {
      word(name, parameter === undefined ? null : Number(parameter));
      // Raw bytes follow, which this parser can't skip.
      if (name === "bin" && Number(parameter) > 0)
        throw new UnreadableError({ code: "file.rtf-binary" });
    } else if (hex !== undefined) {
      if (skipCharacters > 0) skipCharacters -= 1;
      else if (!state.skip) encoded.push(parseInt(hex, 16));
    } else if (symbol !== undefined) {
      if (symbol === "*") {
        flushBytes();
        state.skip = true;
      } else if (symbol === "~") write("\u00a0");
      else if (symbol === "_") write("-");
      else if (symbol === "\n" || symbol === "\r") {
        if (!state.skip) endParagraph();
      } else if (symbol !== "-" && symbol !== ":" && symbol !== "|") write(symbol);
    } else if (brace === "{") {
      if (stack.length >= deepest)
        throw new UnreadableError({
          code: "file.nested-too-deep",
          params: { what: { code: "file-kind.rtf" }, limit: deepest },
        });
      flushBytes();
      stack.push(state);
      state = { ...state };
    } else if (brace === "}") {
      flushBytes();
      state = stack.pop() ?? state;
      skipCharacters = 0;
    } else if (!/^[\r\n]/.test(all)) {
      const text = skipCharacters > 0 ? all.slice(skipCharacters) : all;
      skipCharacters = Math.max(0, skipCharacters - all.length);
      if (text !== "") {
        const waiting = skipCharacters;
        skipCharacters = 0;
        write(text);
        skipCharacters = waiting;
      }
    }
  }
  if (stack.length > 0)
    throw new UnreadableError({
      code: "file.damaged",
      params: { what: { code: "file-kind.rtf" } },
    });
  if (!state.skip) endParagraph();
  return out.build();
}
