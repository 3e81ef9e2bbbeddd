import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { queryRows } from "../database/query-rows.ts";

/** Deletes conversations of accounts and workspaces in batches, to keep locks short. */
@Injectable()
export class DeletionRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Returns the IDs above `after` of workspaces with threads or memories, in ascending order. */
  async listWorkspaceIds(after: number, limit: number): Promise<number[]> {
    return (
      await queryRows<{ id: number }>(
        this.dataSource,
        `SELECT workspace_id AS id FROM thread
        WHERE workspace_id > $1
        UNION
        SELECT workspace_id FROM memory
        WHERE workspace_id > $1
        ORDER BY id LIMIT $2`,
        [after, limit],
      )
    ).map((row) => row.id);
  }

  /** Returns the IDs above `after` of users that any row belongs to, in ascending order. */
  async listUserIds(after: number, limit: number): Promise<number[]> {
    const selects = ["thread", "turn", "share", "memory", "question"].map(
      (table) => `SELECT user_id AS id FROM ${table} WHERE user_id > $1`,
    );
    return (
      await queryRows<{ id: number }>(
        this.dataSource,
        `${selects.join(" UNION ")} ORDER BY id LIMIT $2`,
        [after, limit],
      )
    ).map((row) => row.id);
  }

  /** Deletes one batch of an account's data, turns first; returns how many rows may be left. */
  async deleteUserBatch(userId: number, batch: number): Promise<number> {
    const turns = await queryRows<{ id: number }>(
      this.dataSource,
      "DELETE FROM turn WHERE id IN (SELECT id FROM turn WHERE user_id = $1 ORDER BY id LIMIT $2) RETURNING id",
      [userId, batch],
    );
    if (turns.length > 0) return turns.length;
    return (
      await queryRows<{ id: number }>(
        this.dataSource,
        "DELETE FROM thread WHERE id IN (SELECT id FROM thread WHERE user_id = $1 ORDER BY id LIMIT $2) RETURNING id",
        [userId, batch],
      )
    ).length;
  }

  /** Deletes one batch of a workspace's data; returns how many threads are left. */
  async deleteWorkspaceBatch(workspaceId: number, batch: number): Promise<number> {
    const turns = await queryRows<{ id: number }>(
      this.dataSource,
      "DELETE FROM turn WHERE id IN (SELECT id FROM turn WHERE workspace_id = $1 ORDER BY id LIMIT $2) RETURNING id",
      [workspaceId, batch],
    );
    if (turns.length === batch) return batch;
    const threads = await queryRows<{ id: number }>(
      this.dataSource,
      `DELETE FROM thread
      WHERE id IN (SELECT id FROM thread WHERE workspace_id = $1 ORDER BY id LIMIT $2)
      RETURNING id`,
      [workspaceId, batch],
    );
    return threads.length === batch ? batch : 0;
  }
}
