import { fold } from "./fold.ts";

/** Languages with Latin, Cyrillic or Greek letters. */
const calendarLanguages = [
  "en",
  "de",
  "fr",
  "es",
  "it",
  "pt",
  "nl",
  "sv",
  "da",
  "nb",
  "fi",
  "hu",
  "ro",
  "tr",
  "id",
  "ru",
  "uk",
  "el",
];
let calendar: ReadonlySet<string> | undefined;

/** Names of months and weekdays, folded; weekdays also in the plural. */
function calendarNames(): ReadonlySet<string> {
  if (calendar) return calendar;
  const names = new Set<string>();
  for (const language of calendarLanguages) {
    // Formatted with a day, so that the month is in the grammatical case it has in a sentence.
    const month = new Intl.DateTimeFormat(language, {
        month: "long",
        day: "numeric",
        timeZone: "UTC",
      }),
      alone = new Intl.DateTimeFormat(language, { month: "long", timeZone: "UTC" }),
      weekday = new Intl.DateTimeFormat(language, { weekday: "long", timeZone: "UTC" });
    for (let n = 0; n < 12; n++) {
      for (const format of [month, alone])
        for (const word of fold(format.format(Date.UTC(2024, n, 1))).match(/\p{L}{3,}/gu) ?? [])
          names.add(word);
      for (const word of fold(weekday.format(Date.UTC(2024, 0, 1 + (n % 7)))).match(
        /\p{L}{3,}/gu,
      ) ?? []) {
        names.add(word);
        names.add(`${word}s`);
      }
    }
  }
  return (calendar = names);
}

/** What an answer must contain, judging by the question word. `noun`: what is counted, folded. */
export type AnswerKind =
  | { kind: "count"; noun: string | null }
  | { kind: "amount"; units: RegExp | null }
  | { kind: "price" | "time" | "year" | "name" | "place" | "reason" };

/*
 * Question words of the analyser's languages, folded: matched as words, or as substrings in scripts
 * without spaces.
 */
const asWord = (words: string): RegExp =>
  new RegExp(`(?:^|[^\\p{L}])(?:${words})(?=[^\\p{L}]|$)`, "u");
