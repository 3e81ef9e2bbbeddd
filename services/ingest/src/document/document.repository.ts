import { documentWatchChanged, type Scope, type WorkspaceScope } from "@carrel/contracts";
import { preparedQuery } from "@carrel/database";
import { eventMessage, Outbox } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { unparsedColumns, type Unparsed } from "./document-jobs.ts";
import { Document } from "./document.entity.ts";
import { mayRead, readerOf } from "./reader.ts";

/** Stored instead of a language if none could be detected (ISO 639-2). */
export const undetermined = "und";

/** Number of chunks with vectors that a language has in an index. */
interface LanguageCount {
  language: string;
  chunks: number;
}

/** Languages of searchable workspace documents, for the instance's internal work and searches. */
@Injectable()
export class DocumentLanguageRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Documents that are searchable in some workspace and whose language isn't known yet; with
   * `among`, only those of these workspace documents.
   */
  async listUnknown(_scope: Scope, limit: number, among: number[] | null): Promise<string[]> {
    const rows = await preparedQuery<{ id: string }>(
      this.dataSource,
      among === null ? "list unknown languages" : "list unknown languages among",
      `SELECT DISTINCT document_id AS id FROM ingest.workspace_document
      WHERE language IS NULL AND index_version IS NOT NULL
        ${among === null ? "" : "AND id = ANY($2::int[])"}
      LIMIT $1`,
      among === null ? [limit] : [limit, among],
    );
    return rows.map(({ id }) => id);
  }

  async save(_scope: Scope, documents: { id: string; language: string }[]): Promise<void> {
    await this.dataSource.query(
      `UPDATE ingest.workspace_document w SET language = d.language
      FROM unnest($1::uuid[], $2::text[]) AS d(id, language)
      WHERE w.document_id = d.id AND w.language IS NULL`,
      [documents.map(({ id }) => id), documents.map(({ language }) => language)],
    );
  }

  /** Languages of the documents with vectors in the table, most chunks first. */
  countEmbedded(_scope: Scope, table: string): Promise<LanguageCount[]> {
    return this.dataSource.query(
      `SELECT language, sum(chunk_count)::int AS chunks
      FROM ingest.workspace_document
      WHERE index_version IS NOT NULL AND embedded_model = $1 AND language IS NOT NULL
      GROUP BY language
      ORDER BY 2 DESC, 1`,
      [table],
    );
  }

  /**
   * The workspace documents whose vectors don't count: they aren't in the table yet, or the
   * language isn't one of these. `null` stands for a language that isn't known yet.
   */
  async listWithoutVectors(
    scope: WorkspaceScope,
    ids: number[],
    table: string,
    languages: readonly (string | null)[],
  ): Promise<Set<number>> {
    if (ids.length === 0) return new Set();
    const rows = await preparedQuery<{ id: number }>(
      this.dataSource,
      "list documents without vectors",
      `WITH w AS MATERIALIZED (
        SELECT id, workspace_id, embedded_model, coalesce(language, '') AS language
        FROM ingest.workspace_document
        WHERE id = ANY($2::int[])
      )
      SELECT id
      FROM w
      WHERE workspace_id = $1
        AND (embedded_model IS DISTINCT FROM $3 OR language <> ALL($4::text[]))`,
      [scope.workspace.id, ids, table, languages.map((language) => language ?? "")],
    );
    return new Set(rows.map(({ id }) => id));
  }
}

export type NewDocument = Pick<
  Document,
  | "id"
  | "docpath"
  | "folder"
  | "filename"
  | "title"
  | "url"
  | "docAuthor"
  | "description"
  | "docSource"
  | "chunkSource"
  | "published"
  | "declaredMime"
  | "mime"
  | "bytes"
  | "sha256"
  | "blobKey"
> &
  // `inLibrary` defaults to true, `isUpload` to false, and the audience to everyone.
  Partial<Pick<Document, "kind" | "inLibrary" | "isUpload" | "audienceId">>;
export type DocumentMetadata = Pick<
  Document,
  | "id"
  | "docpath"
  | "title"
  | "url"
  | "docAuthor"
  | "description"
  | "docSource"
  | "chunkSource"
  | "published"
  | "wordCount"
  | "tokenCount"
  | "revision"
