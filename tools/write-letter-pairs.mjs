// Writes services/ingest/src/parsing/letter-pairs.json: how often letters follow each other in each
// language, counted in the translations of Debian's programs (gettext catalogues), so that a text's
// encoding can be guessed by what reads like a language: node tools/write-letter-pairs.mjs
// Needs /usr/share/locale, which slim images leave out.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const locales = "/usr/share/locale";
/** Our code of a language, and its folders. */
const alphabetic = {
  ...{ en: ["en_GB"], de: ["de"], fr: ["fr"], es: ["es"], it: ["it"], pt: ["pt", "pt_BR"] },
  ...{ nl: ["nl"], sv: ["sv"], da: ["da"], nb: ["nb"], fi: ["fi"], is: ["is"], ca: ["ca"] },
  ...{ cs: ["cs"], sk: ["sk"], pl: ["pl"], hu: ["hu"], ro: ["ro"], hr: ["hr"], sl: ["sl"] },
  ...{ sq: ["sq"], et: ["et"], lv: ["lv"], lt: ["lt"], tr: ["tr"], vi: ["vi"] },
  ...{ ru: ["ru"], uk: ["uk"], be: ["be"], bg: ["bg"], sr: ["sr"], mk: ["mk"] },
  ...{ el: ["el"], he: ["he"], ar: ["ar"], fa: ["fa"], th: ["th"] },
};
const ideographic = { ja: ["ja"], "zh-Hans": ["zh_CN"], "zh-Hant": ["zh_TW"], ko: ["ko"] };
/** Letters rarer than this are foreign. */
const rarest = 2e-5;
const commonCharacters = 1_200;
const written =
  /[\p{sc=Latn}\p{sc=Cyrl}\p{sc=Grek}\p{sc=Hebr}\p{sc=Arab}\p{sc=Thai}\u064b-\u0652]/u;

/** The translations in a compiled catalogue. */
function readCatalogue(path) {
  const bytes = readFileSync(path);
  const isLittle = bytes.readUInt32LE(0) === 0x950412de;
  const number = (at) => (isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at));
  const count = number(8);
  const table = number(16);
  const texts = [];
  let charset = "utf-8";
  for (let n = 0; n < count; n++) {
    const length = number(table + n * 8);
    const start = number(table + n * 8 + 4);
    const text = bytes.subarray(start, start + length);
    if (n === 0) charset = /charset=([\w-]+)/.exec(text.toString("latin1"))?.[1] ?? charset;
    // The first one is the catalogue's header.
    else texts.push(new TextDecoder(charset).decode(text));
  }
  return texts;
}

/** The texts without placeholders, options, mark-up and addresses, which aren't language. */
function* readTexts(folders) {
  for (const folder of folders)
    for (const name of readdirSync(join(locales, folder, "LC_MESSAGES"))) {
      // Names of countries, languages and currencies would count for more than sentences.
      if (!name.endsWith(".mo") || /^(iso_|iso-codes)/.test(name)) continue;
      for (const text of readCatalogue(join(locales, folder, "LC_MESSAGES", name)))
        yield text
          .normalize("NFC")
          .replace(
            /<[^>]*>|&\w+;|https?:\S+|%[-#0-9.*$]*[a-z]+|--?[\w-]+|\$?\{[^}]*\}|_(?=\p{L})/giu,
            " ",
          )
          .replace(/[şţŞŢ]/g, (letter) =>
            folders[0] === "ro" ? { ş: "ș", ţ: "ț", Ş: "Ș", Ţ: "Ț" }[letter] : letter,
          );
    }
}

/**
 * Rows of what follows a letter (first: the start of a word), as `a` to `z` for 0 to 12.5 times
 * halving e.
 */
function countPairs(folders) {
  const pairs = new Map();
  const singles = new Map();
  const add = (map, key) => map.set(key, (map.get(key) ?? 0) + 1);
  for (const text of readTexts(folders)) {
    let before = " ";
    for (const character of text) {
      const small = [...character.toLowerCase()][0];
      const letter = /[\p{L}\p{M}]/u.test(character) && small.length === 1 ? small : " ";
      if (letter !== " ") add(singles, letter);
      if (letter !== " " || before !== " ") add(pairs, before + letter);
      before = letter;
    }
  }
  const all = [...singles.values()].reduce((sum, count) => sum + count, 0);
  const letters = [...singles]
    .filter(([letter, count]) => count / all > rarest && written.test(letter))
    .map(([letter]) => letter)
    .sort();
  const signs = [" ", ...letters];
  const rows = signs.map((first) => {
    const counts = signs.map((next) => (pairs.get(first + next) ?? 0) + 0.05);
    const sum = counts.reduce((total, count) => total + count, 0);
    return counts
      .map((count) =>
        String.fromCharCode(97 + Math.min(25, Math.round(-2 * Math.log(count / sum)))),
      )
      .join("");
  });
  return { letters: letters.join(""), pairs: rows.join("") };
}

/** The commonest characters, most frequent first. */
function countCharacters(folders) {
  const counts = new Map();
  for (const text of readTexts(folders))
    for (const character of text)
      if (/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}ー]/u.test(character))
        counts.set(character, (counts.get(character) ?? 0) + 1);
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, commonCharacters)
    .map(([character]) => character)
    .join("");
}

const mapValues = (record, read) =>
  Object.fromEntries(Object.entries(record).map(([code, folders]) => [code, read(folders)]));
const model = {
  alphabetic: mapValues(alphabetic, countPairs),
  ideographic: mapValues(ideographic, countCharacters),
};
writeFileSync(
  new URL("../services/ingest/src/parsing/letter-pairs.json", import.meta.url),
  `${JSON.stringify(model, null, 2)}\n`,
);
for (const [code, { letters }] of Object.entries(model.alphabetic))
  console.log(`${code}: ${letters.length} letters: ${letters}`);
