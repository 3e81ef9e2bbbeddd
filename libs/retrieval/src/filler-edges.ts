import { namesSources } from "./filler-kinds.ts";
import { has, languageNumber, role } from "./filler-roles.ts";
import type { Clause } from "./filler-sentences.ts";
import { rolesIn, type FillerToken } from "./filler-words.ts";

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
export const isContent = ({ roles }: FillerToken): boolean =>
  !roles.some((packed) => has(packed, empty));

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
export function trimClause(tokens: FillerToken[], { from, to }: Clause): Clause {
  for (let row = 0; row < mostInRow && from < to; row++)
    from = Math.max(openerEnd(tokens, { from, to }), referenceEnd(tokens, { from, to }));
  for (let row = 0; row < mostInRow && from < to; row++) {
    const start = wishStart(tokens, { from, to });
    if (tokens.slice(from, start).some(isContent)) to = start;
  }
  return { from, to };
}
