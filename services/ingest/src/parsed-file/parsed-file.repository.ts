import {
  servicePrincipal,
  threadDeleted,
  userDeleted,
  type EventPayload,
  type Scope,
  type WorkspaceScope,
} from "@carrel/contracts";
import { Consume, Reconciler, type OutboxMessage } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { DataSource, In, IsNull, type EntityManager } from "typeorm";
import { BlobSweeper } from "../blob/blob-sweeper.ts";
import { AudienceRepository } from "../document/audience.repository.ts";
import { Document } from "../document/document.entity.ts";
import { ParsedFile } from "./parsed-file.entity.ts";

/** A file with the document that holds its text. */
export interface ParsedFilePair {
  file: ParsedFile;
  document: ParsedFileDocument;
}
const documentColumns = {
  id: true,
  docpath: true,
  folder: true,
  filename: true,
  title: true,
  url: true,
  docAuthor: true,
  description: true,
  docSource: true,
  chunkSource: true,
  published: true,
  wordCount: true,
  tokenCount: true,
  state: true,
  reason: true,
} as const;
/** Excludes headings, of which a long document has many. */
export type ParsedFileDocument = Pick<Document, keyof typeof documentColumns>;

/** Documents deleted per transaction, including their text. */
const batch = 100;

/** Files of threads. Users only ever see their own, in every workspace and with every role. */
@Injectable()
export class ParsedFileRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sweeper: BlobSweeper,
  ) {}

  async create(
    scope: WorkspaceScope,
    manager: EntityManager,
    threadId: number,
    documentId: string,
  ): Promise<number> {
    const { identifiers } = await manager.insert(ParsedFile, {
      workspaceId: scope.workspace.id,
      userId: scope.principal.userId,
      threadId,
      documentId,
    });
    return identifiers[0]!.id as number;
  }

  /** The caller's files in a thread, in the order they were dropped. */
  async list(scope: WorkspaceScope, threadId: number, ids?: number[]): Promise<ParsedFilePair[]> {
    const files = await this.dataSource.manager.find(ParsedFile, {
      where: { ...own(scope), threadId, ...(ids ? { id: In(ids) } : {}) },
      order: { id: "ASC" },
    });
    const documents =
      files.length === 0
        ? []
        : await this.dataSource.manager.find(Document, {
            select: documentColumns,
            where: { id: In(files.map((file) => file.documentId)) },
          });
    const byId = new Map(documents.map((document) => [document.id, document]));
    return files.flatMap((file) => {
      const document = byId.get(file.documentId);
      return document ? [{ file, document }] : [];
    });
  }

  /** Ids above `after` of users with files, in ascending order. */
  async listUserIds(_scope: Scope, after: number, limit: number): Promise<number[]> {
    const rows = await this.dataSource.query<{ id: number }[]>(
      `SELECT DISTINCT user_id AS id FROM ingest.parsed_file WHERE user_id > $1 ORDER BY 1 LIMIT $2`,
      [after, limit],
    );
    return rows.map((row) => row.id);
  }

  count(scope: WorkspaceScope, threadId: number, manager: EntityManager): Promise<number> {
    return manager.countBy(ParsedFile, { ...own(scope), threadId });
  }

  /** Whether the caller dropped this document on a chat of the workspace. */
  ownsDocument(scope: WorkspaceScope, documentId: string): Promise<boolean> {
    return this.dataSource.manager.existsBy(ParsedFile, { ...own(scope), documentId });
  }

  /** The caller's file, with its document locked until the transaction ends. */
  async lock(
    scope: WorkspaceScope,
    manager: EntityManager,
    id: number,
  ): Promise<ParsedFilePair | null> {
    const file = await manager.findOneBy(ParsedFile, { ...own(scope), id });
    const document =
      file &&
      (await manager
        .createQueryBuilder(Document, "d")
        .where("d.id = :id AND NOT d.in_library", { id: file.documentId })
        .setLock("pessimistic_write")
        .getOne());
    return file && document ? { file, document } : null;
  }

  /** Moves the document into the library under its new docpath and deletes the chat file. */
  async promote(
    _scope: WorkspaceScope,
    manager: EntityManager,
    { file }: ParsedFilePair,
    place: { folder: string; docpath: string },
  ): Promise<void> {
    await manager.update(Document, { id: file.documentId }, { ...place, inLibrary: true });
    await manager.delete(ParsedFile, { id: file.id });
  }

  /** Deletes the caller's files with their text and returns how many there were. */
  async delete(scope: WorkspaceScope, ids: number[]): Promise<number> {
    return this.deleteBatches(
      `workspace_id = $1 AND user_id IS NOT DISTINCT FROM $2 AND id = ANY($3::int[])`,
      [scope.workspace.id, scope.principal.userId, ids],
    );
  }

  async deleteOfThreads(_scope: Scope, threadIds: number[]): Promise<void> {
    await this.deleteBatches(`thread_id = ANY($1::int[])`, [threadIds]);
  }

  async deleteOfUser(_scope: Scope, userId: number): Promise<void> {
    await this.deleteBatches(`user_id = $1`, [userId]);
  }

  async deleteOfWorkspace(_scope: Scope, workspaceId: number): Promise<void> {
    await this.deleteBatches(`workspace_id = $1`, [workspaceId]);
  }

  /** Threads with files, ordered by id, starting after `after`. */
  async listThreadIds(
    _scope: Scope,
    after: number,
    limit: number,
  ): Promise<{ workspaceId: number; threadId: number }[]> {
    return this.dataSource.query(
      `SELECT DISTINCT thread_id AS "threadId", workspace_id AS "workspaceId"
      FROM ingest.parsed_file
      WHERE thread_id > $1
      ORDER BY thread_id LIMIT $2`,
      [after, limit],
    );
  }

  /** Deleting the document cascades to its text, pages and file row; originals are swept later. */
  private async deleteBatches(which: string, parameters: unknown[]): Promise<number> {
    for (let deleted = 0; ;) {
      const rows = await this.dataSource.transaction(async (manager) => {
        const [gone] = await manager.query<[{ blob_key: string | null }[], number]>(
          `DELETE FROM ingest.document WHERE NOT in_library AND id IN
          (SELECT document_id FROM ingest.parsed_file WHERE ${which} ORDER BY id LIMIT ${batch}) RETURNING blob_key`,
          parameters,
        );
        await this.sweeper.note(
          manager,
          gone.flatMap((row) => row.blob_key ?? []),
        );
        return gone.length;
      });
      deleted += rows;
      if (rows < batch) {
        if (deleted > 0) this.sweeper.soon();
        return deleted;
      }
    }
  }
}

