import { questionTermWeight } from "@carrel/vector-store";
import type { WeighedWord } from "./question.ts";
import type { RankCandidate } from "./rank-candidate.ts";
import { termNumbers, type NumberedTerms, type TermMarks } from "./term-numbers.ts";

/*
 * Interchangeable everyday English words. Not a thesaurus: general verbs, and nouns from work, home
 * and trade. Stems of the English stemmer, so that one entry covers all inflections.
 */
const groups = `
finish complet end conclud|begin start commenc launch|buy purchas acquir|sell sale sold|allow permit|forbid forbidden prohibit ban|enabl activ switch turn|disabl deactiv
win winner won victori|build built construct erect|found founder establish creat|car vehicl automobil|lorri truck|bicycl bike|fast quick rapid speed|help assist support
get receiv obtain|worker employe staff personnel|boss manag head chief lead leader director|pay salari wage earn|holiday vacat leav|ill sick sickness|doctor physician|child children kid
pupil student|price cost fee charg fare|fine penalti|repair fix mend|replac exchang substitut|phone telephon|photo photograph pictur|die death dead|resid inhabit habitat|eat feed fed food meal diet
rent leas hire|hous home|street road|shop store|firm compani busi enterpris|trip journey travel|rule regul|meet assembl|approv accept agre|reject refus declin deni|need requir necessari
film movi|weigh weight heavi|height high tall|length long|depth deep|width wide|age old|author write writer wrote written|own belong owner|stop ceas|close shut|clean wash|store keep kept preserv
dispos discard|remov delet|deliv deliveri ship|teach instruct taught|test check inspect examin|damag harm destroy|danger risk hazard|error fault failur|postpon delay|increas rais rise rose|reduc lower decreas
regist registr enrol|conduct conductor|design architect plan|invent inventor develop|discov find|annual year|daili day|suppli provid|larg biggest big|announc declar|choos chose select|elect vote
kill slain|burn fire|guest visitor|money fund|gift donat|job occup profession|wife husband spous|contract agreement|locat situat|border boundari|rate percentag percent share|maximum limit most|minimum least`;

/** Too loose to search with, but fine among the few sentences that may be quoted. */
const looseGroups = "phone telephon tel|fall fell fallen declin drop reduc lower decreas";

function readGroups(written: string): Map<string, string[]> {
  const members = new Map<string, string[]>();
  for (const group of written.split(/[|\n]/)) {
    const words = group.trim().split(" ");
    for (const word of words)
      members.set(word, [...(members.get(word) ?? []), ...words.filter((other) => other !== word)]);
  }
  return members;
}
const members = readGroups(groups);
const looseMembers = readGroups(`${groups}|${looseGroups}`);

/**
 * Stems of synonyms of `forms`, excluding the forms themselves. English only. `isLoose`: also words
 * that mean the same only in context.
 */
export function findSynonyms(forms: readonly string[], isLoose = false): Set<string> {
  const known = isLoose ? looseMembers : members;
  const found = new Set(forms.flatMap((form) => known.get(form) ?? []));
  for (const form of forms) found.delete(form);
  return found;
}

/** A word of the question that a term matches. */
interface TermMatch {
  /** Index of the word it is a form of; -1 if it isn't in the question. */
  asked: number;
  /** Index of the word it matches. */
  matched: number;
  /** The word it is a form of, with its IDF; empty for other matches. */
  forms: { index: number; idf: number }[];
  /** Whether the next match is another word of which the term is a form. */
  hasNext: boolean;
}

/**
 * Finds the question's words in the chunks of one search: their terms are read once, and everything
 * that ranks by those words reads only the occurrences. To be released when the search is ranked.
 */
export class QuestionOccurrences {
  /** Position of each in its chunk's text or context, chunk by chunk. */
  readonly positions: number[] = [];
  private readonly marksAt: number[] = [];
  private readonly matches: TermMatch[];
  /** By term number: the index of its match plus 1. */
  private readonly marks: TermMarks;

  /** All chunks must be numbered first. */
  constructor(words: readonly WeighedWord[]) {
    const found = findMatches(words);
    this.matches = [];
    this.marks = termNumbers.acquire();
    for (const [number, matches] of found) {
      this.marks.set(number, this.matches.length + 1);
      this.matches.push(...matches);
    }
  }

  /** Adds the occurrences in a chunk. */
  locate(id: string, { context, body, shared, sharedAt }: NumberedTerms): RankCandidate {
    const from = this.positions.length;
    this.add(context, 0, context.length);
    const bodyFrom = this.positions.length;
    let at = 0;
    for (let place = 0; place < shared.length; place++) {
      const mark = this.marks.get(shared[place]!);
      if (mark === 0) continue;
      const position = sharedAt[place]!;
      this.add(body, at, position + 1);
      this.note(position, mark);
      at = position + 1;
    }
    this.add(body, at, body.length);
    return { id, context, body, rank: 0, from, bodyFrom, to: this.positions.length };
  }

  matchAt(occurrence: number): TermMatch {
    return this.matches[this.marksAt[occurrence]! - 1]!;
  }

  isAsked(number: number): boolean {
    const mark = this.marks.get(number);
    return mark > 0 && this.matches[mark - 1]!.asked >= 0;
  }

  release(): void {
    termNumbers.release(this.marks);
  }

  private add(numbers: Int32Array, from: number, to: number): void {
    const { marks } = this;
    for (let at = from; at < to; at++) {
      const mark = marks.get(numbers[at]!);
      if (mark !== 0) this.note(at, mark);
    }
  }

  private note(position: number, mark: number): void {
    for (let place = mark; ; place++) {
      this.positions.push(position);
      this.marksAt.push(place);
      if (!this.matches[place - 1]!.hasNext) return;
    }
  }
}

/**
 * By term number: a word's own forms take precedence over related words, and those over synonyms.
 */
function findMatches(words: readonly WeighedWord[]): Map<number, TermMatch[]> {
  const matches = new Map<number, TermMatch[]>();
  const relate = (number: number, index: number): void => {
    matches.set(number, [{ asked: -1, matched: index, forms: [], hasNext: false }]);
  };
  for (const [index, word] of words.entries())
    for (const term of [...findSynonyms(word.asked), ...word.variants]) {
      const number = termNumbers.find(term);
      if (number !== undefined) relate(number, index);
    }
  for (const [index, word] of words.entries())
    for (const form of word.asked)
      for (const number of termNumbers.relativesOf(form))
        if (!word.asked.includes(termNumbers.nameOf(number))) relate(number, index);
  for (const [index, word] of words.entries())
    for (const [form, idf] of word.forms) {
      const number = termNumbers.of(form);
      const before = matches.get(number)?.filter(({ asked }) => asked >= 0) ?? [];
      for (const match of before) match.hasNext = true;
      const forms = [{ index, idf: idf * questionTermWeight(word.count) }];
      matches.set(number, [...before, { asked: index, matched: index, forms, hasNext: false }]);
    }
  return matches;
}
