import { randomUUID } from "node:crypto";
import type {
  In,
  MarkedThread,
  Out,
  ThreadWire,
  WorkspaceScope,
  listAllThreads,
  listMarkedThreads,
  listThreads,
  updateDefaultThread,
} from "@carrel/contracts";
import { preparedQuery } from "@carrel/database";
import { findTexts } from "@carrel/texts";
import { Injectable } from "@nestjs/common";
import { DataSource, IsNull, type EntityManager } from "typeorm";
import { stripNullCharacters } from "../database/null-character.ts";
import { queryRows } from "../database/query-rows.ts";
import { visibleTurn } from "../database/visible-turn.ts";
import { Thread, defaultThreadName } from "./thread.entity.ts";
import { ThreadRepository } from "./thread.repository.ts";

/** The thread without a slug that each person has in each workspace. */
@Injectable()
export class DefaultThreadRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly threads: ThreadRepository,
  ) {}

  /** Creates it if missing. */
  async update(
    scope: WorkspaceScope,
    { name, pinned, archived }: In<typeof updateDefaultThread>,
  ): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const known = await this.threads.find(scope, null, manager);
      const id = known?.id ?? (await this.threads.lock(manager, scope, null));
      await manager.query(
        `UPDATE chat.thread SET name = coalesce($2, name),
          named_by = CASE WHEN $2::text IS NULL THEN named_by ELSE 'person' END,
          pinned_at = CASE
            WHEN $4::boolean OR NOT $3::boolean THEN NULL
            WHEN $3 THEN coalesce(pinned_at, now())
            ELSE pinned_at
          END,
          archived_at = CASE
            WHEN NOT $4 THEN NULL
            WHEN $4 THEN coalesce(archived_at, now())
            ELSE archived_at
          END
        WHERE id = $1`,
        [
          id,
          name === undefined ? null : stripNullCharacters(name) || null,
          pinned ?? null,
          archived ?? null,
        ],
      );
    });
  }

  /**
   * Turns it into an ordinary thread and returns its slug; the next question creates another
   * default.
   */
  async release(manager: EntityManager, scope: WorkspaceScope): Promise<string | null> {
    const rows = await queryRows<{ slug: string }>(
      manager,
      `UPDATE chat.thread SET slug = $3, name = CASE WHEN name = $4 THEN $5 ELSE name END,
        named_by = coalesce(named_by, 'question')
      WHERE workspace_id = $1
        AND user_id IS NOT DISTINCT FROM $2
        AND slug IS NULL
        AND channel IS NULL
      RETURNING slug`,
      [
        scope.workspace.id,
        scope.principal.userId,
        randomUUID(),
        defaultThreadName,
        findTexts(scope.language)("threadDefault"),
      ],
    );
    return rows[0]?.slug ?? null;
  }
}

type Listed = Out<typeof listAllThreads>["threads"][number];

/** Names have up to 255 characters, and a reply may take 1 MB. */
const pageSize = 500;

/** Threads of all owners. */
@Injectable()
export class AllThreadsRepository {
  constructor(private readonly dataSource: DataSource) {}

  find(scope: WorkspaceScope, slug: string): Promise<Thread | null> {
    return this.dataSource.manager.findOneBy(Thread, {
      workspaceId: scope.workspace.id,
      slug,
      deletedAt: IsNull(),
    });
  }

  /** Oldest first; `workspaceId` null: of all workspaces. */
  async page(
    workspaceId: number | null,
    after: number | null,
  ): Promise<Out<typeof listAllThreads>> {
    const rows = await queryRows<Listed & { id: number }>(
      this.dataSource,
      `SELECT id, user_id, slug, name, workspace_id
      FROM chat.thread
      WHERE ($1::int IS NULL OR workspace_id = $1)
        AND id > $2
        AND slug IS NOT NULL
        AND deleted_at IS NULL
      ORDER BY id LIMIT ${pageSize}`,
      [workspaceId, after ?? 0],
    );
    return {
      threads: rows.map(({ id: _id, ...thread }) => thread),
      next: rows.length < pageSize ? null : rows.at(-1)!.id,
    };
  }
}

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
        FROM chat.thread WHERE ${ownDefault}
      ) item
    ) AS "defaultThread"`;
const build = (owner: string, columns: string, more = ""): string => `
  SELECT (
      SELECT coalesce(json_agg(item ORDER BY item.id), '[]')
      FROM (
        SELECT ${columns} FROM chat.thread
        WHERE workspace_id = $1 AND ${owner} AND slug IS NOT NULL AND deleted_at IS NULL
      ) item
    ) AS threads,
    (
      SELECT count(*)::int FROM chat.turn
      WHERE ${visibleTurn("turn")}
        AND thread_id = (
          SELECT id FROM chat.thread
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