const own = (scope: WorkspaceScope) => ({
  workspaceId: scope.workspace.id,
  userId: scope.principal.userId ?? IsNull(),
});

const scope = { principal: servicePrincipal, workspace: null };
/** By then, requests in flight when the thread or user was deleted have finished. */
const lateSeconds = 90;

/**
 * Deletes files together with their thread or user, and once more later to catch files created by
 * requests in flight; users leave the audiences of documents too. Idempotent.
 */
@Injectable()
export class ParsedFileRemover extends Reconciler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly files: ParsedFileRepository,
    private readonly audiences: AudienceRepository,
  ) {
    super();
  }

  @Consume(threadDeleted)
  async removeOfThreads({ threadIds }: EventPayload<typeof threadDeleted>): Promise<void> {
    await this.dataSource.query(
      `INSERT INTO ingest.deleted_thread (thread_id) SELECT DISTINCT unnest($1::int[]) ON CONFLICT DO NOTHING`,
      [threadIds],
    );
    await this.files.deleteOfThreads(scope, threadIds);
  }

  @Consume(userDeleted)
  async removeOfUser({ userId }: EventPayload<typeof userDeleted>): Promise<void> {
    await this.dataSource.query(
      `INSERT INTO ingest.deleted_user (user_id) VALUES ($1) ON CONFLICT DO NOTHING`,
      [userId],
    );
    await this.files.deleteOfUser(scope, userId);
    await this.audiences.deleteUser(userId);
  }

  override async due(): Promise<OutboxMessage[]> {
    const threads = await this.dataSource.query<{ id: number }[]>(
      `SELECT thread_id AS id FROM ingest.deleted_thread
      WHERE deleted_at < now() - $1 * interval '1 second'
      LIMIT 5000`,
      [lateSeconds],
    );
    const users = await this.dataSource.query<{ id: number }[]>(
      `SELECT user_id AS id FROM ingest.deleted_user WHERE deleted_at < now() - $1 * interval '1 second' LIMIT 1000`,
      [lateSeconds],
    );
    if (threads.length > 0) {
      const ids = threads.map((row) => row.id);
      await this.files.deleteOfThreads(scope, ids);
      await this.dataSource.query(
        `DELETE FROM ingest.deleted_thread WHERE thread_id = ANY($1::int[])`,
        [ids],
      );
    }
    for (const { id } of users) {
      await this.files.deleteOfUser(scope, id);
      await this.dataSource.query(`DELETE FROM ingest.deleted_user WHERE user_id = $1`, [id]);
    }
    return [];
  }
}
