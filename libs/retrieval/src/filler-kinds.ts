import { has, languageNumber, role, rolesOf } from "./filler-roles.ts";
import { languageCount, type FillerToken } from "./filler-words.ts";

/** Tokens from `from` to before `to`, without a mark that separates clauses between them. */
export interface Clause {
  from: number;
  to: number;
}
export interface Sentence extends Clause {
  clauses: Clause[];
  isQuestion: boolean;
}

const sentenceEnd = /[!?;。！？；؟…।]|\.(?=\s|$|["'”’)])|\n|[¿¡]/u;
const clauseEnd = /[,:()，、：،؛"“”«»（）]|\s[-–—]\s|—/u;
export const questionMark = /[?？؟;]/u;
const greekQuestion = /\p{sc=Greek}/u;

export function splitSentences(question: string, tokens: FillerToken[]): Sentence[] {
  const sentences: Sentence[] = [];
  let sentence: Sentence | null = null;
  for (const [place, token] of tokens.entries()) {
    const gap = question.slice(place === 0 ? 0 : tokens[place - 1]!.end, token.start);
    if (sentence === null || sentenceEnd.test(gap)) {
      sentence = { from: place, to: place, clauses: [], isQuestion: false };
      sentences.push(sentence);
    }
    if (sentence.clauses.length === 0 || clauseEnd.test(gap) || isThaiSpace(question, gap, token))
      sentence.clauses.push({ from: place, to: place });
    sentence.to = sentence.clauses.at(-1)!.to = place + 1;
  }
  for (const each of sentences) {
    const last = tokens[each.to - 1]!;
    const end = question.slice(last.end, tokens[each.to]?.start);
    each.isQuestion =
      questionMark.test(end) && (!/^;/.test(end) || greekQuestion.test(question[last.start]!));
  }
  return sentences;
}

/** Thai separates sentences and clauses by spaces, not words. */
const isThaiSpace = (question: string, gap: string, token: FillerToken): boolean =>
  gap === " " && /^\p{sc=Thai}/u.test(question.slice(token.start, token.start + 1));

/** A filler anywhere. */
export const sure = 1;
/** A filler, unless nothing else could be what is asked about. */
export const likely = 2;
/** Says who the asker is, which matters if the question is about them. */
export const identity = 3;

/** Whether words with these roles together refer to the documents. */
export const namesSources = (roles: number): boolean =>
  (has(roles, role.source) && has(roles, role.relation | role.lead | role.verb | role.given)) ||
  (has(roles, role.matter) &&
    (has(roles, role.relation) || (has(roles, role.given) && has(roles, role.lead | role.verb))));

/** 0 if words with these roles together aren't a filler. */
function kindOf(roles: number, isSentence: boolean, isQuestion: boolean): number {
  const asks = role.modal | role.please | role.greeting | role.closing | role.ask;
  if (isQuestion && !has(roles, asks)) return 0;
  if (has(roles, role.greeting | role.closing | role.manner | role.please)) return sure;
  if (has(roles, role.verb) && has(roles, role.answer)) return sure;
  if (has(roles, role.unit) && has(roles, role.amount)) return sure;
  if (has(roles, role.ask)) return sure;
  if (namesSources(roles)) return likely;
  if (has(roles, role.learn) && has(roles, role.self | role.modal)) return likely;
  if (has(roles, role.verb) && has(roles, role.form)) return likely;
  if (has(roles, role.purpose) && has(roles, role.self)) return likely;
  if (has(roles, role.setting) && has(roles, role.self)) return identity;
  return isSentence && has(roles, role.form | role.purpose) ? likely : 0;
}

const counts = new Int32Array(languageCount);
const unions = new Int32Array(languageCount);
/** The kind of tokens for which one language has phrases; 0 if no language has one for each. */
export function kindOfRange(
  tokens: FillerToken[],
  { from, to }: Clause,
  sentence?: Sentence,
): number {
  counts.fill(0);
  unions.fill(0);
  for (let place = from; place < to; place++) {
    const { roles } = tokens[place]!;
    if (roles.length === 0) return 0;
    for (const packed of roles) {
      if (has(packed, role.asking)) continue;
      counts[languageNumber(packed)]! += 1;
      unions[languageNumber(packed)]! |= rolesOf(packed);
    }
  }
  let best = 0;
  for (let language = 0; language < languageCount; language++)
    if (counts[language] === to - from) {
      const kind = kindOf(unions[language]!, sentence !== undefined, sentence?.isQuestion === true);
      if (kind > 0 && (best === 0 || kind < best)) best = kind;
    }
  return best;
}
