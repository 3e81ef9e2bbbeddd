/** A clause of the question: `question.slice(start, end)`. */
export interface QuestionPart {
  start: number;
  end: number;
}

/** Ends of sentences and clauses; within a number or a name such as `Node.js` it is neither. */
const clauseEnd = /[.!?…;:,،؛؟](?=\s|$)|[。！？；：，、]|\s[–—]\s|[\n\r]+/gu;

/** The clauses of a question, in order; a question without punctuation is a single one. */
export function questionParts(question: string): QuestionPart[] {
  const parts: QuestionPart[] = [];
  let start = 0;
  const add = (end: number): void => {
    if (/[\p{L}\p{N}]/u.test(question.slice(start, end))) parts.push({ start, end });
  };
  for (const { index, 0: mark } of question.matchAll(clauseEnd)) {
    add(index);
    start = index + mark.length;
  }
  add(question.length);
  return parts;
}
