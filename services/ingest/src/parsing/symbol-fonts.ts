/** Unicode characters for fonts that draw symbols in the place of letters. */

/** Symbol, from 0x41 (A) and 0x61 (a). */
const greek = "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ";
const smallGreek = "αβχδεφγηιϕκλμνοπθρστυϖωξψζ";
/** Symbol, from 0xa1. */
const signs = "ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑";
const symbol = new Map<number, string>([
  ...[...greek].map((letter, i) => [0x41 + i, letter] as const),
  ...[...smallGreek].map((letter, i) => [0x61 + i, letter] as const),
  ...[...signs].map((sign, i) => [0xa1 + i, sign] as const),
  [0x22, "∀"],
  [0x24, "∃"],
  [0x27, "∋"],
  [0x2a, "∗"],
  [0x2d, "−"],
  [0x40, "≅"],
  [0x5c, "∴"],
  [0x5e, "⊥"],
  [0x7e, "∼"],
  [0xf1, "〉"],
  [0xf2, "∫"],
]);

const none = "";
const check = "✓";
const cross = "✗";
const checked = "☒";
const unchecked = "☐";
const bullet = "•";
/** Boxes with a tick and with a cross both mean that something applies. */
const wingdings = new Map<number, string>([
  [0x21, "✏"],
  [0x28, "☎"],
  [0x2a, "✉"],
  [0x46, "☞"],
  [0x4a, "☺"],
  [0x4c, "☹"],
  [0x6c, bullet],
  [0x6e, bullet],
  [0x6f, unchecked],
  [0x70, unchecked],
  [0x71, unchecked],
  [0x72, unchecked],
  [0x75, bullet],
  [0x76, bullet],
  [0x77, bullet],
  [0x78, checked],
  [0x9e, "·"],
  [0x9f, bullet],
  [0xa7, bullet],
  [0xa8, unchecked],
  [0xd8, bullet],
  [0xdf, "←"],
  [0xe0, "→"],
  [0xe1, "↑"],
  [0xe2, "↓"],
  [0xe7, "←"],
  [0xe8, "→"],
  [0xe9, "↑"],
  [0xea, "↓"],
  [0xef, "⇐"],
  [0xf0, "⇒"],
  [0xf3, "⇔"],
  [0xfb, cross],
  [0xfc, check],
  [0xfd, checked],
  [0xfe, checked],
  ...Array.from({ length: 10 }, (_, i) => [0x81 + i, String.fromCodePoint(0x2460 + i)] as const),
]);
const wingdings2 = new Map<number, string>([
  [0x2a, unchecked],
  [0x4f, cross],
  [0x50, check],
  [0x51, checked],
  [0x52, checked],
  [0x53, checked],
  [0x54, checked],
  [0x97, bullet],
  [0x98, bullet],
  [0xa3, unchecked],
  [0x30, unchecked],
  [0x35, unchecked],
]);
const webdings = new Map<number, string>([
  [0x61, check],
  [0x63, unchecked],
  [0x67, bullet],
  [0x72, cross],
]);
const wingdings3 = new Map<number, string>([
  [0x7d, bullet],
  [0x84, bullet],
]);

const fonts: Record<string, Map<number, string>> = {
  symbol,
  wingdings,
  "wingdings 2": wingdings2,
  "wingdings 3": wingdings3,
  webdings,
};

const mapOf = (font: string | null): Map<number, string> | undefined =>
  fonts[(font ?? "").trim().toLowerCase()];

/** A character of a font by its code, which may lie in the private area from F000. */
export function symbolOf(font: string | null, code: number): string {
  const byte = code >= 0xf000 && code <= 0xf0ff ? code - 0xf000 : code;
  const map = mapOf(font);
  if (map)
    return map.get(byte) ?? (map === symbol && byte < 0x80 ? String.fromCharCode(byte) : none);
  if (code >= 0xe000 && code <= 0xf8ff) return none;
  return code > 0x1f && code <= 0x10ffff ? String.fromCodePoint(code) : none;
}

/** Text in a font, with the symbols of a symbol font as Unicode. */
export function readInFont(font: string | null, text: string): string {
  if (mapOf(font))
    return text.replace(/[^\s]/gu, (character) => symbolOf(font, character.codePointAt(0)!));
  // Private characters that Word wrote for a symbol font but whose font is inherited.
  return /[\uf020-\uf0ff]/.test(text)
    ? text.replace(/[\uf020-\uf0ff]/g, (character) => {
        const code = character.codePointAt(0)!;
        return symbolOf("wingdings", code) || symbolOf("symbol", code);
      })
    : text;
}
