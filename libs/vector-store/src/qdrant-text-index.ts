import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { rescore, termWeight } from "./bm25.ts";
import {
  QdrantCollection,
  tenantFilter,
  tenantKey,
  type QdrantServer,
} from "./qdrant-collection.ts";
import type { TermStatistics, TextHit, TextIndex, TextRow } from "./vector-store.ts";

/**
 * Assumed chunk length in terms, used for the stored weights: the mean is not known when a chunk is
 * written. Matches chunks of the default size.
 */
const assumedLength = 110;
const overfetch = 2;
const minCandidates = 100;
/**
 * Frequencies are read again after this long to include other replicas' writes; our own writes
 * discard them at once.
 */
const frequenciesMs = 5_000;
/** Chunks sampled for the mean length and for frequent terms, and how long the sample is used. */
const sampled = { chunks: 1_000, ms: 60_000 };
/** Terms in fewer chunks are counted exactly, others in the sample. */
const maxCounted = 200;

interface Sample {
  until: number;
  documentCount: number;
  averageLength: number;
  /** How many chunks of the workspace each sampled chunk represents. */
  scale: number;
  /** Number of sampled chunks that contain each term, for terms in several. */
  counts: Map<string, number>;
}
interface Frequencies {
  until: number;
  counts: Map<string, number>;
}

/**
 * Sparse vectors with Qdrant's IDF modifier find the candidates, which are re-ranked by the
 * workspace's own statistics; Qdrant counts those with the keyword index on `vocabulary`, all terms
 * of a question in one request.
 */
export class QdrantTextIndex implements TextIndex {
  private readonly collection: QdrantCollection;
  private readonly samples = new LRUCache<number, Sample>({ max: 30 });
  private readonly frequencies = new LRUCache<number, Frequencies>({ max: 1_000 });

  constructor(server: QdrantServer, name: string) {
    this.collection = new QdrantCollection(
      server,
      name,
      { sparse_vectors: { terms: { modifier: "idf" } } },
      { vocabulary: "keyword" },
    );
  }

  ensure(): Promise<void> {
    return this.collection.ensure();
  }
  recheck(): Promise<void> {
    return this.collection.recheck();
  }

  async upsert(rows: TextRow[]): Promise<void> {
    await this.collection.upsert(
      rows.map((row) => ({
        id: row.id,
        vector: { terms: sparse(row.terms) },
        payload: {
          workspace: tenantKey(row.workspaceId),
          document: row.documentId,
          version: row.version,
          vocabulary: [...new Set(row.terms)],
          terms: row.terms.join(" "),
        },
      })),
    );
    for (const { workspaceId } of rows) this.forget(workspaceId);
  }

  async search({
    workspaceId,
    terms,
    limit,
    documentIds,
  }: {
    workspaceId: number;
    terms: string[];
    limit: number;
    documentIds?: readonly string[];
  }): Promise<TextHit[]> {
    const asked = terms.filter(Boolean);
    if (!asked.length || limit < 1 || documentIds?.length === 0) return [];
    const statistics = await this.statistics({ workspaceId, terms: asked });
    const present = asked.filter((term) => statistics.frequencies.has(term));
    if (!present.length) return [];
    const found = await this.collection.runBriefly((client) =>
      client.query(this.collection.name, {
        query: {
          indices: [...new Set(present.map(termIndex))],
          values: Array.from({ length: new Set(present.map(termIndex)).size }, () => 1),
        },
        using: "terms",
        filter: tenantFilter(workspaceId, documentIds),
        limit: Math.max(minCandidates, limit * overfetch),
        with_payload: ["terms"],
      }),
    );
    return rescore(
      found.points.map((point) => ({
        id: String(point.id),
        terms: String(point.payload?.["terms"] ?? "").split(" "),
      })),
      present,
      statistics,
    ).slice(0, limit);
  }

  async searchAcross({
    workspaceIds,
    terms,
    limit,
  }: {
    workspaceIds: readonly number[];
    terms: readonly string[];
    limit: number;
  }): Promise<string[]> {
    const indices = [...new Set(terms.filter(Boolean).map(termIndex))];
    if (!indices.length || !workspaceIds.length || limit < 1) return [];
    const found = await this.collection.runBriefly((client) =>
      client.query(this.collection.name, {
        query: { indices, values: indices.map(() => 1) },
        using: "terms",
        filter: { must: [{ key: "workspace", match: { any: workspaceIds.map(tenantKey) } }] },
        limit,
        with_payload: false,
      }),
    );
    return found.points.map((point) => String(point.id));
  }

