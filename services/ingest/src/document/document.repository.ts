import type { Scope } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource, In, type EntityManager } from "typeorm";
import { entityColumns, mapEntity } from "../database/entity-rows.ts";
import { preparedQuery } from "../database/prepared-query.ts";
import type { ParsedPage } from "../parsing/parsed-document.ts";
import type { PreparedText } from "../work-pool/work.ts";
import { Document } from "./document.entity.ts";
import { kindOf } from "./document-kind.ts";

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
  Partial<Pick<Document, "kind" | /** Default true. */ "inLibrary">>;
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
>;

/**
 * The library is one for the instance: every principal that may call a library operation sees all
 * of it. Rows keep their owner.
 */
@Injectable()
export class DocumentRepository {
  constructor(private readonly dataSource: DataSource) {}

  async create(scope: Scope, manager: EntityManager, values: NewDocument): Promise<void> {
    await manager.insert(Document, { ...values, state: "queued", userId: scope.principal.userId });
  }

  find(_scope: Scope, id: string, manager = this.dataSource.manager): Promise<Document | null> {
    return manager.findOneBy(Document, { id });
  }

  list(_scope: Scope, ids: string[]): Promise<Document[]> {
    return this.dataSource.manager.find(Document, { where: { id: In(ids) } });
  }

  /** What a citation says of its document; without headings, which a long document has many of. */
  listMetadata(_scope: Scope, ids: string[]): Promise<DocumentMetadata[]> {
    return preparedQuery(
      this.dataSource,
      "list metadata",
      `SELECT "id", "docpath", "title", "url", "doc_author" AS "docAuthor", "description", "doc_source" AS "docSource", "chunk_source" AS "chunkSource",
      "published", "word_count" AS "wordCount", "token_count" AS "tokenCount" FROM "ingest"."document" WHERE "id" = ANY($1::uuid[])`,
      [ids],
    );
  }

  /** Documents of the library by their docpaths. */
  listByDocpath(_scope: Scope, docpaths: string[]): Promise<Document[]> {
    return this.dataSource.manager.find(Document, {
      where: { docpath: In(docpaths), inLibrary: true },
    });
  }

  /**
   * Takes the document for parsing, or null when this version is no longer due. `first`: nobody has
   * taken this version before.
   */
  async claim(
    _scope: Scope,
    id: string,
    version: number,
    leaseMs: number,
  ): Promise<{ document: Document; first: boolean } | null> {
    const rows = await this.dataSource.query<
      [(Record<string, unknown> & { before: string })[], number]
    >(
      `WITH "old" AS (SELECT "id", "state" FROM "ingest"."document" WHERE "id" = $1 AND "version" = $2 AND "state" IN ('queued', 'parsing') FOR UPDATE)
      UPDATE "ingest"."document" d SET "state" = 'parsing', "lease_until" = now() + $3 * interval '1 millisecond' + coalesce(d."recognition_pages", 0) * interval '60 seconds', "updated_at" = now(), "run" = d."run" + 1 FROM "old" WHERE d."id" = "old"."id"
      RETURNING "old"."state" AS "before", ${entityColumns(this.dataSource, Document, "d")}`,
      [id, version, leaseMs],
    );
    const row = rows[0][0];
    return row
      ? { document: mapEntity(this.dataSource, Document, row), first: row.before === "queued" }
      : null;
  }

  /** Whether the run that claimed the document is still the only one. */
  async holds(
    _scope: Scope,
    { id, version, run }: Pick<Document, "id" | "version" | "run">,
  ): Promise<boolean> {
    return (
      (
        await this.dataSource.query<unknown[]>(
          `SELECT 1 FROM "ingest"."document" WHERE "id" = $1 AND "version" = $2 AND "run" = $3`,
          [id, version, run],
        )
      ).length > 0
    );
  }

