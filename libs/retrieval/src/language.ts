import { stemmer as danish } from "@orama/stemmers/danish";
import { stemmer as dutch } from "@orama/stemmers/dutch";
import { stemmer as english } from "@orama/stemmers/english";
import { stemmer as finnish } from "@orama/stemmers/finnish";
import { stemmer as french } from "@orama/stemmers/french";
import { stemmer as german } from "@orama/stemmers/german";
import { stemmer as greek } from "@orama/stemmers/greek";
import { stemmer as hungarian } from "@orama/stemmers/hungarian";
import { stemmer as indonesian } from "@orama/stemmers/indonesian";
import { stemmer as italian } from "@orama/stemmers/italian";
import { stemmer as lithuanian } from "@orama/stemmers/lithuanian";
import { stemmer as norwegian } from "@orama/stemmers/norwegian";
import { stemmer as portuguese } from "@orama/stemmers/portuguese";
import { stemmer as romanian } from "@orama/stemmers/romanian";
import { stemmer as russian } from "@orama/stemmers/russian";
import { stemmer as spanish } from "@orama/stemmers/spanish";
import { stemmer as swedish } from "@orama/stemmers/swedish";
import { stemmer as turkish } from "@orama/stemmers/turkish";
import { stopwords as danishStops } from "@orama/stopwords/danish";
import { stopwords as dutchStops } from "@orama/stopwords/dutch";
import { stopwords as englishStops } from "@orama/stopwords/english";
import { stopwords as finnishStops } from "@orama/stopwords/finnish";
import { stopwords as frenchStops } from "@orama/stopwords/french";
import { stopwords as germanStops } from "@orama/stopwords/german";
import { stopwords as greekStops } from "@orama/stopwords/greek";
import { stopwords as hungarianStops } from "@orama/stopwords/hungarian";
import { stopwords as indonesianStops } from "@orama/stopwords/indonesian";
import { stopwords as italianStops } from "@orama/stopwords/italian";
import { stopwords as lithuanianStops } from "@orama/stopwords/lithuanian";
import { stopwords as norwegianStops } from "@orama/stopwords/norwegian";
import { stopwords as portugueseStops } from "@orama/stopwords/portuguese";
import { stopwords as romanianStops } from "@orama/stopwords/romanian";
import { stopwords as russianStops } from "@orama/stopwords/russian";
import { stopwords as spanishStops } from "@orama/stopwords/spanish";
import { stopwords as swedishStops } from "@orama/stopwords/swedish";
import { stopwords as turkishStops } from "@orama/stopwords/turkish";
import { stopwords as ukrainianStops } from "@orama/stopwords/ukrainian";
import { detectAll } from "tinyld/light";
import { fold } from "./fold.ts";

/**
 * Question and function words missing from the package's lists, and lists for languages it doesn't
 * cover. Folded on use.
 */
