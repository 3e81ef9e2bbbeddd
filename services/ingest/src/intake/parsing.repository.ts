import { revisionFailed, type KnownFault, type Scope } from "@carrel/contracts";
import { preparedQuery } from "@carrel/database";
import { eventMessage, Outbox } from "@carrel/messaging";
import { CONFIG } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { entityColumns, mapEntity } from "../database/entity-rows.ts";
import {
  parseJob,
  revisionJob,
  unparsedColumns,
  type Unparsed,
} from "../document/document-jobs.ts";
import { kindOf, kindsByContent } from "../document/document-kind.ts";
import { Document } from "../document/document.entity.ts";
import { storeTexts } from "../document/text.repository.ts";
import type { IngestConfig } from "../ingest.config.ts";
import { sourcesByExtension } from "../parsing/formats.ts";
import { maxPages, msPerPage } from "../parsing/parsed-document.ts";
import { Batcher } from "../work-pool/batcher.ts";
import type { PreparedText, RequiredProcessing } from "../work-pool/work.ts";

/** Documents claimed or checked in one statement. */
const maxPerStatement = 64;

type Version = Pick<Document, "id" | "version">;
/** `first`: this version has never been claimed before. */
export interface Claim {
  document: Document;
  first: boolean;
}

/** Moves a document from queued to parsed or failed. */
@Injectable()
export class ParsingRepository {
  private readonly claims = new Batcher<Version, Claim | null>((group) => this.claimAll(group), {
    maxItems: maxPerStatement,
  });
  private readonly checks = new Batcher<Pick<Document, "id" | "version" | "run">, boolean>(
    (group) => this.holdsAll(group),
    { maxItems: maxPerStatement },
  );

  constructor(
    @Inject(CONFIG) private readonly config: IngestConfig,
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
  ) {}

  /** Claims the document for parsing; null if this version is no longer due. */
  claim(_scope: Scope, id: string, version: number): Promise<Claim | null> {
    return this.claims.run({ id, version });
  }

  /** Keeps runs alive for this long from now on, or ends their leases; others are left alone. */
  async setLease(
    _scope: Scope,
    runs: Pick<Document, "id" | "version" | "run">[],
    leaseMs: number,
  ): Promise<void> {
    await preparedQuery(
      this.dataSource,
      "set parsing lease",
      `UPDATE ingest.document d SET lease_until = now() + $4 * interval '1 millisecond'
      FROM unnest($1::uuid[], $2::int[], $3::int[]) AS held(id, version, run)
      WHERE d.id = held.id
        AND d.version = held.version
        AND d.run = held.run
        AND d.state = 'parsing'`,
      [
        runs.map(({ id }) => id),
        runs.map(({ version }) => version),
        runs.map(({ run }) => run),
        leaseMs,
      ],
    );
  }

  /** Whether the run that claimed the document is still the current one. */
  holds(_scope: Scope, document: Pick<Document, "id" | "version" | "run">): Promise<boolean> {
    return this.checks.run(document);
  }

  /**
   * Stores texts with their headings and pages. Returns the ids of the documents that were still
   * due; the others were removed or retried in the meantime.
   */
  async saveParsed(
    _scope: Scope,
    manager: EntityManager,
    documents: { id: string; version: number; text: PreparedText }[],
  ): Promise<Set<string>> {
    const saved = await preparedQuery<{ id: string }>(
      manager.queryRunner!,
      "save parsed",
      `WITH parsed AS (
        SELECT *
        FROM unnest(
          $1::uuid[], $2::int[], $3::text[], $4::int[], $5::int[], $6::int[], $7::int[],
          ARRAY(SELECT jsonb_array_elements($8::jsonb)), $9::text[], $10::text[],
          ARRAY(SELECT nullif(note, 'null') FROM jsonb_array_elements($13::jsonb) AS note)
        ) AS parsed(
          id, version, mime, words, tokens, length, pages, headings, doc_source, kind, notes
        )
      ),
      held AS (
        SELECT d.id FROM ingest.document d
        JOIN parsed p ON p.id = d.id
        ORDER BY d.id FOR UPDATE OF d
      )
      UPDATE ingest.document d SET state = 'parsed', reason = NULL, lease_until = NULL,
        mime = p.mime, word_count = p.words, token_count = p.tokens, text_length = p.length,
        pages = p.pages, headings = p.headings, notes = p.notes,
        doc_source = CASE
          WHEN d.doc_source = ANY($11::text[]) THEN p.doc_source
          ELSE d.doc_source
        END,
        kind = CASE
          WHEN d.kind = 'other' THEN p.kind
          WHEN p.kind = 'other' OR d.kind = 'web' OR (d.kind = 'audio' AND p.kind = 'video')
            THEN d.kind
          WHEN d.kind = ANY($12::text[]) OR p.kind = ANY($12::text[]) THEN p.kind
          ELSE d.kind
        END,
        updated_at = now()
      FROM parsed p
      JOIN held ON held.id = p.id
      WHERE d.id = p.id AND d.version = p.version AND d.state IN ('queued', 'parsing')
      RETURNING d.id`,
      [
        documents.map(({ id }) => id),
        documents.map(({ version }) => version),
        documents.map(({ text }) => text.mime),
        documents.map(({ text }) => text.wordCount),
        documents.map(({ text }) => text.tokenCount),
        documents.map(({ text }) => text.textLength),
        documents.map(({ text }) => text.pages.length || null),
        // Sent as one value: the driver takes long to quote an array's texts.
        JSON.stringify(documents.map(({ text }) => text.headings)),
        documents.map(({ text }) => text.docSource),
        documents.map(({ text }) => kindOf({ filename: "", mime: text.mime })),
        sourcesByExtension,
        kindsByContent,
        JSON.stringify(documents.map(({ text }) => (text.notes.length > 0 ? text.notes : null))),
      ],
    );
    const ids = new Set(saved.map(({ id }) => id));
    const due = documents.filter(({ id }) => ids.has(id));
    await storeTexts(manager, due);
    return ids;
  }

