import { readFileSync } from "node:fs";

/*
 * Signs of measures and sums: "21.5 °C", "±5 µm", "3 m²". They are rare in any language but common
 * in lists of figures, so they count as likely where such signs stand, and only there.
 */

interface SignPlace {
  before: RegExp;
  after: RegExp;
}
/** The start and the end of a text count as a space. */
const signPlaces = new Map<string, SignPlace>();
const addSigns = (signs: string, before: RegExp, after: RegExp): void => {
  for (const sign of signs) signPlaces.set(sign, { before, after });
};
const afterAmount = /[\d\s([{/;,:"']/;
addSigns("°", afterAmount, /[^a-zà-ÿ]/);
addSigns("ºª", /[\dNn\s]/, /[^a-zà-ÿ]/);
addSigns("±×÷", /[\w\s([{=;,:"'²³°]/, /[\d\s.]/);
addSigns("µ", afterAmount, /[A-Za-z-]/);
addSigns("½¼¾", afterAmount, /\P{L}/u);
addSigns("²³", /[\dmx]/, /\P{L}/u);
addSigns("¹", /\d/, /\P{L}/u);
addSigns("·", /\s/, /\s/);
addSigns("£¥", afterAmount, /[\d\s]/);
addSigns("¢", /\d/, /\P{L}/u);

const isTechnical = (character: string): boolean => signPlaces.has(character);

/** Whether a sign stands where it does in figures. */
function isInPlace(sign: string, before = " ", after = " "): boolean {
  const place = signPlaces.get(sign);
  return place !== undefined && place.before.test(before) && place.after.test(after);
}

/*
 * How likely a text is in a language, from how often its letters follow each other there
 * (letter-pairs.json, written by tools/write-letter-pairs.mjs). Costs are negative natural logarithms
 * of probabilities, so those of different readings of the same bytes can be compared.
 */

/** `pairs` has a row for the start of a word and for each letter: the costs of what follows. */
interface Alphabet {
  index: Map<string, number>;
  pairs: Uint8Array;
}
type Characters = Map<string, number>;

const foreignLetter = 13;
const borrowedLetter = 8.5;
/** Cost of a letter of a script whose languages we don't know, among others of that script. */
const unknownLetter = 7;
/** Letters of names and loanwords in languages with Latin letters. */
const borrowed = new Set("àáâäãåæçèéêëíîïñóôöøšüúž");
const replacement = 25;
const mixedScripts = 5;
const capitalInWord = 6;
const halfWidth = 1;
const technicalInPlace = 3;
/** Words of these scripts mostly have more than one character. */
const lonelyHan = 7;

interface Model {
  alphabetic: Map<string, Alphabet>;
  ideographic: Map<string, Characters>;
}
let loaded: Model | null = null;

/** Read with the first text that isn't UTF-8. */
function load(): Model {
  if (loaded) return loaded;
  const file = new URL("./letter-pairs.json", import.meta.url);
  const stored = JSON.parse(readFileSync(file, "utf8")) as {
    alphabetic: Record<string, { letters: string; pairs: string }>;
    ideographic: Record<string, string>;
  };
  const alphabetic = Object.entries(stored.alphabetic).map(
    ([language, { letters, pairs }]): [string, Alphabet] => [
      language,
      {
        index: new Map([...letters].map((letter, n) => [letter, n + 1])),
        pairs: Uint8Array.from(pairs, (level) => level.charCodeAt(0) - 97),
      },
    ],
  );
  const ideographic = Object.entries(stored.ideographic).map(
    ([language, characters]): [string, Characters] => [
      language,
      withBasicCharacters(language, characters),
    ],
  );
  loaded = { alphabetic: new Map(alphabetic), ideographic: new Map(ideographic) };
  return loaded;
}

/**
 * Position of the characters in everyday use in each national standard: its name and first bytes.
 */
const basic: Record<string, [string, number, number]> = {
  ja: ["euc-jp", 0xb0, 0xcf],
  "zh-Hans": ["gbk", 0xb0, 0xd7],
  "zh-Hant": ["big5", 0xa4, 0xc6],
  ko: ["euc-kr", 0xb0, 0xc8],
};

/** Costs by Zipf's law for the commonest ones, and one cost for the others in everyday use. */
function withBasicCharacters(language: string, characters: string): Characters {
  const costs: Characters = new Map();
  const [label, first, last] = basic[language]!;
  const decoder = new TextDecoder(label);
  for (let row = first; row <= last; row++)
    for (let cell = 0x40; cell <= 0xfe; cell++) {
      if (label !== "big5" && cell < 0xa1) continue;
      const character = decoder.decode(Uint8Array.of(row, cell));
      if (character.length === 1 && character !== "\ufffd") costs.set(character, 9.5);
    }
  [...characters].forEach((character, rank) => costs.set(character, Math.log(5 * (rank + 8))));
  return costs;
}

type Script = "Latin" | "Cyrillic" | "Greek" | "Hebrew" | "Arabic" | "Thai" | "Han" | "other";
interface Sign {
  script: Script | null;
  /** The character in its language's lower case. */
  small: string;
  isCapital: boolean;
  /** Cost in any language; a letter's cost mostly comes from its language. */
  cost: number;
  /**
   * Signs that stand between letters only by mistake, and ones that don't even stand before a
   * letter.
   */
  isMisplacedInWord: boolean;
  isMisplacedBefore: boolean;
  /** Signs that letters follow but never precede. */
  isOpening: boolean;
  isDrawing: boolean;
  isTechnical: boolean;
}

const scripts: [Script, RegExp][] = [
  ["Latin", /\p{sc=Latin}/u],
  ["Cyrillic", /\p{sc=Cyrillic}/u],
  ["Greek", /\p{sc=Greek}/u],
  ["Hebrew", /\p{sc=Hebrew}/u],
  ["Arabic", /\p{sc=Arabic}/u],
  ["Thai", /\p{sc=Thai}/u],
  ["Han", /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}ー]/u],
];
/** How Romanian's letters were written before Unicode had them. */
const olderForms: Record<string, string> = { ş: "ș", ţ: "ț" };
const spaces = new Set(" \n\r\t\f");
const typographic = new Set("«»„“”‘’‚–—…•·§°№€£©®´¿¡ªº\u00a0\u200e\u200f،؛؟");
const betweenLetters = new Set("’‘·\u00ad\u200c\u200d");
const beforeLetters = new Set(
  "«»„“‘’‚–—•·§€£¿¡\u00a0\u00ad\u200c\u200d\u200e\u200f、。「」『』（）：；，",
);
const opening = new Set("„‚¿¡");
const signs = new Map<string, Sign>();
/** Cache limit: no text needs more, and there are a million characters. */
const mostSigns = 20_000;

function readSign(character: string): Sign {
  const known = signs.get(character);
  if (known) return known;
  const isHalfWidth = character >= "\uff66" && character <= "\uff9d";
  const small = isHalfWidth ? character.normalize("NFKC") : [...character.toLowerCase()][0]!;
  const isLetter = !isTechnical(character) && /[\p{L}\p{M}]/u.test(character);
  const sign: Sign = {
    script: isLetter ? (scripts.find(([, one]) => one.test(character))?.[0] ?? "other") : null,
    small,
    isCapital: isLetter && !isHalfWidth && small !== character,
    cost: isHalfWidth ? halfWidth : isLetter ? 0 : costOfSign(character),
    isMisplacedInWord: !isLetter && character > "\u007f" && !betweenLetters.has(character),
    isMisplacedBefore: !isLetter && character > "\u007f" && !beforeLetters.has(character),
    isOpening: opening.has(character),
    isDrawing: character >= "\u2500" && character <= "\u259f",
    isTechnical: isTechnical(character),
  };
  if (signs.size > mostSigns) signs.clear();
  signs.set(character, sign);
  return sign;
}

function costOfSign(character: string): number {
  if (spaces.has(character)) return 0.3;
  if (/[0-9]/.test(character)) return 2;
  if (/[!-~]/.test(character)) return 3;
  if (typographic.has(character)) return 6;
  if (/[\u3000-\u3002\u300c-\u300f\uff01-\uff1f]/u.test(character)) return 5;
  if (character === "\ufffd" || /[\p{Cc}\p{Cn}\p{Co}\p{Cs}]/u.test(character)) return replacement;
  return 10;
}

/** Costs that don't depend on the language: signs, capitals within words, mixed scripts. */
function costOfForm(text: Sign[]): number {
  let cost = 0;
  for (const [n, sign] of text.entries()) {
    const before = text[n - 1];
    if (sign.isTechnical && isInPlace(sign.small, before?.small, text[n + 1]?.small)) {
      cost += technicalInPlace;
      continue;
    }
    if (sign.script === null) {
      // Lines of a table drawn with characters.
      cost += sign === before && sign.isDrawing ? 1 : sign.cost;
      const isBeforeLetter = Boolean(text[n + 1]?.script);
      if (sign.isMisplacedInWord && before?.script && isBeforeLetter) cost += 9;
      if (sign.isMisplacedBefore && isBeforeLetter) cost += 3;
      if (sign.isOpening && (before?.script || !isBeforeLetter)) cost += 4;
      continue;
    }
    cost += sign.cost;
    if (sign.isCapital) {
      cost += before?.script ? 1 : 1.5;
      if (before?.script && !before.isCapital) cost += capitalInWord;
    }
    if (before?.script && before.script !== sign.script) cost += mixedScripts;
    if (sign.script === "Han" && before?.script !== "Han" && text[n + 1]?.script !== "Han")
      cost += lonelyHan;
  }
  return cost;
}

/** The letters' costs, word by word; words of ASCII letters may also be English. */
function costOfWords(text: Sign[], alphabet: Alphabet, english: Alphabet): number {
  let total = 0;
  for (let n = 0; n < text.length;) {
    if (text[n]!.script === null) {
      n++;
      continue;
    }
    let end = n;
    let isAscii = true;
    for (; end < text.length && text[end]!.script !== null; end++)
      if (text[end]!.small > "z") isAscii = false;
    const cost = costOfWord(text, n, end, alphabet);
    total += isAscii ? Math.min(cost, costOfWord(text, n, end, english) + 1) : cost;
    n = end;
  }
  return total;
}

function costOfWord(text: Sign[], from: number, to: number, { index, pairs }: Alphabet): number {
  const width = index.size + 1;
  let before = 0;
  let cost = 0;
  for (let n = from; n < to; n++) {
    const { small } = text[n]!;
    const letter = index.get(small) ?? index.get(olderForms[small] ?? "");
    if (letter === undefined) cost += costOfForeign(text[n]!, text[n - 1]);
    else cost += pairs[before * width + letter]! / 2;
    before = letter ?? 0;
  }
  // Nothing is known about how words of other scripts end.
  return text[to - 1]!.script === "other" ? cost : cost + pairs[before * width]! / 2;
}

function costOfForeign({ script, small }: Sign, before: Sign | undefined): number {
  if (script === "Latin") return borrowed.has(small) ? borrowedLetter : foreignLetter;
  const isAmongOthers =
    script === "other" && before && before.small.charCodeAt(0) >> 8 === small.charCodeAt(0) >> 8;
  return isAmongOthers ? unknownLetter : foreignLetter;
}

function costOfCharacters(text: Sign[], characters: Characters, english: Alphabet): number {
  let cost = 0;
  for (const sign of text) {
    if (sign.script === null) continue;
    if (sign.script === "Han") cost += characters.get(sign.small) ?? foreignLetter;
    else cost += english.index.has(sign.small) ? 4 : foreignLetter;
  }
  return cost;
}

/** The cost of a text in the likeliest of some languages. */
export function costOf(text: string, languages: readonly string[]): number {
  const { alphabetic, ideographic } = load();
  const english = alphabetic.get("en")!;
  const read = Array.from(text, readSign);
  const costs = languages.map((language) => {
    const characters = ideographic.get(language);
    return characters
      ? costOfCharacters(read, characters, english)
      : costOfWords(read, alphabetic.get(language)!, english);
  });
  return costOfForm(read) + Math.min(...costs);
}
