import type { Line, PdfRun } from "./pdf-lines.ts";

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
const letters = /\p{L}/u;
const digits = /^[\p{Nd}.,:/%+−-]*\p{Nd}[\p{Nd}.,:/%+−-]*$/u;
const separator = /^[.,:/-]$/;

type Direction = "right" | "left" | "number" | "neutral";

const directionOf = (text: string): Direction =>
  rightToLeft.test(text)
    ? "right"
    : letters.test(text)
      ? "left"
      : digits.test(text.trim())
        ? "number"
        : "neutral";

/** Whether most letters of a page are Arabic, Hebrew or another script from right to left. */
export function isRightToLeftPage(runs: readonly PdfRun[]): boolean {
  let right = 0;
  let left = 0;
  for (const { text } of runs) {
    if (!rightToLeft.test(text)) {
      if (letters.test(text)) left += text.length;
      continue;
    }
    for (const character of text) {
      if (rightToLeft.test(character)) right++;
      else if (letters.test(character)) left++;
    }
  }
  return right > 0 && right >= left;
}

/**
 * Puts the runs of a line into reading order: a PDF may hold them in the order of their places, so
 * that sentences of Arabic or Hebrew start with their last word. pdf.js has already ordered the
 * characters in each run.
 */
export function orderDirections(line: Line, isRightToLeft: boolean): Line {
  if (line.vertical || !rightToLeft.test(line.text)) return line;
  const runs = line.runs
    .filter((run) => run.text !== "")
    .sort((a, b) => a.x - b.x || a.width - b.width);
  const islands = isRightToLeft ? toIslands(runs) : toRightToLeftIslands(runs);
  const ordered = (isRightToLeft ? islands.reverse() : islands).flat();
  putMarksAfterLetters(ordered);
  if (isRightToLeft) mendBrackets(ordered);
  return { ...line, runs: ordered, text: ordered.map((run) => run.text).join("") };
}

const touches = (a: PdfRun, b: PdfRun): boolean => b.x - (a.x + a.width) < 0.2 * b.size;

/** Left to right within a line from right to left: numbers, and foreign words with what joins them. */
function toIslands(runs: PdfRun[]): PdfRun[][] {
  const directions = runs.map((run) => directionOf(run.text));
  const islands: PdfRun[][] = [];
  for (let i = 0; i < runs.length;) {
    let end = i + 1;
    if (directions[i] === "left" || directions[i] === "number") {
      let hasLetters = directions[i] === "left";
      for (let next = end; next < runs.length && directions[next] !== "right"; next++) {
        const direction = directions[next]!;
        if (direction === "neutral") {
          if (
            hasLetters ||
            (separator.test(runs[next]!.text) && touches(runs[next - 1]!, runs[next]!))
          )
            continue;
          break;
        }
        if (direction === "number" && !hasLetters && !touches(runs[next - 1]!, runs[next]!)) break;
        hasLetters ||= direction === "left";
        end = next + 1;
      }
    }
    islands.push(runs.slice(i, end));
    i = end;
  }
  return islands;
}

/** Right to left within a line from left to right. */
function toRightToLeftIslands(runs: PdfRun[]): PdfRun[][] {
  const directions = runs.map((run) => directionOf(run.text));
  const islands: PdfRun[][] = [];
  for (let i = 0; i < runs.length;) {
    let end = i + 1;
    if (directions[i] === "right")
      for (let next = end; next < runs.length && directions[next] !== "left"; next++)
        if (directions[next] === "right") end = next + 1;
    const island = runs.slice(i, end);
    islands.push(end - i > 1 ? toIslands(island).reverse().flat() : island);
    i = end;
  }
  return islands;
}

/** A vowel sign in a separate run lies within the letter that it belongs to. */
function putMarksAfterLetters(runs: PdfRun[]): void {
  for (let i = 0; i + 1 < runs.length; i++) {
    const [mark, letter] = [runs[i]!, runs[i + 1]!];
    const middle = mark.x + mark.width / 2;
    if (/^\p{M}+$/u.test(mark.text) && middle >= letter.x && middle <= letter.x + letter.width) {
      runs[i] = letter;
      runs[i + 1] = mark;
      i++;
    }
  }
}

const mirrored: Record<string, string> = { "(": ")", ")": "(", "[": "]", "]": "[" };

/** Brackets may be stored as they look; then a closing one comes first in reading order. */
function mendBrackets(runs: PdfRun[]): void {
  const text = runs.map((run) => run.text).join("");
  const brackets = text.match(/[()[\]]/g) ?? [];
  if (brackets.length < 2 || !/[)\]]/.test(brackets[0]!) || !/[([]/.test(brackets.at(-1)!)) return;
  for (const [i, run] of runs.entries())
    runs[i] = { ...run, text: run.text.replaceAll(/[()[\]]/g, (bracket) => mirrored[bracket]!) };
}

/**
 * Letters in the shapes that they have in fonts, as the letters themselves: Arabic presentation
 * forms, lam-alef, Hebrew letters with points, fi and fl, and commas of vertical text.
 */
export const toPlainLetters = (text: string): string =>
  /[\ufb00-\ufdff\ufe10-\ufe19\ufe30-\ufe44\ufe70-\ufefc]/.test(text)
    ? text
        // Signs above letters stand on a space when they are alone.
        .replaceAll(/[\ufc5e-\ufc63\ufe70-\ufe7f]/g, (sign) => sign.normalize("NFKC").trim())
        .replaceAll(
          /[\ufb00-\ufd3d\ufd50-\ufdfc\ufe10-\ufe19\ufe30-\ufe44\ufe80-\ufefc]/g,
          (letter) => letter.normalize("NFKC"),
        )
    : text;
