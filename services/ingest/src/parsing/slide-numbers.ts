import { formatNumber } from "./number-format.ts";

/** PowerPoint's names of number formats, without their punctuation. */
const formats: [RegExp, string][] = [
  [/^arabicDb/, "decimalFullWidth"],
  [/^arabic/, "decimal"],
  [/^romanUc/, "upperRoman"],
  [/^romanLc/, "lowerRoman"],
  [/^alphaUc/, "upperLetter"],
  [/^alphaLc/, "lowerLetter"],
  [/^circleNum/, "decimalEnclosedCircle"],
  [/^ea1Ch[st]/, "chineseCounting"],
  [/^ea1Jpn/, "japaneseCounting"],
  [/^hebrew/, "hebrew2"],
  [/^thaiAlpha/, "thaiLetters"],
  [/^thaiNum/, "thaiNumbers"],
  [/^hindi/, "hindiNumbers"],
];

/** How a paragraph of a slide is numbered. */
export interface AutoNumber {
  type: string;
  start: number;
}

/** Numbers of the lists in one text on a slide. */
export class SlideNumbers {
  private readonly counters: ({ type: string; value: number } | undefined)[] = [];

  /** What stands before a paragraph: its number, or nothing. */
  next(level: number, numbering: AutoNumber | null): string {
    this.counters.length = Math.min(this.counters.length, level + 1);
    if (numbering === null) {
      this.counters.length = Math.min(this.counters.length, level);
      return "";
    }
    const { type, start } = numbering;
    const last = this.counters[level];
    const value = last?.type === type ? last.value + 1 : start;
    this.counters[level] = { type, value };
    const format = formats.find(([pattern]) => pattern.test(type))?.[1] ?? "decimal";
    const number = formatNumber(value, format);
    if (/ParenBoth$/.test(type)) return `(${number}) `;
    if (/ParenR$/.test(type)) return `${number}) `;
    if (/Period$/.test(type)) return `${number}. `;
    return /Minus$/.test(type) ? `${number} - ` : `${number} `;
  }
}
