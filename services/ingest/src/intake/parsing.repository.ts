import type { Scope, KnownFault } from "@carrel/contracts";
import { CONFIG } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";

import { DataSource, type EntityManager } from "typeorm";
import { entityColumns, mapEntity } from "../database/entity-rows.ts";
import { Document } from "../document/document.entity.ts";
import { kindOf } from "../document/document-kind.ts";
import type { IngestConfig } from "../ingest.config.ts";
import type { PreparedText } from "../work-pool/work.ts";

/** Moves a document from queued to parsed or failed. */
@Injectable()
export class ParsingRepository {
  constructor(
    @Inject(CONFIG) private readonly config: IngestConfig,
    private readonly dataSource: DataSource,
  ) {}

  /**
   * Claims the document for parsing; null if this version is no longer due. `first` is true if this
   * version has never been claimed before.
   */
  async claim(
    _scope: Scope,
    id: string,
    version: number,
  ): Promise<{ document: Document; first: boolean } | null> {
    const rows = await this.dataSource.query<
      [(Record<string, unknown> & { before: string })[], number]
    >(
      `WITH "old" AS (SELECT "id", "state" FROM "ingest"."document" WHERE "id" = $1 AND "version" = $2 AND "state" IN ('queued', 'parsing') FOR UPDATE)
      UPDATE "ingest"."document" d SET "state" = 'parsing', "lease_until" = now() + $3 * interval '1 millisecond' + coalesce(d."recognition_pages", 0) * interval '60 seconds', "updated_at" = now(), "run" = d."run" + 1 FROM "old" WHERE d."id" = "old"."id"
      RETURNING "old"."state" AS "before", ${entityColumns(this.dataSource, Document, "d")}`,
      [id, version, (this.config.CARREL_PARSE_SECONDS + 60) * 1000],
    );
    const row = rows[0][0];
    return row
      ? { document: mapEntity(this.dataSource, Document, row), first: row.before === "queued" }
      : null;
  }

  /** Whether the run that claimed the document is still the current one. */
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
   * Stores the text with its headings and pages; false if the version is no longer due (removed or
   * retried in the meantime).
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
    // In batches, so that no statement exceeds a few megabytes for a large document.
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
   * Marks a failure. With `keepOriginal` false, drops the original of a document that can't succeed
   * with the same bytes. Returns the blob key that may be deleted.
   */
  async fail(
    _scope: Scope,
    manager: EntityManager,
    id: string,
    version: number,
    reason: KnownFault,
    keepOriginal: boolean,
  ): Promise<string | null> {
    const rows = await manager.query<[{ blob_key: string | null }[], number]>(
      `WITH "old" AS (SELECT "id", "blob_key" FROM "ingest"."document" WHERE "id" = $1 AND "version" = $2 AND "state" IN ('queued', 'parsing') FOR UPDATE)
      UPDATE "ingest"."document" d SET "state" = 'failed', "reason" = $3, "lease_until" = NULL, "updated_at" = now(), "blob_key" = CASE WHEN $4 THEN d."blob_key" END
      FROM "old" WHERE d."id" = "old"."id" RETURNING "old"."blob_key"`,
      [id, version, JSON.stringify(reason), keepOriginal],
    );
    const key = rows[0][0]?.blob_key ?? null;
    return keepOriginal ? null : key;
  }

  /** Counts documents not yet parsed, up to `most`. */
  async countWaiting(_scope: Scope, manager: EntityManager, most: number): Promise<number> {
    const [row] = await manager.query<{ n: number }[]>(
      `SELECT count(*)::int AS "n" FROM (SELECT 1 FROM "ingest"."document" WHERE "state" <> 'parsed' AND "state" IN ('queued', 'parsing') LIMIT $1) AS "waiting"`,
      [most],
    );
    return row!.n;
  }

  /** For the reconciler: documents whose parse job may have been lost. */
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
}
