import {
  identity,
  kindOfRange,
  likely,
  namesSources,
  questionMark,
  splitSentences,
  sure,
  type Clause,
  type Sentence,
} from "./filler-kinds.ts";
import { has, languageNumber, role } from "./filler-roles.ts";
import { readTokens, rolesIn, type FillerToken } from "./filler-words.ts";

/** Roles of words that say nothing about what is asked. */
const empty =
  role.glue |
  role.self |
  role.modal |
  role.please |
  role.after |
  role.lead |
  role.asking |
  role.placeholder |
  role.mention;

/** Whether a token may be what is asked about. */
const isContent = ({ roles }: FillerToken): boolean => !roles.some((packed) => has(packed, empty));

/** Roles that may occur in an opener. */
const opening =
  role.glue |
  role.self |
  role.modal |
  role.please |
  role.ask |
  role.learn |
  role.after |
  role.greeting |
  role.closing |
  role.manner |
  role.amount |
  role.lead |
  role.unit |
  role.verb |
  role.answer |
  role.source |
  role.matter |
  role.given |
  role.courtesy |
  role.purpose;
/** Roles that may occur in a formatting wish at the end. */
const formWish = role.lead | role.amount | role.manner | role.form | role.unit | role.please;
/** Roles that may precede such a wish. */
const formVerb =
  role.verb | role.answer | role.please | role.modal | role.self | role.glue | role.ask;
const reference =
  role.glue |
  role.self |
  role.lead |
  role.relation |
  role.source |
  role.matter |
  role.given |
  role.please;
/** Roles of "in two sentences" or "in short". */
const isWish = (roles: number): boolean =>
  has(roles, role.lead) &&
  (has(roles, role.manner) || (has(roles, role.unit) && has(roles, role.amount)));
const asks = (token: FillerToken, language: number): boolean =>
  has(rolesIn(token, language), role.asking | role.modal);

/** Where an opener at the beginning of a clause ends. */
function openerEnd(tokens: FillerToken[], { from, to }: Clause): number {
  let end = from;
  for (const first of tokens[from]!.roles) {
    const language = languageNumber(first);
    let seen = 0;
    let after = from;
    for (let place = from; place < to - 1; place++) {
      const roles = rolesIn(tokens[place]!, language);
      if (!has(roles, opening) || has(roles, role.asking)) break;
      const anchors =
        has(roles, role.ask) ||
        (has(roles, role.learn) && has(seen, role.self | role.modal)) ||
        (has(roles, role.manner) && has(seen, role.ask | role.please | role.modal | role.verb)) ||
        (isWish(seen | roles) && asks(tokens[place + 1]!, language)) ||
        (has(roles, role.after) && after === place && place > from);
      seen |= roles;
      if (anchors) after = place + 1;
    }
    end = Math.max(end, after);
  }
  return end;
}

/** Where "based on the documents" at the beginning of a clause ends. */
function referenceEnd(tokens: FillerToken[], { from, to }: Clause): number {
  let end = from;
  for (const first of tokens[from]!.roles) {
    const language = languageNumber(first);
    const isBefore = has(first, role.relation | role.lead);
    let seen = 0;
    for (let place = from; place < to - 1; place++) {
      const roles = rolesIn(tokens[place]!, language);
      if (!has(roles, reference)) break;
      seen |= roles;
      const isEnd = isBefore
        ? has(roles, role.source | role.matter | role.given) &&
          rolesIn(tokens[place + 1]!, language) !== 0
        : // In Turkish, Hungarian or Korean, "based on" comes last.
          has(roles, role.relation) && has(seen, role.given);
      if (isEnd && namesSources(seen)) end = Math.max(end, place + 1);
    }
  }
  return end;
}

/** Where a formatting wish, thanks or "in the documents" at the end of a clause starts. */
function wishStart(tokens: FillerToken[], { from, to }: Clause): number {
  let start = to;
  for (const last of tokens[to - 1]!.roles) {
    const language = languageNumber(last);
    start = Math.min(
      start,
      formStart(tokens, from, to, language),
      referenceStart(tokens, from, to, language),
      pleaseStart(tokens, from, to, language),
    );
  }
  return start;
}

