import type { Span } from "./document-blocks.ts";

/** A piece of a line, `x` from its start. Lengths are in points. */
export interface Piece extends Span {
  x: number;
  width: number;
}
export interface Line {
  pieces: Piece[];
  width: number;
}

/**
 * Breaks text into lines: at spaces, after hyphens and slashes of long words, and anywhere in a word
 * that is longer than a line.
 *
 * @param measure the width of a span
 */
export function breakLines(
  spans: readonly Span[],
  width: number,
  measure: (span: Span) => number,
): Line[] {
  const lines: Line[] = [];
  let line: Line = { pieces: [], width: 0 };
  const end = (): void => {
    trimEnd(line, measure);
    lines.push(line);
    line = { pieces: [], width: 0 };
  };
  const add = (span: Span, length: number): void => {
    const last = line.pieces.at(-1);
    if (last !== undefined && isSameStyle(last, span)) {
      last.text += span.text;
      last.width += length;
    } else line.pieces.push({ ...span, x: line.width, width: length });
    line.width += length;
  };
  for (const span of spans)
    for (const text of span.text.split(/(\n| +)/)) {
      if (text === "") continue;
      if (text === "\n") {
        end();
        continue;
      }
      const word = { ...span, text };
      const length = measure(word);
      if (text.startsWith(" ")) {
        // A line doesn't start with spaces, except within code.
        if (line.pieces.length > 0 || span.isCode === true) add(word, length);
        continue;
      }
      if (line.width + length <= width) {
        add(word, length);
        continue;
      }
      if (length <= width) {
        if (line.pieces.length > 0) end();
        add(word, length);
        continue;
      }
      for (const part of splitWord(word, width, width - line.width, measure)) {
        const partLength = measure(part);
        if (line.pieces.length > 0 && line.width + partLength > width) end();
        add(part, partLength);
      }
    }
  if (line.pieces.length > 0 || lines.length === 0) end();
  return lines;
}

function* splitWord(
  word: Span,
  width: number,
  firstWidth: number,
  measure: (span: Span) => number,
): Generator<Span> {
  let room = firstWidth > width / 3 ? firstWidth : width;
  let text = "";
  for (const character of word.text) {
    if (text !== "" && measure({ ...word, text: text + character }) > room) {
      // After a hyphen or slash, if there is one in the second half.
      const at = Math.max(text.lastIndexOf("/"), text.lastIndexOf("-")) + 1;
      const kept = at > text.length / 2 ? at : text.length;
      yield { ...word, text: text.slice(0, kept) };
      text = text.slice(kept);
      room = width;
    }
    text += character;
  }
  yield { ...word, text };
}

function trimEnd(line: Line, measure: (span: Span) => number): void {
  const last = line.pieces.at(-1);
  if (last === undefined || last.isCode === true || !last.text.endsWith(" ")) return;
  const text = last.text.trimEnd();
  const width = measure({ ...last, text });
  line.width -= last.width - width;
  last.text = text;
  last.width = width;
}

const isSameStyle = (one: Span, other: Span): boolean =>
  one.isBold === other.isBold &&
  one.isItalic === other.isItalic &&
  one.isStruck === other.isStruck &&
  one.isCode === other.isCode &&
  one.link === other.link;
