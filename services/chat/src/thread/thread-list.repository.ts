import type {
  listMarkedThreads,
  listThreads,
  MarkedThread,
  Out,
  ThreadWire,
  WorkspaceScope,
} from "@carrel/contracts";
import { preparedQuery } from "@carrel/database";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { visibleTurn } from "../database/visible-turn.ts";
import { defaultThreadName } from "./thread.entity.ts";

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
const markedFields: Record<keyof MarkedThread, string> = {
  ...fields,
  pinnedAt: time("pinned_at"),
  archivedAt: time("archived_at"),
};
const columnsOf = (named: Record<string, string>): string =>
  Object.entries(named)
    .map(([name, value]) => `${value} AS "${name}"`)
    .join(", ");
const ownDefault = `workspace_id = $1 AND coalesce(user_id, 0) = coalesce($2::int, 0)
          AND slug IS NULL AND channel IS NULL`;
const { slug: _slug, name: _name, ...defaultFields } = markedFields;
const defaultThread = `,
    (
      SELECT to_json(item)
      FROM (
        SELECT CASE WHEN named_by IS NOT NULL OR name <> '${defaultThreadName}' THEN name END AS name,
          ${columnsOf(defaultFields)}
        FROM thread WHERE ${ownDefault}
      ) item
    ) AS "defaultThread"`;
const build = (owner: string, columns: string, more = ""): string => `
  SELECT (
      SELECT coalesce(json_agg(item ORDER BY item.id), '[]')
      FROM (
        SELECT ${columns} FROM thread
        WHERE workspace_id = $1 AND ${owner} AND slug IS NOT NULL AND deleted_at IS NULL
      ) item
    ) AS threads,
    (
      SELECT count(*)::int FROM turn
      WHERE ${visibleTurn("turn")}
        AND thread_id = (
          SELECT id FROM thread
          WHERE ${ownDefault}
        )
    ) AS "defaultThreadChatCount"${more}`;
const ofUser = "user_id = $2::int";
const ofInstance = "user_id IS NULL";
const statements = {
  wire: {
    user: ["threads of user", build(ofUser, columnsOf(fields))],
    instance: ["threads of instance", build(ofInstance, columnsOf(fields))],
  },
  marked: {
    user: ["marked threads of user", build(ofUser, columnsOf(markedFields), defaultThread)],
    instance: [
      "marked threads of instance",
      build(ofInstance, columnsOf(markedFields), defaultThread),
    ],
  },
} as const;

/**
 * The caller's threads as clients receive them, built by PostgreSQL in one statement: oldest first,
 * without the default thread, which existing clients know by its number of turns only.
 */
@Injectable()
export class ThreadListRepository {
  constructor(private readonly dataSource: DataSource) {}

  list(scope: WorkspaceScope): Promise<Out<typeof listThreads>> {
    return this.run("wire", scope);
  }

  listMarked(scope: WorkspaceScope): Promise<Out<typeof listMarkedThreads>> {
    return this.run("marked", scope);
  }

  private async run<List extends object>(
    kind: keyof typeof statements,
    { workspace, principal }: WorkspaceScope,
  ): Promise<List> {
    const [name, sql] = statements[kind][principal.userId === null ? "instance" : "user"];
    const [row] = await preparedQuery<List>(this.dataSource, name, sql, [
      workspace.id,
      principal.userId,
    ]);
    return row!;
  }
}
