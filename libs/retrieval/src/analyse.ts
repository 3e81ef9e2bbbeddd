import { splitHumps, type CompoundWhole, type CompoundWord } from "./compound-words.ts";
import { fold } from "./fold.ts";
import { detectLanguage, scriptOf, stem, stemmedLanguages, stopWords } from "./language.ts";
import { findFillers } from "./question-fillers.ts";
import { bigrams } from "./script-forms.ts";
import { numberTerm, walkWords, type WordVisitor } from "./walk-words.ts";
import {
  cacheOf,
  indexPart,
  indexWhole,
  indexWord,
  isLetterName,
  isNumber,
  isWordOnly,
  kindOf,
  lowerCase,
  noForms,
  truncate,
  type IndexedWord,
} from "./word-forms.ts";

/*
 * Irregular forms that no stemmer joins. Forms that are more often a word themselves ("found",
 * "left", "rose", "lives") are missing.
 */
const irregular = `
begin began begun|break broke broken|bring brought|build built|buy bought|catch caught|choose chose chosen|deal dealt|draw drew drawn|drink drank drunk|drive drove driven|eat ate eaten|feed fed|fight fought|flee fled
fly flew flown|forbid forbade forbidden|forget forgot forgotten|forgive forgave forgiven|freeze froze frozen|give gave given|go went gone|grow grew grown|hear heard|hide hid hidden|hold held|keep kept|know knew known
lend lent|lose lost|make made|mean meant|meet met|pay paid|prove proven|ride rode ridden|run ran|say said|seek sought|sell sold|send sent|shake shook shaken|shine shone|show shown|shrink shrank shrunk|sing sang sung
sink sank sunk|sleep slept|slide slid|speak spoken|spend spent|steal stole stolen|stick stuck|strike struck|swim swam swum|take took taken|teach taught|tear tore torn|tell told|think thought|throw threw thrown
understand understood|wake woke woken|wear wore worn|weep wept|win won|withdraw withdrew withdrawn|write wrote written
child children|man men|woman women|person people|foot feet|tooth teeth|mouse mice|goose geese|knife knives|wife wives|shelf shelves|half halves|loaf loaves|thief thieves|wolf wolves|calf calves
analysis analyses|crisis crises|hypothesis hypotheses|criterion criteria|phenomenon phenomena|matrix matrices|nucleus nuclei|radius radii|bacterium bacteria|curriculum curricula|spectrum spectra`;

/** British and American spellings that no rule covers. */
const spellings = `
colour color|honour honor|favour favor|favourite favorite|labour labor|harbour harbor|neighbour neighbor|neighbourhood neighborhood|behaviour behavior|vapour vapor|humour humor|rumour rumor|armour armor|odour odor
flavour flavor|endeavour endeavor|vigour vigor|tumour tumor|parlour parlor|saviour savior|centre center|metre meter|litre liter|theatre theater|fibre fiber|kilometre kilometer|centimetre centimeter
millimetre millimeter|calibre caliber|manoeuvre maneuver|defence defense|licence license|offence offense|pretence pretense|practise practice|catalogue catalog|dialogue dialog|analogue analog|counsellor counselor
jewellery jewelry|skilful skillful|tyre tire|kerb curb|grey gray|plough plow|aluminium aluminum|programme program|pyjamas pajamas|mould mold|moustache mustache|sceptic skeptic|sulphur sulfur|whisky whiskey
aeroplane airplane|aerofoil airfoil|artefact artifact|ageing aging|judgement judgment|cosy cozy|doughnut donut|yoghurt yogurt|enquiry inquiry|disc disk|mum mom
anaemia anemia|anaesthetic anesthetic|anaesthesia anesthesia|paediatric pediatric|orthopaedic orthopedic|oestrogen estrogen|foetus fetus|haemorrhage hemorrhage|leukaemia leukemia|diarrhoea diarrhea`;

let groups: Map<string, string[]> | undefined;
function readGroups(): Map<string, string[]> {
  const read = new Map<string, string[]>();
  for (const group of `${irregular}|${spellings}`.split(/[|\n]/).filter(Boolean)) {
    const stems = [...new Set(group.split(" ").map((word) => stem(word, "en")))];
    for (const each of stems) read.set(each, stems);
  }
  return read;
}

