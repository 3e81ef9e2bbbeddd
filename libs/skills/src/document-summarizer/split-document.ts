import type { DocumentPart } from "../document/document-port.ts";

/** A piece of a document for one call of the model. */
export interface Piece {
  /** With marks where pages begin, so that a summary can name them: [p. 4]. */
  text: string;
  /** Where it is: its heading and pages; '' if neither is known. */
  place: string;
}

/** Of a piece, repeated in the next one: the sentence that its first paragraph may continue. */
const overlap = 300;

/** Cuts a text between paragraphs into pieces of at most `size` characters, marks apart. */
export async function splitDocument(part: DocumentPart, size: number): Promise<Piece[]> {
  const { splitText } = await import("@carrel/retrieval");
  return splitText({ text: part.text, size, overlap: Math.min(overlap, size / 10) }).map(
    ({ start, end }) => describePiece(part, start, end),
  );
}

/** @param start offset in the part's text, like `end` */
function describePiece(part: DocumentPart, start: number, end: number): Piece {
  const from = part.start + start;
  const until = part.start + end;
  const first = part.pages.findLast((one) => one.start <= from)?.page ?? null;
  const inside = part.pages.filter((one) => one.start > from && one.start < until);
  const heading = part.headings.findLast((one) => one.start <= from)?.path ?? [];
  let text = first === null ? "" : `[p. ${first}]\n`;
  let at = start;
  for (const { page, start: begin } of inside) {
    text += `${part.text.slice(at, begin - part.start)}\n[p. ${page}]\n`;
    at = begin - part.start;
  }
  text += part.text.slice(at, end);
  const last = inside.at(-1)?.page ?? first;
  const pages =
    last === null
      ? []
      : [first === null || first === last ? `page ${last}` : `pages ${first} to ${last}`];
  return { text, place: [...heading, ...pages].join(", ") };
}
