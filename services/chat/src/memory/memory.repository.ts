import {
  CarrelError,
  memoryLimits,
  type MemoryWire,
  type Principal,
  type Scope,
  type WorkspaceScope,
} from "@carrel/contracts";
import { preparedQuery } from "@carrel/database";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { queryRows } from "../database/query-rows.ts";

/** Reads the instance's memory preferences from chat's cached settings. */
export function readMemorySettings(values: Readonly<Record<string, string>>): {
  isEnabled: boolean;
  /** Whether a model extracts memories automatically. */
  isExtracting: boolean;
} {
  const isEnabled = values.memory_enabled === "true";
  return { isEnabled, isExtracting: isEnabled && values.memory_auto_extraction !== "false" };
}

/**
 * Whether the principal is a person: API keys act for users other than the instance's, and Carrel's
 * own jobs for none.
 */
export const isPerson = ({ kind }: Principal): boolean => kind === "user" || kind === "instance";

interface MemoryRow {
  id: number;
  user_id: number | null;
  workspace_id: number | null;
  content: string;
  last_used_at: Date | null;
  created_at: Date;
  updated_at: Date;
}
/** A memory as used in a prompt. */
export interface PromptMemory {
  id: number;
  content: string;
}

/** The owner has as many memories there as they may; `workspaceId` null: global ones. */
export const memoriesFull = (workspaceId: number | null): CarrelError =>
  workspaceId === null
    ? new CarrelError("memory.global-full", { limit: memoryLimits.global })
    : new CarrelError("memory.workspace-full", { limit: memoryLimits.workspace });

/** User and workspace IDs are never 0, and unlike `IS NOT DISTINCT FROM`, this uses the index. */
const ownedBy = (parameter: string): string =>
  `coalesce(user_id, 0) = coalesce(${parameter}::int, 0)`;
const placedIn = (parameter: string): string =>
  `coalesce(workspace_id, 0) = coalesce(${parameter}::int, 0)`;

/** Memories of one owner: every statement names the owner. */
@Injectable()
export class MemoryRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Lists the caller's global and workspace memories, oldest first. */
  async list({ principal, workspace }: WorkspaceScope): Promise<MemoryWire[]> {
    return (
      await queryRows<MemoryRow>(
        this.dataSource,
        `SELECT * FROM chat.memory WHERE ${ownedBy("$1")} AND coalesce(workspace_id, 0) IN (0, $2) ORDER BY id`,
        [principal.userId, workspace.id],
      )
    ).map(mapMemory);
  }

  /**
   * Lists the same for a prompt: global ones first, each group newest first, because the last ones
   * are dropped if they don't fit.
   */
  async listForPrompt({ principal, workspace }: WorkspaceScope): Promise<PromptMemory[]> {
    return preparedQuery<PromptMemory>(
      this.dataSource,
      "memories for prompt",
      `SELECT id, content
      FROM chat.memory
      WHERE ${ownedBy("$1")} AND coalesce(workspace_id, 0) IN (0, $2)
      ORDER BY workspace_id IS NOT NULL, id DESC`,
      [principal.userId, workspace.id],
    );
  }

  /** `workspaceId` null creates a global memory. Returns null when the limit is reached. */
  async create(
    manager: EntityManager,
    userId: number | null,
    workspaceId: number | null,
    content: string,
  ): Promise<MemoryWire | null> {
    if ((await this.roomFor(manager, userId, workspaceId)) <= 0) return null;
    return mapMemory(
      (
        await queryRows<MemoryRow>(
          manager,
          "INSERT INTO chat.memory (user_id, workspace_id, content) VALUES ($1, $2, $3) RETURNING *",
          [userId, workspaceId, content],
        )
      )[0]!,
    );
  }

  /** Returns null if there is no such memory or it belongs to someone else. */
  async update({ principal }: Scope, id: number, content: string): Promise<MemoryWire | null> {
    const rows = await queryRows<MemoryRow>(
      this.dataSource,
      `UPDATE chat.memory SET content = $3, updated_at = now() WHERE id = $2 AND ${ownedBy("$1")} RETURNING *`,
      [principal.userId, id, content],
    );
    return rows[0] === undefined ? null : mapMemory(rows[0]);
  }

  /** Returns false if there is no such memory or it belongs to someone else. */
  async delete(manager: EntityManager, { principal }: Scope, id: number): Promise<boolean> {
    return (
      (
        await queryRows(
          manager,
          `DELETE FROM chat.memory WHERE id = $2 AND ${ownedBy("$1")} RETURNING id`,
          [principal.userId, id],
        )
      ).length > 0
    );
  }

  /**
   * Moves a memory from a workspace to global (null) or back; one already there is left unchanged.
   * "missing": nonexistent or someone else's. "elsewhere": it belongs to another workspace.
   */
  async move(
    { principal: { userId } }: Scope,
    id: number,
    workspaceId: number | null,
  ): Promise<MemoryWire | "missing" | "elsewhere" | "full"> {
    return this.dataSource.transaction(async (manager) => {
      const room = await this.roomFor(manager, userId, workspaceId);
      const row = (
        await queryRows<MemoryRow>(
          manager,
          `SELECT * FROM chat.memory WHERE id = $2 AND ${ownedBy("$1")} FOR UPDATE`,
          [userId, id],
        )
      )[0];
      if (row === undefined) return "missing";
      if (row.workspace_id === workspaceId) return mapMemory(row);
      if (row.workspace_id !== null && workspaceId !== null) return "elsewhere";
      if (room <= 0) return "full";
      return mapMemory(
        (
          await queryRows<MemoryRow>(
            manager,
            "UPDATE chat.memory SET workspace_id = $2, updated_at = now() WHERE id = $1 RETURNING *",
            [id, workspaceId],
          )
        )[0]!,
      );
    });
  }

  /**
   * Returns how many more the owner may have there; concurrent additions wait until the transaction
   * ends.
   */
  async roomFor(
    manager: EntityManager,
    userId: number | null,
    workspaceId: number | null,
  ): Promise<number> {
    await manager.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [
      `memory:${userId ?? 0}`,
    ]);
    const rows = await queryRows<{ n: number }>(
      manager,
      `SELECT count(*)::int AS n FROM chat.memory WHERE ${ownedBy("$1")} AND ${placedIn("$2")}`,
      [userId, workspaceId],
    );
    return (workspaceId === null ? memoryLimits.global : memoryLimits.workspace) - rows[0]!.n;
  }

  /**
   * Records that these memories were just used in prompts. Rows are locked in a fixed order,
   * because replicas write concurrently.
   */
  async noteUsed(ids: readonly number[]): Promise<void> {
    await this.dataSource.query(
      `UPDATE chat.memory SET last_used_at = now()
      WHERE id IN (SELECT id FROM chat.memory WHERE id = ANY($1::int[]) ORDER BY id FOR UPDATE)`,
      [ids],
    );
  }

  /** Deletes the memories of a deleted account. */
  async deleteOfUser(userId: number): Promise<void> {
    await this.dataSource.query(`DELETE FROM chat.memory WHERE ${ownedBy("$1")}`, [userId]);
  }

  /** Deletes the memories of a deleted workspace. */
  async deleteOfWorkspace(workspaceId: number): Promise<void> {
    await this.dataSource.query("DELETE FROM chat.memory WHERE workspace_id = $1", [workspaceId]);
  }
}

const mapMemory = (row: MemoryRow): MemoryWire => ({
  id: row.id,
  userId: row.user_id,
  workspaceId: row.workspace_id,
  scope: row.workspace_id === null ? "global" : "workspace",
  content: row.content,
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
});
