/** What words do in polite requests and formatting wishes, as bits of a set. */
export const role = {
  /** Words without a meaning of their own: articles, pronouns, conjunctions. */
  glue: 1 << 0,
  self: 1 << 1,
  modal: 1 << 2,
  please: 1 << 3,
  /** Introduces what is asked: "tell me". */
  ask: 1 << 4,
  /** Introduces it after "I" or "could you": "know". */
  learn: 1 << 5,
  /** Connects an opener to what is asked: "whether". */
  after: 1 << 6,
  greeting: 1 << 7,
  closing: 1 << 8,
  courtesy: 1 << 9,
  /** What to do with an answer: "format", "reply". */
  verb: 1 << 10,
  answer: 1 << 11,
  /** Only says how to answer: "briefly", "bulleted". */
  manner: 1 << 12,
  /** May say how to answer, or be what is asked about: "table", "English". */
  form: 1 << 13,
  /** Unit for the length of an answer: "sentences". */
  unit: 1 << 14,
  amount: 1 << 15,
  /** Precedes manner, form and sources: "in", "as". */
  lead: 1 << 16,
  /** Precedes sources only: "based on". */
  relation: 1 << 17,
  source: 1 << 18,
  /** A source only with `given` or after a relation: "text". */
  matter: 1 << 19,
  given: 1 << 20,
  purpose: 1 << 21,
  setting: 1 << 22,
  /** Stands for what the answer names: "anyone", "what else". */
  placeholder: 1 << 23,
  /** Question words, which start what is asked. */
  asking: 1 << 24,
  /** Precedes a word that is mentioned: "the word please". */
  mention: 1 << 25,
} as const;
type Role = keyof typeof role;

/** Phrases of one language by role, separated by commas; `*` stands for any ending. */
export type FillerPhrases = Partial<Record<Role | "adverb", string>>;

const roleBits = 26;
/** Roles of a phrase with the number of its language, in one integer. */
export const pack = (language: number, roles: number): number => language * 2 ** roleBits + roles;
export const rolesOf = (packed: number): number => packed & ((1 << roleBits) - 1);
export const languageNumber = (packed: number): number => packed >>> roleBits;
export const has = (roles: number, wanted: number): boolean => (roles & wanted) !== 0;
