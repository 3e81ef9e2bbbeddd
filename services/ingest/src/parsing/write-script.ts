const minus = /&(?:minus|#8722|#x2212);|[−–]/gi;
const ordinal = /^(?:st|nd|rd|th|e|er|re|ère|ème|ième|o|a|os|as|º|ª)$/i;
/** Signs, numbers and single letters, put together. */
const expression = /^[-+]?(?:\d+(?:[.,]\d+)?|\p{L})?(?:[-+*/·]?(?:\d+(?:[.,]\d+)?|\p{L}))*[-+]?$/u;
const longestExpression = 12;

const group = (text: string): string =>
  /^[-+]?[\p{L}\p{N}.,]+[-+]?$/u.test(text) ? text : `(${text})`;
/** Digits would be read as one number with what follows. */
const apart = (text: string, next: string): string =>
  /\p{N}/u.test(next) && /[\p{L}\p{N}]$/u.test(text) ? `${text} ` : text;

function writeSuperscript(base: string, text: string, next: string): string {
  if (/^[[(*†‡§]/u.test(text)) return text;
  if (/\d$/.test(base) && ordinal.test(text)) return text;
  const isExpression = text.length <= longestExpression && expression.test(text);
  // A number or a closing bracket, a unit or a variable; a longer word has a footnote.
  const hasPower = /[\p{N})\]}]$/u.test(base) || /(?:^|\P{L})\p{L}{1,3}$/u.test(base);
  // `Mme` is a word.
  const isVariable = /^\p{Ll}{2,}$/u.test(text)
    ? /(?:^|\P{L})\p{Ll}$|[\p{N})\]}]$/u.test(base)
    : /(?:^|\P{L})\p{L}$|[\p{N})\]}]$/u.test(base);
  if (isExpression && hasPower && (/\d/.test(text) || isVariable))
    return apart(`^${group(text)}`, next);
  if (/^\d{1,3}(?:\s*[,–-]\s*\d{1,3})*$/.test(text) && /\S$/.test(base)) return `[${text}]`;
  return /^\p{L}{3,}/u.test(text) && /\p{L}$/u.test(base) ? ` ${text}` : text;
}

function writeSubscript(base: string, text: string, next: string): string {
  if (!/[\p{L}\p{N})\]]$/u.test(base)) return text;
  const isFormula = /^\d{1,3}$/.test(text) && /(?:\p{Lu}\p{Ll}?|[)\]])$/u.test(base);
  if (isFormula && !/\p{N}/u.test(next)) return text;
  const written = `_${group(text)}`;
  return /[\p{L}\p{N}]/u.test(next) ? `${written} ` : written;
}

/**
 * A superscript or subscript as plain text: 10^6, m^2, x_i; H2O, 5th and footnotes [1] as people
 * type them. `base` is the text before, `next` the character after it.
 */
export function writeScript(name: "sup" | "sub", base: string, text: string, next: string): string {
  const clean = text.replace(minus, "-").trim();
  if (clean === "") return "";
  return name === "sup" ? writeSuperscript(base, clean, next) : writeSubscript(base, clean, next);
}
