import { Injectable } from "@nestjs/common";
import type { listThreads, Out, ThreadWire, WorkspaceScope } from "@carrel/contracts";
import { preparedQuery } from "@carrel/database";
import { DataSource } from "typeorm";
import { visibleTurn } from "../database/visible-turn.ts";

const time = (column: string): string =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
/** Fields in wire order; `mapThread` maps entities the same way. */
const fields: Record<keyof ThreadWire, string> = {
  id: "id",
  name: "name",
  slug: "slug",
  workspace_id: "workspace_id",
  user_id: "user_id",
  createdAt: time("created_at"),
  lastUpdatedAt: time("last_updated_at"),
};
const columns = Object.entries(fields)
  .map(([name, value]) => `${value} AS "${name}"`)
  .join(", ");
const build = (owner: string): string => `
  SELECT
    (SELECT coalesce(json_agg(item ORDER BY item.id), '[]') FROM (SELECT ${columns} FROM thread
      WHERE workspace_id = $1 AND ${owner} AND slug IS NOT NULL AND deleted_at IS NULL) item) AS threads,
    (SELECT count(*)::int FROM turn WHERE ${visibleTurn("turn")} AND thread_id = (SELECT id FROM thread
      WHERE workspace_id = $1 AND coalesce(user_id, 0) = coalesce($2::int, 0) AND slug IS NULL)) AS "defaultThreadChatCount"`;
const ofUser = build("user_id = $2::int");
const ofInstance = build("user_id IS NULL");

/** The caller's threads as clients receive them, built by PostgreSQL in one statement. */
@Injectable()
export class ThreadListRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Oldest first, without the default thread, of which only the turns are counted. */
  async list({ workspace, principal }: WorkspaceScope): Promise<Out<typeof listThreads>> {
    const isUser = principal.userId !== null;
    const [row] = await preparedQuery<Out<typeof listThreads>>(
      this.dataSource,
      isUser ? "threads of user" : "threads of instance",
      isUser ? ofUser : ofInstance,
      [workspace.id, principal.userId],
    );
    return row!;
  }
}
