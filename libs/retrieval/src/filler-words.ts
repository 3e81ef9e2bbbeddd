import { arabicFillers } from "./filler-phrases/arabic.ts";
import { chineseFillers } from "./filler-phrases/chinese.ts";
import { danishFillers } from "./filler-phrases/danish.ts";
import { dutchFillers } from "./filler-phrases/dutch.ts";
import { englishFillers } from "./filler-phrases/english.ts";
import { finnishFillers } from "./filler-phrases/finnish.ts";
import { frenchFillers } from "./filler-phrases/french.ts";
import { germanFillers } from "./filler-phrases/german.ts";
import { greekFillers } from "./filler-phrases/greek.ts";
import { hebrewFillers } from "./filler-phrases/hebrew.ts";
import { hungarianFillers } from "./filler-phrases/hungarian.ts";
import { indonesianFillers } from "./filler-phrases/indonesian.ts";
import { italianFillers } from "./filler-phrases/italian.ts";
import { japaneseFillers } from "./filler-phrases/japanese.ts";
import { koreanFillers } from "./filler-phrases/korean.ts";
import { lithuanianFillers } from "./filler-phrases/lithuanian.ts";
import { norwegianFillers } from "./filler-phrases/norwegian.ts";
import { persianFillers } from "./filler-phrases/persian.ts";
import { portugueseFillers } from "./filler-phrases/portuguese.ts";
import { romanianFillers } from "./filler-phrases/romanian.ts";
import { russianFillers } from "./filler-phrases/russian.ts";
import { spanishFillers } from "./filler-phrases/spanish.ts";
import { swedishFillers } from "./filler-phrases/swedish.ts";
import { thaiFillers } from "./filler-phrases/thai.ts";
import { turkishFillers } from "./filler-phrases/turkish.ts";
import { ukrainianFillers } from "./filler-phrases/ukrainian.ts";
import { vietnameseFillers } from "./filler-phrases/vietnamese.ts";
import { has, languageNumber, pack, role, rolesOf, type FillerPhrases } from "./filler-roles.ts";
import { fold } from "./fold.ts";
import { normaliseArabic } from "./script-forms.ts";

/** By language. */
export const fillerPhrases: Record<string, FillerPhrases> = {
  en: englishFillers,
  de: germanFillers,
  fr: frenchFillers,
  es: spanishFillers,
  it: italianFillers,
  pt: portugueseFillers,
  nl: dutchFillers,
  sv: swedishFillers,
  no: norwegianFillers,
  da: danishFillers,
  fi: finnishFillers,
  hu: hungarianFillers,
  ro: romanianFillers,
  tr: turkishFillers,
  lt: lithuanianFillers,
  id: indonesianFillers,
  vi: vietnameseFillers,
  ru: russianFillers,
  uk: ukrainianFillers,
  el: greekFillers,
  ar: arabicFillers,
  fa: persianFillers,
  he: hebrewFillers,
  zh: chineseFillers,
  ja: japaneseFillers,
  ko: koreanFillers,
  th: thaiFillers,
};

/** A word, or the phrase that begins with it; position in the question, end exclusive. */
export interface FillerToken {
  start: number;
  end: number;
  /**
   * Packed with the language's number (`pack`), for each language that has the phrase; empty if
   * none has, and for names and quotations ("Who sings Someone Like You?").
   */
  roles: readonly number[];
}
export const languageCount = Object.keys(fillerPhrases).length;

const unspaced = "\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\u30fc\\p{sc=Thai}";
const words = new RegExp(
  `\\p{sc=Thai}\\p{M}*|[${unspaced}]|(?:(?![${unspaced}])[\\p{L}\\p{M}\\p{N}])+`,
  "gu",
);

/** Vowel marks of Thai distinguish words; diacritics of other scripts are often left out. */
function normalise(word: string): string {
  if (/^[a-z0-9]+$/.test(word)) return word;
  if (/^\p{sc=Thai}/u.test(word)) return word;
  return normaliseArabic(fold(word.slice(0, 64)));
}

interface Lexicon {
  /** By the words of a phrase, joined by a space. */
  exact: Map<string, number[]>;
  prefixes: Map<string, number[]>;
  longestPrefix: number;
  /** By first word: the number of words in the longest phrase. */
  longest: Map<string, number>;
}
let lexicon: Lexicon | undefined;

/** Manner that needs no preposition before it: "briefly". */
const phraseRoles = { ...role, adverb: role.lead | role.manner };

function loadLexicon(): Lexicon {
  const loaded: Lexicon = {
    exact: new Map(),
    prefixes: new Map(),
    longestPrefix: 0,
    longest: new Map(),
  };
  for (const [language, phrases] of Object.values(fillerPhrases).entries())
    for (const [name, list] of Object.entries(phrases))
      for (const phrase of list.split(","))
        addPhrase(
          loaded,
          phrase.trim(),
          pack(language, phraseRoles[name as keyof typeof phraseRoles]),
        );
  loaded.longestPrefix = Math.max(...[...loaded.prefixes.keys()].map(({ length }) => length));
  return loaded;
}

