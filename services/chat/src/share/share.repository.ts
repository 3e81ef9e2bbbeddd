import type { Scope, ShareAudience, ShareWire } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { queryRows } from "../database/query-rows.ts";
import { visibleTurn } from "../database/visible-turn.ts";

interface ShareRow {
  id: number;
  audience: ShareAudience;
  expires_at: Date | null;
  is_expired: boolean;
  show_reasoning: boolean;
  created_at: Date;
  shared_at: Date;
  is_current: boolean;
}
/** A link in a list, with its thread. */
export interface ListedShare {
  share: ShareWire;
  workspaceId: number;
  userId: number | null;
  thread: { slug: string | null; name: string };
}
/** A shared thread, with its workspace and owner. */
export interface SharedThread {
  threadId: number;
  workspaceId: number;
  userId: number | null;
}
/** Values of a new link. */
export interface NewShare {
  tokenHash: string;
  audience: ShareAudience;
  expiresInDays: number | null;
  showReasoning: boolean;
}
/** Absent fields are unchanged. */
export interface ShareChange {
  audience?: ShareAudience | undefined;
  expiresInDays?: number | null | undefined;
  showReasoning?: boolean | undefined;
  refresh?: boolean | undefined;
}

const ownedBy = (parameter: string): string =>
  `coalesce(share.user_id, 0) = coalesce(${parameter}::int, 0)`;

/** IDs of the turns that the owner currently sees, oldest first. */
const visibleTurns = (thread: string, workspace: string, user: string): string =>
  `coalesce(
    (
        SELECT array_agg(turn.id ORDER BY turn.id) FROM chat.turn
        WHERE turn.thread_id = ${thread}
          AND turn.workspace_id = ${workspace}
          AND turn.user_id IS NOT DISTINCT FROM ${user}
          AND ${visibleTurn("turn")}
      ),
      '{}'
  )`;

const ownTurns = visibleTurns("share.thread_id", "share.workspace_id", "share.user_id");
const shareColumns = `share.id, share.audience, share.expires_at, share.created_at, share.shared_at, share.show_reasoning,
  coalesce(share.expires_at <= now(), false) AS is_expired, share.turn_ids = ${ownTurns} AS is_current`;
const expiry = (days: string): string => `now() + ${days}::int * interval '1 day'`;

/** Links to threads: every statement for an owner names the owner. */
@Injectable()
export class ShareRepository {
  constructor(private readonly dataSource: DataSource) {}

  async find({ threadId, workspaceId, userId }: SharedThread): Promise<ShareWire | null> {
    const rows = await queryRows<ShareRow>(
      this.dataSource,
      `SELECT ${shareColumns} FROM chat.share WHERE share.thread_id = $1 AND share.workspace_id = $2 AND ${ownedBy("$3")}`,
      [threadId, workspaceId, userId],
    );
    return rows[0] === undefined ? null : mapShare(rows[0]);
  }

  /** Replaces the thread's link if it has one. Returns null if there is nothing to show. */
  async create(
    manager: EntityManager,
    { threadId, workspaceId, userId }: SharedThread,
    { tokenHash, audience, expiresInDays, showReasoning }: NewShare,
  ): Promise<ShareWire | null> {
    const rows = await queryRows<ShareRow>(
      manager,
      `INSERT INTO chat.share (
        thread_id, workspace_id, user_id, token_hash, audience, turn_ids, expires_at,
        show_reasoning
      )
      SELECT $1, $2, $3, $4, $5, ids, ${expiry("$6")}, $7
      FROM (SELECT ${visibleTurns("$1", "$2", "$3::int")} AS ids) shown
      WHERE cardinality(ids) > 0
      ON CONFLICT (thread_id, (coalesce(user_id, 0))) DO UPDATE SET token_hash =
        EXCLUDED.token_hash,
        audience = EXCLUDED.audience, turn_ids = EXCLUDED.turn_ids,
        expires_at = EXCLUDED.expires_at, show_reasoning = EXCLUDED.show_reasoning, created_at = now(), shared_at = now()
      RETURNING ${shareColumns}`,
      [threadId, workspaceId, userId, tokenHash, audience, expiresInDays, showReasoning],
    );
    return rows[0] === undefined ? null : mapShare(rows[0]);
  }

