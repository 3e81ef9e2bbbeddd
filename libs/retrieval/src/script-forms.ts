/*
 * Light stemming by script, applied to both index and question, so the language needn't be known.
 */

const arabicMarks = /[\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0640]/gu;
const arabicLetters: Record<string, string> = {
  آ: "ا",
  أ: "ا",
  إ: "ا",
  ٱ: "ا",
  ى: "ي",
  ی: "ي",
  ئ: "ي",
  ؤ: "و",
  ک: "ك",
  ة: "ه",
  ۀ: "ه",
  ە: "ه",
};
/**
 * Removes vowel marks and elongation and unifies letter variants, including Persian and Arabic kaf
 * and yeh.
 */
export function normaliseArabic(word: string): string {
  return word
    .replace(arabicMarks, "")
    .replace(/[آأإٱىیئؤکةۀە]/gu, (found) => arabicLetters[found] ?? found);
}

const arabicPrefixes = ["وال", "بال", "كال", "فال", "لل", "ال"];
const arabicSuffixes = [
  "هايي",
  "هاي",
  "ترين",
  "ات",
  "ون",
  "ين",
  "ان",
  "ها",
  "يه",
  "هم",
  "تر",
  "يا",
  "ه",
  "ي",
  "ا",
];
function arabicStem(word: string): string {
  let stem = word;
  for (const prefix of arabicPrefixes)
    if (stem.startsWith(prefix) && stem.length - prefix.length >= 3) {
      stem = stem.slice(prefix.length);
      break;
    }
  for (const suffix of arabicSuffixes)
    if (stem.endsWith(suffix) && stem.length - suffix.length >= 3) {
      stem = stem.slice(0, -suffix.length);
      break;
    }
  return stem;
}
/**
 * Forms that match an Arabic or Persian word: its stem, and the stem without a leading letter that
 * may be a particle.
 */
export function arabicForms(word: string): string[] {
  const normal = normaliseArabic(word);
  const forms = [arabicStem(normal)];
  if (/^[وبلفكس]/u.test(normal) && normal.length >= 4) forms.push(arabicStem(normal.slice(1)));
  // Arabic present-tense verbs have a prefix letter; Persian ones end in a personal suffix.
  if (/^[يت]/u.test(normal) && normal.length >= 5) forms.push(arabicStem(normal.slice(1)));
  return [...new Set(forms)];
}

const hebrewMarks = /[\u0591-\u05c7]/gu;
const finals: Record<string, string> = { ך: "כ", ם: "מ", ן: "נ", ף: "פ", ץ: "צ" };
const hebrewSuffixes = ["ויות", "יות", "ים", "ות", "ית", "ה", "ת", "י"];
function hebrewStem(word: string): string {
  for (const suffix of hebrewSuffixes) {
    if (word.endsWith(suffix) && word.length - suffix.length >= 3)
      return unfinal(word.slice(0, -suffix.length));
  }
  return unfinal(word);
}
const unfinal = (word: string): string =>
  word.replace(/[ךםןףץ]/gu, (found) => finals[found] ?? found);
/**
 * Forms that match a Hebrew word: without its ending, and without the one or two letters that
 * articles and prepositions prepend.
 */
export function hebrewForms(word: string): string[] {
  const bare = word.replace(hebrewMarks, "");
  const forms = [hebrewStem(bare)];
  if (/^[ובלמהשכ]/u.test(bare) && bare.length >= 4) forms.push(hebrewStem(bare.slice(1)));
  if (/^(?:ו[בלמהשכ]|[שמכ]ה|כש|לכ|מש)/u.test(bare) && bare.length >= 5)
    forms.push(hebrewStem(bare.slice(2)));
  return [...new Set(forms)];
}

/** Overlapping bigrams; a run of one character is returned as is. */
export function bigrams(run: string): { term: string; start: number; end: number }[] {
  const signs: { sign: string; start: number }[] = [];
  let position = 0;
  for (const sign of run) {
    signs.push({ sign, start: position });
    position += sign.length;
  }
  if (signs.length === 1) return [{ term: run, start: 0, end: run.length }];
  return signs.slice(0, -1).map(({ sign, start }, index) => {
    const next = signs[index + 1]!;
    return { term: sign + next.sign, start, end: next.start + next.sign.length };
  });
}
