/** Formats of list numbers, by their name in WordprocessingML. ODF and PowerPoint are mapped to it. */

/** Longest label of one number; letters repeat after the alphabet ends (z, aa, bb …). */
const longest = 20;

const romans: [number, string][] = [
  [1000, "m"],
  [900, "cm"],
  [500, "d"],
  [400, "cd"],
  [100, "c"],
  [90, "xc"],
  [50, "l"],
  [40, "xl"],
  [10, "x"],
  [9, "ix"],
  [5, "v"],
  [4, "iv"],
  [1, "i"],
];

function roman(n: number): string {
  if (n < 1 || n > 32_767) return String(n);
  let rest = n;
  let text = "";
  for (const [value, letters] of romans) for (; rest >= value; rest -= value) text += letters;
  return text;
}

/** Counts like Word: z is followed by aa, bb, cc. */
function letters(n: number, alphabet: string): string {
  const all = [...alphabet];
  if (n < 1) return String(n);
  return all[(n - 1) % all.length]!.repeat(Math.min(longest, Math.ceil(n / all.length)));
}

/** Counts like LibreOffice: z is followed by aa, ab, ac. */
function columnLetters(n: number): string {
  let rest = n;
  let text = "";
  for (; rest > 0; rest = Math.floor((rest - 1) / 26))
    text = String.fromCharCode(97 + ((rest - 1) % 26)) + text;
  return text || String(n);
}

const inDigits = (n: number, digits: string): string =>
  String(n).replace(/\d/g, (digit) => [...digits][Number(digit)]!);

/** Chinese counting: 十一, 二十, 一百零五. */
function chinese(n: number, digits: string, units: string[], keepsOne: boolean): string {
  if (n < 0 || n > 99_999) return String(n);
  const all = [...digits];
  if (n === 0) return all[0]!;
  let text = "";
  let gap = false;
  for (let power = String(n).length - 1; power >= 0; power--) {
    const digit = Math.floor(n / 10 ** power) % 10;
    if (digit === 0) {
      gap = text !== "";
      continue;
    }
    if (gap) text += all[0]!;
    gap = false;
    // Ten to nineteen are written without their one.
    const isBareTen = digit === 1 && power > 0 && text === "" && !keepsOne && power === 1;
    text += (isBareTen ? "" : all[digit]!) + units[power]!;
  }
  return text;
}

/** Japanese and Korean leave out zeros, and the one before each unit. */
function sinoCounting(n: number, digits: string, units: string[]): string {
  if (n < 1 || n > 99_999) return n === 0 ? [...digits][0]! : String(n);
  let text = "";
  for (let power = String(n).length - 1; power >= 0; power--) {
    const digit = Math.floor(n / 10 ** power) % 10;
    if (digit > 0)
      text += (digit === 1 && power > 0 && power < 4 ? "" : [...digits][digit]!) + units[power]!;
  }
  return text;
}

const circled = (n: number): string =>
  n >= 1 && n <= 20
    ? String.fromCodePoint(0x2460 + n - 1)
    : n >= 21 && n <= 35
      ? String.fromCodePoint(0x3251 + n - 21)
      : `(${n})`;

const ordinals = new Intl.PluralRules("en", { type: "ordinal" });
const suffixes: Partial<Record<Intl.LDMLPluralRule, string>> = { one: "st", two: "nd", few: "rd" };
const ordinal = (n: number): string => `${n}${suffixes[ordinals.select(n)] ?? "th"}`;

const small =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const tens = "zero ten twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
function cardinalText(n: number): string {
  if (n < 0 || n > 999) return String(n);
  if (n < 20) return small[n]!;
  if (n < 100) return tens[Math.floor(n / 10)]! + (n % 10 === 0 ? "" : `-${small[n % 10]!}`);
  const rest = n % 100;
  return `${small[Math.floor(n / 100)]!} hundred${rest === 0 ? "" : ` ${cardinalText(rest)}`}`;
}
const irregular: Record<string, string> = {
  one: "first",
  two: "second",
  three: "third",
  five: "fifth",
  eight: "eighth",
  nine: "ninth",
  twelve: "twelfth",
};
function ordinalText(n: number): string {
  const cardinal = cardinalText(n);
  if (/\d/.test(cardinal)) return ordinal(n);
  const last = /[a-z]+$/.exec(cardinal)![0];
  return (
    cardinal.slice(0, cardinal.length - last.length) +
    (irregular[last] ?? (last.endsWith("y") ? `${last.slice(0, -1)}ieth` : `${last}th`))
  );
}
const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const latin = "abcdefghijklmnopqrstuvwxyz";
const russian = "абвгдежзиклмнопрстуфхцчшщыэюя";
const hanDigits = "〇一二三四五六七八九";
const counting = ["", "十", "百", "千", "万"];
const formal = ["", "拾", "佰", "仟", "萬"];
const iroha =
  "イロハニホヘトチリヌルヲワカヨタレソツネナラムウヰノオクヤマケフコエテアサキユメミシヱヒモセス";