const count =
  /(?:^|[^\p{L}])(?:how many|what number of|wie ?viele|combien d[e']|combien d’|cuant[oa]s|quant[ie]|quant[oa]s|hoeveel|kac|сколько|כמה|bao nhieu)(?:\s*)(\p{L}+)?/u;
const countUnspaced = /几[个名位年天人种]|多少(?!钱)|몇|いくつ|何[人個年日本枚]/u;
const amount = asWord(
  "how (?:much|large|big|loud|strong|powerful)|what (?:percentage|share|proportion|amount)|wie ?viel|wie (?:gross|laut|stark)|combien|cuant[oa]|quant[oa]|ne kadar|كم|چقدر|چند",
);
const price = asWord(
  "(?:how much|what) (?:\\p{L}+ ){0,8}?(?:costs?|charged?|paid|pay)|how expensive|what is the (?:price|cost|fee|fare|rent)|(?:price|cost|fee|fare) of|was kostet|was kosten|wie teuer|wie ?viel (?:\\p{L}+ )?kost(?:et|en)|combien (?:\\p{L}+[- ]){0,3}?cout\\p{L}*|quel est le prix|cuanto cuesta|quanto costa|quanto custa|hoeveel kost|сколько стоит|kac para|bao nhieu tien|بكم",
);
const priceUnspaced = /多少钱|얼마입|いくら/u;
const year = asWord(
  "(?:what|which) (?:year|century|decade)|(?:en|a) quelle annee|(?:in )?welche[msn]? jahr|(?:en )?que ano|(?:in )?che anno|(?:em )?que ano|welk jaar|каком году|hangi yil|nam nao",
);
const time = asWord(
  "when|since when|until when|(?:what|which) (?:year|day|days|date|time|month|week|century)|wann|seit wann|bis wann|quand|depuis quand|cuando|quando|wanneer|когда|ne zaman|متى|מתי|چه (?:زمانی|وقت)|khi nao|nam nao",
);
const timeUnspaced = /何时|什么时候|哪[年天]|언제|いつ|何[年月日時]/u;
const name = asWord(
  "who|whom|whose|wer|wem|wen|wessen|qui|quien|quienes|chi|quem|wie is|кто|кого|кому|kim|kimin",
);
const place = asWord(
  "where|wo|wohin|woher|ou|donde|dove|onde|waar|где|куда|nerede|nereye|اين|איפה|היכן|کجا|o dau",
);

const unit = (words: string): RegExp => new RegExp(`^(?:${words})$`, "u");
const durationWords =
  "seconds?|minutes?|hours?|days?|nights?|weeks?|fortnights?|months?|seasons?|quarters?|years?|decades?|centur\\p{L}+|sekunden?|stunden?|tage?n?|wochen?|monate?n?|jahre?n?|secondes?|heures?|jours?|semaines?|mois|ans?|annees?|segundos?|minutos?|horas?|dias?|semanas?|mes|meses|anos?|ora|ore|giorn[oi]|settiman[ae]|mesi|mese|ann[oi]|uur|uren|dag|dagen|jaar|jaren|weken|maand\\p{L}*";
const lengthWords =
  "(?:kilo|centi|milli)?met(?:re|er|ro|ri)s?|kilomet\\p{L}+|miles?|feet|foot|ft|inch(?:es)?|yards?|leagues?|store?y|storeys|stories|km|cm|mm|m|nautical|fuss|pieds?|millas?|light";
/** Amounts asked for by a specific adjective or noun, and the units that answer them. */
const dimensions: [RegExp, RegExp][] = [
  [
    asWord("how heavy|weigh|weighs|weight|wie schwer|wiegt|gewicht|poids|pese|peso|pesa"),
    unit(
      "(?:kilo|milli)?gram\\p{L}*|kg|g|mg|tonn\\p{L}*|tons?|pounds?|ounces?|lbs?|stone|carats?|karat|pfund|quilos?|kilos?",
    ),
  ],
  [
    asWord(
      "how (?:tall|high|deep|wide|thick|far)|height|depth|width|wie (?:hoch|tief|breit|weit|dick)|hauteur|profondeur",
    ),
    unit(`${lengthWords}|percent|prozent|%|euros?|dollars?|pounds?|[€$£]|degrees?`),
  ],
  [
    asWord(
      "how (?:long|old)|duration|age of|wie (?:lange|alt)|combien de temps|quel age|cuanto tiempo|quanto tempo",
    ),
    unit(`${durationWords}|${lengthWords}|old|times?`),
  ],
  [
    asWord("how (?:hot|cold|warm)|temperatures?|wie (?:heiss|kalt|warm)|temperatur|temperatura"),
    unit("degrees?|°c?|celsius|fahrenheit|kelvin|grad|degres?|grados?|gradi|graus?|graden"),
  ],
  [
    asWord("how fast|speed|wie schnell|geschwindigkeit|vitesse|velocidad"),
    unit(`${lengthWords}|${durationWords}|kmh|mph|knots?|knoten|times?`),
  ],
];
const often = asWord(
  "how often|wie oft|wie haufig|a quelle frequence|con que frecuencia|quante volte|hoe vaak",
);

/** Spelled-out numbers and other words that answer "how much", folded, by language. */
const numberWords: Record<string, string> = {
  en: "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\\p{L}+teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty\\p{L}*|\\p{L}*hundreds?|thousands?|millions?|billions?|dozens?|once|twice|thrice|half|halved|doubled?|tripled?|quarters?|thirds?|fourth|fifth|sixth|seventh|eighth|ninth|tenth|first|second|none|nothing|free|unlimited|single|both",
  de: "\\p{L}*(?:zwei|drei|vier|funf|sechs|sieben|acht|neun|zehn|elf|zwolf|zwanzig|dreissig|[ehmnr]zig|hundert|tausend|millionen|million|milliarden)|einmal|eins|halb\\p{L}*|kein\\p{L}*|kostenlos|ein|eine[nmrs]?",
  fr: "deux|trois|quatre|cinq|six|sept|huit|neuf|dix|onze|douze|quinze|vingt\\p{L}*|trente|quarante|cinquante|soixante|cents?|mille|demi\\p{L}*|aucun\\p{L}*|gratuit\\p{L}*",
  es: "dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|quince|veint\\p{L}*|treinta|cuarenta|cincuenta|cien|ciento|mil|millon\\p{L}*|medi[oa]|ningun\\p{L}*|gratis|una? vez",
  it: "due|tre|quattro|cinque|sei|sette|otto|nove|dieci|dodici|venti\\p{L}*|trenta|quaranta|cinquanta|cento|mille|mila|mezz[oa]|nessun\\p{L}*|gratis",
  pt: "dois|duas|tres|quatro|cinco|seis|sete|oito|nove|dez|doze|vinte|trinta|quarenta|cinquenta|cem|mil|meia|nenhum\\p{L}*|gratis",
  nl: "twee|drie|vier|vijf|zes|zeven|acht|negen|tien|elf|twaalf|\\p{L}*(?:twintig|dertig|tig)|honderd|duizend|miljoen|half|halve|geen|gratis",
};
const numberPatterns = new Map(
  Object.entries(numberWords).map(([language, words]) => [language, asWord(words)]),
);
/** Words that mean one when they precede what is counted. */
const oneOf = /^(?:a|an|une?|un[oa]|uma?|een|ein(?:e[nmrs]?)?)$/;
const severalOf = asWord("several|few|many|no");
const spelledCount = asWord(
  "several|few|many|all|no|every|each|daily|weekly|monthly|yearly|annually|hourly|always|never|regularly|taglich|wochentlich|monatlich|jahrlich|jed\\p{L}+|immer|nie|chaque|tou[ts]\\p{L}*|quotidien\\p{L}*|cada|tod[oa]s|ogni|todos?|elke?|dagelijks|vez|veces|fois|mal|volta|volte|vezes|keer",
);
const money =
  /(?:[€$£¥₽₺₩₪]|\b(?:euros?|eur|dollars?|usd|pounds?|pence|penny|pennies|cents?|francs?|franken|kron\p{L}*|crowns?|yen|yuan|rupees?|rubles?|roubles?|tokens?|free|gratis|kostenlos|gratuit\p{L}*|nothing|costs?|prices?|fees?|fares?|kost\p{L}*|preis\p{L}*|coute\p{L}*|prix|cuesta\p{L}*|precio\p{L}*|costa\p{L}*|prezzo|preco|paid|pays?|charged?)\b)/u;
const timeWords = asWord(
  "noon|midnight|morning|evening|night|nightly|afternoon|spring|summer|autumn|fall|winter|christmas|easter|today|tomorrow|yesterday|daily|weekly|monthly|yearly|day|days|hours?|minutes?|weeks?|months?|years?|o'clock|centur\\p{L}+|decades?|when|whenever|after|before|until|till|since|during|once|while|as soon as|every|always|immediately|fruhling|fruhjahr|sommer|herbst|weihnachten|ostern|heute|morgen|abends?|nachts?|mittags?|uhr|tage?n?|wochen?|monate?n?|jahre?n?|wenn|sobald|nach|vor|bis|seit|wahrend|sofort|printemps|ete|automne|hiver|noel|matin|soir|midi|minuit|heures?|jours?|semaines?|mois|ans?|annees?|apres|avant|jusqu\\p{L}*|depuis|primavera|verano|otono|invierno|navidad|manana|tarde|noche|horas?|dias?|semanas?|mes|meses|anos?|despues|antes|desde|hasta",
);
/** Hours without a digit: "at ten", "quarter past six", "halb sieben". */
const spelledHour = asWord(
  "(?:at|by|around|before|after|until|till|from|past|to|um|gegen|ab|bis|nach|vor|halb|viertel) (?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|eins|zwei|drei|vier|funf|sechs|sieben|acht|neun|zehn|elf|zwolf)",
);
const why = asWord(
  "why|for what reason|what is the reason|warum|wieso|weshalb|pourquoi|por que|perche|waarom|почему|зачем|neden|nicin|لماذا|چرا|למה|מדוע|tai sao",
);
const whyUnspaced = /为什么|为何|왜|なぜ|どうして/u;
const reasons = asWord(
  "because|since|as|attribut\\p{L}+|caused?|reasons?|result\\p{L}*|led to|so that|therefore|thus|hence|due|owing|otherwise|in order to|to avoid|to prevent|for this reason|weil|da|damit|denn|deshalb|daher|wegen|um|sonst|parce que|car|afin|puisque|pour|cause|porque|debido|pues|ya que|para que|poiche|affinche|causa|pois|devido|omdat|want|zodat|wegens|потому|так как|чтобы|поэтому|cunku|icin|لان|לכן|כי|vi",
);
const reasonsUnspaced = /因为|由于|所以|以便|때문|위해|ため|から/u;
/** English words for people without a name, and for anything that may be one. */
const persons = asWord(
  "by|we|i|you|\\p{L}{2,}(?:er|or|ist|ian|ant|ent|ee|man|men|eur|ive|ess|tic|ard)s?|staff|team|funds?|foundation|authority|ministry|department|office|famil\\p{L}+|committee|council|company|firm|sisters?|brothers?|people|person|persons|parents?|children|boys?|girls?|police|army|monks?|nuns?|kings?|queens?|chief|chair|crew|pupils?|students?|employees?|wife|wives|husband|nurses?|public|everyone|everybody|anyone|anybody|nobody|adults?|couple|guests?|tribes?|club|school|university|church|government|state|city|town",
);
/** The kind of answer a question asks for; null if its words don't say. */
export function answerKind(question: string): AnswerKind | null {
  const folded = fold(question);
  if (price.test(folded) || priceUnspaced.test(question)) return { kind: "price" };
  for (const [asked, units] of dimensions) if (asked.test(folded)) return { kind: "amount", units };
  const counted = count.exec(folded);
  if (counted) return { kind: "count", noun: counted[1] ?? null };
  if (countUnspaced.test(question)) return { kind: "count", noun: null };
  if (often.test(folded) || amount.test(folded)) return { kind: "amount", units: null };
  if (year.test(folded)) return { kind: "year" };
  if (time.test(folded) || timeUnspaced.test(question)) return { kind: "time" };
  if (name.test(folded)) return { kind: "name" };
  if (why.test(folded) || whyUnspaced.test(question)) return { kind: "reason" };
  return place.test(folded) ? { kind: "place" } : null;
}

const howTo = asWord(
  "how (?:do|can|could|should|must|would|may|to)|what (?:do i|should i|must i) do|steps|wie (?:kann|konnen|muss|mussen|soll|mache?|macht|geht|\\p{L}+e ich|\\p{L}+ (?:ich|man|wir))|was muss ich tun|schritte|comment|como|come|hoe (?:kan|moet|doe)|как|nasil|كيف|چگونه|איך|כיצד",
);
const howToUnspaced = /怎么|怎样|如何|步骤|어떻게|どう/u;
/** Whether a question asks for what to do, which a list of steps or a command answers. */
export const asksHowTo = (question: string): boolean =>
  howTo.test(fold(question)) || howToUnspaced.test(question);

const prepositions = asWord(
  "in|inside|at|on|onto|from|to|by|near|beside|behind|under|below|above|opposite|between|along|outside|across|around|behind|beyond|near|next|over|through|within|upstairs|downstairs|north|south|east|west|left|right|im|am|an|auf|neben|hinter|unter|uber|dans|sur|sous|pres|derriere|en|sobre|detras|junto|nel\\p{L}*|sul\\p{L}*|no|na|op|bij",
);

/**
 * Whether a sentence contains something of the kind asked for that isn't in the question: 1 if it
 * does; -1 if it doesn't, and so is unlikely to answer; 0 if unclear. `isCounted` says whether a
 * word of the sentence is what is counted.
 */
export function answerEvidence(
  sentence: string,
  question: string,
  asked: AnswerKind,
  language: string | null,
  isCounted: (word: string) => boolean,
): -1 | 0 | 1 {
  const folded = fold(sentence),
    foldedQuestion = fold(question);
  // A missing number only counts against languages whose spelled-out numbers are known.
  const spelled = numberPatterns.get(language ?? "");
  const missing = spelled ? -1 : 0;
  const hasNumber =
    [...folded.matchAll(/\p{N}+/gu)].some(([digits]) => !foldedQuestion.includes(digits)) ||
    (spelled?.test(folded) ?? false) ||
    /[一二三四五六七八九十百千万半两]/u.test(sentence);
  switch (asked.kind) {
    case "count": {
      if (!hasNumber && !severalOf.test(folded)) return missing;
      return asked.noun === null ? 1 : numberBeside(folded, isCounted, spelled);
    }
    case "amount":
      if (asked.units) return hasUnit(folded, asked.units, spelled) ? 1 : missing;
      return hasNumber || spelledCount.test(folded) ? 1 : missing;
    case "price":
      if (
        money.test(folded) &&
        (hasNumber || /\b(?:free|nothing|gratis|kostenlos|gratuit)/u.test(folded))
      )
        return 1;
      return missing;
    case "year":
      return /(?:^|\D)\d{3,4}(?!\d|[.,]\d)|centur|years? ago|siecle|jahrhundert|siglo|secolo|seculo|eeuw/u.test(
        folded,
      )
        ? 1
        : -1;
    case "time": {
      if (
        /(?:^|\D)(?:1\d{3}|20\d\d)(?!\d|[.,]\d)|\d{1,2}[:.]\d\d|\d{1,2}(?:st|nd|rd|th)? may\b|\bmay \d|\d+\.?\s*(?:年|月|日|時|时|点|点|년|월|일|시)|[一二三四五六七八九十]+[年月日点時时]/u.test(
          folded,
        )
      )
        return 1;
      // A past event has a date; an hour of the day says when something happens regularly.
      if (spelledHour.test(folded) && !/\b(?:was|were|did|wurden?|war)\b/u.test(foldedQuestion))
        return 1;
      if ((folded.match(/\p{L}+/gu) ?? []).some((word) => calendarNames().has(word))) return 1;
      return timeWords.test(folded) ? (hasNumber ? 1 : 0) : missing;
    }
    case "name":
      if (hasNewName(sentence, foldedQuestion)) return 1;
      return language === "en" && !persons.test(folded) ? -1 : 0;
    case "reason":
      return reasons.test(folded) || reasonsUnspaced.test(sentence) || /[^:]: /.test(sentence)
        ? 1
        : 0;
    case "place":
      return hasNewName(sentence, foldedQuestion) || prepositions.test(folded) ? 0 : missing;
  }
}

const wordsAndNumbers = /[\p{L}\p{M}]+|\p{N}+(?:[.,]\p{N}+)*|[%°€$£]/gu;

/**
 * A number with a fitting unit at most three words later; "until June" and "always" also count as
 * durations.
 */
function hasUnit(folded: string, units: RegExp, spelled: RegExp | undefined): boolean {
  const words = folded.match(wordsAndNumbers) ?? [];
  return (
    words.some(
      (word, place) =>
        (/\p{N}/u.test(word) ||
          (spelled?.test(word) ?? false) ||
          severalOf.test(word) ||
          oneOf.test(word)) &&
        [1, 2, 3].some((step) => units.test(words[place + step] ?? "")),
    ) ||
    (units.test("years") &&
      /(?:^|\D)\d{4}(?!\d|[.,]\d)|(?:^|[^\p{L}])(?:until|till|always|ever|forever|bis|immer|jusqu|toujours|hasta|siempre)(?=[^\p{L}]|$)/u.test(
        folded,
      ))
  );
}

const numberOf = /^(?:numbers?|total|anzahl|zahl|nombre|numero|aantal)$/;
const copula = /^(?:is|are|was|were|to|sind|ist|war|waren|est|sont|es|son|e|sono|sao|zijn)$/;
/**
 * A number up to four words before the counted word, or after it ("members: 12", "members are 12").
 */
function numberBeside(
  folded: string,
  isCounted: (word: string) => boolean,
  spelled: RegExp | undefined,
): -1 | 0 | 1 {
  const words = folded.match(wordsAndNumbers) ?? [];
  const isNumber = (word: string | undefined): boolean =>
    word !== undefined &&
    (/\p{N}/u.test(word) || (spelled?.test(word) ?? false) || severalOf.test(word));
  let isNamed = false;
  for (const [place, word] of words.entries()) {
    if (!isCounted(word)) continue;
    isNamed = true;
    // "The number of breeding pairs rose from 31 to 44".
    if (
      [-2, -3, -4].some((step) => numberOf.test(words[place + step] ?? "")) &&
      words.slice(place).some(isNumber)
    )
      return 1;
    if (
      [-1, -2, -3, -4, 1].some((step) => isNumber(words[place + step])) ||
      (copula.test(words[place + 1] ?? "") && isNumber(words[place + 2])) ||
      oneOf.test(words[place - 1] ?? "")
    )
      return 1;
  }
  // Unclear if it is counted under another word ("people": "seventeen names").
  return isNamed && spelled ? -1 : 0;
}

const hasNewName = (sentence: string, foldedQuestion: string): boolean =>
  [...sentence.matchAll(/(?<=[\p{L}\p{N},;:"'’»)] ?)\s["'“«(]?\p{Lu}[\p{Ll}’'-]+/gu)].some(
    ([found]) => {
      const word = fold(found.trim().replace(/^["'“«(]/, ""));
      return !foldedQuestion.includes(word) && !calendarNames().has(word);
    },
  );
