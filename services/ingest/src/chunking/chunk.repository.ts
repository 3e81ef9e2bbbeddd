import type { Scope, WorkspaceScope } from "@carrel/contracts";
import { StatementBatches, preparedQuery } from "@carrel/database";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import type { Restriction } from "../document/audience.repository.ts";
import { mayRead, readerOf } from "../document/reader.ts";
import type { TextRange } from "../document/text.repository.ts";

/** The largest workspaces and chunks of the index, for the instance's internal work. */
@Injectable()
export class ChunkSampleRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Chunks of documents with vectors in the table in this language, from as many as possible. */
  sampleEmbedded(
    _scope: Scope,
    table: string,
    language: string,
    most: number,
  ): Promise<TextRange[]> {
    return this.dataSource.query(
      `WITH documents AS (
        SELECT min(id) AS id
        FROM ingest.workspace_document
        WHERE index_version IS NOT NULL AND embedded_model = $1 AND language = $2
        GROUP BY document_id
        ORDER BY md5(document_id::text) LIMIT $3
      )
      SELECT d.document_id AS "documentId", c.start, c."end"
      FROM documents
      JOIN ingest.workspace_document d USING (id)
      CROSS JOIN LATERAL (
        SELECT id, start, "end", row_number() OVER (ORDER BY md5(id::text)) AS place
        FROM ingest.chunk
        WHERE workspace_id = d.workspace_id
          AND workspace_document_id = d.id
          AND version = d.index_version
        LIMIT $3
      ) c
      ORDER BY c.place, md5(c.id::text)
      LIMIT $3`,
      [table, language, most],
    );
  }

  /** Ids of the largest workspaces by number of chunks, with at least `fewest` each. */
  async listLargestWorkspaces(_scope: Scope, most: number, fewest: number): Promise<number[]> {
    const rows = await this.dataSource.query<{ id: number }[]>(
      `SELECT workspace_id AS id FROM ingest.workspace_document WHERE index_version IS NOT NULL
      GROUP BY workspace_id HAVING sum(chunk_count) >= $2 ORDER BY sum(chunk_count) DESC, workspace_id LIMIT $1`,
      [most, fewest],
    );
    return rows.map((row) => row.id);
  }
}

export interface ChunkRow {
  id: string;
  ordinal: number;
  start: number;
  end: number;
  headingPath: string[];
  contentHash: Buffer;
}
/** A chunk found by a search that still exists. */
export interface LiveChunk {
  id: string;
  documentId: string;
  start: number;
  end: number;
  page: number | null;
  headingPath: string[];
  /** Hash of its text, in hexadecimal. */
  contentHash: string;
}

/** A live chunk with the version of the workspace document it belongs to. */
export interface PublishedChunk extends LiveChunk {
  workspaceDocumentId: number;
  version: number;
}

/** The published version of a workspace document, and who may see it. */
export interface Publication extends Restriction {
  version: number;
}

/**
 * Searchable documents, their chunks, the models with vectors of any of them, how many have none,
 * and their languages; null stands for one that isn't known yet. `restricted` documents are for some
 * people only. `isRebuilding` while any document is lost from the index and waits to be re-indexed.
 */
export interface WorkspaceSummary {
  documents: number;
  restricted: number;
  passages: number;
  models: string[];
  withoutVectors: number;
  languages: (string | null)[];
  isRebuilding: boolean;
}

/** How many documents, and chunks of them, are for the same people. */
export interface RestrictedDocuments extends Restriction {
  documents: number;
  passages: number;
}

@Injectable()
export class ChunkRepository {
  private readonly summaries = new StatementBatches<number, WorkspaceSummary>({
    run: async (workspaceIds) => ({ outputs: await this.summarise(workspaceIds) }),
  });

  constructor(private readonly dataSource: DataSource) {}