function formStart(tokens: FillerToken[], from: number, to: number, language: number): number {
  let seen = 0;
  let start = to;
  for (let place = to - 1; place > from; place--) {
    const roles = rolesIn(tokens[place]!, language);
    if (!has(roles, formWish)) break;
    seen |= roles;
    const isForm =
      has(seen, role.manner) ||
      (has(seen, role.unit) && has(seen, role.amount)) ||
      (has(seen, role.form) && has(seen, role.please));
    if (isForm && has(roles, role.lead | role.please)) start = place;
  }
  const earliest = Math.max(from, (start === to ? to : start) - 8);
  let before = 0;
  let verb = start;
  for (let place = start - 1; place > earliest; place--) {
    const roles = rolesIn(tokens[place]!, language);
    if (!has(roles, formVerb)) break;
    before |= roles;
    const isRequest =
      has(roles, role.verb | role.please | role.modal | role.ask) &&
      has(before, role.verb) &&
      has(before, role.answer | role.please | role.modal | role.ask);
    if (isRequest && (start < to || has(before, role.please))) verb = place;
  }
  return verb;
}

function referenceStart(tokens: FillerToken[], from: number, to: number, language: number): number {
  let seen = 0;
  for (let place = to - 1; place > from; place--) {
    const roles = rolesIn(tokens[place]!, language);
    if (!has(roles, reference)) break;
    seen |= roles;
    if (has(roles, role.relation | role.lead) && namesSources(seen)) return place;
  }
  return to;
}

function pleaseStart(tokens: FillerToken[], from: number, to: number, language: number): number {
  let start = to;
  for (let place = to - 1; place > from; place--) {
    const roles = rolesIn(tokens[place]!, language);
    if (!has(roles, role.please | role.closing | role.courtesy)) break;
    const isMentioned = has(rolesIn(tokens[place - 1]!, language), role.mention | role.asking);
    if (has(roles, role.please | role.closing) && !isMentioned) start = place;
  }
  return start;
}

/** Maximum number of openers, or wishes, in a row. */
const mostInRow = 3;
/** What remains of a clause without openers at the start and wishes at the end. */
function trimClause(tokens: FillerToken[], { from, to }: Clause): Clause {
  for (let row = 0; row < mostInRow && from < to; row++)
    from = Math.max(openerEnd(tokens, { from, to }), referenceEnd(tokens, { from, to }));
  for (let row = 0; row < mostInRow && from < to; row++) {
    const start = wishStart(tokens, { from, to });
    if (tokens.slice(from, start).some(isContent)) to = start;
  }
  return { from, to };
}

/*
 * Parts of questions that are polite, wish for a form of answer or refer to the documents. No text
 * needs them to answer, and their unknown words would outweigh what is asked. Sentences and clauses
 * are fillers if they consist only of such words; others may begin with an opener ("tell me") or
 * end with a wish ("in two sentences").
 */

interface Reading {
  tokens: FillerToken[];
  sentences: Sentence[];
  /** By token: 0, `sure`, `likely` or `identity`. */
  kinds: Uint8Array;
}

function readFillers(question: string): Reading {
  const tokens = readTokens(question);
  const sentences = splitSentences(question, tokens);
  const kinds = new Uint8Array(tokens.length);
  for (const sentence of sentences) {
    const kind = kindOfRange(tokens, sentence, sentence);
    if (kind > 0) kinds.fill(kind, sentence.from, sentence.to);
    else markClauses(tokens, sentence, kinds);
  }
  markNames(question, tokens, sentences, kinds);
  const kept = tokens.filter((_, place) => kinds[place] === 0);
  const asked = kept.filter(isContent).length;
  const isAboutAsker =
    asked < 2 ||
    kept.some(({ roles }) =>
      // "As" may also begin a comparison.
      roles.some((packed) => has(packed, role.self) && !has(packed, role.lead)),
    );
  for (const [place, kind] of kinds.entries())
    if ((asked === 0 && kind === likely) || (isAboutAsker && kind === identity)) kinds[place] = 0;
  return { tokens, sentences, kinds };
}

/** Marks filler clauses at both ends, courtesy anywhere, and the ends of other clauses. */
function markClauses(tokens: FillerToken[], sentence: Sentence, kinds: Uint8Array): void {
  const found = sentence.clauses.map((clause) => kindOfRange(tokens, clause));
  const first = found.indexOf(0);
  const last = found.lastIndexOf(0);
  // Each clause by itself would be a filler: "Is it short, simple or long?"
  if (first < 0) return;
  for (const [place, clause] of sentence.clauses.entries()) {
    const kind = found[place]!;
    const isCourtesy = kind === sure && clause.to - clause.from === 1;
    if (kind > 0 && (place < first || place > last || isCourtesy))
      kinds.fill(kind, clause.from, clause.to);
    else markEnds(tokens, clause, kinds);
  }
}

