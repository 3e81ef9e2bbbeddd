const letters: Record<string, string> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ł: "l",
  ı: "i",
  ð: "d",
  þ: "th",
  ħ: "h",
};
const letter = /[ßæœøđłıðþħ]/gu;

/** Lower-cases, normalises compatibility forms and strips diacritics. The length may change. */
export function fold(text: string): string {
  if (/^[a-z0-9]*$/.test(text)) return text;
  return text
    .normalize("NFKC")
    .toLowerCase()
    .normalize("NFD")
    .replace(/\p{M}+/gu, "")
    .normalize("NFC")
    .replace(letter, (found) => letters[found] ?? found);
}
