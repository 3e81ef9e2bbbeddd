interface Range {
  start: number;
  end: number;
}

/** A document, or a place in it (`start` < `end`) with the words to mark. */
export interface DocumentPlace extends Range {
  documentId: string;
  marks: Range[];
}

/** A document from its beginning. */
export const wholeDocument = (documentId: string): DocumentPlace => ({
  documentId,
  start: 0,
  end: 0,
  marks: [],
});

const maxMarks = 12;
const pattern = /^document-([\da-f-]{36})(?::(\d{1,10})-(\d{1,10}):([\d,-]*))?$/;

/** The place as the hash of an address. */
export const placeHash = ({ documentId, start, end, marks }: DocumentPlace): string =>
  `document-${documentId}:${start}-${end}:${marks
    .slice(0, maxMarks)
    .map((mark) => `${mark.start}-${mark.end}`)
    .join(",")}`;

/** null if the hash names no document. */
export function readPlaceHash(hash: string): DocumentPlace | null {
  const [, documentId, start = "0", end = "0", marks = ""] = pattern.exec(hash) ?? [];
  if (documentId === undefined) return null;
  return {
    documentId,
    start: Number(start),
    end: Number(end),
    marks: marks.split(",").flatMap((mark) => {
      const [from, to] = mark.split("-").map(Number);
      return from !== undefined && to !== undefined && from < to ? [{ start: from, end: to }] : [];
    }),
  };
}
