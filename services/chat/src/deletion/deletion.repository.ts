import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { inTransaction, retryDeadlock } from "../database/in-transaction.ts";
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
        `SELECT workspace_id AS id FROM chat.thread
        WHERE workspace_id > $1
        UNION
        SELECT workspace_id FROM chat.schedule
        WHERE workspace_id > $1
        UNION
        SELECT workspace_id FROM chat.memory
        WHERE workspace_id > $1
        UNION
        SELECT workspace_id FROM chat.flow_run
        WHERE workspace_id > $1
        UNION
        SELECT workspace_id FROM chat.flow_trigger
        WHERE workspace_id > $1
        ORDER BY id LIMIT $2`,
        [after, limit],
      )
    ).map((row) => row.id);
  }

  /** Returns the IDs above `after` of users that any row belongs to, in ascending order. */
  async listUserIds(after: number, limit: number): Promise<number[]> {
    const selects = [
      "thread",
      "turn",
      "share",
      "memory",
      "question",
      "flow_run",
      "flow_trigger",
      "schedule",
    ].map((table) => `SELECT user_id AS id FROM ${table} WHERE user_id > $1`);
    return (
      await queryRows<{ id: number }>(
        this.dataSource,
        `${selects.join(" UNION ")} ORDER BY id LIMIT $2`,
        [after, limit],
      )
    ).map((row) => row.id);
  }

  /** Those of an account or in a workspace, with what is recorded of their runs. */
  async deleteSchedules(of: { userId: number } | { workspaceId: number }): Promise<void> {
    const column = "userId" in of ? "user_id" : "workspace_id";
    await this.dataSource.query(
      `DELETE FROM chat.schedule WHERE ${column} = $1`,
      Object.values(of),
    );
  }

  /** Deletes one batch of an account's data, turns first; returns how many rows may be left. */
  async deleteUserBatch(userId: number, batch: number): Promise<number> {
    const turns = await this.deleteTurns("user_id", userId, batch);
    return turns > 0 ? turns : this.deleteThreads("user_id", userId, batch);
  }

  /** What runs loses its lease with its row, and so ends at its next block. */
  async deleteFlowRuns(of: "user_id" | "workspace_id", id: number): Promise<void> {
    await this.dataSource.query(`DELETE FROM chat.flow_trigger WHERE ${of} = $1`, [id]);
    await this.dataSource.query(`DELETE FROM chat.flow_run WHERE ${of} = $1`, [id]);
  }

  /** Deletes one batch of a workspace's data; returns how many threads are left. */
  async deleteWorkspaceBatch(workspaceId: number, batch: number): Promise<number> {
    const turns = await this.deleteTurns("workspace_id", workspaceId, batch);
    if (turns === batch) return batch;
    const threads = await this.deleteThreads("workspace_id", workspaceId, batch);
    return threads === batch ? batch : 0;
  }

  /**
   * Deleting a turn locks it before its runs, while a run that ends locks itself before its turn,
   * so the runs are locked first (docs/decisions/turns.md).
   */
  private deleteTurns(of: "user_id" | "workspace_id", id: number, batch: number): Promise<number> {
    return inTransaction(this.dataSource, async (manager) => {
      const turns = await queryRows<{ id: number }>(
        manager,
        `SELECT id FROM chat.turn WHERE ${of} = $1 ORDER BY id LIMIT $2`,
        [id, batch],
      );
      const ids = turns.map((turn) => turn.id);
      await manager.query(
        `SELECT FROM chat.generation WHERE turn_id = ANY($1::int[]) ORDER BY turn_id, id FOR UPDATE`,
        [ids],
      );
      await manager.query(
        `SELECT FROM chat.turn WHERE id = ANY($1::int[]) ORDER BY id FOR UPDATE`,
        [ids],
      );
      await manager.query("DELETE FROM chat.turn WHERE id = ANY($1::int[])", [ids]);
      return ids.length;
    });
  }

  private deleteThreads(
    of: "user_id" | "workspace_id",
    id: number,
    batch: number,
  ): Promise<number> {
    return retryDeadlock(async () => {
      const threads = await queryRows(
        this.dataSource,
        `DELETE FROM chat.thread
        WHERE id IN (SELECT id FROM chat.thread WHERE ${of} = $1 ORDER BY id LIMIT $2)
        RETURNING id`,
        [id, batch],
      );
      return threads.length;
    });
  }
}
