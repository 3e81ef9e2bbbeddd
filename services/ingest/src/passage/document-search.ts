import {
  CarrelError,
  findWorkspaces,
  listWorkspaceIds,
  type In,
  type Out,
  type Scope,
  type searchDocumentTexts,
} from "@carrel/contracts";
import { preparedQuery } from "@carrel/database";
import { RequestClient } from "@carrel/messaging";
import { searchTerms } from "@carrel/retrieval";
import { VectorStoreError } from "@carrel/vector-store";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { mayRead, readerOf } from "../document/reader.ts";
import { TextRepository, type TextRange } from "../document/text.repository.ts";
import { IndexStore } from "../index/index-store.ts";
import { findWords, wordsOf, type WordsFound } from "./find-words.ts";

/** A chunk of a workspace that is still published, with what is shown of its document. */
interface FoundChunk extends TextRange {
  id: string;
  workspaceId: number;
  title: string;
  mime: string;
  headingPath: string[];
}

@Injectable()
export class DocumentSearchRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Lists the chunks that exist in one of these workspaces and that the caller may see, in no
   * particular order.
   */
  listChunks(
    scope: Scope,
    workspaceIds: readonly number[],
    ids: readonly string[],
  ): Promise<FoundChunk[]> {
    return preparedQuery(
      this.dataSource,
      "list found chunks",
      `WITH c AS MATERIALIZED (SELECT * FROM ingest.chunk WHERE id = ANY($2::uuid[]))
      SELECT c.id, w.workspace_id AS "workspaceId", w.document_id AS "documentId", c.start, c."end",
        d.title, d.mime, c.heading_path AS "headingPath"
      FROM c
      JOIN ingest.workspace_document w ON w.id = c.workspace_document_id
        AND w.index_version = c.version
        AND w.workspace_id = ANY($1::int[])
      JOIN ingest.document d ON d.id = w.document_id
      WHERE ${mayRead("d.id", "$3::int")}`,
      [workspaceIds, ids, readerOf(scope)],
    );
  }

  /** Whether documents of these workspaces are lost from the index, and wait to be indexed again. */
  async isAnyRebuilding(_scope: Scope, workspaceIds: readonly number[]): Promise<boolean> {
    const [row] = await preparedQuery<{ found: boolean }>(
      this.dataSource,
      "find lost documents",
      `SELECT EXISTS (
        SELECT 1 FROM ingest.workspace_document
        WHERE workspace_id = ANY($1::int[])
          AND index_version = lost_index_version AND state <> 'failed'
      ) AS found`,
      [workspaceIds],
    );
    return row!.found;
  }

  /** The page each place is on, in their order; null in documents without pages. */
  async listPages(
    _scope: Scope,
    places: readonly { documentId: string; start: number }[],
  ): Promise<(number | null)[]> {
    if (places.length === 0) return [];
    const rows = await preparedQuery<{ page: number | null }>(
      this.dataSource,
      "list pages of places",
      `SELECT p.page
      FROM unnest($1::uuid[], $2::int[]) WITH ORDINALITY AS r(document_id, start, n)
      LEFT JOIN LATERAL (
        SELECT p.page FROM ingest.document_page p
        WHERE p.document_id = r.document_id AND p.start <= r.start
        ORDER BY p.start DESC LIMIT 1
      ) p ON true
      ORDER BY r.n`,
      [places.map(({ documentId }) => documentId), places.map(({ start }) => start)],
    );
    return rows.map(({ page }) => page);
  }
}

/** Shorter terms are in every document. */
const shortestTerm = 3;
/** Chunks whose text is read; the index already puts those with most of the words first. */
const maxChunks = 60;
/** Chunks asked for if too few of those may be seen. */
const mostChunks = 1_000;
/** Share of a longer term's words that a place needs. */
const minShare = 0.7;
/** More places in one document would hide the others. */
const maxPerDocument = 3;

type Result = Out<typeof searchDocumentTexts>;
type Hits = Result["hits"];
interface Found {
  chunk: FoundChunk;
  words: WordsFound;
}

/** Finds places by their words, in the documents of every workspace the caller may use. */
@Injectable()
export class DocumentSearch {
  constructor(
    private readonly requests: RequestClient,
    private readonly index: IndexStore,
    private readonly repository: DocumentSearchRepository,
    private readonly texts: TextRepository,
  ) {}