/** "organise" and "organize", "analyse" and "analyze". */
const withS = /^(\p{L}{2,}[iy])([sz])(e|ed|es|ing|ers?|ations?)$/u;

/**
 * Stems of an English word's other spelling and irregular forms ("tyres" for "tires", "freeze" for
 * "frozen"). May contain the word's own stem, and non-words, which no text contains.
 */
function englishVariants(word: string): string[] {
  groups ??= readGroups();
  const other = withS.exec(word);
  const respelled =
    other === null ? [] : [stem(`${other[1]}${other[2] === "s" ? "z" : "s"}${other[3]}`, "en")];
  return [...respelled, ...(groups.get(stem(word, "en")) ?? [])];
}

/**
 * A term and its position in the analysed text. Several terms may share a position: forms of the
 * same word.
 */
export interface AnalysedTerm {
  term: string;
  start: number;
  end: number;
}

/** One word of a question; any of its forms matches. */
export interface QuestionWord {
  forms: string[];
  /**
   * Other spellings and irregular forms, for texts that contain none of its forms. English only.
   */
  variants?: string[];
  start: number;
  end: number;
  /**
   * Below 1 for a bigram that is more likely an ending, or part of two words, than a word. Default
   * 1.
   */
  weight?: number;
  /**
   * A name or number. Such words have no synonyms, so a text without it is unlikely to be relevant.
   */
  isExact?: boolean;
  /** The question consists of stop words and fillers only ("And who does it?", "What else?"). */
  isStop?: boolean;
  /** Number of occurrences in the question. Default 1. */
  count?: number;
  /** Searched for instead if no text contains the whole (`resolveParts`). */
  parts?: QuestionWord[];
  /** Dropped if no text contains it: a single letter. */
  isOptional?: true;
}

const languageOf = (text: string, language: string | null | undefined): string =>
  (language === undefined ? detectLanguage(text) : language) ?? "";

/** `shares`: the term is at the same position as the previous one. */
type AddTerm = (term: string, start: number, end: number, shares: boolean) => void;

class IndexVisitor implements WordVisitor {
  private readonly cache: Map<string, IndexedWord>;

  constructor(
    private readonly text: string,
    private readonly language: string,
    private readonly add: AddTerm,
  ) {
    this.cache = cacheOf(language);
  }

  word(word: string, start: number, end: number): void {
    const { forms, parts } = indexWord(word, this.language, this.cache);
    for (const form of forms) this.add(form, start, end, false);
    if (forms.length > 0) for (const part of parts) this.add(part, start, end, true);
    else if (end - start === 1 && isLetterName(this.text, start, this.language))
      this.add(fold(word), start, end, false);
  }

  term(term: string, start: number, end: number): void {
    this.add(term, start, end, false);
  }

  compound({ parts, wholes, start, end }: CompoundWord): void {
    let isFirst = true;
    for (let place = 0; place < Math.max(1, parts.length); place++) {
      const part = parts[place];
      const { forms, parts: inner } = part ? indexPart(part.text, this.language) : noForms;
      for (const form of forms) this.add(form, part!.start, part!.end, false);
      if (forms.length > 0) isFirst = false;
      for (const form of inner) this.add(form, part!.start, part!.end, true);
      for (const whole of wholes) {
        if (whole.last !== place) continue;
        const from = parts[whole.first]?.start ?? start;
        for (const form of whole.forms.flatMap((each) => indexWhole(each, this.language))) {
          this.add(form, from, part?.end ?? end, !isFirst);
          isFirst = false;
        }
      }
    }
  }
}

/**
 * Terms of a text with their positions, in order and without stop words. `language` is what
 * `detectLanguage` returned for the whole document: null means unknown, and if omitted it is
 * detected here.
 */
export function analyse(text: string, options: { language?: string | null } = {}): AnalysedTerm[] {
  const terms: AnalysedTerm[] = [];
  visitTerms(text, options.language, (term, start, end) => terms.push({ term, start, end }));
  return terms;
}

/** Like `analyse`, without positions. */
export function analyseTerms(text: string, options: { language?: string | null } = {}): string[] {
  const terms: string[] = [];
  visitTerms(text, options.language, (term) => terms.push(term));
  return terms;
}

