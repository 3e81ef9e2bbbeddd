import { type In, type Out, type WorkspaceScope, type searchPassages } from "@carrel/contracts";
import {
  bodyTermsOf,
  minReach,
  rankCandidates,
  searchCandidates,
  searchedWords,
  selectPassages,
  type Candidates,
  type Ranking,
} from "@carrel/retrieval";
import { Injectable } from "@nestjs/common";
import type { PublishedChunk } from "../chunking/chunk.repository.ts";
import { Rerankers, noRerank, type Reranked } from "../reranking/rerankers.ts";
import { AvailableIndexes, type SearchIndexes } from "./available-indexes.ts";
import { DocumentFilter, type FilteredDocuments } from "./document-filter.ts";
import { LiveChunks, WorkspaceSummaries, listPublications } from "./live-chunks.ts";
import { PassageReader } from "./passage-reader.ts";
import { buildTrace } from "./search-trace.ts";
import { WorkspaceVectors, type FindMissing } from "./workspace-vectors.ts";

/**
 * Factor by which a search widens when excluded documents crowd out too many results, and its
 * maximum reach.
 */
const wider = 8;
const widest = 1_000;

type Request = In<typeof searchPassages>;
/** What to look for and where. */
interface Sought {
  question: string;
  /** The question, preceded by the one it refers to. */
  asked: string;
  text: SearchIndexes["text"] | null;
  vectors: Promise<ReturnType<SearchIndexes["vectors"]> | null>;
  vector: Promise<Float32Array | null>;
  findMissing: Promise<FindMissing | null>;
  filtered: FilteredDocuments | null;
}

/** Result of one round of index queries; `rejected` chunks matched but must not be shown. */
interface SearchRound {
  candidates: Candidates;
  live: Map<string, PublishedChunk>;
  rejected: Map<string, PublishedChunk>;
  ranking: Ranking;
  all: Ranking;
}

/**
 * Finds the passages for a question: the indexes propose candidates, fusion, reranker and threshold
 * select from those that exist, and PostgreSQL confirms them before they are shown.
 */
@Injectable()
export class PassageSearch {
  constructor(
    private readonly indexes: AvailableIndexes,
    private readonly vectors: WorkspaceVectors,
    private readonly chunks: LiveChunks,
    private readonly filters: DocumentFilter,
    private readonly rerankers: Rerankers,
    private readonly reader: PassageReader,
    private readonly summaries: WorkspaceSummaries,
  ) {}

  /** `onCounts` receives how many chunks the indexes proposed, exist and were selected. */
  async search(
    scope: WorkspaceScope,
    input: Request,
    onCounts: (counts: Record<string, number>) => void = () => undefined,
  ): Promise<Out<typeof searchPassages>> {
    const started = performance.now();
    const elapsed = (): number => Math.round((performance.now() - started) * 100) / 100;
    const question = input.query.trim();
    const asked = input.previousQuery === null ? question : `${input.previousQuery}\n${question}`;
    // Full-text search runs while the query is being embedded, because an embedder may be slow or
    // hang.
    const pendingSummary = this.summaries.get(scope);
    const { mode } = input;
    const embedding =
      mode === "text" || question === ""
        ? Promise.resolve(null)
        : pendingSummary.then((summary) => this.vectors.embedQuestion(scope, asked, summary, mode));
    embedding.catch(() => undefined);
    const [summary, filtered] = await Promise.all([
      pendingSummary,
      this.filters.resolve(scope, input.filter),
    ]);
    const documentCount = filtered === null ? summary.documents : filtered.count;
    const nothing = {
      passages: [],
      searched: [],
      documentCount: summary.documents,
      dense: false,
      fallback: null,
      trace: null,
    };
    if (summary.documents === 0 || question === "") {
      const fallback = summary.documents === 0 ? await this.indexes.findWait(scope) : null;
      return { ...nothing, fallback, milliseconds: elapsed() };
    }
    const known = embedding.then(async (query) =>
      query && (await this.summaries.hasVectors(scope, query.name)) ? query : null,
    );
    const found = known.then((query) =>
      query?.vector ? { name: query.name, vector: query.vector } : null,
    );
    const indexes = await this.indexes.open(scope, summary.isRebuilding);
    const text = input.mode === "dense" ? null : indexes.text;
    const vectors = found.then((query) =>
      query ? indexes.vectors({ model: query.name, dimensions: query.vector.length }) : null,
    );
    const vector = found.then((query) => query?.vector ?? null);
    const findMissing = found.then((query) =>
      query && input.mode === "hybrid"
        ? this.vectors.openMissing(scope, summary, query.name)
        : null,
    );
    const sought = { question, asked, text, vectors, vector, findMissing, filtered };
    const select = () => this.select(scope, input, sought);
    let selected = await select();
    // A removal is confirmed before every process has received the event.
    if (!selected.arePublished) {
      this.chunks.forget(scope.workspace.id);
      selected = await select();
    }
    const { round, reranked, fates } = selected;
    onCounts({
      "carrel.chunks.text": round.candidates.text.length,
      "carrel.chunks.dense": round.candidates.dense?.length ?? 0,
      "carrel.chunks.published": round.live.size,
      "carrel.passages": selected.passages.length,
      "carrel.documents": documentCount,
    });
    const reply = {
      passages: selected.passages,
      searched: searchedWords(round.candidates),
      documentCount: summary.documents,
      dense: round.candidates.dense !== null,
      fallback: indexes.fallback ?? (await withoutEmbedder(known)),
      milliseconds: elapsed(),
    };
    if (input.trace === 0) return { ...reply, trace: null };
    const { trace, chunks } = buildTrace(
      {
        query: asked,
        filter: input.filter,
        threshold: input.similarityThreshold,
        topN: input.topN,
        documentCount,
        embedder: round.candidates.dense === null ? null : ((await found)?.name ?? null),
        milliseconds: reply.milliseconds,
        candidates: round.candidates,
        expansion: round.ranking.expansion,
        rerank: reranked.trace,
        chunks: reranked.chunks,
        rerankScores: reranked.scores,
        fused: round.ranking.chunks,
        fates,
        inPrompt: round.all.chunks.filter((chunk) => round.rejected.has(chunk.id)),
        placeOf: (id) => round.live.get(id) ?? round.rejected.get(id)!,
      },
      input.trace,
    );
    if (!input.names) return { ...reply, trace };
    return { ...reply, trace, names: await this.reader.name(scope, chunks) };
  }

