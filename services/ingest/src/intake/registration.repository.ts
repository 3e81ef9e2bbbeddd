import { CarrelError, type Out, type Scope, type registerDocument } from "@carrel/contracts";
import { preparedQuery } from "@carrel/database";
import { resultKey, type RequestContext } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { entityColumns, mapEntity } from "../database/entity-rows.ts";
import { defaultFolder } from "../document/docpath.ts";
import { Document } from "../document/document.entity.ts";
import type { NewDocument } from "../document/document.repository.ts";
import { mayRead, readerOf } from "../document/reader.ts";
import { WorkspaceDocument } from "../document/workspace-document.entity.ts";

const linkPrefix = "link ";

/** A new document, and the workspace waiting for it, if any. */
export interface Registered {
  document: Document;
  targets: WorkspaceDocument[];
}

/** Destination of an upload: a library folder, and the workspace, if any. */
export interface UploadPlace {
  folder: string;
  workspaceId: number | null;
}

/** Registers uploads with few statements, because every upload waits for them. */
@Injectable()
export class RegistrationRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Blocks deletion of the original, and of the workspace if there is one, until the transaction
   * ends. With `refuseIdentical`, registrations of the same original in the same place also wait for
   * each other, so that `findIdentical` sees them.
   */
  async hold(
    manager: EntityManager,
    blobKey: string,
    { folder, workspaceId }: UploadPlace,
    { refuseIdentical }: { refuseIdentical: boolean },
  ): Promise<void> {
    const place = refuseIdentical ? `${workspaceId ?? folder} ${blobKey}` : null;
    await preparedQuery(
      manager.queryRunner!,
      "hold upload",
      `SELECT pg_advisory_xact_lock(hashtextextended($3::text, 7306)),
        pg_advisory_xact_lock_shared(7301, $2::int),
        pg_advisory_xact_lock_shared(hashtextextended($1::text, 7302))`,
      [blobKey, workspaceId, place],
    );
  }

  /**
   * The name of a file with the same original in the workspace, or else in the folder; null if there
   * is none that the caller may see. One that failed doesn't count, because it may be uploaded again, nor a spreadsheet that
   * has lost a sheet. Spreadsheets in the default folder are found in the folders that `nameSheets`
   * named.
   */
  async findIdentical(
    scope: Scope,
    manager: EntityManager,
    blobKey: string,
    { folder, workspaceId }: UploadPlace,
  ): Promise<string | null> {
    const [row] = await preparedQuery<{ filename: string }>(
      manager.queryRunner!,
      "find identical",
      `SELECT d.filename
      FROM ingest.document d
      WHERE d.blob_key = $1
        AND d.in_library
        AND d.state <> 'failed'
        AND ${mayRead("d.id", "$4::int")}
        AND CASE
          WHEN $3::int IS NULL THEN d.folder = $2
            OR (
              $2 = '${defaultFolder}'
              AND d.sheet_count IS NOT NULL
              AND right(d.folder, 9) = '-' || left(coalesce(d.upload_id, d.id)::text, 8)
            )
          ELSE EXISTS (
            SELECT 1 FROM ingest.workspace_document w
            WHERE w.document_id = d.id AND w.workspace_id = $3::int AND w.state <> 'failed'
          )
        END
      GROUP BY coalesce(d.upload_id, d.id), d.filename
      HAVING count(*) >= coalesce(max(d.sheet_count), 1)
      LIMIT 1`,
      [blobKey, folder, workspaceId, readerOf(scope)],
    );
    return row?.filename ?? null;
  }

  /**
   * Stores the document and the request's result, and adds the document to the workspace if there
   * is one. With `leaseMs`, the document is claimed for parsing. Null, with nothing written, if the
   * request is a duplicate. Throws WORKSPACE_NOT_FOUND if the workspace is gone; an earlier statement
   * than the one that waited for its deletion couldn't tell.
   */
  async create(
    context: RequestContext,
    manager: EntityManager,
    document: NewDocument,
    workspaceId: number | null,
    result: Out<typeof registerDocument>,
    leaseMs: number | null,
  ): Promise<Registered | null> {
    const { id, docpath, folder, filename, title, url, docAuthor, description } = document;
    const { docSource, chunkSource, published, declaredMime, mime, kind } = document;
    const { bytes, sha256, blobKey, isUpload = false, audienceId = null } = document;
    const [row] = await preparedQuery<Record<string, unknown>>(
      manager.queryRunner!,
      "register document",
      `WITH claim AS (
        INSERT INTO request_result (key, result)
        VALUES ($1, $2::jsonb)
        ON CONFLICT (key) DO NOTHING
        RETURNING key
      ),
      added AS (
        INSERT INTO ingest.document (
          id, docpath, folder, filename, title, url, doc_author, description, doc_source,
          chunk_source, published, declared_mime, mime, kind, bytes, sha256, blob_key, user_id,
          state, run, lease_until, audience_id, is_upload
        )
        SELECT $3::uuid, $4::text, $5::text, $6::text, $7::text, $8::text, $9::text, $10::text,
          $11::text, $12::text, $13::text, $14::text, $15::text, coalesce($16::text, 'other'),
          $17::bigint, $18::text, $19::text, $20::int,
          CASE WHEN $22::int IS NULL THEN 'queued' ELSE 'parsing' END,
          CASE WHEN $22::int IS NULL THEN 0 ELSE 1 END, now() + $22::int * interval '1 millisecond',
          $23::int, $24::boolean
        FROM claim
        RETURNING *
      ),
      linked AS (
        INSERT INTO ingest.workspace_document (workspace_id, document_id, user_id, state)
        SELECT $21::int, id, $20::int, 'queued'
        FROM added
        WHERE $21::int IS NOT NULL
          AND NOT EXISTS (SELECT 1 FROM ingest.deleted_workspace WHERE workspace_id = $21::int)
        RETURNING *
      )
      SELECT ${entityColumns(this.dataSource, Document, "added")},
        ${entityColumns(this.dataSource, WorkspaceDocument, "linked", linkPrefix)}
      FROM added
      LEFT JOIN linked ON true`,
      [
        resultKey(context),
        JSON.stringify({ value: result }),
        ...[id, docpath, folder, filename, title, url, docAuthor, description],
        ...[docSource, chunkSource, published, declaredMime, mime, kind],
        ...[bytes, sha256, blobKey, context.scope.principal.userId, workspaceId],
        ...[leaseMs, audienceId, isUpload],
      ],
    );
    if (!row) return null;
    const added = mapEntity(this.dataSource, Document, row);
    if (workspaceId === null) return { document: added, targets: [] };
    if (row[`${linkPrefix}id`] === null) throw new CarrelError("workspace.not-found");
    const link = mapEntity(this.dataSource, WorkspaceDocument, row, linkPrefix);
    return { document: added, targets: [link] };
  }
}
