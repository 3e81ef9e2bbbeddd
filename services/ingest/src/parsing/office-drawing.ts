import { clipText } from "@carrel/contracts/clip-text";
import { cleanText } from "./decode-text.ts";
import { paragraph, type Block } from "./office-block.ts";

/** English Metric Units, in which Office measures drawings. */
const perCentimetre = 360_000;
const perPoint = 12_700;
/** Smaller pictures are icons, rules and bullets. */
const leastWidth = 2 * perCentimetre;
const leastHeight = 0.8 * perCentimetre;

/** Whether a picture is drawn large enough to show text; sizes in EMU. */
export const isShown = ({ width, height }: { width: number; height: number }): boolean =>
  !(width < leastWidth || height < leastHeight);

/** The size in a VML shape's style; unknown sizes are NaN. */
export function sizeInStyle(style: string): { width: number; height: number } {
  const read = (name: string): number => {
    const [, value, unit] = new RegExp(`(?:^|;)\\s*${name}:([\\d.]+)(pt|in|px)?`).exec(style) ?? [];
    return Number(value) * perPoint * (unit === "in" ? 72 : unit === "px" ? 0.75 : 1);
  };
  return { width: read("width"), height: read("height") };
}

const perUnit: Record<string, number> = {
  cm: perCentimetre,
  mm: perCentimetre / 10,
  in: perCentimetre * 2.54,
  pt: perPoint,
};

/** A length such as 2.5cm in EMU; NaN if it isn't one. */
export function lengthOf(text: string): number {
  const [, value, unit = ""] = /^([\d.]+)(cm|mm|in|pt)$/.exec(text) ?? [];
  return Number(value) * (perUnit[unit] ?? NaN);
}

/** What Word and PowerPoint add to descriptions that they generated. */
const generated =
  /\s*(?:Description automatically generated(?: with (?:low|medium|high) confidence)?|AI-generated content may be incorrect\.?|Automatisch generierte Beschreibung|Beschreibung automatisch generiert|KI-generierte Inhalte können fehlerhaft sein\.?|Description générée automatiquement)\s*/gi;
/** A file's name or address, which writers put there when nobody describes the picture. */
const fileName =
  /^(?:[a-z]+:\/\/\S+|[^\n]*[\\/][^\s\\/]+|[^\n]{0,200})\.(?:png|jpe?g|gif|bmp|tiff?|emf|wmf|svg|webp)$/i;

/** The description of a picture as a block, if somebody wrote one. */
export function altText(description: string): Block[] {
  const text = cleanText(clipText(description, 5_000))
    .replace(generated, " ")
    .replace(/\s+/g, " ")
    .trim();
  return text === "" || fileName.test(text) ? [] : [paragraph(`[Image: ${text}]`)];
}