  /** One selection, which PostgreSQL confirms or rejects while its passages are read. */
  private async select(scope: WorkspaceScope, input: Request, o: Sought) {
    const round = await this.searchIndexes(scope, input, o);
    const { chunks } = round.ranking;
    const isHybrid = o.text !== null && round.candidates.dense !== null;
    const reranked: Reranked = input.rerank
      ? await this.rerankers.rerank(scope, o.asked, chunks, round.live)
      : isHybrid
        ? this.rerankers.rerankBuiltIn(chunks)
        : { chunks, ...noRerank };
    const bodies = bodyTermsOf(round.candidates);
    const { passages, fates } = selectPassages(reranked.chunks, round.live, {
      threshold: input.similarityThreshold,
      topN: input.topN,
      contentOf: (id) => ({ hash: round.live.get(id)!.contentHash, terms: bodies(id) }),
    });
    const { passages: found, arePublished } = await this.reader.read(
      scope,
      passages,
      round.live,
      listPublications(round.live, round.rejected),
    );
    return { round, reranked, fates, passages: found, arePublished };
  }

  /**
   * Queries the indexes, widening the reach while excluded or removed documents crowd out others.
   */
  private async searchIndexes(
    scope: WorkspaceScope,
    input: Request,
    o: Sought,
  ): Promise<SearchRound> {
    const excluded = new Set(input.excludeDocumentIds);
    let { filtered } = o;
    for (let round = 0; ; round++) {
      const documentIds = filtered?.publicationIds ?? undefined;
      const reach = Math.min(Math.max(input.topN, minReach) * wider ** round, widest);
      const candidates = await searchCandidates(
        { text: o.text, vectors: o.vectors },
        {
          workspaceId: scope.workspace.id,
          question: o.question,
          previousQuestion: input.previousQuery,
          vector: o.vector,
          topN: reach,
          ...(documentIds && { documentIds }),
        },
      );
      const pendingLive = this.chunks.list(scope, candidates.ids);
      const findMissing = candidates.dense === null ? null : await o.findMissing;
      const withoutVectors = findMissing === null ? undefined : await pendingLive.then(findMissing);
      const options = { expansion: input.expansion, withoutVectors };
      const [live, all] = await Promise.all([pendingLive, rankLater(candidates, options)]);
      // Not for the caller, removed but not yet swept, or republished between the two queries; in
      // the latter case the next round finds it again.
      const isSomeGone = live.size < candidates.ids.length;
      const rejected = new Map<string, PublishedChunk>();
      const allowed =
        filtered === null
          ? null
          : await filtered.select([
              ...new Set([...live.values()].map((chunk) => chunk.documentId)),
            ]);
      if (allowed !== null || excluded.size > 0)
        for (const [id, chunk] of live) {
          if (allowed !== null && !allowed.has(chunk.documentId)) live.delete(id);
          else if (excluded.has(chunk.documentId)) {
            live.delete(id);
            rejected.set(id, chunk);
          }
        }
      // Usually all candidates exist; missing ones must not influence the order of the rest.
      const ranking =
        live.size === candidates.ids.length
          ? all
          : rankCandidates(candidates, new Set(live.keys()), options);
      // Excluded or removed documents may have crowded out others: widen until there are no more
      // candidates.
      const isEnough =
        (excluded.size === 0 && filtered === null && !isSomeGone) ||
        filtered?.count === 0 ||
        ranking.chunks.length >= input.topN ||
        // One more round finds what was republished meanwhile.
        (candidates.isExhausted && !(round === 0 && isSomeGone)) ||
        reach === widest;
      // The filter named versions of documents that others have replaced meanwhile.
      if (round === 0 && filtered !== null && filtered.count > 0 && ranking.chunks.length === 0) {
        filtered = await this.filters.resolve(scope, input.filter);
        continue;
      }
      if (isEnough) return { candidates, live, rejected, ranking, all };
      // What the caller may not see may outnumber what they may by more than the widest reach.
      if (isSomeGone && reach * wider >= widest)
        filtered ??= await this.filters.resolveReadable(scope);
    }
  }
}

/** Yields first, so that the query just started reaches PostgreSQL before the CPU-bound ranking. */
async function rankLater(
  candidates: Candidates,
  options: Parameters<typeof rankCandidates>[2],
): Promise<Ranking> {
  await new Promise<void>((resolve) => setImmediate(resolve));
  return rankCandidates(candidates, undefined, options);
}

/** The vectors exist, but the question has none. */
async function withoutEmbedder(
  known: Promise<{ vector: Float32Array | null } | null>,
): Promise<Out<typeof searchPassages>["fallback"]> {
  return (await known)?.vector === null ? { store: null, searched: "text-index" } : null;
}
