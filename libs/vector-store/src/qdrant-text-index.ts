import { createHash } from "node:crypto";
import { rescore, termWeight } from "./bm25.ts";
import {
  QdrantCollection,
  tenantFilter,
  tenantKey,
  type QdrantServer,
} from "./qdrant-collection.ts";
import type { TermStatistics, TextHit, TextIndex, TextRow } from "./text-index.ts";

/**
 * Assumed chunk length in terms, used for the stored weights: the mean is not known when a chunk is
 * written. Matches chunks of the default size.
 */
const assumedLength = 110;
const overfetch = 2;
const minCandidates = 100;
/**
 * Counts are refreshed after this long to include other replicas' writes; our own writes invalidate
 * them immediately.
 */
const statisticsMs = 5_000;
/** Number of chunks sampled for the mean length. */
const lengthSample = 256;

interface Counts {
  until: number;
  documentCount: number;
  averageLength: number;
  frequencies: Map<string, number>;
}

/**
 * Sparse vectors with Qdrant's IDF modifier find the candidates, which are re-ranked by the
 * workspace's own statistics; Qdrant counts those with the keyword index on `vocabulary`.
 */
export class QdrantTextIndex implements TextIndex {
  readonly #collection: QdrantCollection;
  readonly #counts = new Map<number, Counts>();

  constructor(server: QdrantServer, name: string) {
    this.#collection = new QdrantCollection(
      server,
      name,
      { sparse_vectors: { terms: { modifier: "idf" } } },
      { vocabulary: "keyword" },
    );
  }

  ensure(): Promise<void> {
    return this.#collection.ensure();
  }
  recheck(): Promise<void> {
    return this.#collection.recheck();
  }

  async upsert(rows: TextRow[]): Promise<void> {
    await this.#collection.upsert(
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
    for (const row of rows) this.#counts.delete(row.workspaceId);
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
    const found = await this.#collection.run((client) =>
      client.query(this.#collection.name, {
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

  async statistics({
    workspaceId,
    terms,
  }: {
    workspaceId: number;
    terms: string[];
  }): Promise<TermStatistics> {
    const counts = await this.#countsOf(workspaceId);
    const missing = [...new Set(terms)].filter((term) => !counts.frequencies.has(term));
    const filter = tenantFilter(workspaceId);
    await Promise.all(
      missing.map(async (term) => {
        const { count } = await this.#collection.run((client) =>
          client.count(this.#collection.name, {
            filter: { must: [...filter.must, { key: "vocabulary", match: { value: term } }] },
            exact: true,
          }),
        );
        counts.frequencies.set(term, count);
      }),
    );
    const frequencies = new Map<string, number>();
    for (const term of terms)
      if (counts.frequencies.get(term)) frequencies.set(term, counts.frequencies.get(term)!);
    return {
      documentCount: counts.documentCount,
      frequencies,
      averageLength: counts.averageLength,
    };
  }

  async deleteByDocument(
    workspaceId: number,
    documentId: string,
    options: { exceptVersion?: number } = {},
  ): Promise<void> {
    await this.#collection.deleteByDocument(workspaceId, documentId, options);
    this.#counts.delete(workspaceId);
  }
  async deleteWorkspace(workspaceId: number): Promise<void> {
    await this.#collection.deleteWorkspace(workspaceId);
    this.#counts.delete(workspaceId);
  }
  async drop(): Promise<void> {
    await this.#collection.drop();
    this.#counts.clear();
  }
  health(): Promise<void> {
    return this.#collection.health();
  }

  async #countsOf(workspaceId: number): Promise<Counts> {
    const known = this.#counts.get(workspaceId);
    if (known && known.until > Date.now()) return known;
    const filter = tenantFilter(workspaceId);
    const [total, sample] = await Promise.all([
      this.#collection.run((client) =>
        client.count(this.#collection.name, { filter, exact: true }),
      ),
      this.#collection.run((client) =>
        client.scroll(this.#collection.name, {
          filter,
          limit: lengthSample,
          with_payload: ["terms"],
          with_vector: false,
        }),
      ),
    ]);
    const lengths = sample.points.map(
      (point) => String(point.payload?.["terms"] ?? "").split(" ").length,
    );
    const counts: Counts = {
      until: Date.now() + statisticsMs,
      documentCount: total.count,
      frequencies: new Map(),
      averageLength: lengths.length
        ? lengths.reduce((sum, length) => sum + length, 0) / lengths.length
        : 0,
    };
    this.#counts.set(workspaceId, counts);
    if (this.#counts.size > 1_000) this.#counts.delete(this.#counts.keys().next().value!);
    return counts;
  }
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
