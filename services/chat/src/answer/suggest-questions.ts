import type { Passage } from "@carrel/contracts";
import { detectLanguage, findKeyTerm } from "@carrel/retrieval";

/** A question, and the passages of the document that should answer it. */
export interface CandidateQuestion {
  question: string;
  title: string;
  passages: Passage[];
}

const heading = { least: 4, most: 80 };
/** Candidates per document, each of which is tried out. */
const maxPerDocument = 3;
/** Headings that say nothing about what is under them. */
const generic =
  /^(?:introduction|contents|table of contents|abstract|summary|overview|conclusions?|references|appendix|notes?|einleitung|inhalt|zusammenfassung|fazit|anhang|sommaire|conclusiones|sheet ?\d+|(?:chapter|kapitel|part|section|page) \d+)$/i;

/** Questions in the document's language; others use a form that works in any. */
const templates: Record<string, (about: string, title: string) => string> = {
  en: (about, title) => `What does “${title}” say about ${about}?`,
  de: (about, title) => `Was steht in „${title}“ über ${about}?`,
  fr: (about, title) => `Que dit « ${title} » sur ${about} ?`,
  es: (about, title) => `¿Qué dice «${title}» sobre ${about}?`,
  it: (about, title) => `Che cosa dice «${title}» su ${about}?`,
  pt: (about, title) => `O que diz «${title}» sobre ${about}?`,
  nl: (about, title) => `Wat zegt „${title}” over ${about}?`,
};
const anyLanguage = (about: string, title: string): string => `${title}: ${about}?`;

/**
 * Candidate questions from headings, or from the term a document without headings uses most; the
 * first of each document come first. They may have no answer: try them out.
 */
export function listCandidateQuestions(passages: readonly Passage[]): CandidateQuestion[] {
  const documents = [...Map.groupBy(passages, ({ documentId }) => documentId).values()];
  const perDocument = documents.map((own) => {
    const title = own[0]!.title.replace(/\.[a-z0-9]{1,5}$/i, "");
    const ask =
      templates[detectLanguage(own.map(({ text }) => text).join("\n")) ?? ""] ?? anyLanguage;
    const subjects = [
      ...new Set(own.flatMap(({ headingPath }) => subjectOf(headingPath.at(-1)) ?? [])),
    ].filter((subject) => subject.toLowerCase() !== title.toLowerCase());
    const term = subjects.length === 0 ? findKeyTerm(own.map(({ text }) => text)) : null;
    return [...subjects, ...(term === null ? [] : [term])]
      .slice(0, maxPerDocument)
      .map((about) => ({ question: ask(about, title), title, passages: own }));
  });
  return Array.from({ length: maxPerDocument }, (_, place) =>
    perDocument.flatMap((candidates) => candidates[place] ?? []),
  ).flat();
}

/** The heading without its number; null if it isn't a subject. */
function subjectOf(written: string | undefined): string | null {
  const subject = (written ?? "").replace(/^[\d.\s)§]+/, "").replace(/[\s:.]+$/, "");
  return subject.length < heading.least ||
    subject.length > heading.most ||
    generic.test(subject) ||
    !/\p{L}{3}/u.test(subject) ||
    /[?!]/.test(subject)
    ? null
    : subject;
}
