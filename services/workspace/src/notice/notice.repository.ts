import { CarrelError, maxNotices, type NoticeWire, type Scope } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { requireService, rowIds } from "../access/workspace-rights.ts";
import { Notice } from "./notice.entity.ts";

/** Days until a notice is deleted, read or not. */
const keptDays = 90;

/** Whose notices the caller may see. Throws FORBIDDEN if it isn't a person. */
function ownerOf({ principal }: Scope): number | null {
  if (principal.kind !== "user" && principal.kind !== "instance")
    throw new CarrelError("access.forbidden");
  return principal.userId;
}

interface Listed extends Omit<NoticeWire, "createdAt" | "readAt"> {
  createdAt: Date;
  readAt: Date | null;
}

@Injectable()
export class NoticeRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** The caller's latest notices. */
  async list(scope: Scope): Promise<NoticeWire[]> {
    const rows = await this.dataSource.query<Listed[]>(
      `SELECT n.id, n.kind, n.title, n.fault, w.slug AS "workspaceSlug",
        n.document_id AS "documentId", n.connection_id AS "connectionId",
        n.schedule_id AS "scheduleId", n.flow_run_id AS "flowRunId",
        n.thread_slug AS "threadSlug", n.created_at AS "createdAt", n.read_at AS "readAt"
      FROM workspace.notice n
      LEFT JOIN workspace.workspace w ON w.id = n.workspace_id
      WHERE n.user_id IS NOT DISTINCT FROM $1
      ORDER BY n.created_at DESC, n.id
      LIMIT $2`,
      [ownerOf(scope), maxNotices],
    );
    return rows.map((row) => ({
      ...row,
      createdAt: row.createdAt.toISOString(),
      readAt: row.readAt?.toISOString() ?? null,
    }));
  }

  /** Marks the caller's notices as read; null: all. Returns whether any weren't yet. */
  async markRead(
    scope: Scope,
    manager: EntityManager,
    ids: readonly string[] | null,
  ): Promise<boolean> {
    const [, count] = await manager.query<[unknown, number]>(
      `UPDATE workspace.notice SET read_at = now()
      WHERE user_id IS NOT DISTINCT FROM $1 AND read_at IS NULL
        AND ($2::uuid[] IS NULL OR id = ANY($2::uuid[]))`,
      [ownerOf(scope), ids],
    );
    return count > 0;
  }

  /** False if it is already stored. */
  async add(scope: Scope, manager: EntityManager, notice: Notice): Promise<boolean> {
    requireService(scope);
    const { raw } = await manager
      .createQueryBuilder()
      .insert()
      .into(Notice)
      .values(notice)
      .orIgnore()
      .returning("id")
      .execute();
    return (raw as unknown[]).length > 0;
  }

  /** A newer notice says it again: of the same kind about a schedule, or any about a flow's runs. */
  async dropOlder(
    scope: Scope,
    manager: EntityManager,
    { id, userId, kind, scheduleId, flowId }: Notice,
  ): Promise<void> {
    requireService(scope);
    await manager.query(
      `DELETE FROM workspace.notice
      WHERE user_id IS NOT DISTINCT FROM $1 AND id <> $2 AND read_at IS NULL
        AND ((kind = $3 AND schedule_id = $4) OR flow_id = $5)`,
      [userId, id, kind, scheduleId, flowId],
    );
  }

  async removeUser(scope: Scope, manager: EntityManager, userId: number): Promise<void> {
    requireService(scope);
    for (const id of rowIds([userId])) await manager.delete(Notice, { userId: id });
  }

  async prune(): Promise<void> {
    await this.dataSource.query(
      `DELETE FROM workspace.notice WHERE created_at < now() - make_interval(days => $1)`,
      [keptDays],
    );
  }
}