  async statistics({
    workspaceId,
    terms,
  }: {
    workspaceId: number;
    terms: string[];
  }): Promise<TermStatistics> {
    const known = this.frequenciesOf(workspaceId);
    const missing = [...new Set(terms)].filter((term) => !known.counts.has(term));
    const sample = await this.count(workspaceId, missing, known);
    const frequencies = new Map<string, number>();
    for (const term of terms) {
      const count = known.counts.get(term) ?? 0;
      if (count > 0) frequencies.set(term, count);
    }
    return {
      documentCount: sample.documentCount,
      frequencies,
      averageLength: sample.averageLength,
    };
  }

  async deleteByDocument(
    workspaceId: number,
    documentId: string,
    options: { exceptVersion?: number } = {},
  ): Promise<void> {
    await this.collection.deleteByDocument(workspaceId, documentId, options);
    this.forget(workspaceId);
  }
  async deleteWorkspace(workspaceId: number): Promise<void> {
    await this.collection.deleteWorkspace(workspaceId);
    this.forget(workspaceId);
  }
  async drop(): Promise<void> {
    await this.collection.drop();
    this.frequencies.clear();
    this.samples.clear();
  }
  health(): Promise<void> {
    return this.collection.health();
  }

  /** Counts the terms, and reads the sample if there is none, in one request. */
  private async count(workspaceId: number, terms: string[], known: Frequencies): Promise<Sample> {
    const sample = this.samples.get(workspaceId);
    const isFresh = sample !== undefined && sample.until > Date.now();
    if (isFresh && terms.length === 0) return sample;
    const filter = tenantFilter(workspaceId);
    const replies = await this.collection.runBriefly((client) =>
      client.queryBatch(this.collection.name, {
        searches: [
          ...(isFresh ? [] : [{ filter, limit: sampled.chunks, with_payload: ["terms"] }]),
          ...terms.map((term) => ({
            filter: { must: [...filter.must, { key: "vocabulary", match: { value: term } }] },
            limit: maxCounted,
            with_payload: false,
          })),
        ],
      }),
    );
    const current = isFresh ? sample : await this.makeSample(workspaceId, replies.shift()!.points);
    for (const [place, term] of terms.entries()) {
      const counted = replies[place]!.points.length;
      known.counts.set(
        term,
        counted < maxCounted
          ? counted
          : Math.max(counted, Math.round((current.counts.get(term) ?? 0) * current.scale)),
      );
    }
    return current;
  }

  /** Points come in the order of their ids, which are hashes, so the first ones are a sample. */
  private async makeSample(
    workspaceId: number,
    points: { payload?: Record<string, unknown> | null | undefined }[],
  ): Promise<Sample> {
    const chunks = points.map((point) => String(point.payload?.["terms"] ?? "").split(" "));
    const documentCount =
      points.length < sampled.chunks
        ? points.length
        : (
            await this.collection.runBriefly((client) =>
              client.count(this.collection.name, {
                filter: tenantFilter(workspaceId),
                exact: true,
              }),
            )
          ).count;
    const sample: Sample = {
      until: Date.now() + sampled.ms,
      documentCount,
      averageLength:
        chunks.reduce((sum, terms) => sum + terms.length, 0) / Math.max(1, chunks.length),
      scale: documentCount / Math.max(1, chunks.length),
      counts: countRepeated(chunks),
    };
    this.samples.set(workspaceId, sample);
    return sample;
  }

  private frequenciesOf(workspaceId: number): Frequencies {
    const known = this.frequencies.get(workspaceId);
    if (known && known.until > Date.now()) return known;
    const frequencies: Frequencies = { until: Date.now() + frequenciesMs, counts: new Map() };
    this.frequencies.set(workspaceId, frequencies);
    return frequencies;
  }

  private forget(workspaceId: number): void {
    this.frequencies.delete(workspaceId);
    this.samples.delete(workspaceId);
  }
}

/** Number of lists that contain each term; terms in only one are left out. */
function countRepeated(lists: string[][]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const terms of lists)
    for (const term of new Set(terms)) counts.set(term, (counts.get(term) ?? 0) + 1);
  return new Map([...counts].filter(([, count]) => count > 1));
}

/** Index of a term in the sparse vector: 32 bits of its hash. A collision only adds a candidate. */
const termIndex = (term: string): number =>
  createHash("sha1").update(term).digest().readUInt32BE(0);

function sparse(terms: string[]): { indices: number[]; values: number[] } {
  const counts = new Map<number, number>();
  for (const term of terms) counts.set(termIndex(term), (counts.get(termIndex(term)) ?? 0) + 1);
  return {
    indices: [...counts.keys()],
    values: [...counts.values()].map((count) => termWeight(count, terms.length, assumedLength)),
  };
}