const extraStopWords: Record<string, string> = {
  en: "a an the of in on at to for from by with and or but if then than as into about over under after before between during how many much long often far when where why who whose whom which what does did do done is are was were be been it its there here this that these those can could may might will would shall should must have has had get gets got us use used per so such also only just not no nor very s t re ve ll d m tell me please give name explain describe say says said according called",
  de: "oft haufig wer wie was wo wann warum wieso weshalb welche welcher welches welchem welchen wem wen wessen wieviel wieviele viele der die das den dem des ein eine einer eines einem einen und oder aber ist sind war waren wird werden wurde wurden im in am an auf zu zum zur von vom bei mit nach aus fur als auch nicht nur es er sie man sich hat haben kann gibt wieder worin woran wofur womit wodurch wohin woher nennt heisst",
  fr: "frequence qui que quoi quel quelle quels quelles combien comment pourquoi ou quand est sont etait a au aux de des du la le les l d un une et en dans sur par pour avec ce cette ces il elle on se s qu n y ne pas plus fait ont",
  es: "quien quienes que cual cuales cuanto cuanta cuantos cuantas frecuencia como donde cuando por para el la los las un una de del al en y o es son fue era se su sus con lo le les hay ha han mas",
  it: "chi che cosa quale quali quanto quanta quanti quante come dove quando perche il lo la i gli le un uno una di del della dei delle e o in con per da su si",
  pt: "quem que qual quais quanto quanta quantos quantas como onde quando por porque o a os as um uma de do da dos das em no na e ou se com para foi sao",
  nl: "wie wat waar wanneer waarom hoe welke welk hoeveel de het een van in op te en of is zijn was waren",
  tr: "ne nedir kim kimdir kac hangi hangisi nasil neden nicin nerede nereden nereye zaman ve veya ile bir bu su o mi mu de da icin gibi kadar en cok daha olan olarak var yok hangileri neler kimin neyi",
  ru: "кто что какой какая какое какие каких каком какую сколько когда где куда откуда почему зачем как чем чего чей чья это и в во на с со по из за к ко у о об от до для при не ли же бы был была было были есть является",
  uk: "хто що який яка яке які скільки коли де куди чому як чим це і й та в у на з із по до для при не чи",
  vi: "la gi nao ai o dau khi bao nhieu may the sao tai vi va cua cac nhung mot co duoc cho trong voi tu den khong thi ma nay do roi se da dang bang nhu hay hoac ve ra vao len xuong lau nguoi ta",
  ar: "من ما ماذا متى اين كيف كم لماذا هل اي ايه في على عن الى مع هو هي هذا هذه ذلك تلك التي الذي الذين كان كانت يكون ان انه او ثم لا لم لن قد كل بعد قبل عند بين حتى منذ و يتم تم",
  fa: "چه کی چی کجا کدام چگونه چرا چند آیا است هست بود شد می نمی شود را از در به با برای تا که و یا این آن هم نیز ها های هایی تر ترین یک خود آنها ما شما او بر چیست کیست کجاست چقدر وقت زمانی کند کنند دارد دارند شده کرد",
  he: "מי מה מתי איפה היכן איך כיצד כמה למה מדוע האם איזה איזו אילו של את על אל עם הוא היא הם הן זה זו זאת כי אם או לא כל גם יש אין היה היתה הייתה היו יותר מאוד בין עד אחרי לפני כדי אשר ידי מן",
  zh: "多长时间 什么 怎么 怎样 如何 为什么 为何 哪里 哪儿 哪个 哪些 哪一 多少 几个 多久 多长 多大 是否 可以 需要 以及 或者 因为 所以 我们 你们 他们 这个 那个 一个 什麼 怎麼 時候 时候 哪年 是谁 谁是 请问",
  ja: "どこ なに 何が 何を 何の いつ だれ 誰が どの どれ どう どのよ なぜ です ます した する こと もの これ それ から まで ため ので ある いる れる られ ような でき いつか です か",
  ko: "무엇 언제 어디 누구 어떤 어떻 어떻게 왜 얼마 얼마나 몇 입니 니까 습니 합니 됩니 있습 인가 나요 까요 는가 가요 은가 무슨 어느 하는 되는 있는 인지 것은 것이 누가 었나 하나 되나 엇인 은무 디에",
};

/**
 * Words so generic that a text may answer a question without them ("used", "happen", "big"). They
 * weigh less in how much of a question a passage covers. Stems and plain forms, folded.
 */
export const genericWords: ReadonlySet<string> = new Set(
  (
    "use used using make made get take taken give given mean meaning happen need want know find one people person thing way kind type sort part number amount " +
    "big large small long short high low old new good best better last lasts call name possible work show contain include locate located come go run become keep quickly fast " +
    "list produce provide consist world country city town place month week date name live lie today current currently full right exactly actually usually normally main total different year day time pay paid cost brauchen machen geben gibt gehen kommen heissen liegen befindet gross klein lang neu alt tag jahr zeit " +
    "faire utiliser trouver trouve donner grand petit nouveau jour annee temps hacer usar encontrar encuentra dar grande pequeno nuevo dia ano tiempo " +
    "находится называется использовать делать большой год день время kullanilir yapilir bulunur buyuk yil gun zaman"
  ).split(" "),
);

export type Script = "latin" | "cyrillic" | "greek";
interface Language {
  script: Script;
  stem: (word: string) => string;
  stops: string[];
}

/**
 * Turkish stacks endings that the stemmer only partly knows; five letters are usually enough to
 * distinguish stems.
 */