/** Calls `add` with each term of a text, in order. */
export function visitTerms(text: string, language: string | null | undefined, add: AddTerm): void {
  walkWords(text, new IndexVisitor(text, languageOf(text, language), add));
}

/** Bigrams that only form the question, in scripts without spaces between words. */
const askingPairs = new Set(
  ["zh", "ja", "ko"]
    .flatMap((language) => [...stopWords(language)])
    .flatMap((word) => bigrams(word).map(({ term }) => term)),
);
const askingSigns =
  /^[的了吗呢吧是在有和与及之其也都很哪几谁么为]|[的了吗呢吧是哪几谁么？]$|^[ぁ-ん]{2}$/u;

/**
 * The words of a question. The language of a short question is uncertain, so each word gets its
 * forms in all `languages` of the searched chunks; a wrong form is harmless because no chunk
 * contains it.
 */
export function analyseQuestion(
  question: string,
  options: { languages?: readonly string[] } = {},
): QuestionWord[] {
  const own = detectLanguage(question);
  const languages = [
    ...new Set([...(options.languages ?? stemmedLanguages), ...(own ? [own] : [])]),
  ];
  // A few words may look like any language, so the languages of the texts count as well.
  const isOwnLikely =
    own !== null && (!options.languages?.length || options.languages.includes(own));
  const stops = isOwnLikely
    ? stopWords(own)
    : new Set(
        [own ?? "en", ...(options.languages ?? [])].flatMap((language) => [...stopWords(language)]),
      );
  const formsOf = (word: string): string[] => {
    const kind = kindOf(word);
    if (kind === "arabic" || kind === "hebrew") return indexWord(word, "").forms;
    const lower = lowerCase(word);
    const folded = fold(word);
    if (folded.length < 2 && !/\p{N}/u.test(folded)) return [];
    const forms = new Set([folded]);
    if (lower !== folded && languages.includes("vi")) forms.add(lower);
    for (const language of languages) {
      if (scriptOf(language) !== kind) continue;
      forms.add(stem(lower, language));
      // A word typed without diacritics may have a different stem.
      if (lower === folded) forms.add(stem(folded, language));
    }
    return [...forms].map(truncate);
  };
  const isFiller = findFillers(question);
  const isCarrying = (word: QuestionWord): boolean =>
    !isFiller(word) &&
    (word.isOptional === true ||
      (!stops.has(word.forms[0]!) &&
        !askingPairs.has(word.forms[0]!) &&
        !(word.forms[0]!.length <= 2 && askingSigns.test(word.forms[0]!))));
  const visitor = new QuestionVisitor(question, formsOf, isCarrying, own ?? "en");
  walkWords(question, visitor, true);
  const all = visitor.words;
  const carrying = all.filter(isCarrying);
  // Other languages have words spelled like English ones.
  const isEnglish = (own ?? "en") === "en" && languages.includes("en");
  if (isEnglish) for (const word of carrying) addVariants(word);
  const kept = carrying.length ? carrying : all.map((word) => ({ ...word, isStop: true }));
  return weighNames(question, mergeRepeated(kept), own);
}

class QuestionVisitor implements WordVisitor {
  readonly words: QuestionWord[] = [];

  constructor(
    private readonly question: string,
    private readonly formsOf: (word: string) => string[],
    private readonly isCarrying: (word: QuestionWord) => boolean,
    private readonly language: string,
  ) {}

  word(word: string, start: number, end: number): void {
    const forms = this.formsOf(word);
    if (forms.length > 0) {
      const parts = this.carrying(
        splitHumps(word).map((part) => ({ forms: this.formsOf(part), start, end })),
      );
      this.words.push({ forms, start, end, ...(parts.length > 0 && { parts }) });
    } else if (end - start === 1 && this.isLetterName(start))
      this.words.push({ forms: [fold(word)], start, end, isOptional: true });
  }

  term(term: string, start: number, end: number, weight?: number): void {
    this.words.push({ forms: [term], start, end, ...(weight !== undefined && { weight }) });
  }

