import { readFile } from "node:fs/promises";
import { fontFile, type FontName } from "../fonts.ts";
import { ToolError } from "../tool.ts";
import type { Span } from "./document-blocks.ts";

/** Scripts whose letters the fonts don't have, as people call them. */
const scripts: [RegExp, string][] = [
  [/\p{Script=Han}/u, "Chinese characters"],
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, "Japanese"],
  [/\p{Script=Hangul}/u, "Korean"],
  [/\p{Script=Arabic}/u, "Arabic"],
  [/\p{Script=Hebrew}/u, "Hebrew"],
  [/\p{Script=Devanagari}/u, "Devanagari"],
  [/\p{Script=Bengali}/u, "Bengali"],
  [/\p{Script=Tamil}/u, "Tamil"],
  [/\p{Script=Thai}/u, "Thai"],
  [/\p{Script=Armenian}/u, "Armenian"],
  [/\p{Script=Georgian}/u, "Georgian"],
];

export const fontOf = ({ isBold, isItalic, isCode }: Omit<Span, "text">): FontName =>
  isCode === true
    ? "mono"
    : isBold === true
      ? isItalic === true
        ? "boldItalic"
        : "bold"
      : isItalic === true
        ? "italic"
        : "regular";

export const fontNames = ["regular", "bold", "italic", "boldItalic", "mono"] as const;

/** fontkit reads the outline of an empty glyph at the end of a file from beyond it, where zeros do. */
const padding = Buffer.alloc(64);
export const readFont = async (name: FontName): Promise<Buffer> =>
  Buffer.concat([await readFile(fontFile(name)), padding]);

let covered: Promise<Record<"regular" | "mono", ReadonlySet<number>>> | null = null;

/** The characters that the fonts have; bold and italic ones have the same as the regular. */
function coverage(): Promise<Record<"regular" | "mono", ReadonlySet<number>>> {
  covered ??= import("fontkit").then(({ openSync }) => {
    const read = (name: FontName): ReadonlySet<number> => {
      const font = openSync(fontFile(name));
      return new Set("characterSet" in font ? font.characterSet : []);
    };
    return { regular: read("regular"), mono: read("mono") };
  });
  return covered;
}

/** Pictures of the same meaning that the fonts have. */
const similar: Readonly<Record<string, string>> = {
  "✅": "✓",
  "✔": "✓",
  "☑": "✓",
  "❌": "×",
  "✗": "×",
  "✘": "×",
  "⭐": "★",
  "➡": "→",
  "⬅": "←",
  "⬆": "↑",
  "⬇": "↓",
  "‑": "-",
  "−": "–",
  "☐": "□",
  "●": "•",
  "▪": "•",
  "◦": "•",
};
/** Joiners, marks of direction and variants, and soft hyphens. */
const ignorable = /\p{Default_Ignorable_Code_Point}/gu;

/** Makes text writable with the fonts; counts what it must leave out. */
export interface GlyphCheck {
  /** ToolError if the text has letters of a script that the fonts don't cover. */
  fit(span: Span): Span[];
  /** How many pictographs and rare signs were left out or replaced by a box. */
  readonly missing: number;
}

export async function createGlyphCheck(): Promise<GlyphCheck> {
  const fonts = await coverage();
  let missing = 0;
  return {
    get missing() {
      return missing;
    },
    fit(span) {
      const text = span.text.replace(ignorable, "").normalize("NFC");
      const preferred = span.isCode === true ? fonts.mono : fonts.regular;
      const fitted: Span[] = [];
      const add = (piece: string, isCode: boolean): void => {
        const last = fitted.at(-1);
        if (last !== undefined && (last.isCode === true) === isCode) last.text += piece;
        else fitted.push({ ...span, text: piece, isCode });
      };
      for (const character of text) {
        const has = (set: ReadonlySet<number>, one: string): boolean =>
          set.has(one.codePointAt(0)!);
        const other = similar[character];
        if (character === "\n" || character === "\t" || has(preferred, character))
          add(character === "\t" ? "    " : character, span.isCode === true);
        else if (has(fonts.regular, character)) add(character, false);
        else if (has(fonts.mono, character)) add(character, true);
        else if (other !== undefined && has(fonts.regular, other)) add(other, false);
        else {
          if (/\p{L}/u.test(character)) throw unreadable(character);
          missing += 1;
          // Pictographs are decoration; other signs may matter, so their place is shown.
          if (!/[\p{Extended_Pictographic}\p{M}]/u.test(character)) add("□", false);
        }
      }
      return fitted;
    },
  };
}

const unreadable = (letter: string): ToolError => {
  const [, name] = scripts.find(([script]) => script.test(letter)) ?? [null, `"${letter}"`];
  return new ToolError(
    `PDF files can be written in Latin, Greek and Cyrillic scripts, but not with ${name}. Create a Word file (create-docx-file) instead, which shows every script.`,
  );
};