const firstFive = (word: string): string => word.slice(0, 5);
/* Spanish is stemmed twice, so that "ciudades" (stem "ciudad") and "ciudad" (stem "ciud") match. */
const same = (word: string): string => word;
/**
 * Inflected languages with a stemmer. Others (Arabic, Hebrew, Persian, Han, Kana, Hangul,
 * Vietnamese …) are handled by script.
 */
const languages: Record<string, Language> = {
  en: { script: "latin", stem: english, stops: englishStops },
  de: { script: "latin", stem: german, stops: germanStops },
  fr: { script: "latin", stem: french, stops: frenchStops },
  es: { script: "latin", stem: (word) => spanish(spanish(word)), stops: spanishStops },
  it: { script: "latin", stem: italian, stops: italianStops },
  pt: { script: "latin", stem: portuguese, stops: portugueseStops },
  nl: { script: "latin", stem: dutch, stops: dutchStops },
  sv: { script: "latin", stem: swedish, stops: swedishStops },
  no: { script: "latin", stem: norwegian, stops: norwegianStops },
  da: { script: "latin", stem: danish, stops: danishStops },
  fi: { script: "latin", stem: finnish, stops: finnishStops },
  hu: { script: "latin", stem: hungarian, stops: hungarianStops },
  ro: { script: "latin", stem: romanian, stops: romanianStops },
  tr: { script: "latin", stem: (word) => firstFive(turkish(word)), stops: turkishStops },
  lt: { script: "latin", stem: lithuanian, stops: lithuanianStops },
  id: { script: "latin", stem: indonesian, stops: indonesianStops },
  vi: { script: "latin", stem: same, stops: [] },
  ru: { script: "cyrillic", stem: russian, stops: russianStops },
  uk: { script: "cyrillic", stem: same, stops: ukrainianStops },
  el: { script: "greek", stem: greek, stops: greekStops },
};
export const stemmedLanguages = Object.keys(languages);
export const scriptOf = (language: string): Script | null => languages[language]?.script ?? null;

const stopSets = new Map<string, ReadonlySet<string>>();
/** Folded stop words of a language, including question words; empty if it has no list. */
export function stopWords(language: string): ReadonlySet<string> {
  let set = stopSets.get(language);
  if (!set) {
    const words = [
      ...(languages[language]?.stops ?? []),
      ...(extraStopWords[language]?.split(" ") ?? []),
    ];
    stopSets.set(
      language,
      (set = new Set(words.flatMap((word) => fold(word).split(/[^\p{L}\p{N}]+/u)).filter(Boolean))),
    );
  }
  return set;
}

/** Indexes of the stemmed languages that have a word as a stop word. */
let stopLanguages: Map<string, number[]> | undefined;
function readStopLanguages(): Map<string, number[]> {
  const read = new Map<string, number[]>();
  for (const [place, language] of stemmedLanguages.entries())
    for (const word of stopWords(language)) {
      const places = read.get(word);
      if (places) places.push(place);
      else read.set(word, [place]);
    }
  return read;
}
/** Adds to `hits`, by language, how many of the lower-case words are stop words, `times` each. */
function countStops(hits: number[], words: readonly string[], times: number): void {
  stopLanguages ??= readStopLanguages();
  for (const word of words)
    for (const place of stopLanguages.get(fold(word)) ?? []) hits[place]! += times;
}

/** Stem of a lower-case word, folded afterwards because the stemmers need the diacritics. */
export function stem(word: string, language: string): string {
  const known = languages[language];
  if (!known) return fold(word);
  const stemmed = fold(known.stem(word));
  return stemmed.length > 1 ? stemmed : fold(word);
}

/** Enough text to be sure, with bounded work for long texts. */
const sampleLength = 4_000;
/** The statistical detector is slow and needs less text. */
const detectorLength = 1_000;
const vietnamese = /[ăđơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ]/gu;

/** Share of function words below which a text may be a table, code or a list of names. */
const proseShare = 0.05;

/**
 * ISO 639-1 code of a text's language, if it has a stemmer; null when unclear. Function words
 * decide; the statistical detector is only used when they tie, are few or missing.
 */