  /**
   * Stores the text with its map; false when the version is no longer due (removed, or tried again
   * meanwhile).
   */
  async saveParsed(
    _scope: Scope,
    manager: EntityManager,
    id: string,
    version: number,
    parsed: PreparedText,
  ): Promise<boolean> {
    const updated = await manager
      .createQueryBuilder()
      .update(Document)
      .set({
        state: "parsed",
        reason: null,
        leaseUntil: null,
        mime: parsed.mime,
        wordCount: parsed.wordCount,
        tokenCount: parsed.tokenCount,
        textLength: parsed.textLength,
        pages: parsed.pages.length > 0 ? parsed.pages.length : null,
        headings: parsed.headings,
        docSource: () => `CASE WHEN doc_source = '' THEN :docSource ELSE doc_source END`,
        kind: () => `CASE WHEN kind = 'other' THEN :kind ELSE kind END`,
        updatedAt: () => "now()",
      })
      .where(`id = :id AND version = :version AND state IN ('queued', 'parsing')`, { id, version })
      .setParameters({
        docSource: parsed.docSource,
        kind: kindOf({ filename: "", mime: parsed.mime }),
      })
      .execute();
    if (updated.affected !== 1) return false;
    // A large document's text in several statements: none of them is larger than a few megabytes.
    for (let i = 0; i < parsed.parts.length; i += 128) {
      const parts = parsed.parts.slice(i, i + 128);
      await manager.query(
        `INSERT INTO "ingest"."document_text" ("document_id", "start", "end", "text") SELECT $1, * FROM unnest($2::int[], $3::int[], $4::text[])
        ON CONFLICT ("document_id", "start") DO UPDATE SET "end" = excluded."end", "text" = excluded."text"`,
        [
          id,
          parts.map((part) => part.start),
          parts.map((part) => part.start + part.text.length),
          parts.map((part) => part.text),
        ],
      );
    }
    for (let i = 0; i < parsed.pages.length; i += 200) {
      const pages = parsed.pages.slice(i, i + 200);
      await manager.query(
        `INSERT INTO "ingest"."document_page" ("document_id", "page", "start", "end", "width", "height", "runs") SELECT $1, * FROM unnest($2::int[], $3::int[], $4::int[], $5::real[], $6::real[], $7::bytea[])
        ON CONFLICT ("document_id", "page") DO UPDATE SET "start" = excluded."start", "end" = excluded."end", "runs" = excluded."runs"`,
        [
          id,
          pages.map((p) => p.page),
          pages.map((p) => p.start),
          pages.map((p) => p.end),
          pages.map((p) => p.width),
          pages.map((p) => p.height),
          pages.map((p) => Buffer.from(p.runs.buffer, p.runs.byteOffset, p.runs.byteLength)),
        ],
      );
    }
    return true;
  }

  /**
   * Marks a failure; what cannot succeed with the same bytes loses its original (`keepOriginal`
   * false). Gives the blob that may go.
   */
  async fail(
    _scope: Scope,
    manager: EntityManager,
    id: string,
    version: number,
    reason: string,
    keepOriginal: boolean,
  ): Promise<string | null> {
    const rows = await manager.query<[{ blob_key: string | null }[], number]>(
      `WITH "old" AS (SELECT "id", "blob_key" FROM "ingest"."document" WHERE "id" = $1 AND "version" = $2 AND "state" IN ('queued', 'parsing') FOR UPDATE)
      UPDATE "ingest"."document" d SET "state" = 'failed', "reason" = $3, "lease_until" = NULL, "updated_at" = now(), "blob_key" = CASE WHEN $4 THEN d."blob_key" END
      FROM "old" WHERE d."id" = "old"."id" RETURNING "old"."blob_key"`,
      [id, version, reason, keepOriginal],
    );
    const key = rows[0][0]?.blob_key ?? null;
    return keepOriginal ? null : key;
  }

  /**
   * A new attempt of a failed document; its new version, or null when it did not fail or its
   * original is gone.
   */
  async requeue(_scope: Scope, manager: EntityManager, id: string): Promise<number | null> {
    const rows = await manager.query<[{ version: number }[], number]>(
      `UPDATE "ingest"."document" SET "state" = 'queued', "reason" = NULL, "version" = "version" + 1, "updated_at" = now(), "lease_until" = NULL
      WHERE "id" = $1 AND "state" = 'failed' AND "blob_key" IS NOT NULL RETURNING "version"`,
      [id],
    );
    return rows[0][0]?.version ?? null;
  }

  /**
   * Deletes the row with its text and pages; gives the key of its original. Its workspace documents
   * must be gone.
   */
  async delete(
    _scope: Scope,
    manager: EntityManager,
    id: string,
  ): Promise<{ blobKey: string | null } | null> {
    const rows = await manager.query<[{ blob_key: string | null }[], number]>(
      `DELETE FROM "ingest"."document" WHERE "id" = $1 RETURNING "blob_key"`,
      [id],
    );
    return rows[0][0] ? { blobKey: rows[0][0].blob_key } : null;
  }

  /** New attempts of those that failed and whose originals are kept. */
  async requeueMany(
    _scope: Scope,
    manager: EntityManager,
    ids: string[],
  ): Promise<{ id: string; version: number }[]> {
    return (
      await manager.query<[{ id: string; version: number }[], number]>(
        `UPDATE "ingest"."document" SET "state" = 'queued', "reason" = NULL, "version" = "version" + 1, "updated_at" = now(), "lease_until" = NULL
      WHERE "id" = ANY($1::uuid[]) AND "state" = 'failed' AND "blob_key" IS NOT NULL RETURNING "id", "version"`,
        [ids],
      )
    )[0];
  }

