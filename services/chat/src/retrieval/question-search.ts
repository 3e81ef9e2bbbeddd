import {
  clipText,
  listLeadPassages,
  searchPassages,
  type Args,
  type KnownFault,
  type Out,
  type Passage,
  type PlaceName,
  type RetrievalFilter,
  type SearchTrace,
  type WorkspaceScope,
} from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { SettingsCache } from "../setting/settings-cache.ts";
import { contextsOf, mergeReadings, type Context, type Reading } from "./follow-up.ts";

type Found = Out<typeof searchPassages>;
/** What was found for one question, and the traces of its searches. */
export type FoundPassages = Pick<Found, "documentCount" | "milliseconds" | "fallback"> & {
  /** Passages from all readings, at most as many as the workspace wants. */
  passages: Passage[];
  /** Readings of the question, the likelier one first. */
  readings: Reading[];
  traces: readonly SearchTrace[];
  /** What the candidates of each trace are called; empty unless requested. */
  names: (PlaceName | null)[][];
};

/** Maximum number of candidates per search kept for the inspector: about 4 kB. */
const tracedCandidates = 60;

/** The contract's limit. */
const longestQuery = 20_000;

/** Which beginnings of documents to read, and whether the first of each come first. */
export interface Overview {
  documents: number;
  passages: number;
  isBroad: boolean;
}

/** Settings that override the workspace's. */
export type SearchOverrides = Partial<
  Pick<
    Args<typeof searchPassages>,
    | "topN"
    | "similarityThreshold"
    | "mode"
    | "filter"
    | "expansion"
    | "rerank"
    | "trace"
    | "names"
    | "excludeDocumentIds"
  >
>;

/** Searches the workspace for the passages a question needs. */
@Injectable()
export class QuestionSearch {
  constructor(
    private readonly settings: SettingsCache,
    private readonly requests: RequestClient,
  ) {}

  /**
   * Searches with the workspace's settings; for a possible follow-up alone and, at the same time,
   * with the previous question, whose words count less.
   */
  async search(
    scope: WorkspaceScope,
    question: string,
    previousQuestion: string | null,
    overrides: SearchOverrides = {},
  ): Promise<FoundPassages> {
    const workspace = await this.settings.getWorkspace(scope);
    const options = {
      topN: workspace.topN,
      similarityThreshold: workspace.similarityThreshold,
      rerank: workspace.vectorSearchMode === "rerank",
      trace: tracedCandidates,
      ...overrides,
      query: clipText(question, longestQuery),
    };
    const searchIn = async (context: Context): Promise<{ context: Context; found: Found }> => ({
      context,
      found: await this.requests.request(
        searchPassages,
        { ...options, previousQuery: context?.slice(-longestQuery) ?? null },
        { scope },
      ),
    });
    const searches = await Promise.all(contextsOf(question, previousQuestion).map(searchIn));
    const readings = searches.map(({ context, found }) => ({
      context,
      passages: found.passages,
      searched: found.searched,
    }));
    return {
      passages: mergeReadings(readings, options.topN),
      readings,
      documentCount: searches[0]!.found.documentCount,
      milliseconds: Math.max(...searches.map(({ found }) => found.milliseconds)),
      fallback: searches.find(({ found }) => found.fallback)?.found.fallback ?? null,
      traces: searches.flatMap(({ found }) => found.trace ?? []),
      names: searches.flatMap(({ found }) => (found.trace === null ? [] : [found.names ?? []])),
    };
  }

  /** The beginnings of the newest documents, without scores. */
  async listLead(
    scope: WorkspaceScope,
    { documents, passages, isBroad }: Overview,
    filter: RetrievalFilter = {},
  ): Promise<Passage[]> {
    const found = await this.requests.request(
      listLeadPassages,
      { documents, passages, filter },
      { scope },
    );
    return isBroad ? breadthFirst(found.passages) : found.passages;
  }
}

/** The first passages of all documents, then the second ones, and so on. */
function breadthFirst(passages: readonly Passage[]): Passage[] {
  const documents = [...Map.groupBy(passages, ({ documentId }) => documentId).values()];
  const most = documents.reduce((max, own) => Math.max(max, own.length), 0);
  return Array.from({ length: most }, (_, place) =>
    documents.flatMap((own) => own[place] ?? []),
  ).flat();
}

/** Describes the store, index or embedder that the search had to do without. */
export const describeFallback = (
  { store, searched, isRebuilding }: NonNullable<FoundPassages["fallback"]>,
  documentCount: number,
): KnownFault => {
  if (isRebuilding) return { code: "notice.index-rebuilding" };
  if (store === null) return { code: "notice.embedder-unreachable" };
  if (documentCount === 0) return { code: "notice.documents-wait", params: { store } };
  return searched === "text-index"
    ? { code: "notice.text-search-only", params: { store } }
    : { code: "notice.stored-text-search", params: { store } };
};
