import type {
  In,
  Out,
  Passage,
  PlaceName,
  WorkspaceScope,
  describePlaces,
  findPassages,
  listLeadPassages,
} from "@carrel/contracts";
import { preparedQuery } from "@carrel/database";
import type { SelectedPassage } from "@carrel/retrieval";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { ChunkHeadingRepository } from "../chunking/chunk-heading.repository.ts";
import { ChunkRepository, type LiveChunk } from "../chunking/chunk.repository.ts";
import {
  DocumentRepository,
  metadataColumns,
  type DocumentMetadata,
} from "../document/document.repository.ts";
import { mayRead, readerOf } from "../document/reader.ts";
import {
  TextRepository,
  joinRanges,
  partColumns,
  type PartRow,
  type TextRange,
} from "../document/text.repository.ts";
import type { ParsedPage } from "../parsing/parsed-document.ts";
import { rectanglesFor } from "../parsing/rectangles.ts";
import { conditionOf } from "./document-filter.ts";

/** A range's text and its document; null if the document is gone. */
type StoredPassage = { text: string; document: DocumentMetadata } | null;

/** `n` is null if there are no documents, `start` if a document has no text there. */
type Row = { [Column in keyof PartRow]: PartRow[Column] | null } & {
  publishedCount: number;
  /** Null if an earlier row has it. */
  document: DocumentMetadata | null;
};

@Injectable()
export class PassageRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * The passages at these ranges, in their order, and how many of the versions of workspace
   * documents (`publications`) are published and may be seen by the caller: one statement, because
   * a search waits for it. A passage that the caller may not see is null.
   */
  async read(
    scope: WorkspaceScope,
    ranges: TextRange[],
    publications: ReadonlyMap<number, number>,
  ): Promise<{ passages: StoredPassage[]; publishedCount: number }> {
    // Looked up by key first, whatever the planner makes of the tables' sizes.
    const rows = await preparedQuery<Row>(
      this.dataSource,
      "read passages",
      `WITH w AS MATERIALIZED (
        SELECT id, workspace_id, document_id, index_version
        FROM ingest.workspace_document
        WHERE id = ANY($4::int[])
      ),
      c AS (
        SELECT count(*)::int AS count
        FROM w
        JOIN unnest($4::int[], $5::int[]) AS p(id, version) ON p.id = w.id
          AND p.version = w.index_version
        WHERE w.workspace_id = $6 AND ${mayRead("w.document_id", "$7::int")}
      )
      SELECT c.count AS "publishedCount", ${partColumns},
        CASE
          WHEN row_number() OVER (PARTITION BY d.id ORDER BY r.n, t.start) = 1
            THEN (SELECT row_to_json(m) FROM (SELECT ${metadataColumns}) m)
        END AS document
      FROM c
      LEFT JOIN (
        unnest($1::uuid[], $2::int[], $3::int[]) WITH ORDINALITY AS r(id, "from", "to", n)
        JOIN ingest.document d ON d.id = r.id AND ${mayRead("d.id", "$7::int")}
        LEFT JOIN ingest.document_text t ON t.document_id = r.id
          AND t."end" > r."from"
          AND t.start < r."to"
      ) ON true
      ORDER BY r.n, t.start`,
      [
        ranges.map(({ documentId }) => documentId),
        ranges.map(({ start }) => start),
        ranges.map(({ end }) => end),
        [...publications.keys()],
        [...publications.values()],
        scope.workspace.id,
        readerOf(scope),
      ],
    );
    const documents = new Map(
      rows.flatMap(({ document }) => (document === null ? [] : [[document.id, document]])),
    );
    const texts = joinRanges(
      ranges,
      rows.filter((row): row is Row & PartRow => row.n !== null && row.start !== null),
    );
    return {
      passages: ranges.map(({ documentId }, n) => {
        const document = documents.get(documentId);
        return document === undefined ? null : { text: texts[n]!, document };
      }),
      publishedCount: rows[0]!.publishedCount,
    };
  }
}

/** Keeps a reply below 1 MB, at up to three bytes per character. */
const replyCharacters = 280_000;
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
/** Upper limit for passages; none has ever been longer. */
const longestPlace = 100_000;
const excerptCharacters = 300;

