import { servicePrincipal, type FaultWire, type Scope } from "@carrel/contracts";
import { Outbox, type OutboxMessage } from "@carrel/messaging";
import { CONFIG } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";
import { DataSource, MoreThan, type EntityManager } from "typeorm";
import { entityColumns, mapEntity } from "../database/entity-rows.ts";
import { pictureJob } from "../document/document-jobs.ts";
import { Document } from "../document/document.entity.ts";
import { TextRepository } from "../document/text.repository.ts";
import type { WorkspaceDocument } from "../document/workspace-document.entity.ts";
import { WorkspaceDocumentRepository } from "../document/workspace-document.repository.ts";
import type { IngestConfig } from "../ingest.config.ts";
import type { NamedText, PreparedText } from "../work-pool/work.ts";

const scope = { principal: servicePrincipal, workspace: null };

/** Storing a text may fail each time, for example because the database refuses it. */
const maxAttempts = 3;

/** Notes of a document whose pictures stay unread. */
export const unreadNotes = <Note extends FaultWire>(notes: readonly Note[]): Note[] =>
  notes.map((note) =>
    note.code === "file-note.pictures-due" ? { ...note, code: "file-note.pictures-unread" } : note,
  );

/** Leaves out the pictures of a document if the text with them couldn't be stored. */
export const limitAttempts = (
  { pictureAttempts }: Document,
  texts: readonly NamedText[],
): NamedText[] =>
  pictureAttempts < maxAttempts
    ? [...texts]
    : texts.map((named) => ({
        ...named,
        text: { ...named.text, toRecognise: 0, notes: unreadNotes(named.text.notes) },
      }));

interface Stored {
  document: Document;
  text: PreparedText;
  /** The workspace waiting for the document, if any. */
  workspaceId: number | null;
}

/**
 * Documents whose text is stored, but not yet their pictures' text. Such a document is parsed; the
 * pictures' text replaces its own under a new version.
 */
@Injectable()
export class UnreadPictures {
  constructor(
    @Inject(CONFIG) private readonly config: IngestConfig,
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly texts: TextRepository,
    private readonly workspaceDocuments: WorkspaceDocumentRepository,
  ) {}

  /** Notes what is left to recognise of documents whose text was stored, and queues it. */
  async queue(_scope: Scope, manager: EntityManager, stored: Stored[]): Promise<void> {
    for (const { document, text, workspaceId } of stored) {
      const { toRecognise = 0 } = text;
      if (toRecognise === 0 && document.picturesDue === null) continue;
      await manager.update(
        Document,
        { id: document.id },
        { picturesDue: toRecognise, ...(toRecognise === 0 && { pictureAttempts: 0 }) },
      );
      if (toRecognise > 0) await this.outbox.add(manager, pictureJob(document, workspaceId));
    }
  }

  /** The document if pictures of this version are still to be read. */
  find(_scope: Scope, id: string, version: number): Promise<Document | null> {
    return this.dataSource.manager.findOneBy(Document, {
      id,
      version,
      state: "parsed",
      inLibrary: true,
      picturesDue: MoreThan(0),
    });
  }

  /**
   * Begins a version of the document with the pictures' text, which its workspaces wait for while
   * they find the old one. If nobody stores it, the document is parsed again, a few times with its
   * pictures. Null if they are no longer due.
   */
  async beginVersion(
    _scope: Scope,
    { id, version }: Document,
  ): Promise<{ document: Document; targets: WorkspaceDocument[] } | null> {
    return this.dataSource.transaction(async (manager) => {
      const [rows] = await manager.query<[Record<string, unknown>[], number]>(
        `UPDATE ingest.document d SET state = 'parsing', version = d.version + 1, run = d.run + 1,
          picture_attempts = d.picture_attempts + 1,
          lease_until = now() + $3 * interval '1 second', updated_at = now()
        WHERE d.id = $1 AND d.version = $2 AND d.state = 'parsed' AND d.in_library
          AND d.pictures_due > 0
        RETURNING ${entityColumns(this.dataSource, Document, "d")}`,
        [id, version, this.config.CARREL_PARSE_SECONDS + 60],
      );
      if (!rows[0]) return null;
      return {
        document: mapEntity(this.dataSource, Document, rows[0]),
        targets: await this.workspaceDocuments.requeueEverywhere(scope, manager, id),
      };
    });
  }

  /** Gives up a version that couldn't be stored. */
  async endLease(_scope: Scope, { id, version, run }: Document): Promise<void> {
    await this.dataSource.query(
      `UPDATE ingest.document SET lease_until = now()
      WHERE id = $1 AND version = $2 AND run = $3 AND state = 'parsing'`,
      [id, version, run],
    );
  }

  /** Whether the document already has this text. */
  async isStored(
    _scope: Scope,
    { id, textLength }: Document,
    { parts, textLength: length }: PreparedText,
  ): Promise<boolean> {
    if (length !== textLength) return false;
    const stored = await this.texts.read(scope, { documentId: id, start: 0, end: length });
    return stored === parts.map((part) => part.text).join("");
  }

  /** Leaves the text as it is, with these notes; false if the pictures are no longer due. */
  async keepText(
    _scope: Scope,
    { id, version }: Document,
    notes: readonly FaultWire[],
  ): Promise<boolean> {
    const [rows] = await this.dataSource.query<[unknown[], number]>(
      `UPDATE ingest.document SET pictures_due = 0, picture_attempts = 0, notes = $3::jsonb, updated_at = now()
      WHERE id = $1 AND version = $2 AND state = 'parsed' AND pictures_due > 0
      RETURNING 1`,
      [id, version, notes.length > 0 ? JSON.stringify(notes) : null],
    );
    return rows.length > 0;
  }

  /** Leaves the document to the reconciler. */
  async postpone(_scope: Scope, { id, version }: Document): Promise<void> {
    await this.dataSource.query(
      `UPDATE ingest.document SET updated_at = now()
      WHERE id = $1 AND version = $2 AND state = 'parsed' AND pictures_due > 0`,
      [id, version],
    );
  }

  /** For the reconciler: jobs that may have been lost. */
  async listLost(_scope: Scope): Promise<OutboxMessage[]> {
    const rows = await this.dataSource.query<
      { id: string; version: number; userId: number | null; workspaceId: number | null }[]
    >(
      `SELECT d.id, d.version, d.user_id AS "userId",
        (
          SELECT w.workspace_id FROM ingest.workspace_document w
          WHERE w.document_id = d.id
          ORDER BY w.id LIMIT 1
        ) AS "workspaceId"
      FROM ingest.document d
      WHERE d.pictures_due > 0 AND d.state = 'parsed' AND d.in_library
        AND d.updated_at < now() - interval '1 minute'
      ORDER BY d.updated_at LIMIT 1000`,
    );
    return rows.map((row) => pictureJob(row, row.workspaceId));
  }
}