  compound({ parts, wholes, isIndivisible, start, end }: CompoundWord): void {
    const inner = parts.map((part): QuestionWord => {
      const forms = isNumber(part.text) ? [numberTerm(part.text)] : this.formsOf(part.text);
      return { forms, start: part.start, end: part.end };
    });
    const carrying = this.carrying(inner);
    if (wholes.length > 0 && (isIndivisible || carrying.length === 0)) {
      const forms = this.formsOfWholes(wholes);
      this.words.push({ forms, start, end, ...(carrying.length > 0 && { parts: carrying }) });
      return;
    }
    for (const [place, word] of inner.entries()) {
      if (word.forms.length === 0) continue;
      const around = wholes.filter(({ first, last }) => first <= place && place <= last);
      this.words.push({
        ...word,
        forms: [...new Set([...word.forms, ...this.formsOfWholes(around)])],
      });
    }
    // The letter distinguishes KX-7741-B from KX-7741-C.
    const isCode =
      inner.some(({ forms }) => forms.length === 0) &&
      /\p{Nd}/u.test(this.question.slice(start, end));
    const [whole] = isCode ? wholes.slice(-1) : [];
    if (whole !== undefined)
      this.words.push({ forms: this.formsOfWholes([whole]), start, end, isOptional: true });
  }

  private carrying(words: QuestionWord[]): QuestionWord[] {
    return words.filter((word) => word.forms.length > 0 && this.isCarrying(word));
  }

  private formsOfWholes(wholes: CompoundWhole[]): string[] {
    return wholes.flatMap(({ forms }) =>
      forms.flatMap((form) => (isWordOnly(form) ? this.formsOf(form) : [fold(form)])),
    );
  }

  /** People don't always capitalise it, but "a" and the "s" of "what's" are words. */
  private isLetterName(at: number): boolean {
    const letter = this.question[at]!;
    if (/\p{Lu}/u.test(letter)) return isLetterName(this.question, at, this.language);
    return (
      /[^'’]/.test(this.question[at - 1] ?? "'") &&
      !/[aeiouyàèéóþ]/u.test(letter) &&
      !stopWords(this.language).has(fold(letter))
    );
  }
}

function addVariants(word: QuestionWord): void {
  const variants = englishVariants(word.forms[0]!).filter((form) => !word.forms.includes(form));
  if (variants.length > 0) word.variants = variants;
}

/** Merges repeated words: each is kept where it last occurs, with its number of occurrences. */
function mergeRepeated(words: QuestionWord[]): QuestionWord[] {
  const merged = new Map<string, QuestionWord>();
  for (const word of words) {
    const before = merged.get(word.forms[0]!);
    merged.set(
      word.forms[0]!,
      before === undefined ? word : { ...word, count: (before.count ?? 1) + 1 },
    );
  }
  return [...merged.values()];
}

interface NamedWord {
  start: number;
  end: number;
  weight?: number;
  isExact?: boolean;
}

/** Weight that each further word of a name adds. */
const furtherName = 0.3;
/**
 * Weighs a run of capitalised words within a line as one name: "Anselm Brodie" is a single subject
 * and weighs little more than one word. Marks names and numbers as exact.
 */
function weighNames<Word extends NamedWord>(
  question: string,
  words: readonly Word[],
  language: string | null,
): Word[] {
  const isCapital = (word: Word): boolean =>
    /^\p{Lu}/u.test(question.slice(word.start, word.end)) &&
    word.start > 0 &&
    question[word.start - 1] !== "\n";
  // Capitals mean nothing in a title, in all-caps text or in German, where every noun has one.
  const capitals = words.filter(isCapital).length;
  const telling = capitals < words.length || words.length <= 2;
  const weighed: Word[] = [];
  for (let first = 0; first < words.length;) {
    let after = first + 1;
    if (isCapital(words[first]!))
      while (
        after < words.length &&
        isCapital(words[after]!) &&
        /^['’]?s?[ \u00a0-]$/.test(question.slice(words[after - 1]!.end, words[after]!.start))
      )
        after++;
    const length = after - first;
    for (; first < after; first++) {
      const word = words[first]!;
      const isExact =
        /\p{N}|[+#]$|^\./u.test(question.slice(word.start, word.end)) ||
        (telling && language !== "de" && isCapital(word));
      weighed.push({
        ...word,
        ...(length > 1 && {
          weight: ((word.weight ?? 1) * (1 + furtherName * (length - 1))) / length,
        }),
        ...(isExact && { isExact }),
      });
    }
  }
  return weighed;
}
