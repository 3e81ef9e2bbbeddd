import {
  candidateFate,
  clipText,
  describePlaces,
  type InspectedCandidate,
  type InspectedPassage,
  type InspectedSearch,
  type Inspection,
  type Passage,
  type PlaceName,
  type SearchTrace,
  type WorkspaceScope,
} from "@carrel/contracts";
import type { RequestClient } from "@carrel/messaging";
import type { InspectionRecord } from "./inspection-record.ts";

type Place = { documentId: string; start: number; end: number };
/** The excerpt is null if it wasn't read. */
type Described = (PlaceName & { excerpt: string | null }) | null;
/** Per request (the contract's limit). */
const placesAtOnce = 500;
const excerptCharacters = 300;
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** What a search has just said about its candidates and passages, so that nothing is read again. */
export function namedPlaces(
  traces: readonly SearchTrace[],
  names: readonly (readonly (PlaceName | null)[])[],
  passages: readonly Passage[],
): Map<string, Described> {
  const known = new Map<string, Described>();
  const byStart = new Map<string, PlaceName>();
  for (const [n, trace] of traces.entries())
    for (const [index, place] of placesOf(trace).entries()) {
      const name = names[n]?.[index];
      if (name === undefined) continue;
      known.set(keyOf(place), name && { ...name, excerpt: null });
      if (name !== null) byStart.set(startOf(place), name);
    }
  for (const passage of passages) {
    // Several chunks may be one passage: it's called what its first one is.
    const name = byStart.get(startOf(passage));
    if (name)
      known.set(keyOf(passage), { ...name, excerpt: clipText(passage.text, excerptCharacters) });
  }
  return known;
}

/**
 * Fills a record with the names and texts the workspace has now; removed ones are left out. `known`
 * places aren't read.
 */
export async function readInspection(
  requests: RequestClient,
  scope: WorkspaceScope,
  record: InspectionRecord,
  o: { question: string; at: Date; known?: ReadonlyMap<string, Described> },
): Promise<Inspection> {
  const places = [
    ...record.searches.flatMap(placesOf),
    ...record.passages.map(({ documentId, start, end }) => ({ documentId, start, end })),
  ];
  const described = await describeAll(requests, scope, places, o.known ?? new Map());
  const searches = record.searches.map((search) => mapSearch(search, record, described));
  const passages = record.passages.map((passage): InspectedPassage => ({
    ...passage,
    ...namesOf(described.get(keyOf(passage))),
    excerpt: described.get(keyOf(passage))?.excerpt ?? "",
  }));
  return {
    question: o.question,
    mode: record.mode,
    provider: record.provider,
    model: record.model,
    at: o.at.toISOString(),
    searches,
    passages,
    prompt: record.prompt,
  };
}

async function describeAll(
  requests: RequestClient,
  scope: WorkspaceScope,
  places: Place[],
  known: ReadonlyMap<string, Described>,
): Promise<Map<string, Described>> {
  const described = new Map(known);
  const distinct = [
    ...new Map(
      places
        .filter((place) => uuid.test(place.documentId) && !known.has(keyOf(place)))
        .map((place) => [keyOf(place), place]),
    ).values(),
  ];
  for (let start = 0; start < distinct.length; start += placesAtOnce) {
    const some = distinct.slice(start, start + placesAtOnce);
    const reply = await requests.request(describePlaces, { places: some }, { scope });
    for (const [index, place] of some.entries())
      described.set(keyOf(place), reply.places[index] ?? null);
  }
  return described;
}

const keyOf = ({ documentId, start, end }: Place): string => `${documentId} ${start} ${end}`;
const startOf = ({ documentId, start }: Place): string => `${documentId} ${start}`;
const namesOf = (
  place: Described | undefined,
): Pick<InspectedPassage, "title" | "page" | "headingPath"> => ({
  title: place?.title ?? null,
  page: place?.page ?? null,
  headingPath: place?.headingPath ?? [],
});
const placesOf = ({ documents, candidates }: SearchTrace): Place[] =>
  candidates.map(([document, start, end]) => ({
    documentId: documents[document!]!,
    start: start!,
    end: end!,
  }));

function mapSearch(
  { documents: _documents, candidates, ...search }: SearchTrace,
  record: InspectionRecord,
  described: ReadonlyMap<string, Described>,
): InspectedSearch {
  const places = placesOf({ ...search, documents: _documents, candidates });
  return {
    ...search,
    isRewritten: search.query.includes("\n"),
    candidates: candidates.map((row, index): InspectedCandidate => {
      const [
        ,
        ,
        ,
        denseScore,
        densePlace,
        textScore,
        textPlace,
        score,
        fusedRank,
        fusedPlace,
        rerankScore,
        fate,
        better,
      ] = row;
      const place = places[index]!;
      const names = described.get(keyOf(place));
      return {
        place: index + 1,
        ...place,
        ...namesOf(names),
        docpath: names?.docpath ?? null,
        excerpt: names ? names.excerpt : "",
        denseScore: denseScore ?? null,
        densePlace: densePlace ?? null,
        textScore: textScore ?? null,
        textPlace: textPlace ?? null,
        score: score ?? 0,
        fusedRank: fusedRank ?? 0,
        fusedPlace: fusedPlace ?? 0,
        rerankScore: rerankScore ?? null,
        fate: finalFate(candidateFate.options[fate ?? 0] ?? "over-top-n", place, record),
        better: better ?? null,
      };
    }),
  };
}

/**
 * A passage kept by the search may still have been left out: another search for the question took
 * its place, or the window was full. An agent reads whatever each of its searches kept.
 */
function finalFate(
  fate: InspectedCandidate["fate"],
  place: Place,
  { mode, passages }: InspectionRecord,
): InspectedCandidate["fate"] {
  if ((fate !== "kept" && fate !== "joined") || mode === "automatic") return fate;
  const within = passages.find(
    (passage) =>
      passage.origin === "found" &&
      passage.documentId === place.documentId &&
      passage.start <= place.start &&
      passage.end >= place.end,
  );
  if (within === undefined) return "over-top-n";
  return within.fate === "over-budget" || within.fate === "not-quoted" ? within.fate : fate;
}