  /** Returns null if there is no such link or it belongs to someone else. */
  async update(
    manager: EntityManager,
    { principal }: Scope,
    id: number,
    { audience, expiresInDays, showReasoning, refresh }: ShareChange,
  ): Promise<ShareWire | null> {
    const rows = await queryRows<ShareRow>(
      manager,
      `UPDATE chat.share SET audience = coalesce($3, share.audience),
        expires_at = CASE WHEN $4 THEN ${expiry("$5")} ELSE share.expires_at END,
        turn_ids = CASE WHEN $6 THEN ${ownTurns} ELSE share.turn_ids END,
        shared_at = CASE WHEN $6 THEN now() ELSE share.shared_at END,
        show_reasoning = coalesce($7, share.show_reasoning)
      WHERE share.id = $2 AND ${ownedBy("$1")} RETURNING ${shareColumns}`,
      [
        principal.userId,
        id,
        audience ?? null,
        expiresInDays !== undefined,
        expiresInDays ?? null,
        refresh === true,
        showReasoning ?? null,
      ],
    );
    return rows[0] === undefined ? null : mapShare(rows[0]);
  }

  /** An admin deletes anyone's. Returns whether there was one. */
  async delete(manager: EntityManager, { principal }: Scope, id: number): Promise<boolean> {
    const rows = await queryRows(
      manager,
      `DELETE FROM chat.share WHERE id = $2 AND ($3 OR ${ownedBy("$1")}) RETURNING id`,
      [principal.userId, id, principal.role === "admin"],
    );
    return rows.length > 0;
  }

  /** `userId` undefined lists everyone's, newest first. */
  async list(userId: number | null | undefined, limit: number): Promise<ListedShare[]> {
    const rows = await queryRows<
      ShareRow & {
        workspace_id: number;
        user_id: number | null;
        thread_slug: string | null;
        thread_name: string;
      }
    >(
      this.dataSource,
      `SELECT ${shareColumns}, share.workspace_id, share.user_id, thread.slug AS thread_slug,
        thread.name AS thread_name
      FROM chat.share
      JOIN chat.thread ON thread.id = share.thread_id
      WHERE $1 OR ${ownedBy("$2")}
      ORDER BY share.id DESC LIMIT $3`,
      [userId === undefined, userId ?? null, limit],
    );
    return rows.map((row) => ({
      share: mapShare(row),
      workspaceId: row.workspace_id,
      userId: row.user_id,
      thread: { slug: row.thread_slug, name: row.thread_name },
    }));
  }

  async deleteOfWorkspace(workspaceId: number): Promise<void> {
    await this.dataSource.query("DELETE FROM chat.share WHERE workspace_id = $1", [workspaceId]);
  }

  /** The workspaces in which someone has links. */
  async listWorkspaces(userId: number): Promise<number[]> {
    const rows = await queryRows<{ id: number }>(
      this.dataSource,
      `SELECT DISTINCT workspace_id AS id FROM chat.share WHERE ${ownedBy("$1")}`,
      [userId],
    );
    return rows.map(({ id }) => id);
  }

  async deleteOfMember(userId: number, workspaceIds: readonly number[]): Promise<void> {
    await this.dataSource.query(
      `DELETE FROM chat.share WHERE ${ownedBy("$1")} AND workspace_id = ANY($2::int[])`,
      [userId, workspaceIds],
    );
  }

  async deleteOfUser(userId: number): Promise<void> {
    await this.dataSource.query(`DELETE FROM chat.share WHERE ${ownedBy("$1")}`, [userId]);
  }
}

const mapShare = (row: ShareRow): ShareWire => ({
  id: row.id,
  audience: row.audience,
  expiresAt: row.expires_at?.toISOString() ?? null,
  isExpired: row.is_expired,
  showReasoning: row.show_reasoning,
  createdAt: row.created_at.toISOString(),
  sharedAt: row.shared_at.toISOString(),
  isCurrent: row.is_current,
});
