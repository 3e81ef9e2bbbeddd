import { servicePrincipal, threadDeleted, userDeleted, type EventPayload } from "@carrel/contracts";
import { Consume, Reconciler, type OutboxMessage } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { ParsedFileRepository } from "./parsed-file.repository.ts";

const scope = { principal: servicePrincipal, workspace: null };
/** By then, requests in flight when the thread or user was deleted have finished. */
const lateSeconds = 90;

/**
 * Deletes files together with their thread or user, and once more later to catch files created by
 * requests in flight. Idempotent.
 */
@Injectable()
export class ParsedFileRemover extends Reconciler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly files: ParsedFileRepository,
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
