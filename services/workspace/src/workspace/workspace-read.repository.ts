import {
  workspaceUpdated,
  type Out,
  type Scope,
  type WorkspaceScope,
  type WorkspaceUserWire,
  type WorkspaceWire,
  type readWorkspacePage,
} from "@carrel/contracts";
import { preparedQuery } from "@carrel/database";
import { Broadcast, Outbox, eventMessage } from "@carrel/messaging";
import { Injectable, Module } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { managesAll } from "../access/workspace-rights.ts";
import { WorkspaceRepository } from "./workspace.repository.ts";

/**
 * Announces a changed workspace: reliably through the outbox, and by broadcast before the reply.
 */
@Injectable()
export class WorkspaceChanges {
  constructor(
    private readonly outbox: Outbox,
    private readonly broadcast: Broadcast,
  ) {}

  /** Call in the transaction of the change. */
  record(manager: EntityManager, workspaceId: number): Promise<void> {
    return this.outbox.add(manager, eventMessage(workspaceUpdated, { workspaceId }));
  }

  /** Call after the commit. */
  announce(workspaceId: number): Promise<void> {
    return this.broadcast.invalidate(workspaceUpdated, { workspaceId });
  }
}

/** Rows read for one page. */
const maxRead = 1_000;
/**
 * Maximum bytes of a page inside a reply between services, which may take 1 MiB: there the page is a
 * JSON string within JSON.
 */
const maxBytes = 900_000;
const maxIds = 50_000;

const time = (column: string): string =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * Fields in wire order and where they come from; `mapWorkspaceToWire` maps entities the same way.
 */
const workspaceFields: Record<keyof WorkspaceWire, string> = {
  id: `w.id`,
  name: `w.name`,
  slug: `w.slug`,
  vectorTag: "NULL",
  createdAt: time(`w.created_at`),
  openAiTemp: `w.temperature`,
  openAiHistory: `w.history_length`,
  lastUpdatedAt: time(`w.updated_at`),
  openAiPrompt: `w.system_prompt`,
  similarityThreshold: `w.similarity_threshold`,
  chatProvider: `w.chat_provider`,
  chatModel: `w.chat_model`,
  topN: `w.top_n`,
  chatMode: `w.chat_mode`,
  pfpFilename: `replace(w."picture_key", 'picture/', '') || '.webp'`,
  agentProvider: `w.agent_provider`,
  agentModel: `w.agent_model`,
  queryRefusalResponse: `w.query_refusal_response`,
  vectorSearchMode: `w.vector_search_mode`,
  router_id: "NULL",
};
const membershipFields: Record<keyof WorkspaceUserWire, string> = {
  user_id: `m.user_id`,
  workspace_id: `m.workspace_id`,
  createdAt: time(`m.created_at`),
  lastUpdatedAt: time(`m.created_at`),
};
const select = (fields: Record<string, string>): string =>
  Object.entries(fields)
    .map(([name, value]) => `${value} AS "${name}"`)
    .join(", ");

const all = `workspace.workspace w WHERE w.deleted_at IS NULL`;
const own = `workspace.workspace_member m
  JOIN workspace.workspace w ON w.id = m.workspace_id
  WHERE m.user_id = $2 AND w.deleted_at IS NULL`;