/**
 * Turns places in documents into passages with text, page and metadata, reading the current text.
 */
@Injectable()
export class PassageReader {
  constructor(
    private readonly chunks: ChunkRepository,
    private readonly headings: ChunkHeadingRepository,
    private readonly documents: DocumentRepository,
    private readonly texts: TextRepository,
    private readonly passages: PassageRepository,
  ) {}

  /** Places cited in earlier answers, as far as their documents are still in the workspace. */
  async find(
    scope: WorkspaceScope,
    sources: In<typeof findPassages>["sources"],
  ): Promise<Passage[]> {
    const lengths = await this.chunks.listDocumentLengths(scope, [
      ...new Set(sources.map((source) => source.documentId)),
    ]);
    const places = sources.flatMap(({ id, documentId, start, end }) => {
      const length = lengths.get(documentId) ?? 0;
      return start < Math.min(end, length)
        ? [
            {
              chunkId: id,
              chunkIds: [id],
              documentId,
              start,
              end: Math.min(end, length, start + longestPlace),
              score: 0,
              denseScore: null,
              textScore: null,
            },
          ]
        : [];
    });
    const [published, near] = await Promise.all([
      this.chunks.listLive(
        scope,
        places.map((place) => place.chunkId).filter((id) => uuid.test(id)),
      ),
      this.headings.listAt(scope, places),
    ]);
    const live = new Map<string, LiveChunk>(published);
    // Uses the original chunk if it still exists, otherwise the chunk now at that place.
    for (const [n, { chunkId, documentId, start, end }] of places.entries()) {
      if (live.get(chunkId)?.documentId !== documentId)
        live.set(chunkId, {
          id: chunkId,
          documentId,
          start,
          end,
          page: near[n]?.page ?? null,
          headingPath: near[n]?.headingPath ?? [],
          contentHash: "",
        });
    }
    return (await this.read(scope, places, live)).passages;
  }

  /** Titles, pages and headings of chunks, without reading their texts. */
  async name(scope: WorkspaceScope, chunks: readonly LiveChunk[]): Promise<(PlaceName | null)[]> {
    const ids = [...new Set(chunks.map((chunk) => chunk.documentId))];
    const documents = await this.documents.listMetadata(scope, ids);
    const byId = new Map(documents.map((document) => [document.id, document]));
    return chunks.map(({ documentId, page, headingPath }) => {
      const document = byId.get(documentId);
      return document === undefined
        ? null
        : { title: document.title, docpath: document.docpath, page, headingPath };
    });
  }

  /** Titles and excerpts for places; null for documents no longer in the workspace. */
  async describe(
    scope: WorkspaceScope,
    places: In<typeof describePlaces>["places"],
  ): Promise<Out<typeof describePlaces>["places"]> {
    const ids = [...new Set(places.map((place) => place.documentId))];
    const lengths = await this.chunks.listDocumentLengths(scope, ids);
    const [near, texts, documents] = await Promise.all([
      this.headings.listAt(scope, places),
      this.texts.readAll(
        scope,
        places.map(({ documentId, start, end }) => ({
          documentId,
          start,
          end: Math.min(end, start + excerptCharacters),
        })),
      ),
      this.documents.listMetadata(scope, [...lengths.keys()]),
    ]);
    const byId = new Map(documents.map((document) => [document.id, document]));
    return places.map(({ documentId }, n) => {
      const document = byId.get(documentId);
      return document === undefined
        ? null
        : {
            title: document.title,
            docpath: document.docpath,
            page: near[n]?.page ?? null,
            headingPath: near[n]?.headingPath ?? [],
            excerpt: wholeCharacters(texts[n]!),
          };
    });
  }

  /** Also says whether PostgreSQL still publishes these versions of workspace documents. */
  async read(
    scope: WorkspaceScope,
    selected: readonly SelectedPassage[],
    live: ReadonlyMap<string, LiveChunk>,
    publications: ReadonlyMap<number, number> = new Map(),
  ): Promise<{ passages: Passage[]; arePublished: boolean }> {
    if (selected.length === 0 && publications.size === 0)
      return { passages: [], arePublished: true };
    const ranges = selected.map(({ documentId, start, end }) => ({ documentId, start, end }));
    const paged = ranges.filter((_, n) => live.get(selected[n]!.chunkId)?.page !== null);
    const [{ passages, publishedCount }, pages] = await Promise.all([
      this.passages.read(scope, ranges, publications),
      this.texts.readPages(scope, paged),
    ]);
    return {
      passages: this.build(selected, passages, pages, live),
      arePublished: publishedCount === publications.size,
    };
  }

