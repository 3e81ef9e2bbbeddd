import { randomUUID } from "node:crypto";
import {
  clipText,
  type In,
  type KnownFault,
  type Scope,
  type reviseDocument,
} from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { entityColumns, mapEntity } from "../database/entity-rows.ts";
import { cleanFilename, defaultFolder, revisionDocpath } from "../document/docpath.ts";
import { kindOf } from "../document/document-kind.ts";
import { Document } from "../document/document.entity.ts";
import { sourceByExtension, sourcesByExtension } from "../parsing/formats.ts";

/** New content of a document, as its source sent it. */
export type Content = Omit<In<typeof reviseDocument>, "documentId">;

/** Longer than writing a window of a text, or a call to a slow embedder. */
const leaseSeconds = 180;
/** Until a revision that couldn't be published is tried again; a later version may cure it. */
const retrySeconds = 300;

/** What parsing hasn't found out yet. */
const unread = {
  state: "queued",
  reason: null,
  leaseUntil: null,
  wordCount: 0,
  tokenCount: 0,
  textLength: 0,
  pages: null,
  headings: [],
  notes: null,
  recognitionPages: null,
  picturesDue: null,
  pictureAttempts: 0,
  isSlow: false,
  isRecording: false,
} satisfies Partial<Document>;

const gone = `'[{"code": "file-note.gone"}]'`;
/** Notes of a document without one of them. */
const without = (code: string): string =>
  `nullif(jsonb_path_query_array(notes, '$[*] ? (@.code != "${code}")'), '[]')`;
/** Notes of a document whose content was replaced or confirmed. */
const withoutFailure = `CASE
    WHEN notes @> '[{"code": "file-note.not-updated"}]' THEN ${without("file-note.not-updated")}
    ELSE notes
  END`;

/**
 * Revisions: the next content of documents while it is prepared. Whoever changes one locks the
 * document first.
 */
@Injectable()
export class RevisionRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** The library document, or the first one of its original; null if it is gone. */
  async lockDocument(
    _scope: Scope,
    manager: EntityManager,
    documentId: string,
  ): Promise<Document | null> {
    const rows = await manager.query<Record<string, unknown>[]>(
      `SELECT ${entityColumns(this.dataSource, Document, "d")}
      FROM ingest.document d
      WHERE d.id = (
          SELECT coalesce(part.upload_id, part.id) FROM ingest.document part WHERE part.id = $1
        )
        AND d.in_library
      FOR NO KEY UPDATE`,
      [documentId],
    );
    return rows[0] ? mapEntity(this.dataSource, Document, rows[0]) : null;
  }

  /** The content that is being prepared for the document. */
  async findPending(
    _scope: Scope,
    manager: EntityManager,
    documentId: string,
  ): Promise<Document | null> {
    // Not the further parts of a spreadsheet or archive.
    return manager
      .createQueryBuilder(Document, "d")
      .where("d.revises = :documentId AND coalesce(d.uploadId, d.id) = d.id", { documentId })
      .getOne();
  }

  /** Gives up what is being prepared for the document. */
  async dropPending(_scope: Scope, manager: EntityManager, documentId: string): Promise<void> {
    await manager.query("DELETE FROM ingest.document WHERE revises = $1", [documentId]);
  }

  /**
   * Notes that the source had nothing newer at this time. If what it has couldn't be read, the
   * document stays as old as it is.
   */
  async noteChecked(_scope: Scope, documentId: string, checkedAt: string): Promise<void> {
    await this.noteFound(this.dataSource.manager, documentId);
    await this.dataSource.query(
      `UPDATE ingest.document SET checked_at = $2
      WHERE (id = $1 OR upload_id = $1) AND in_library AND (checked_at IS NULL OR checked_at < $2)
        AND NOT EXISTS (
          SELECT FROM ingest.document first
          WHERE first.id = $1 AND first.notes @> '[{"code": "file-note.not-updated"}]'
        )`,
      [documentId, checkedAt],
    );
  }

  /** Notes that the source no longer has these documents. */
  async noteGone(_scope: Scope, documentIds: readonly string[]): Promise<void> {
    await this.dataSource.query(
      `UPDATE ingest.document SET notes = coalesce(notes, '[]') || ${gone}
      WHERE (id = ANY($1::uuid[]) OR upload_id = ANY($1::uuid[])) AND in_library
        AND NOT coalesce(notes, '[]') @> ${gone}`,
      [documentIds],
    );
  }

  /** Notes that the source has the document, whether or not its content can be read. */
  async noteFound(manager: EntityManager, documentId: string): Promise<void> {
    await manager.query(
      `UPDATE ingest.document SET notes = ${without("file-note.gone")}
      WHERE (id = $1 OR upload_id = $1) AND notes @> ${gone}`,
      [documentId],
    );
  }

  /** Notes that the document has what its source had at this time. */
  async confirm(
    _scope: Scope,
    manager: EntityManager,
    documentId: string,
    checkedAt: string,
  ): Promise<void> {
    await manager.query(
      `UPDATE ingest.document SET checked_at = $2, notes = ${withoutFailure}
      WHERE (id = $1 OR upload_id = $1) AND in_library AND (checked_at IS NULL OR checked_at < $2)`,
      [documentId, checkedAt],
    );
  }

  /** Creates the row that the new content is parsed into, beside the old one. */
  async create(
    _scope: Scope,
    manager: EntityManager,
    target: Document,
    content: Content,
  ): Promise<Document> {
    const id = randomUUID();
    // Sheets and members in a folder of their own are named as if it were new.
    const ownFolder = target.sheetCount !== null && target.folder.includes(target.id.slice(0, 8));
    // Everything else, such as who may see it, is the document's: parts that are new keep it.
    await manager.insert(Document, {
      ...target,
      ...describe(target, content),
      ...unread,
      id,
      docpath: revisionDocpath(target.docpath, id),
      folder: ownFolder ? defaultFolder : target.folder,
      version: 1,
      run: 0,
      inLibrary: false,
      revises: target.id,
      revision: 1,
      revisedAt: null,
      uploadId: null,
      sheetCount: null,
      createdAt: new Date(),
      updatedAt: new Date(),
    });
    return manager.findOneByOrFail(Document, { id });
  }

  /** Replaces the original of a document that was never read, which is then parsed anew. */
  async replaceUnread(
    _scope: Scope,
    manager: EntityManager,
    target: Document,
    content: Content,
  ): Promise<Document> {
    await manager.update(
      Document,
      { id: target.id },
      {
        ...describe(target, content),
        ...unread,
        version: target.version + 1,
      },
    );
    return manager.findOneByOrFail(Document, { id: target.id });
  }

  /** Claims a parsed revision for publishing; null if it is gone. */
  async claim(_scope: Scope, id: string): Promise<Document | null> {
    const [rows] = await this.dataSource.query<[Record<string, unknown>[], number]>(
      `UPDATE ingest.document d SET run = d.run + 1, updated_at = now(),
        lease_until = now() + ${leaseSeconds} * interval '1 second'
      WHERE d.id = $1 AND d.revises IS NOT NULL AND d.state = 'parsed'
      RETURNING ${entityColumns(this.dataSource, Document, "d")}`,
      [id],
    );
    return rows[0] ? mapEntity(this.dataSource, Document, rows[0]) : null;
  }

  /** False if another run has the revision, or a newer revision has taken its place. */
  async renew(_scope: Scope, { id, run }: Pick<Document, "id" | "run">): Promise<boolean> {
    const [rows] = await this.dataSource.query<[unknown[], number]>(
      `UPDATE ingest.document SET lease_until = now() + ${leaseSeconds} * interval '1 second'
      WHERE id = $1 AND run = $2 AND state = 'parsed'
      RETURNING 1`,
      [id, run],
    );
    return rows.length === 1;
  }

  /** Notes at its document that a revision couldn't be published yet. */
  async postpone(_scope: Scope, revisionId: string, reason: KnownFault): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const [rows] = await manager.query<[{ revises: string }[], number]>(
        `UPDATE ingest.document SET lease_until = now() + ${retrySeconds} * interval '1 second'
        WHERE id = $1 AND revises IS NOT NULL
        RETURNING revises`,
        [revisionId],
      );
      if (rows[0]) await noteFailure(manager, rows[0].revises, reason);
    });
  }

  /** For the reconciler: parsed revisions that no job publishes. */
  listDue(_scope: Scope): Promise<Pick<Document, "id" | "run" | "userId">[]> {
    return this.dataSource.query(
      `SELECT id, run, user_id AS "userId"
      FROM ingest.document
      WHERE revises IS NOT NULL
        AND state = 'parsed'
        AND (upload_id IS NULL OR upload_id = id)
        AND coalesce(lease_until, updated_at + interval '60 seconds') < now()
      ORDER BY updated_at LIMIT 1000`,
    );
  }
}

