import { Reconciler, type OutboxMessage } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";

/** What expires, and by what a row is known. */
const expiring = [
  ["session", "id"],
  ["reset_token", "hash"],
  ["sign_in_token", "hash"],
] as const;

/**
 * Deletes what expired; it was refused already since then. Rows that someone else is at, another
 * replica for one, are left to them.
 */
@Injectable()
export class ExpirySweep extends Reconciler {
  constructor(private readonly dataSource: DataSource) {
    super();
  }

  async due(): Promise<OutboxMessage[]> {
    for (const [table, key] of expiring)
      await this.dataSource.query(
        `delete from ${table} where ${key} in (select ${key} from ${table} where expires_at < now() for update skip locked)`,
      );
    return [];
  }
}
