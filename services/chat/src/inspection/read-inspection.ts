import {
  candidateFate,
  describePlaces,
  type InspectedCandidate,
  type InspectedPassage,
  type InspectedSearch,
  type Inspection,
  type Out,
  type SearchTrace,
  type WorkspaceScope,
} from "@carrel/contracts";
import type { RequestClient } from "@carrel/messaging";
import type { InspectionRecord } from "./inspection-record.ts";

type Place = { documentId: string; start: number; end: number };
type Described = Out<typeof describePlaces>["places"][number];
/** Per request (the contract's limit). */
const placesAtOnce = 500;
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Fills a record with the names and texts the workspace has now; removed ones are left out. */
export async function readInspection(
  requests: RequestClient,
  scope: WorkspaceScope,
  record: InspectionRecord,
  o: { question: string; at: Date },
): Promise<Inspection> {
  const places = [
    ...record.searches.flatMap(placesOf),
    ...record.passages.map(({ documentId, start, end }) => ({ documentId, start, end })),
  ];
  const described = await describeAll(requests, scope, places);
  const searches = record.searches.map((search) => mapSearch(search, record, described));
  const passages = record.passages.map((passage): InspectedPassage => ({
    ...passage,
    ...namesOf(described.get(keyOf(passage))),
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
): Promise<Map<string, Described>> {
  const distinct = [
    ...new Map(
      places.filter((place) => uuid.test(place.documentId)).map((place) => [keyOf(place), place]),
    ).values(),
  ];
  const described = new Map<string, Described>();
  for (let start = 0; start < distinct.length; start += placesAtOnce) {
    const some = distinct.slice(start, start + placesAtOnce);
    const reply = await requests.request(describePlaces, { places: some }, { scope });
    for (const [index, place] of some.entries())
      described.set(keyOf(place), reply.places[index] ?? null);
  }
  return described;
}

const keyOf = ({ documentId, start, end }: Place): string => `${documentId} ${start} ${end}`;
const namesOf = (
  place: Described | undefined,
): Pick<InspectedPassage, "title" | "page" | "headingPath" | "excerpt"> => ({
  title: place?.title ?? null,
  page: place?.page ?? null,
  headingPath: place?.headingPath ?? [],
  excerpt: place?.excerpt ?? "",
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