  async listPage(
    scope: WorkspaceScope,
    workspaceDocumentId: number,
    version: number,
    afterOrdinal: number,
    limit: number,
  ): Promise<ChunkRow[]> {
    const rows = await this.dataSource.query<
      {
        id: string;
        ordinal: number;
        start: number;
        end: number;
        heading_path: string[];
        content_hash: Buffer;
      }[]
    >(
      `SELECT id, ordinal, start, "end", heading_path, content_hash
      FROM ingest.chunk
      WHERE workspace_id = $1 AND workspace_document_id = $2 AND version = $3 AND ordinal > $4
      ORDER BY ordinal LIMIT $5`,
      [scope.workspace.id, workspaceDocumentId, version, afterOrdinal, limit],
    );
    return rows.map(({ heading_path: headingPath, content_hash: contentHash, ...row }) => ({
      ...row,
      headingPath,
      contentHash,
    }));
  }

  /**
   * The places of a document's published chunks in one of its workspaces; empty if there are more
   * than `most`.
   */
  async listPlaces(
    _scope: Scope,
    documentId: string,
    most: number,
  ): Promise<{ start: number; end: number }[]> {
    return this.dataSource.query(
      `SELECT c.start, c."end"
      FROM (
        SELECT id, workspace_id, index_version
        FROM ingest.workspace_document
        WHERE document_id = $1 AND index_version IS NOT NULL AND chunk_count <= $2
        ORDER BY id LIMIT 1
      ) w
      JOIN ingest.chunk c ON c.workspace_id = w.workspace_id
        AND c.workspace_document_id = w.id
        AND c.version = w.index_version
      ORDER BY c.ordinal`,
      [documentId, most],
    );
  }

  /** Returns the chunks that exist in the workspace, whoever may see them. */
  async listLive(
    scope: WorkspaceScope,
    ids: string[],
  ): Promise<Map<string, PublishedChunk & Restriction>> {
    if (ids.length === 0) return new Map();
    // Looked up by key first: the planner would otherwise read every chunk of a small workspace.
    const rows = await preparedQuery<{
      id: string;
      document_id: string;
      workspace_document_id: number;
      version: number;
      start: number;
      end: number;
      page: number | null;
      heading_path: string[];
      content_hash: string;
      audienceId: number | null;
      ownerId: number | null;
    }>(
      this.dataSource,
      "list live chunks",
      `WITH c AS MATERIALIZED (SELECT * FROM ingest.chunk WHERE id = ANY($2::uuid[]))
      SELECT c.id, w.document_id, c.workspace_document_id, c.version, c.start, c."end", c.page,
        c.heading_path, encode(c.content_hash, 'hex') AS content_hash,
        d.audience_id AS "audienceId", d.user_id AS "ownerId"
      FROM c
      JOIN ingest.workspace_document w ON w.id = c.workspace_document_id
        AND w.index_version = c.version
        AND w.workspace_id = $1
      JOIN ingest.document d ON d.id = w.document_id`,
      [scope.workspace.id, ids],
    );
    return new Map(
      rows.map(
        ({
          document_id: documentId,
          workspace_document_id: workspaceDocumentId,
          heading_path: headingPath,
          content_hash: contentHash,
          ...row
        }) => [row.id, { ...row, documentId, workspaceDocumentId, headingPath, contentHash }],
      ),
    );
  }

  /** The publication of each of these workspace documents that has one. */
  async listPublications(scope: WorkspaceScope, ids: number[]): Promise<Map<number, Publication>> {
    const rows = await preparedQuery<{ id: number } & Publication>(
      this.dataSource,
      "list published versions",
      `WITH w AS MATERIALIZED (
        SELECT id, workspace_id, document_id, index_version
        FROM ingest.workspace_document
        WHERE id = ANY($2::int[])
      )
      SELECT w.id, w.index_version AS version, d.audience_id AS "audienceId", d.user_id AS "ownerId"
      FROM w
      JOIN ingest.document d ON d.id = w.document_id
      WHERE w.workspace_id = $1 AND w.index_version IS NOT NULL`,
      [scope.workspace.id, ids],
    );
    return new Map(rows.map(({ id, ...publication }) => [id, publication]));
  }