  /**
   * Marks a failure. With `keepOriginal` false, drops the original of a document that can't succeed
   * with the same bytes. Returns the blob key that may be deleted; null if this run no longer holds
   * the document, so another one decides about it.
   */
  async fail(
    _scope: Scope,
    manager: EntityManager,
    { id, version, run }: Pick<Document, "id" | "version" | "run">,
    reason: KnownFault,
    keepOriginal: boolean,
  ): Promise<{ droppedBlob: string | null } | null> {
    const rows = await manager.query<[{ blob_key: string | null }[], number]>(
      `WITH old AS (
        SELECT id, blob_key
        FROM ingest.document
        WHERE id = $1 AND version = $2 AND run = $5 AND state IN ('queued', 'parsing')
        FOR UPDATE
      )
      UPDATE ingest.document d SET state = 'failed', reason = $3, lease_until = NULL,
        updated_at = now(), blob_key = CASE WHEN $4 THEN d.blob_key END
      FROM old
      WHERE d.id = old.id
      RETURNING old.blob_key`,
      [id, version, JSON.stringify(reason), keepOriginal, run],
    );
    const [failed] = rows[0];
    return failed ? { droppedBlob: keepOriginal ? null : failed.blob_key } : null;
  }

  /** Has the source of a document asked again for new content that may be readable later. */
  async reportFailedRevision(
    manager: EntityManager,
    documentId: string,
    sha256: string,
    fault: KnownFault,
  ): Promise<void> {
    await this.outbox.add(manager, eventMessage(revisionFailed, { documentId, sha256, fault }));
  }

  /** Returns the document to the queue; false if this run no longer holds it. */
  async postpone(
    _scope: Scope,
    { id, version, run }: Pick<Document, "id" | "version" | "run">,
    reason: KnownFault,
  ): Promise<boolean> {
    const rows = await this.dataSource.query<[unknown[], number]>(
      `UPDATE ingest.document SET state = 'queued', reason = $4, lease_until = NULL,
        updated_at = now()
      WHERE id = $1 AND version = $2 AND run = $3 AND state = 'parsing'
      RETURNING 1`,
      [id, version, run, JSON.stringify(reason)],
    );
    return rows[0].length === 1;
  }

  /** Queues a document that this process doesn't parse after all. */
  async queue(_scope: Scope, document: Unparsed, workspaceId: number | null): Promise<void> {
    await this.dataSource.transaction((manager) =>
      this.outbox.add(manager, parseJob(document, workspaceId)),
    );
  }

