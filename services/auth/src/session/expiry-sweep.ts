import { Reconciler, type OutboxMessage } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";

/** Tables with expiring rows, and their key columns. */
const expiring = [
  ["session", "id"],
  ["reset_token", "hash"],
  ["sign_in_token", "hash"],
] as const;

/**
 * Deletes expired rows, which are already refused on use. Skips rows locked by someone else, such
 * as another replica.
 */
@Injectable()
export class ExpirySweep extends Reconciler {
  constructor(private readonly dataSource: DataSource) {
    super();
  }

  async due(): Promise<OutboxMessage[]> {
    for (const [table, key] of expiring)
      await this.dataSource.query(
        `DELETE FROM ${table}
        WHERE ${key} IN (
          SELECT ${key} FROM ${table} WHERE expires_at < now() FOR UPDATE SKIP LOCKED
        )`,
      );
    return [];
  }
}