  private build(
    selected: readonly SelectedPassage[],
    stored: StoredPassage[],
    pages: ReadonlyMap<string, ParsedPage[]>,
    live: ReadonlyMap<string, LiveChunk>,
  ): Passage[] {
    let characters = 0;
    return selected.flatMap((passage, n): Passage[] => {
      // Removed since it was found, so treat it as already gone.
      if (stored[n] === null) return [];
      const { text, document } = stored[n]!;
      characters += text.length + 500;
      // Very long chunks: keep only the best ones.
      if (characters > replyCharacters && n > 0) return [];
      // Merged neighbours may be under other headings; report the page and headings of the matching
      // chunk.
      const best = live.get(passage.chunkId)!;
      const own = pages.get(document.id) ?? [];
      const rectangles = rectanglesFor(own, passage.start, passage.end);
      const spanned = own.filter(({ start, end }) => end > passage.start && start < passage.end);
      return [
        {
          chunkId: passage.chunkId,
          text,
          start: passage.start,
          end: passage.end,
          page: best.page,
          ...(spanned.length > 1 && {
            pageStarts: spanned.map(({ page, start }) => ({ page, start })),
          }),
          headingPath: best.headingPath,
          rectangles,
          score: passage.score,
          denseScore: passage.denseScore,
          textScore: passage.textScore,
          ...mapMetadata(document),
        },
      ];
    });
  }
}

/** Drops half of a surrogate pair at the end. */
const wholeCharacters = (text: string): string =>
  /[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text;

const mapMetadata = (d: DocumentMetadata) => ({
  documentId: d.id,
  docpath: d.docpath,
  title: d.title,
  url: d.url,
  docAuthor: d.docAuthor,
  description: d.description,
  docSource: d.docSource,
  chunkSource: d.chunkSource,
  published: d.published,
  wordCount: d.wordCount,
  tokenCountEstimate: d.tokenCount,
  ...(d.checkedAt !== null && {
    asOf: new Date(d.checkedAt).toISOString(),
    revision: d.revision,
  }),
});

/** Reads the first passages of a workspace's newest documents. */
@Injectable()
export class LeadPassages {
  constructor(
    private readonly dataSource: DataSource,
    private readonly reader: PassageReader,
  ) {}

  async list(
    scope: WorkspaceScope,
    { documents, passages, filter }: In<typeof listLeadPassages>,
  ): Promise<Passage[]> {
    const { condition, values } = conditionOf(filter, 5);
    const chunks = await this.dataSource.query<LiveChunk[]>(
      `WITH w AS (
        SELECT workspace_document.id, document_id, index_version
        FROM ingest.workspace_document
        ${condition === null ? "" : `JOIN ingest.document d ON d.id = document_id AND ${condition}`}
        WHERE workspace_id = $1
          AND index_version IS NOT NULL
          AND ${mayRead("document_id", "$4::int")}
        ORDER BY workspace_document.id DESC LIMIT $2
      )
      SELECT c.id, w.document_id AS "documentId", c.start, c."end", c.page,
        c.heading_path AS "headingPath", '' AS "contentHash"
      FROM w
      JOIN ingest.chunk c ON c.workspace_document_id = w.id
        AND c.version = w.index_version
        AND c.ordinal < $3
      ORDER BY w.id DESC, c.ordinal`,
      [scope.workspace.id, documents, passages, readerOf(scope), ...values],
    );
    const { passages: read } = await this.reader.read(
      scope,
      chunks.map(({ id, documentId, start, end }) => ({
        chunkId: id,
        chunkIds: [id],
        documentId,
        start,
        end,
        score: 0,
        denseScore: null,
        textScore: null,
      })),
      new Map(chunks.map((chunk) => [chunk.id, chunk])),
    );
    return read;
  }
}
