import type { In, Out, Scope, readDocumentPart } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import type { Document } from "../document/document.entity.ts";
import { TextRepository } from "../document/text.repository.ts";
import { headingPaths, lastAtOrBefore } from "../parsing/heading-path.ts";

type Part = Out<typeof readDocumentPart>;

/** Characters in one reply, which may take 1 MB together with what follows. */
const longestPart = 100_000;
/** Bytes of the pages in one reply, and of the headings. */
const mostPlaceBytes = 150_000;

/** Reads parts of documents with their structure. The caller checks who may see them. */
@Injectable()
export class DocumentParts {
  constructor(private readonly texts: TextRepository) {}

  async read(
    scope: Scope,
    { id, textLength, headings, pages }: Document,
    asked: Pick<In<typeof readDocumentPart>, "start" | "end">,
  ): Promise<Part> {
    const start = Math.min(asked.start, textLength);
    const longest = Math.max(start, Math.min(asked.end, start + longestPart, textLength));
    const range = { documentId: id, start, end: longest };
    const within = headingPaths(headings, longest);
    const [ofPages, ofHeadings] = [
      cutPlaces(pages === null ? [] : await this.texts.listPageStartsIn(scope, range), start),
      cutPlaces(within.slice(Math.max(0, lastAtOrBefore(within, start))), start),
    ];
    const end = Math.min(longest, ofPages.end, ofHeadings.end);
    const isBefore = (place: { start: number }): boolean =>
      place.start <= start || place.start < end;
    return {
      text: await this.texts.read(scope, { ...range, end }),
      start,
      end,
      pages: ofPages.places.filter(isBefore),
      headings: ofHeadings.places.filter(isBefore),
    };
  }

  /** Where a page starts; null if there is no such page. */
  pageStart(scope: Scope, { id }: Document, page: number): Promise<number | null> {
    return this.texts.findPageStart(scope, id, page);
  }
}

/** As many places as fit into a reply, and where the first one starts that doesn't. */
function cutPlaces<Place extends { start: number }>(
  all: readonly Place[],
  from: number,
): { places: Place[]; end: number } {
  let bytes = 0;
  for (const [index, place] of all.entries()) {
    bytes += Buffer.byteLength(JSON.stringify(place)) + 1;
    if (bytes > mostPlaceBytes && place.start > from)
      return { places: all.slice(0, index), end: place.start };
  }
  return { places: [...all], end: Infinity };
}
