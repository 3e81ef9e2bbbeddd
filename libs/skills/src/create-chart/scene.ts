import { clipText } from "@carrel/contracts/clip-text";

/** What a chart is drawn of: SVG and PNG are written from the same shapes. Lengths are in pixels. */
export type Shape =
  | {
      kind: "rect";
      x: number;
      y: number;
      width: number;
      height: number;
      fill: string;
      tip?: string;
    }
  | {
      kind: "path";
      /** SVG's path commands, relative to `x` and `y`. */
      d: string;
      x?: number;
      y?: number;
      fill?: string;
      stroke?: string;
      strokeWidth?: number;
      opacity?: number;
      tip?: string;
    }
  | {
      kind: "circle";
      x: number;
      y: number;
      radius: number;
      fill: string;
      ring?: string;
      tip?: string;
    }
  | {
      kind: "text";
      x: number;
      /** Of the baseline. */
      y: number;
      text: string;
      size: number;
      isBold?: boolean;
      fill: string;
      anchor?: "start" | "middle" | "end";
    };

export interface Scene {
  width: number;
  height: number;
  background: string;
  /** For screen readers. */
  label: string;
  shapes: Shape[];
}

/** Widths of ASCII's characters from the space on in Inter, in hundredths of the size. */
const regular = widths(
  "28,29,47,63,64,98,64,30,36,36,50,66,29,46,29,36,63,41,61,62,65,59,62,57,62,62,29,30,66,66,66,51,97,69,65,73,72,60,59,75,74,27,57,67,57,90,75,76,64,76,64,64,65,74,69,99,68,68,63,36,36,36,47,46,32,56,61,57,61,58,37,61,59,24,24,55,24,88,59,60,61,61,38,53,33,59,56,82,55,56,55,43,33,43,66",
);
const bold = widths(
  "25,32,52,64,65,100,66,33,37,37,54,67,32,47,32,38,66,42,62,64,67,61,64,58,64,64,32,33,67,67,67,54,100,73,66,74,72,61,59,75,75,28,58,70,57,92,76,77,65,77,65,65,66,74,73,102,72,71,65,37,38,37,48,47,35,57,62,58,62,59,39,63,61,26,26,57,26,90,61,61,62,62,40,55,35,61,59,84,57,59,57,45,36,45,67",
);
function widths(list: string): number[] {
  return list.split(",").map((width) => Number(width) / 100);
}

/** East Asian characters and pictographs are as wide as they are high. */
const isWide = (code: number): boolean =>
  (code >= 0x11_00 && code <= 0x11_5f) ||
  (code >= 0x2e_80 && code <= 0xd7_a3) ||
  (code >= 0xf9_00 && code <= 0xfa_ff) ||
  (code >= 0xff_00 && code <= 0xff_60) ||
  code >= 0x1_f0_00;

/** Close to how wide Inter, or the font that replaces it, draws the text. */
export function textWidth(text: string, size: number, isBold = false): number {
  const table = isBold ? bold : regular;
  let width = 0;
  for (const character of text) {
    const code = character.codePointAt(0)!;
    width += table[code - 32] ?? (isWide(code) ? 1 : 0.62);
  }
  return width * size;
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** The text, or as much of it as fits before an ellipsis. */
export function fitText(text: string, width: number, size: number, isBold = false): string {
  if (textWidth(text, size, isBold) <= width) return text;
  let kept = "";
  for (const { segment } of graphemes.segment(clipText(text, 1_000))) {
    if (textWidth(`${kept}${segment}…`, size, isBold) > width) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

/** Breaks the text at spaces into at most `most` lines; an ellipsis ends what doesn't fit. */
export function wrapText(
  text: string,
  width: number,
  size: number,
  most: number,
  isBold = false,
): string[] {
  const words = clipText(text, 2_000).split(/\s+/).filter(Boolean);
  const lines: string[] = [];
  while (words.length > 0 && lines.length < most) {
    let line = words.shift()!;
    while (words.length > 0 && textWidth(`${line} ${words[0]!}`, size, isBold) <= width)
      line += ` ${words.shift()!}`;
    lines.push(line);
  }
  if (words.length > 0) lines.push(`${lines.pop()!} ${words.join(" ")}`);
  return lines.map((line) => fitText(line, width, size, isBold));
}