function addPhrase({ exact, prefixes, longest }: Lexicon, phrase: string, packed: number): void {
  const parts = phrase.match(words)?.map(normalise) ?? [];
  if (parts.length === 0) return;
  const map = phrase.endsWith("*") ? prefixes : exact;
  const key = parts.join(" ");
  const known = map.get(key);
  const place = known?.findIndex((other) => languageNumber(other) === languageNumber(packed)) ?? -1;
  if (known === undefined) map.set(key, [packed]);
  else if (place < 0) known.push(packed);
  else known[place]! |= packed;
  longest.set(parts[0]!, Math.max(longest.get(parts[0]!) ?? 0, parts.length));
}

const everyLanguage = (roles: number): number[] =>
  Array.from({ length: languageCount }, (_, number) => pack(number, roles));
const numeral = everyLanguage(role.amount);
const format = everyLanguage(role.form);
const formats = /^(?:markdown|md|json|yaml|csv|html|xml|latex|emojis?)$/;
const none: readonly number[] = [];

/** Prefixes of Arabic and Hebrew words that are words themselves: "and", "in", "the". */
const joined = /^(?:[وف]?(?:بال|كال|لل|ال|[بكل])|[وف]|ו?(?:[בכלמש]ה?|ה)|ו)(?=\p{L}{2})/u;

function rolesOfWord(word: string, known: Lexicon): readonly number[] {
  const { exact, prefixes, longestPrefix } = known;
  const found = exact.get(word);
  if (found !== undefined) return found;
  if (/^\p{N}+(?:am|pm|h|st|nd|rd|th)?$/u.test(word)) return numeral;
  if (formats.test(word)) return format;
  for (let length = Math.min(word.length, longestPrefix); length >= 2; length--) {
    const endings = prefixes.get(word.slice(0, length));
    if (endings !== undefined) return endings;
  }
  const code = word.charCodeAt(0);
  if (code < 0x590 || code > 0x6ff) return none;
  const prefix = joined.exec(word)?.[0] ?? "";
  return prefix === "" ? none : rolesOfWord(word.slice(prefix.length), known);
}

const german = Object.keys(fillerPhrases).indexOf("de");
/** German nouns and the names of languages and formats are capitalised anyway. */
const isCapitalised = (packed: number): boolean =>
  languageNumber(packed) === german || has(packed, role.form | role.self);

/** "Someone Like You" is a title, "Jemand Neues" isn't. */
const isNoPlaceholder = (packed: number): boolean =>
  languageNumber(packed) === german || !has(packed, role.placeholder);

const quotations =
  /"[^"\n]{1,200}"|“[^”\n]{1,200}”|„[^“”\n]{1,200}[“”]|«[^»\n]{1,200}»|「[^」\n]{1,200}」|『[^』\n]{1,200}』|《[^》\n]{1,200}》|(?<![\p{L}\p{N}])['‘][^'‘’\n]{1,200}['’](?![\p{L}\p{N}])|`[^`\n]{1,200}`/gu;

/** Words and phrases of a question, the longest at each position. */
export function readTokens(question: string): FillerToken[] {
  // Loading takes 60 ms, which processes that answer no questions needn't spend.
  lexicon ??= loadLexicon();
  const { exact, longest } = lexicon;
  const found = [...question.matchAll(words)];
  const plain = found.map(({ 0: word }) => normalise(word));
  const quoted = new Uint8Array(question.length);
  for (const { index, 0: quote } of question.matchAll(quotations))
    quoted.fill(1, index, index + quote.length);
  const endOf = (place: number): number => found[place]!.index + found[place]![0].length;
  const tokens: FillerToken[] = [];
  for (let place = 0; place < found.length;) {
    let count = 1;
    let roles: readonly number[] | undefined;
    const most = Math.min(longest.get(plain[place]!) ?? 1, found.length - place);
    for (let length = most; length > 1 && roles === undefined; length--) {
      roles = exact.get(plain.slice(place, place + length).join(" "));
      if (roles === undefined) continue;
      for (let next = place + 1; next < place + length; next++)
        if (
          !/^[\s'’\u200c\u2010\u2011-]{0,3}$/u.test(
            question.slice(endOf(next - 1), found[next]!.index),
          )
        )
          roles = undefined;
      count = length;
    }
    if (roles === undefined) {
      count = 1;
      roles = rolesOfWord(plain[place]!, lexicon);
    }
    const start = found[place]!.index;
    const before = place > 0 ? question.slice(endOf(place - 1), start) : "";
    const isCapital =
      /^\p{Lu}\p{Ll}/u.test(found[place]![0]) && /^[ \u00a0'’-]{1,3}$/u.test(before);
    const end = endOf(place + count - 1);
    if (quoted[start] === 1) roles = none;
    else if (isCapital && roles.length > 0) roles = roles.filter(isCapitalised);
    else if (
      /^\p{Lu}/u.test(found[place]![0]) &&
      /^ \p{Lu}\p{Ll}/u.test(question.slice(end, end + 4))
    )
      roles = roles.filter(isNoPlaceholder);
    tokens.push({ start, end, roles });
    place += count;
  }
  return tokens;
}

/** Roles that a token has in a language; 0 if none. */
export function rolesIn(token: FillerToken, language: number): number {
  for (const packed of token.roles) if (languageNumber(packed) === language) return rolesOf(packed);
  return 0;
}