> & {
  /** A text where it was read as JSON. */
  checkedAt: Date | string | null;
};

/** The columns of `DocumentMetadata` in a query whose document is `d`. */
export const metadataColumns = `d.id, d.docpath, d.title, d.url, d.doc_author AS "docAuthor",
  d.description, d.doc_source AS "docSource", d.chunk_source AS "chunkSource", d.published,
  d.word_count AS "wordCount", d.token_count AS "tokenCount", d.checked_at AS "checkedAt",
  d.revision`;

/**
 * The library is shared across the instance: every principal that may call a library operation sees
 * all of it, except documents that are for others only. Rows keep their owner.
 */
@Injectable()
export class DocumentRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
  ) {}

  async create(scope: Scope, manager: EntityManager, values: NewDocument): Promise<void> {
    await manager.insert(Document, { ...values, state: "queued", userId: scope.principal.userId });
  }

  /** Null if there is none that the caller may see. */
  find(scope: Scope, id: string, manager = this.dataSource.manager): Promise<Document | null> {
    return this.query(scope, manager).andWhere("d.id = :id", { id }).getOne();
  }

  list(scope: Scope, ids: string[]): Promise<Document[]> {
    return this.query(scope).andWhere("d.id = ANY(:ids)", { ids }).getMany();
  }

  /** Document metadata for citations, without headings, of which a long document has many. */
  listMetadata(scope: Scope, ids: string[]): Promise<DocumentMetadata[]> {
    return preparedQuery(
      this.dataSource,
      "list metadata",
      `SELECT ${metadataColumns} FROM ingest.document d
      WHERE d.id = ANY($1::uuid[]) AND ${mayRead("d.id", "$2::int")}`,
      [ids, readerOf(scope)],
    );
  }

  /** Library documents with these docpaths. */
  listByDocpath(scope: Scope, docpaths: string[]): Promise<Document[]> {
    return this.query(scope)
      .andWhere("d.docpath = ANY(:docpaths) AND d.inLibrary", { docpaths })
      .getMany();
  }

  /** Retries a failed document. Null if it didn't fail or its original is gone. */
  async requeue(scope: Scope, manager: EntityManager, id: string): Promise<Unparsed | null> {
    return (await this.requeueMany(scope, manager, [id]))[0] ?? null;
  }

  /**
   * Deletes the row with its text and pages, and returns the key of its original. Its workspace
   * documents must already be gone.
   */
  async delete(
    _scope: Scope,
    manager: EntityManager,
    id: string,
  ): Promise<{ blobKey: string | null } | null> {
    const [deleted] = await this.deleteRows(manager, [id]);
    return deleted ? { blobKey: deleted.blob_key } : null;
  }

  /** Retries the failed documents whose originals were kept. */
  async requeueMany(_scope: Scope, manager: EntityManager, ids: string[]): Promise<Unparsed[]> {
    return (
      await manager.query<[Unparsed[], number]>(
        `UPDATE ingest.document d SET state = 'queued', reason = NULL, version = d.version + 1,
          updated_at = now(), lease_until = NULL
        WHERE d.id = ANY($1::uuid[]) AND d.state = 'failed' AND d.blob_key IS NOT NULL
        RETURNING ${unparsedColumns}`,
        [ids],
      )
    )[0];
  }

  /** Queues a document that is read again in another encoding; null while it is being read. */
  async requeueAs(
    _scope: Scope,
    manager: EntityManager,
    id: string,
    encoding: string,
  ): Promise<Unparsed | null> {
    const [rows] = await manager.query<[Unparsed[], number]>(
      `UPDATE ingest.document d SET state = 'queued', reason = NULL, version = d.version + 1,
        encoding = $2, updated_at = now(), lease_until = NULL
      WHERE d.id = $1 AND d.state IN ('parsed', 'failed') AND d.blob_key IS NOT NULL
      RETURNING ${unparsedColumns}`,
      [id, encoding],
    );
    return rows[0] ?? null;
  }

  /**
   * Hides all documents recorded for a library change in one statement and cancels pending parsing.
   */
  async hideNoted(_scope: Scope, manager: EntityManager, changeId: string): Promise<void> {
    await manager.query(
      `WITH words AS (
        DELETE FROM ingest.document_words w USING ingest.library_change_item i
        WHERE i.change_id = $1 AND w.document_id = i.document_id
      )
      UPDATE ingest.document d SET in_library = false,
        state = CASE WHEN d.state = 'parsed' THEN d.state ELSE 'failed' END, lease_until = NULL,
        updated_at = now()
      FROM ingest.library_change_item i
      WHERE i.change_id = $1 AND d.id = i.document_id AND d.in_library`,
      [changeId],
    );
  }

  /**
   * Deletes many rows with their texts and pages, and returns the keys of their originals. Their
   * workspace documents must already be gone.
   */
  async deleteMany(_scope: Scope, manager: EntityManager, ids: string[]): Promise<string[]> {
    return (await this.deleteRows(manager, ids)).flatMap((row) => row.blob_key ?? []);
  }

  /** The sync worker forgets those that were watched. */
  private async deleteRows(
    manager: EntityManager,
    ids: string[],
  ): Promise<{ blob_key: string | null }[]> {
    const [rows] = await manager.query<
      [{ blob_key: string | null; watched: string | null }[], number]
    >(
      `DELETE FROM ingest.document WHERE id = ANY($1::uuid[])
      RETURNING blob_key, CASE WHEN watch IS NOT NULL THEN id END AS watched`,
      [ids],
    );
    const documentIds = rows.flatMap(({ watched }) => watched ?? []);
    if (documentIds.length > 0)
      await this.outbox.add(manager, eventMessage(documentWatchChanged, { documentIds }));
    return rows;
  }

  /**
   * Parsed library documents with these docpaths; only those in one of `workspaceIds`, if given.
   */
  listParsed(
    scope: Scope,
    docpaths: string[],
    workspaceIds?: readonly number[],
  ): Promise<Pick<Document, "id" | "docpath">[]> {
    return this.dataSource.query(
      `SELECT id, docpath FROM ingest.document d
      WHERE docpath = ANY($1::text[]) AND in_library AND state = 'parsed'
        AND ($2::int[] IS NULL OR EXISTS (
          SELECT 1 FROM ingest.workspace_document w
          WHERE w.document_id = d.id AND w.workspace_id = ANY($2)
        ))
        AND ${mayRead("d.id", "$3::int")}`,
      [docpaths, workspaceIds ?? null, readerOf(scope)],
    );
  }

  /** Ids of the library documents with these docpaths, in any state. */
  async listIds(scope: Scope, docpaths: string[]): Promise<string[]> {
    return (
      await this.dataSource.query<{ id: string }[]>(
        `SELECT d.id FROM ingest.document d
        WHERE d.docpath = ANY($1::text[]) AND d.in_library AND ${mayRead("d.id", "$2::int")}`,
        [docpaths, readerOf(scope)],
      )
    ).map((row) => row.id);
  }

  private query(scope: Scope, manager = this.dataSource.manager) {
    return manager
      .createQueryBuilder(Document, "d")
      .where(mayRead("d.id", ":reader::int"), { reader: readerOf(scope) });
  }

  /**
   * Deletes failed documents that no workspace shows: chat files after ten minutes, library
   * documents after a week, which gives the uploader or manager time to read the reason.
   */
  async deleteForgotten(_scope: Scope, manager: EntityManager): Promise<string[]> {
    const rows = await manager.query<
      [{ blob_key: string | null }[], number]
    >(`DELETE FROM ingest.document d
      WHERE d.state = 'failed'
        AND d.revises IS NULL
        AND d.updated_at < now() - CASE
          WHEN d.in_library THEN interval '7 days'
          ELSE interval '10 minutes'
        END
        AND NOT EXISTS (SELECT 1 FROM ingest.workspace_document w WHERE w.document_id = d.id)
      RETURNING d.blob_key`);
    return rows[0].flatMap((row) => row.blob_key ?? []);
  }
}
