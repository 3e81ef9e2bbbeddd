/*
 * Words with several spellings: "WLAN-Passwort", "well-known", part numbers, e-mail addresses,
 * phone numbers, `C++`. Their parts are words themselves; the whole is one more term.
 */

/** A part of a compound as written, without invisible characters. */
export interface CompoundPart {
  text: string;
  start: number;
  end: number;
}

/** The whole, or a section such as an e-mail address's domain. */
export interface CompoundWhole {
  /** The parts joined, in lower or upper case; a phone number also without country code. */
  forms: string[];
  /** Indexes of its first and last part. */
  first: number;
  last: number;
}

export interface CompoundWord {
  parts: CompoundPart[];
  wholes: CompoundWhole[];
  /** Its parts mean nothing by themselves: dates, phone numbers, `C++`, § 3. */
  isIndivisible: boolean;
  start: number;
  end: number;
}

/** Any further parts start another compound: a long path or a base64 text isn't one word. */
const maxParts = 12;
/** Nobody searches for longer ones. */
const maxWholeLength = 48;
/** Digits separated by hyphens keep them up to this many: "10-20" isn't 1020. */
const maxRangeDigits = 6;

const unjoined = "\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}\\u30fc";
const segmented = "\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}";
/**
 * Invisible inside a word: soft hyphen (also at the end of a line), zero-width space and joiners,
 * word joiner, byte order mark. Persian separates a word from its ending by a zero-width
 * non-joiner.
 */
const invisible =
  "(?:\\u00ad[ \\t]*\\r?\\n[ \\t]*|[\\u00ad\\u200b\\u200d\\u2060\\ufeff]|(?<!\\p{sc=Arabic})\\u200c)";
/** A word in a script with spaces between words. */
export const spacedWord = `(?:(?![${unjoined}${segmented}])[\\p{L}\\p{M}\\p{N}])(?:${invisible}*(?![${unjoined}${segmented}])[\\p{L}\\p{M}\\p{N}])*`;
const invisibles = new RegExp(invisible, "gu");
export const removeInvisible = (word: string): string =>
  /^\w*$/.test(word) ? word : word.replace(invisibles, "");