  /**
   * Takes all that a change of the library wrote down out of sight, in one statement; what was
   * still to be read is not.
   */
  async hideNoted(_scope: Scope, manager: EntityManager, changeId: string): Promise<void> {
    await manager.query(
      `WITH "words" AS (DELETE FROM "ingest"."document_words" w USING "ingest"."library_change_item" i WHERE i."change_id" = $1 AND w."document_id" = i."document_id")
      UPDATE "ingest"."document" d SET "in_library" = false, "state" = CASE WHEN d."state" = 'parsed' THEN d."state" ELSE 'failed' END, "lease_until" = NULL, "updated_at" = now()
      FROM "ingest"."library_change_item" i WHERE i."change_id" = $1 AND d."id" = i."document_id" AND d."in_library"`,
      [changeId],
    );
  }

  /**
   * Deletes many rows with their texts and pages; gives the keys of their originals. Their
   * workspace documents must be gone.
   */
  async deleteMany(_scope: Scope, manager: EntityManager, ids: string[]): Promise<string[]> {
    const [rows] = await manager.query<[{ blob_key: string | null }[], number]>(
      `DELETE FROM "ingest"."document" WHERE "id" = ANY($1::uuid[]) RETURNING "blob_key"`,
      [ids],
    );
    return rows.flatMap((row) => row.blob_key ?? []);
  }

  /** Documents of the library with these docpaths that were read. */
  listParsed(_scope: Scope, docpaths: string[]): Promise<Pick<Document, "id" | "docpath">[]> {
    return this.dataSource.query(
      `SELECT "id", "docpath" FROM "ingest"."document" WHERE "docpath" = ANY($1::text[]) AND "in_library" AND "state" = 'parsed'`,
      [docpaths],
    );
  }

  /** Ids of the documents of the library that have these docpaths, whatever their state. */
  async listIds(_scope: Scope, docpaths: string[]): Promise<string[]> {
    return (
      await this.dataSource.query<{ id: string }[]>(
        `SELECT "id" FROM "ingest"."document" WHERE "docpath" = ANY($1::text[]) AND "in_library"`,
        [docpaths],
      )
    ).map((row) => row.id);
  }

  /** Documents that are not read yet, counted up to `most`. */
  async countWaiting(_scope: Scope, manager: EntityManager, most: number): Promise<number> {
    const [row] = await manager.query<{ n: number }[]>(
      `SELECT count(*)::int AS "n" FROM (SELECT 1 FROM "ingest"."document" WHERE "state" <> 'parsed' AND "state" IN ('queued', 'parsing') LIMIT $1) AS "waiting"`,
      [most],
    );
    return row!.n;
  }

  /** What should be parsed and nobody works on: for the reconciler. */
  listDue(_scope: Scope): Promise<
    {
      id: string;
      version: number;
      inLibrary: boolean;
      needsRecognition: boolean;
      workspaceId: number | null;
    }[]
  > {
    return this.dataSource
      .query(`SELECT "id", "version", "in_library" AS "inLibrary", "recognition_pages" IS NOT NULL AS "needsRecognition",
        (SELECT w."workspace_id" FROM "ingest"."workspace_document" w WHERE w."document_id" = d."id" ORDER BY w."id" LIMIT 1) AS "workspaceId" FROM "ingest"."document" d
      WHERE ("state" = 'queued' AND "updated_at" < now() - interval '2 seconds') OR ("state" = 'parsing' AND "lease_until" < now()) ORDER BY "updated_at" LIMIT 5000`);
  }

  /**
   * Failed documents that no workspace shows: a file of a chat after ten minutes, in which its
   * uploader has read the reason; one of the library after a week, in which whoever manages it has.
   */
  async deleteForgotten(_scope: Scope, manager: EntityManager): Promise<string[]> {
    const rows = await manager.query<
      [{ blob_key: string | null }[], number]
    >(`DELETE FROM "ingest"."document" d WHERE d."state" = 'failed' AND d."updated_at" < now() - CASE WHEN d."in_library" THEN interval '7 days' ELSE interval '10 minutes' END
      AND NOT EXISTS (SELECT 1 FROM "ingest"."workspace_document" w WHERE w."document_id" = d."id") RETURNING d."blob_key"`);
    return rows[0].flatMap((row) => row.blob_key ?? []);
  }
}

/** A page as stored: runs are the bytes of a Float32Array. */
export const mapPageRow = (row: {
  page: number;
  start: number;
  end: number;
  width: number;
  height: number;
  runs: Buffer;
}): ParsedPage => ({
  ...row,
  runs: new Float32Array(
    row.runs.buffer.slice(row.runs.byteOffset, row.runs.byteOffset + row.runs.byteLength),
  ),
});