  /**
   * Moves a document with scanned pages from the parsing queue to the recognition queue, a recording
   * to the transcription queue, and a slow one to the queue for those. Does nothing if this version
   * is no longer due.
   */
  async requeue(
    _scope: Scope,
    { id, version }: Version,
    { work, pages, mime }: RequiredProcessing,
    workspaceId: number | null,
  ): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const [rows] = await manager.query<[Unparsed[], number]>(
        `UPDATE ingest.document d SET state = 'queued', is_slow = d.is_slow OR $3,
          recognition_pages = coalesce($4, d.recognition_pages),
          is_recording = d.is_recording OR $5, mime = coalesce($6, d.mime), lease_until = NULL,
          updated_at = now()
        WHERE d.id = $1 AND d.version = $2 AND d.state = 'parsing'
        RETURNING ${unparsedColumns}`,
        [
          id,
          version,
          work === "slow-parsing",
          work === "recognition" ? pages : null,
          work === "transcription",
          mime ?? null,
        ],
      );
      await this.outbox.add(manager, ...rows.map((row) => parseJob(row, workspaceId)));
    });
  }

  /** Has those that are the next content of a document published. */
  async queueRevisions(
    _scope: Scope,
    manager: EntityManager,
    documents: readonly Document[],
  ): Promise<void> {
    const revisions = documents.filter(({ revises }) => revises !== null);
    await this.outbox.add(manager, ...revisions.map((revision) => revisionJob(revision)));
  }

  /** Counts documents not yet parsed, up to `most`. */
  async countWaiting(_scope: Scope, manager: EntityManager, most: number): Promise<number> {
    const [row] = await manager.query<{ n: number }[]>(
      `SELECT count(*)::int AS n
      FROM (
        SELECT 1 FROM ingest.document
        WHERE state <> 'parsed' AND state IN ('queued', 'parsing')
        LIMIT $1
      ) AS waiting`,
      [most],
    );
    return row!.n;
  }

  /** The first workspace that the document was added to; null if it is in none. */
  async findWorkspace(_scope: Scope, id: string): Promise<number | null> {
    const [row] = await this.dataSource.query<{ workspace_id: number }[]>(
      "SELECT workspace_id FROM ingest.workspace_document WHERE document_id = $1 ORDER BY id LIMIT 1",
      [id],
    );
    return row?.workspace_id ?? null;
  }

  /** For the reconciler: documents whose parse job may have been lost. */
  listDue(_scope: Scope): Promise<(Unparsed & { workspaceId: number | null })[]> {
    return this.dataSource.query(`SELECT ${unparsedColumns},
          (
            SELECT w.workspace_id FROM ingest.workspace_document w
            WHERE w.document_id = d.id
            ORDER BY w.id LIMIT 1
          ) AS "workspaceId"
        FROM ingest.document d
        WHERE (state = 'queued' AND updated_at < now() - interval '2 seconds')
          OR (state = 'parsing' AND lease_until < now())
        ORDER BY updated_at LIMIT 5000`);
  }

  /** Documents whose run has lost its lease, usually because its process died. */
  listLapsed(_scope: Scope): Promise<(Unparsed & { workspaceId: number | null })[]> {
    return this.dataSource.query(`SELECT ${unparsedColumns},
          (
            SELECT w.workspace_id FROM ingest.workspace_document w
            WHERE w.document_id = d.id
            ORDER BY w.id LIMIT 1
          ) AS "workspaceId"
        FROM ingest.document d
        WHERE d.state <> 'parsed'
          AND d.state = 'parsing'
          AND d.lease_until < now()
          AND d.in_library
          AND coalesce(d.recognition_pages, 0) = 0
          AND NOT d.is_slow
          AND NOT d.is_recording
        ORDER BY d.updated_at LIMIT 5000`);
  }

  private async claimAll(group: Version[]): Promise<(Claim | null)[]> {
    const rows = await preparedQuery<Record<string, unknown> & { id: string; before: string }>(
      this.dataSource,
      "claim documents",
      `WITH due AS (SELECT * FROM unnest($1::uuid[], $2::int[]) AS due(id, version)),
      old AS (
        SELECT d.id, d.state
        FROM ingest.document d
        JOIN due ON due.id = d.id AND due.version = d.version
        WHERE d.state IN ('queued', 'parsing')
        ORDER BY d.id FOR UPDATE OF d
      )
      UPDATE ingest.document d SET state = 'parsing',
        lease_until = now() + $3 * interval '1 millisecond'
          + coalesce(d.recognition_pages, 0) * interval '60 seconds'
          + CASE WHEN d.kind = 'pdf' THEN $4 ELSE 0 END * interval '1 millisecond',
        updated_at = now(), run = d.run + 1
      FROM old
      WHERE d.id = old.id
      RETURNING old.state AS before, ${entityColumns(this.dataSource, Document, "d")}`,
      [
        group.map(({ id }) => id),
        group.map(({ version }) => version),
        (this.config.CARREL_PARSE_SECONDS + 60) * 1000,
        maxPages * msPerPage,
      ],
    );
    const claimed = new Map(
      rows.map((row) => [
        row.id,
        { document: mapEntity(this.dataSource, Document, row), first: row.before === "queued" },
      ]),
    );
    return group.map(({ id, version }) => {
      const claim = claimed.get(id);
      if (claim?.document.version !== version) return null;
      // Two jobs of one version never share a claim.
      claimed.delete(id);
      return claim;
    });
  }

  private async holdsAll(group: Pick<Document, "id" | "version" | "run">[]): Promise<boolean[]> {
    const rows = await preparedQuery<{ n: number }>(
      this.dataSource,
      "check document runs",
      `SELECT h.n::int AS n FROM unnest($1::uuid[], $2::int[], $3::int[]) WITH ORDINALITY AS h(id, version, run, n)
      JOIN ingest.document d ON d.id = h.id AND d.version = h.version AND d.run = h.run`,
      [group.map(({ id }) => id), group.map(({ version }) => version), group.map(({ run }) => run)],
    );
    const held = new Set(rows.map(({ n }) => n));
    return group.map((_, n) => held.has(n + 1));
  }
}