  /**
   * Lengths in characters of the given documents that are searchable in the workspace and that the
   * caller may see.
   */
  async listDocumentLengths(
    scope: WorkspaceScope,
    documentIds: string[],
  ): Promise<Map<string, number>> {
    const rows = await this.dataSource.query<{ id: string; length: number }[]>(
      `SELECT d.id, d.text_length AS length
      FROM ingest.workspace_document w
      JOIN ingest.document d ON d.id = w.document_id
      WHERE w.workspace_id = $1
        AND w.index_version IS NOT NULL
        AND w.document_id = ANY($2::uuid[])
        AND ${mayRead("w.document_id", "$3::int")}`,
      [scope.workspace.id, documentIds, readerOf(scope)],
    );
    return new Map(rows.map((row) => [row.id, row.length]));
  }

  /** Of all documents, whoever may see them. */
  summary({ workspace }: WorkspaceScope): Promise<WorkspaceSummary> {
    return this.summaries.add(workspace.id);
  }

  /** The searchable documents that are for some people only, by whom they are for. */
  listRestricted({ workspace }: WorkspaceScope): Promise<RestrictedDocuments[]> {
    return this.dataSource.query(
      `SELECT d.audience_id AS "audienceId", d.user_id AS "ownerId", count(*)::int AS documents,
        coalesce(sum(w.chunk_count), 0)::int AS passages
      FROM ingest.document d
      JOIN ingest.workspace_document w ON w.document_id = d.id
      WHERE d.audience_id IS NOT NULL AND w.workspace_id = $1 AND w.index_version IS NOT NULL
      GROUP BY d.audience_id, d.user_id`,
      [workspace.id],
    );
  }

  /** How many of the searchable documents and their chunks the caller may not see. */
  async countHidden(scope: WorkspaceScope): Promise<{ documents: number; passages: number }> {
    const [row] = await this.dataSource.query<{ documents: number; passages: number }[]>(
      `SELECT count(*)::int AS documents, coalesce(sum(w.chunk_count), 0)::int AS passages
      FROM ingest.document d
      JOIN ingest.workspace_document w ON w.document_id = d.id
      WHERE d.audience_id IS NOT NULL
        AND w.workspace_id = $1
        AND w.index_version IS NOT NULL
        AND NOT ${mayRead("d.id", "$2::int")}`,
      [scope.workspace.id, readerOf(scope)],
    );
    return row!;
  }

  private async summarise(workspaceIds: readonly number[]): Promise<WorkspaceSummary[]> {
    const rows = await preparedQuery<{
      workspaceId: number;
      documents: number;
      restricted: number;
      passages: number;
      models: string[] | null;
      withoutVectors: number;
      languages: (string | null)[];
      isRebuilding: boolean;
    }>(
      this.dataSource,
      "summarise workspaces",
      `SELECT workspace_id AS "workspaceId", count(*)::int AS documents,
        (count(*) FILTER (
          WHERE document_id IN (SELECT id FROM ingest.document WHERE audience_id IS NOT NULL)
        ))::int AS restricted,
        coalesce(sum(chunk_count), 0)::int AS passages,
        array_agg(DISTINCT embedded_model) FILTER (WHERE embedded_model IS NOT NULL) AS models,
        (count(*) FILTER (WHERE embedded_model IS NULL))::int AS "withoutVectors",
        array_agg(DISTINCT language) AS languages,
        coalesce(
          bool_or(index_version = lost_index_version AND state <> 'failed'), false
        ) AS "isRebuilding"
      FROM ingest.workspace_document
      WHERE workspace_id = ANY($1::int[]) AND index_version IS NOT NULL
      GROUP BY workspace_id`,
      [[...new Set(workspaceIds)]],
    );
    const byId = new Map(
      rows.map(({ workspaceId, models, ...counts }) => [
        workspaceId,
        { ...counts, models: models ?? [] },
      ]),
    );
    return workspaceIds.map(
      (id) =>
        byId.get(id) ?? {
          documents: 0,
          restricted: 0,
          passages: 0,
          models: [],
          withoutVectors: 0,
          languages: [],
          isRebuilding: false,
        },
    );
  }
}