/** The workspaces that a restricted key is for. */
const listed = `${all} AND w.id = ANY($2::int[])`;
/** The version identifies the stored rows, as with histories (services/chat). */
const buildPage = (from: string): string => {
  const known = from === all ? "$2" : "$3";
  return `
  WITH candidate AS MATERIALIZED (
    SELECT w.id, w.ctid AS place, w.xmin AS writer
    FROM ${from} AND w.id > $1
    ORDER BY w.id LIMIT ${maxRead}
  ),
  stored AS MATERIALIZED (
    SELECT coalesce(
      hashtextextended(string_agg(concat_ws(' ', id, place, writer), ',' ORDER BY id), 0), 0
    )::text AS version
    FROM candidate
  )
  SELECT stored.version, page.*
  FROM stored
  CROSS JOIN LATERAL (
    SELECT string_agg(json, ',' ORDER BY id) AS items, count(*)::int AS count, max(id) AS last,
      max(read)::int AS read
    FROM (
      SELECT id, json, count(*) OVER () AS read, row_number() OVER (ORDER BY id) AS place,
        sum(octet_length(to_json(json)::text)) OVER (ORDER BY id) AS bytes
      FROM (
        SELECT item.id, row_to_json(item)::text AS json
        FROM (
          SELECT ${select(workspaceFields)} FROM candidate
          JOIN workspace.workspace w ON w.id = candidate.id
          WHERE stored.version IS DISTINCT FROM ${known}::text
        ) item
      ) listed
    ) measured
    WHERE place = 1 OR bytes <= ${maxBytes}
  ) page`;
};
const buildIds = (from: string): string =>
  `SELECT w.id FROM ${from} AND w.id > $1 ORDER BY w.id LIMIT ${maxIds}`;
const buildOne = (from: string): string => `SELECT row_to_json(item)::text AS workspace
  FROM (SELECT ${select(workspaceFields)} FROM ${from} AND w.id = $1) item`;
const oneOfOwn = `SELECT concat(
    left(row_to_json(item)::text, -1), ',"workspace_users":[', row_to_json(membership)::text, ']}'
  ) AS workspace
  FROM (SELECT ${select(workspaceFields)} FROM ${all} AND w.id = $1) item
  CROSS JOIN (
    SELECT ${select(membershipFields)} FROM workspace.workspace_member m
    WHERE m.workspace_id = $1 AND m.user_id = $2
  ) membership`;

/** Workspaces as JSON for clients, built by PostgreSQL (docs/decisions/gateway.md). */
@Injectable()
export class WorkspaceReadRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Elements of an array without its brackets, unless the caller knows their current version. */
  async page(
    scope: Scope,
    after: number | null,
    knownVersion: string | null,
  ): Promise<Out<typeof readWorkspacePage>> {
    const [row] = await this.query<{
      version: string;
      items: string | null;
      count: number;
      last: number | null;
      read: number | null;
    }>(scope, "workspace-page", buildPage, after ?? 0, [knownVersion]);
    const { version, items, count, last, read } = row!;
    if (version === knownVersion) return { version, page: null };
    const next = count === read && read < maxRead ? null : last;
    return { version, page: { items: items ?? "", next } };
  }

  async ids(scope: Scope, after: number | null): Promise<{ ids: number[]; next: number | null }> {
    const rows = await this.query<{ id: number }>(scope, "workspace-ids", buildIds, after ?? 0);
    const ids = rows.map(({ id }) => id);
    return { ids, next: ids.length < maxIds ? null : ids.at(-1)! };
  }

  /** Includes the caller's own membership where they need one; null if they may not use it. */
  async find(scope: WorkspaceScope): Promise<string | null> {
    const rows = await this.query<{ workspace: string }>(
      scope,
      "workspace-one",
      (from) => (from === own ? oneOfOwn : buildOne(from)),
      scope.workspace.id,
    );
    return rows[0]?.workspace ?? null;
  }

  private query<Row>(
    scope: Scope,
    name: string,
    build: (from: string) => string,
    parameter: number,
    more: unknown[] = [],
  ): Promise<Row[]> {
    const { workspaceIds, userId } = scope.principal;
    if (workspaceIds !== undefined)
      return preparedQuery<Row>(this.dataSource, `${name}-of-key`, build(listed), [
        parameter,
        workspaceIds,
        ...more,
      ]);
    return managesAll(scope)
      ? preparedQuery<Row>(this.dataSource, `${name}-of-all`, build(all), [parameter, ...more])
      : preparedQuery<Row>(this.dataSource, `${name}-of-user`, build(own), [
          parameter,
          userId ?? -1,
          ...more,
        ]);
  }
}

@Module({
  providers: [WorkspaceChanges, WorkspaceReadRepository, WorkspaceRepository],
  exports: [WorkspaceChanges, WorkspaceReadRepository, WorkspaceRepository],
})
export class WorkspaceModule {}