export function detectLanguage(text: string): string | null {
  const sample = text.slice(0, sampleLength),
    lower = sample.toLowerCase();
  // Single letters are initials, columns and variables more often than function words.
  const words = lower.match(/[\p{L}\p{M}\p{N}]{2,}/gu) ?? [];
  if (!/\p{L}{2}/u.test(sample)) return null;
  if ((lower.match(vietnamese)?.length ?? 0) > words.length * 0.3) return "vi";
  const hits = stemmedLanguages.map(() => 0);
  countStops(hits, words, 1);
  // Among lower-case words, words in capitals are codes and abbreviations.
  if (/\p{Ll}{2}/u.test(sample))
    countStops(
      hits,
      (sample.match(/\b[A-Z]{2,}\b/g) ?? []).map((word) => word.toLowerCase()),
      -1,
    );
  const tallies = stemmedLanguages
    .map((language, place) => ({ language, hits: hits[place]! }))
    .sort((a, b) => b.hits - a.hits);
  const most = tallies[0]!.hits,
    next = tallies[1]!.hits;
  if (most >= 2 && most >= next * 1.2 && most >= words.length * proseShare)
    return tallies[0]!.language;
  const close = new Set(
    tallies.filter((tally) => tally.hits >= most * 0.8).map((tally) => tally.language),
  );
  const guesses = detectAll(lower.slice(0, detectorLength));
  const guess = guesses.find(({ lang }) => close.has(lang));
  if (guess !== undefined && (most > 0 || guess.accuracy > 0.5)) return guess.lang;
  // A single function word may be part of a name.
  return most >= 2 || most > words.length / 4 ? tallies[0]!.language : null;
}

/** Share of letters in a script other than Latin: names in Latin letters are long. */
const enough = 0.3;
/** Share of Japanese letters that are kana; Chinese texts quote a few at most. */
const kanaShare = 0.05;

const count = (text: string, letters: RegExp): number => text.match(letters)?.length ?? 0;
/** Scripts that identify one language, or the language of nearly all texts in it. */
const languageOfScript: readonly (readonly [RegExp, string])[] = [
  [/\p{Script=Hangul}/gu, "ko"],
  [/\p{Script=Hebrew}/gu, "he"],
  [/\p{Script=Thai}/gu, "th"],
  [/\p{Script=Lao}/gu, "lo"],
  [/\p{Script=Khmer}/gu, "km"],
  [/\p{Script=Myanmar}/gu, "my"],
  [/\p{Script=Devanagari}/gu, "hi"],
  [/\p{Script=Bengali}/gu, "bn"],
  [/\p{Script=Tamil}/gu, "ta"],
  [/\p{Script=Telugu}/gu, "te"],
  [/\p{Script=Georgian}/gu, "ka"],
  [/\p{Script=Armenian}/gu, "hy"],
  [/\p{Script=Ethiopic}/gu, "am"],
];

/**
 * ISO 639-1 code of the language a text is written in; null when unclear. Unlike `detectLanguage`,
 * which chooses a stemmer, it also names languages without one, by their script.
 */
export function writtenLanguage(text: string): string | null {
  const sample = text.slice(0, sampleLength);
  const letters = count(sample, /\p{L}/gu);
  if (letters === 0) return null;
  const isWrittenIn = (script: RegExp): boolean => count(sample, script) >= letters * enough;
  if (isWrittenIn(/\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}/gu))
    return count(sample, /\p{Script=Hiragana}|\p{Script=Katakana}/gu) >= letters * kanaShare
      ? "ja"
      : "zh";
  // Letters that Arabic itself lacks.
  if (isWrittenIn(/\p{Script=Arabic}/gu)) return /[پچژگ]/u.test(sample) ? "fa" : "ar";
  const other = languageOfScript.find(([script]) => isWrittenIn(script));
  if (other !== undefined) return other[1];
  const detected = detectLanguage(sample);
  if (!isWrittenIn(/\p{Script=Cyrillic}/gu)) return detected;
  return detected !== null && scriptOf(detected) === "cyrillic" ? detected : "ru";
}

/** Whether a language returned by `writtenLanguage` is written in Latin letters. */
export const usesLatinScript = (language: string): boolean => scriptOf(language) === "latin";