const aiueo =
  "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン";

const writers: Record<string, (n: number) => string> = {
  decimal: String,
  decimalHalfWidth: String,
  decimalZero: (n) => String(n).padStart(2, "0"),
  decimalFullWidth: (n) => inDigits(n, "０１２３４５６７８９"),
  decimalFullWidth2: (n) => inDigits(n, "０１２３４５６７８９"),
  decimalEnclosedCircle: circled,
  decimalEnclosedCircleChinese: circled,
  decimalEnclosedParen: (n) => `(${n})`,
  decimalEnclosedFullstop: (n) => `${n}.`,
  numberInDash: (n) => `- ${n} -`,
  hex: (n) => n.toString(16).toUpperCase(),
  lowerLetter: (n) => letters(n, latin),
  upperLetter: (n) => letters(n, latin).toUpperCase(),
  lowerColumn: columnLetters,
  upperColumn: (n) => columnLetters(n).toUpperCase(),
  lowerRoman: roman,
  upperRoman: (n) => roman(n).toUpperCase(),
  ordinal,
  cardinalText: (n) => capitalised(cardinalText(n)),
  ordinalText: (n) => capitalised(ordinalText(n)),
  chicago: (n) => letters(n, "*†‡§"),
  russianLower: (n) => letters(n, russian),
  russianUpper: (n) => letters(n, russian).toUpperCase(),
  bulgarianLower: (n) => letters(n, "абвгдежзийклмнопрстуфхцчшщъьюя"),
  greekLower: (n) => letters(n, "αβγδεζηθικλμνξοπρστυφχψω"),
  greekUpper: (n) => letters(n, "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ"),
  hebrew1: (n) => letters(n, "אבגדהוזחטיכלמנסעפצקרשת"),
  hebrew2: (n) => letters(n, "אבגדהוזחטיכלמנסעפצקרשת"),
  arabicAlpha: (n) => letters(n, "أبتثجحخدذرزسشصضطظعغفقكلمنهوي"),
  arabicAbjad: (n) => letters(n, "أبجدهوزحطيكلمنسعفصقرشتثخذضظغ"),
  hindiNumbers: (n) => inDigits(n, "०१२३४५६७८९"),
  thaiNumbers: (n) => inDigits(n, "๐๑๒๓๔๕๖๗๘๙"),
  thaiLetters: (n) => letters(n, "กขคงจฉชซญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรลวศษสหฬอฮ"),
  chineseCounting: (n) => chinese(n, hanDigits, counting, false),
  chineseCountingThousand: (n) => chinese(n, "零一二三四五六七八九", counting, false),
  taiwaneseCounting: (n) => chinese(n, hanDigits, counting, false),
  taiwaneseCountingThousand: (n) => chinese(n, "零一二三四五六七八九", counting, false),
  taiwaneseDigital: (n) => inDigits(n, "○一二三四五六七八九"),
  ideographDigital: (n) => inDigits(n, hanDigits),
  japaneseCounting: (n) => sinoCounting(n, hanDigits, counting),
  japaneseDigitalTenThousand: (n) => inDigits(n, hanDigits),
  japaneseLegal: (n) => chinese(n, "零壱弐参四伍六七八九", formal, true),
  chineseLegalSimplified: (n) => chinese(n, "零壹贰叁肆伍陆柒捌玖", formal, true),
  ideographLegalTraditional: (n) => chinese(n, "零壹貳參肆伍陸柒捌玖", formal, true),
  koreanDigital: (n) => inDigits(n, "영일이삼사오육칠팔구"),
  koreanDigital2: (n) => inDigits(n, "零一二三四五六七八九"),
  koreanCounting: (n) => sinoCounting(n, "영일이삼사오육칠팔구", ["", "십", "백", "천", "만"]),
  koreanLegal: (n) =>
    ["하나", "둘", "셋", "넷", "다섯", "여섯", "일곱", "여덟", "아홉", "열"][n - 1] ?? String(n),
  ganada: (n) => letters(n, "가나다라마바사아자차카타파하"),
  chosung: (n) => letters(n, "ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ"),
  aiueo: (n) => letters(n, aiueo),
  aiueoFullWidth: (n) => letters(n, aiueo),
  iroha: (n) => letters(n, iroha),
  irohaFullWidth: (n) => letters(n, iroha),
  ideographTraditional: (n) => letters(n, "甲乙丙丁戊己庚辛壬癸"),
  ideographZodiac: (n) => letters(n, "子丑寅卯辰巳午未申酉戌亥"),
  ideographEnclosedCircle: (n) =>
    n >= 1 && n <= 10 ? String.fromCodePoint(0x3280 + n - 1) : String(n),
  none: () => "",
  bullet: () => "",
};

/** A list number as Word writes it; formats that aren't known are written as decimals. */
export const formatNumber = (n: number, format: string): string => (writers[format] ?? String)(n);