const part = new RegExp(`[vV]?(\\p{Nd}+(?:[.,]\\p{Nd}+)+)|${spacedWord}`, "uy");
const hyphens = "-\u2010\u2011\uff0d";
/** A hyphen at the end of a line joins a word with its rest. */
const joint = new RegExp(`[${hyphens}][ \\t]*\\r?\\n[ \\t]*(?=\\p{L})|[${hyphens}_./&@'’]`, "uy");
const symbolic = /(\p{L}{1,16})(?:\+\+|#)(?![\p{L}#+])/uy;
const paragraph = /§{1,2}[ \u00a0]?(\p{Nd}+[a-z]?)(?![\p{L}\p{N}])/uy;
const dotted = /\.(\p{Lu}\p{L}{1,15})(?![\p{L}\p{N}])/uy;
const phone = /(?:\+[1-9]|\(?0\d)[\d \u00a0()/-]{5,24}\d(?!\d|\p{L}|[.,]\d)/uy;
const cardNumber = /\d{4}(?:[ \u00a0]\d{4}){3}(?!\d)/y;
const bankAccount =
  /[A-Z]{2}\d{2}(?:[ \u00a0][A-Z\d]{4}){2,7}(?:[ \u00a0][A-Z\d]{1,3})?(?![\p{L}\p{N}])/uy;

function matchAt(expression: RegExp, text: string, at: number): RegExpExecArray | null {
  expression.lastIndex = at;
  return expression.exec(text);
}

/** Which ASCII characters are letters or digits. */
export const isAsciiWord = new Uint8Array(0x80);
/** Which ASCII characters may join words. */
const isJoint = new Uint8Array(0x80);
for (let code = 0; code < 0x80; code++) {
  const sign = String.fromCharCode(code);
  if (/[a-z\d]/i.test(sign)) isAsciiWord[code] = 1;
  if (/[-_./&@'+#]/.test(sign)) isJoint[code] = 1;
}
const wideJoint = /[\u2010\u2011’\uff0d]/;

/** Whether the text after a word that ends at `end` may make it a compound. Cheap. */
export function mayContinue(text: string, end: number): boolean {
  const next = text.charCodeAt(end);
  // Past the end of the text, both are NaN.
  if (next < 0x80 ? isJoint[next] === 0 : !(next >= 0x80) || !wideJoint.test(text[end]!))
    return false;
  const after = text.charCodeAt(end + 1);
  const isWord = after >= 0x80 || isAsciiWord[after] === 1;
  switch (text[end]) {
    case "#":
      return !isWord;
    case "+":
      return after === next;
    case "'":
    case "’":
      return isWord && text[end + 1] !== text[end + 1]!.toLowerCase();
    case "-":
      // The rest of the word may be on the next line.
      return isWord || after <= space;
    default:
      return isWord;
  }
}
const space = 32;

/** The compound that starts here, at the start of a word or at one of `.+§`; null if none does. */
export function readCompound(text: string, at: number): CompoundWord | null {
  const code = text.charCodeAt(at);
  // Signs and digits come before letters.
  if (code < capitalA || code === paragraphSign)
    return readSymbol(text, at) ?? readGroups(text, at) ?? readJoined(text, at);
  const isAccount = code <= capitalZ && text.charCodeAt(at + 2) < capitalA;
  return (isAccount ? readGroups(text, at) : null) ?? readJoined(text, at) ?? readSymbol(text, at);
}
const capitalA = 65,
  capitalZ = 90,
  paragraphSign = 0xa7;

/** `C++`, `C#`, `.NET`, § 3. */
function readSymbol(text: string, at: number): CompoundWord | null {
  const sign = text[at]!;
  const match = matchAt(sign === "§" ? paragraph : sign === "." ? dotted : symbolic, text, at);
  if (match === null) return null;
  const start = at + match[0].indexOf(match[1]!);
  const inner = { text: match[1]!, start, end: start + match[1]!.length };
  const form = sign === "§" ? `§${match[1]!}` : match[0];
  return {
    // The letter of `C++` isn't a separate word; the NET of `.NET` is.
    parts: sign === "." || sign === "§" ? [inner] : [],
    wholes: [{ forms: [form], first: 0, last: 0 }],
    isIndivisible: true,
    start: at,
    end: at + match[0].length,
  };
}

/** Phone, card and bank account numbers, which are written in groups. */
function readGroups(text: string, at: number): CompoundWord | null {
  const isPhone = matchAt(phone, text, at);
  const match = isPhone ?? matchAt(cardNumber, text, at) ?? matchAt(bankAccount, text, at);
  if (match === null) return null;
  const written = match[0];
  const parts = [...written.matchAll(/[A-Z\d]+/g)].map(({ 0: group, index }) => ({
    text: group,
    start: at + index,
    end: at + index + group.length,
  }));
  const joined = written.replace(/[^A-Z\d]/g, "");
  const national = isPhone ? nationalNumber(written) : joined;
  if (isPhone && (national.length < 6 || joined.length > 17)) return null;
  return {
    parts,
    wholes: [{ forms: [...new Set([joined, national])], first: 0, last: parts.length - 1 }],
    isIndivisible: true,
    start: at,
    end: at + written.length,
  };
}

/** Country calling codes of one and two digits (ITU-T E.164); all others have three. */
const shortCallingCode = /^(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/;
/** Without the country code and the zero dialled before an area code. */
function nationalNumber(written: string): string {
  const digits = written.replace(/\(0\)/, "").replace(/\D/g, "");
  const international = written.startsWith("+")
    ? digits
    : digits.startsWith("00")
      ? digits.slice(2)
      : null;
  if (international === null) return digits.replace(/^0+/, "");
  const code = shortCallingCode.exec(international)?.[0].length ?? 3;
  return international.slice(code).replace(/^0+/, "");
}

/** The most frequent kind, and the fastest to read. */
const hyphenated = /[A-Za-z]+(?:-[A-Za-z]+){1,11}(?![\w\u0080-\uffff/&@'+#-]|\.\w)/y;

/** Words joined by hyphens, dots and the like, without spaces. */
function readJoined(text: string, at: number): CompoundWord | null {
  const simple = matchAt(hyphenated, text, at);
  if (simple !== null) {
    let start = at;
    const parts = simple[0].split("-").map((written) => {
      const end = start + written.length;
      const found = { text: written, start, end };
      start = end + 1;
      return found;
    });
    const last = parts.length - 1;
    const whole = simple[0].replaceAll("-", "");
    const wholes = whole.length > maxWholeLength ? [] : [{ forms: [whole], first: 0, last }];
    return { parts, wholes, isIndivisible: false, start: at, end: at + simple[0].length };
  }
  const parts: CompoundPart[] = [];
  const signs: string[] = [];
  for (let end = at; parts.length < maxParts;) {
    const match = matchAt(part, text, end);
    if (match === null) break;
    parts.push({
      text: match[1] ?? removeInvisible(match[0]),
      start: end,
      end: end + match[0].length,
    });
    end += match[0].length;
    const sign = matchAt(joint, text, end)?.[0];
    if (sign === undefined || (/['’]/.test(sign) && !isNameApostrophe(text, end))) break;
    signs.push(sign[0]!);
    end += sign.length;
  }
  const isVersion = parts.length === 1 && /[vV]/.test(text[at]!) && isNumeric(parts[0]!.text);
  if (parts.length < 2 && !isVersion) return null;
  return {
    parts,
    wholes: findWholes(parts, signs),
    isIndivisible: parts.length > 1 && parts.every(({ text: written }) => isNumeric(written)),
    start: at,
    end: parts.at(-1)!.end,
  };
}

const isNumeric = (written: string): boolean => /^[\p{Nd}.,]+$/u.test(written);
/** Matches O'Brien and D'Angelo, but not l'eau, the keeper's or İstanbul'da. */
const isNameApostrophe = (text: string, at: number): boolean =>
  /^\p{Lu}/u.test(text.slice(at + 1, at + 3)) &&
  /\p{Lu}$/u.test(text.slice(Math.max(0, at - 2), at));

/**
 * Finds the wholes: sections between slashes and at signs, and addresses and numbers across them.
 */
function findWholes(parts: CompoundPart[], signs: string[]): CompoundWhole[] {
  const wholes: CompoundWhole[] = [];
  let first = 0;
  for (let last = 0; last < parts.length; last++) {
    if (last < parts.length - 1 && signs[last] !== "/" && signs[last] !== "@") continue;
    if (last > first) wholes.push(...join(parts, signs, first, last));
    first = last + 1;
  }
  const spans = signs.includes("@") || signs.includes("/");
  if (spans && (signs.includes("@") || parts.some(({ text }) => /\p{Nd}/u.test(text))))
    wholes.push(...join(parts, signs, 0, parts.length - 1));
  return wholes;
}

function join(
  parts: CompoundPart[],
  signs: string[],
  first: number,
  last: number,
): CompoundWhole[] {
  const inner = parts.slice(first, last + 1).map(({ text }) => text);
  const digits = inner.join("").replace(/[.,]/g, "").length;
  const keepsSigns = inner.every(isNumeric) && digits <= maxRangeDigits;
  const joined = inner.reduce((whole, text, place) => {
    const sign = place > 0 ? signs[first + place - 1]! : "";
    return (
      whole + (keepsSigns ? sign + text : sign.replace(/[^&]/, "") + text.replace(/[.,]/g, ""))
    );
  }, "");
  return joined.length > maxWholeLength ? [] : [{ forms: [joined], first, last }];
}

const humps = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
const measured = /^(\p{Nd}+)(\p{L}{2,4})$/u;
/**
 * The words in one that is joined without a separator: computeTideTable, WLANPasswort, 10kg. Empty
 * for a single word, or for random letters like base64.
 */
export function splitHumps(word: string): string[] {
  const isPlain = /^(?:\p{L}?\p{Ll}*|\p{Lu}+)$/u.test(word);
  if (isPlain || word.length > maxWholeLength) return [];
  const found = measured.exec(word)?.slice(1) ?? word.split(humps);
  return found.length > 1 && found.every((each) => each.length > 1) ? found : [];
}