/** Gives up a revision that can't be read: its document keeps its content and says why. */
export async function failRevision(
  manager: EntityManager,
  { id, revises }: Pick<Document, "id" | "revises">,
  reason: KnownFault,
): Promise<void> {
  await noteFailure(manager, revises!, reason);
  await manager.query("DELETE FROM ingest.document WHERE id = $1", [id]);
}

async function noteFailure(
  manager: EntityManager,
  documentId: string,
  reason: KnownFault,
): Promise<void> {
  const note = [{ code: "file-note.not-updated", params: { reason } }];
  await manager.query(
    `UPDATE ingest.document SET notes = coalesce(${withoutFailure}, '[]') || $2::jsonb
    WHERE id = $1`,
    [documentId, JSON.stringify(note)],
  );
}

/** The columns that new content changes. What its source doesn't say stays. */
function describe(target: Document, { metadata, checkedAt, ...content }: Content) {
  const filename = cleanFilename(content.filename);
  const { mime } = content;
  const hadDefaultSource = sourcesByExtension.includes(target.docSource);
  const baseTitle = target.sheetCount === null ? target.title : target.title.split(" - Sheet:")[0]!;
  return {
    filename,
    title: clipText(metadata.title?.trim() || baseTitle, 1_000),
    url: metadata.url ?? target.url,
    docAuthor: metadata.docAuthor ?? target.docAuthor,
    description: metadata.description ?? target.description,
    docSource:
      metadata.docSource ?? (hadDefaultSource ? sourceByExtension(filename) : target.docSource),
    chunkSource: metadata.chunkSource ?? target.chunkSource,
    published: metadata.published ?? target.published,
    declaredMime: mime,
    mime: mime ?? "application/octet-stream",
    kind: target.kind === "web" ? target.kind : kindOf({ filename, mime: mime ?? "" }),
    bytes: content.bytes,
    sha256: content.sha256,
    blobKey: content.blobKey,
    checkedAt: new Date(checkedAt),
  };
}