function markEnds(tokens: FillerToken[], clause: Clause, kinds: Uint8Array): void {
  const { from, to } = trimClause(tokens, clause);
  kinds.fill(sure, clause.from, from);
  kinds.fill(sure, to, clause.to);
  for (let place = from; place < to; place++) {
    const { roles } = tokens[place]!;
    const isFiller = roles.some(
      (packed) =>
        has(packed, role.placeholder) ||
        (has(packed, role.please) &&
          (place === from ||
            !has(rolesIn(tokens[place - 1]!, languageNumber(packed)), role.mention | role.asking))),
    );
    if (isFiller) kinds[place] = sure;
  }
}

/** Marks names of people who are greeted, and of the asker at the end. */
function markNames(
  question: string,
  tokens: FillerToken[],
  sentences: Sentence[],
  kinds: Uint8Array,
): void {
  const areNames = (from: number, to: number): boolean =>
    to - from <= 3 &&
    tokens.slice(from, to).every(({ start }) => /^\p{Lu}/u.test(question.slice(start, start + 2)));
  const clauses = sentences.flatMap((sentence) => sentence.clauses);
  const isA = (place: number, wanted: number): boolean =>
    tokens[place]!.roles.some((packed) => has(packed, wanted));
  const [first] = clauses;
  if (
    first !== undefined &&
    clauses.length > 1 &&
    first.to - first.from > 1 &&
    isA(first.from, role.greeting) &&
    areNames(first.from + 1, first.to)
  )
    kinds.fill(sure, first.from, first.to);
  const last = clauses.at(-1);
  const before = clauses.at(-2);
  if (
    last !== undefined &&
    before !== undefined &&
    kinds[before.from] === sure &&
    isA(before.from, role.closing) &&
    areNames(last.from, last.to) &&
    !questionMark.test(question.slice(tokens[last.to - 1]!.end))
  )
    kinds.fill(sure, last.from, last.to);
}

/** Whether a word of the question, by its position, says nothing about what is asked. */
export function findFillers(question: string): (word: { start: number }) => boolean {
  const { tokens, kinds } = readFillers(question);
  const isFiller = new Uint8Array(question.length);
  for (const [place, { start, end }] of tokens.entries())
    if (kinds[place]! > 0) isFiller.fill(1, start, end);
  return ({ start }) => isFiller[start] === 1;
}

/**
 * The question with a space for each character of its fillers, so that positions stay valid.
 * Unchanged if it consists of nothing else.
 */
export function blankFillers(question: string): string {
  const { tokens, sentences, kinds } = readFillers(question);
  if (!kinds.includes(0) || kinds.every((kind) => kind === 0)) return question;
  const blank = new Uint8Array(question.length);
  const isKept = ({ from, to }: Clause): boolean => kinds.subarray(from, to).includes(0);
  const startOf = (place: number): number => tokens[place]?.start ?? question.length;
  const endBefore = (place: number): number => (place === 0 ? 0 : tokens[place - 1]!.end);
  for (const sentence of sentences) {
    if (!isKept(sentence)) {
      const marks = /[¿¡([{“"'*•-]*$/u.exec(
        question.slice(endBefore(sentence.from), startOf(sentence.from)),
      )![0];
      const end = endBefore(sentence.to);
      const after = /^\S*/.exec(question.slice(end, startOf(sentence.to)))![0];
      blank.fill(1, startOf(sentence.from) - marks.length, end + after.length);
      continue;
    }
    let hasKept = false;
    for (const clause of sentence.clauses) {
      if (isKept(clause)) {
        hasKept = true;
        for (let place = clause.from; place < clause.to; place++) {
          if (kinds[place] === 0) continue;
          blank.fill(1, startOf(place), tokens[place]!.end);
          if (place + 1 < clause.to && kinds[place + 1] !== 0)
            blank.fill(1, startOf(place), startOf(place + 1));
        }
      } else if (hasKept) blank.fill(1, endBefore(clause.from), endBefore(clause.to));
      else blank.fill(1, startOf(clause.from), startOf(clause.to));
    }
  }
  let blanked = "";
  for (let at = 0; at < question.length; at++)
    blanked += blank[at] === 1 && !/\s/.test(question[at]!) ? " " : question[at]!;
  return blanked;
}