  async search(
    scope: Scope,
    { searchTerm, preferred, limit }: In<typeof searchDocumentTexts>,
  ): Promise<Result> {
    const typed = searchTerm.trim();
    const words = wordsOf(typed);
    if (Array.from(typed).length < shortestTerm || words.length === 0)
      return { hits: [], isRebuilding: false };
    const workspaceIds = await this.listUsable(scope);
    // Before the search: a document that is found again in between isn't missing from its results.
    const isRebuilding = await this.repository.isAnyRebuilding(scope, workspaceIds);
    const { ids, chunks } = await this.findChunks(scope, workspaceIds, searchTerms(typed));
    if (chunks.length === 0) return { hits: [], isRebuilding };
    // Asked again by name, because access may have ended in the meantime.
    const [texts, { workspaces }] = await Promise.all([
      this.texts.readAll(scope, chunks),
      this.requests.request(
        findWorkspaces,
        { ids: [...new Set(chunks.map(({ workspaceId }) => workspaceId))] },
        { scope },
      ),
    ]);
    const nameOf = new Map(workspaces.map(({ id, slug, name }) => [id, { slug, name }]));
    const rank = new Map(ids.map((id, place) => [id, place]));
    const isPreferred = ({ chunk }: Found): boolean =>
      nameOf.get(chunk.workspaceId)?.slug === preferred;
    const found = chunks
      .flatMap((chunk, n): Found[] => {
        const place = nameOf.has(chunk.workspaceId) ? findWords(texts[n]!, words) : null;
        return place !== null && place.share >= neededShare(words) ? [{ chunk, words: place }] : [];
      })
      .sort(
        (a, b) =>
          Number(b.words.isPhrase) - Number(a.words.isPhrase) ||
          b.words.share - a.words.share ||
          Number(isPreferred(b)) - Number(isPreferred(a)) ||
          rank.get(a.chunk.id)! - rank.get(b.chunk.id)!,
      );
    const chosen = withoutRepeats(found).slice(0, limit);
    const pages = await this.repository.listPages(
      scope,
      chosen.map(({ chunk, words: { matches } }) => ({
        documentId: chunk.documentId,
        start: chunk.start + matches[0]!.start,
      })),
    );
    const hits: Hits = chosen.map(({ chunk, words: place }, n) => ({
      documentId: chunk.documentId,
      title: chunk.title,
      mime: chunk.mime,
      workspace: nameOf.get(chunk.workspaceId)!,
      page: pages[n] ?? null,
      headingPath: chunk.headingPath,
      excerpt: texts[chunks.indexOf(chunk)]!.slice(place.start, place.end),
      start: chunk.start + place.start,
      end: chunk.start + place.end,
      matches: place.matches.map(({ start, end }) => ({
        start: chunk.start + start,
        end: chunk.start + end,
      })),
    }));
    return { hits, isRebuilding };
  }

  /** Looks further if documents that the caller may not see crowd out others. */
  private async findChunks(
    scope: Scope,
    workspaceIds: number[],
    terms: string[],
  ): Promise<{ ids: string[]; chunks: FoundChunk[] }> {
    for (const limit of [maxChunks, mostChunks]) {
      const ids = await this.searchIndex(workspaceIds, terms, limit);
      if (ids.length === 0) break;
      const chunks = await this.repository.listChunks(scope, workspaceIds, ids);
      const isFull = chunks.length >= Math.min(ids.length, maxChunks);
      if (isFull || ids.length < limit || limit === mostChunks) {
        const rank = new Map(ids.map((id, place) => [id, place]));
        chunks.sort((a, b) => rank.get(a.id)! - rank.get(b.id)!);
        return { ids, chunks: chunks.slice(0, maxChunks) };
      }
    }
    return { ids: [], chunks: [] };
  }

  private async searchIndex(
    workspaceIds: number[],
    terms: string[],
    limit: number,
  ): Promise<string[]> {
    try {
      const fault = await this.index.textFault();
      if (fault) throw fault;
      const text = await this.index.text();
      return await text.searchAcross({ workspaceIds, terms, limit });
    } catch (fault) {
      throw fault instanceof VectorStoreError ? CarrelError.fromFault(fault.fault) : fault;
    }
  }

  private async listUsable(scope: Scope): Promise<number[]> {
    const usable: number[] = [];
    // Paged because a reply between services is limited to 1 MB.
    for (let after: number | null = null; ;) {
      const page: Out<typeof listWorkspaceIds> = await this.requests.request(
        listWorkspaceIds,
        { after },
        { scope },
      );
      usable.push(...page.ids);
      if (page.next === null) return usable;
      after = page.next;
    }
  }
}

const neededShare = (words: readonly string[]): number => (words.length <= 2 ? 1 : minShare);

/**
 * Drops places found before: in another workspace with the document, or in the next chunk, which
 * begins with the last one's end.
 */
function withoutRepeats(found: readonly Found[]): Found[] {
  const kept = new Map<string, number[]>();
  return found.filter(({ chunk, words }) => {
    const places = kept.get(chunk.documentId) ?? [];
    const start = chunk.start + words.matches[0]!.start;
    if (places.includes(start) || places.length === maxPerDocument) return false;
    kept.set(chunk.documentId, [...places, start]);
    return true;
  });
}
