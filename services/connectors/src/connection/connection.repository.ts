import { randomUUID } from "node:crypto";
import { CarrelError, isWatchableConnector, type Scope } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource, In, type EntityManager } from "typeorm";
import { ConnectionRun } from "./connection-run.entity.ts";
import { Connection } from "./connection.entity.ts";

/**
 * How long a connection that was imported once is kept without documents, so that a repeated
 * request finds it.
 */
const keptHours = 24;

export type NewConnection = Pick<
  Connection,
  "connector" | "name" | "settings" | "sealedCredential" | "embed" | "metadata" | "isOnce"
> &
  Partial<Pick<Connection, "mirrorPermissions" | "matchAccounts" | "accessDueAt">>;

/** What a run needs to act for its owner later; a session ends before. */
const lastingScope = ({ principal, workspace }: Scope): Scope => ({
  principal: {
    kind: principal.kind,
    userId: principal.userId,
    role: principal.role,
    ...(principal.keyId !== undefined && { keyId: principal.keyId }),
    ...(principal.scopes !== undefined && { scopes: principal.scopes }),
    ...(principal.workspaceIds !== undefined && { workspaceIds: principal.workspaceIds }),
    ...(principal.may !== undefined && { may: principal.may }),
  },
  workspace,
});

@Injectable()
export class ConnectionRepository {
  constructor(private readonly dataSource: DataSource) {}

  async create(scope: Scope, manager: EntityManager, values: NewConnection): Promise<Connection> {
    const id = randomUUID();
    await manager.insert(Connection, {
      ...values,
      settings: values.settings as object,
      id,
      scope: lastingScope(scope),
      workspaceId: scope.workspace?.id ?? null,
      ownerId: scope.principal.userId,
    });
    return manager.findOneByOrFail(Connection, { id });
  }

  /** Those of the scope's workspace, oldest first. */
  list({ workspace }: Scope): Promise<Connection[]> {
    return this.dataSource.manager.find(Connection, {
      where: { workspaceId: workspace!.id, isOnce: false },
      order: { createdAt: "ASC", id: "ASC" },
    });
  }

  /** All of these connectors. */
  listOfConnectors(ids: readonly string[]): Promise<Connection[]> {
    return this.dataSource.manager.findBy(Connection, { connector: In([...ids]), isOnce: false });
  }

  /** Throws `source.not-found` for those of other workspaces. */
  async find({ workspace }: Scope, id: string): Promise<Connection> {
    const found = await this.dataSource.manager.findOneBy(Connection, {
      id,
      workspaceId: workspace!.id,
      isOnce: false,
    });
    if (found === null) throw new CarrelError("source.not-found");
    return found;
  }

  /** Like `find`; members change only their own. */
  async findOwn(scope: Scope, id: string): Promise<Connection> {
    const found = await this.find(scope, id);
    if (!mayChange(scope, found)) throw new CarrelError("source.of-another");
    return found;
  }

  /** Any of them, imported once or not. */
  findById(id: string): Promise<Connection | null> {
    return this.dataSource.manager.findOneBy(Connection, { id });
  }

  async update(
    id: string,
    values: Partial<
      Pick<
        Connection,
        | "name"
        | "settings"
        | "sealedCredential"
        | "isChanged"
        | "keepsGone"
        | "mark"
        | "mirrorPermissions"
        | "matchAccounts"
        | "accessDueAt"
        | "accessAskAt"
        | "accessCursor"
      >
    >,
    manager = this.dataSource.manager,
  ): Promise<void> {
    await manager.update(Connection, { id }, { ...values, updatedAt: () => "now()" } as object);
  }

  /** Other settings lead to other items, and make other documents of the same ones. */
  async changeSettings(
    id: string,
    settings: Connection["settings"],
    manager: EntityManager,
  ): Promise<void> {
    await this.update(id, { settings, isChanged: true, mark: null }, manager);
    await manager.query(
      `WITH items AS (
        SELECT key FROM connectors.source_item WHERE connection_id = $1 ORDER BY key FOR UPDATE
      )
      UPDATE connectors.source_item i SET version = NULL
      FROM items WHERE i.connection_id = $1 AND i.key = items.key`,
      [id],
    );
  }

  /**
   * Keeps its settings and whether it has a run as they are until the transaction ends; returns it as
   * it is then. Throws `source.not-found` if it was removed.
   */
  async lock(id: string, manager: EntityManager): Promise<Connection> {
    const found = await this.lockIfThere(id, manager);
    if (found === null) throw new CarrelError("source.not-found");
    return found;
  }

  /** The same; null if it was removed. */
  lockIfThere(id: string, manager: EntityManager): Promise<Connection | null> {
    return manager.findOne(Connection, { where: { id }, lock: { mode: "for_no_key_update" } });
  }

  /**
   * Makes the caller the owner of a source that has none, because its owner was deleted: it uses
   * their credential from now on.
   */
  async adopt(scope: Scope, id: string, manager: EntityManager): Promise<void> {
    if (scope.principal.userId === null) return;
    await manager.query(
      "UPDATE connectors.connection SET owner_id = $2, scope = $3 WHERE id = $1 AND owner_id IS NULL",
      [id, scope.principal.userId, JSON.stringify(lastingScope(scope))],
    );
  }

  /**
   * The owner was deleted. Their credentials are, too; without any, a source might seem to be public
   * and to have lost everything else, so that it isn't asked until somebody enters another one.
   */
  async disown(userId: number): Promise<void> {
    await this.dataSource.query(
      `UPDATE connectors.connection SET
        owner_id = NULL,
        sealed_credential = CASE WHEN sealed_credential IS NOT NULL THEN '' END,
        updated_at = now()
      WHERE owner_id = $1`,
      [userId],
    );
  }

  async listOwnerIds(after: number, limit: number): Promise<number[]> {
    const rows = await this.dataSource.query<{ id: number }[]>(
      `SELECT DISTINCT owner_id AS id FROM connectors.connection
      WHERE owner_id > $1 ORDER BY owner_id LIMIT $2`,
      [after, limit],
    );
    return rows.map(({ id }) => id);
  }

  /** Waits until nothing is recorded for its runs, and keeps anything more from being recorded. */
  async lockRuns(id: string, manager: EntityManager): Promise<void> {
    await manager.query(
      "SELECT 1 FROM connectors.connection_run WHERE connection_id = $1 ORDER BY id FOR UPDATE",
      [id],
    );
  }

  /** Runs and items go with it. */
  async delete(id: string, manager: EntityManager): Promise<void> {
    await manager.delete(Connection, { id });
  }

  async deleteOfWorkspace(workspaceId: number): Promise<void> {
    await this.dataSource.manager.delete(Connection, { workspaceId });
  }

  async listWorkspaceIds(after: number, limit: number): Promise<number[]> {
    const rows = await this.dataSource.query<{ id: number }[]>(
      `SELECT DISTINCT workspace_id AS id FROM connectors.connection
      WHERE workspace_id > $1 ORDER BY workspace_id LIMIT $2`,
      [after, limit],
    );
    return rows.map(({ id }) => id);
  }

  /** Deletes those that were imported once and have no documents. */
  async deleteOld(): Promise<void> {
    await this.dataSource.query(
      "DELETE FROM connectors.connection WHERE is_once AND expires_at < now()",
    );
    // Imports of versions before connections; nothing else ends them, or deletes their secrets.
    await this.dataSource.query(
      "DELETE FROM connectors.import WHERE created_at < now() - $1 * interval '1 hour'",
      [keptHours],
    );
  }

  /**
   * A connection that was imported once has had its run. Its credential is needed again only for
   * documents that can be watched.
   */
  async settleOnce(
    manager: EntityManager,
    { id, connector, isOnce }: Pick<Connection, "id" | "connector" | "isOnce">,
  ): Promise<void> {
    if (!isOnce) return;
    await manager.query(
      `UPDATE connectors.connection SET
        sealed_credential = CASE WHEN $2 AND d.found THEN sealed_credential END,
        expires_at = CASE WHEN NOT d.found THEN now() + $3 * interval '1 hour' END
      FROM (
        SELECT EXISTS (
          SELECT FROM connectors.source_item WHERE connection_id = $1 AND document_id IS NOT NULL
        ) AS found
      ) AS d
      WHERE id = $1`,
      [id, isWatchableConnector(connector), keptHours],
    );
  }

  /** The latest run of each connection. */
  async latestRuns(connectionIds: readonly string[]): Promise<Map<string, ConnectionRun>> {
    const runs = await this.dataSource.manager
      .createQueryBuilder(ConnectionRun, "run")
      .distinctOn(["run.connectionId"])
      .where("run.connectionId = ANY(:ids)", { ids: connectionIds })
      .orderBy("run.connectionId")
      .addOrderBy("run.createdAt", "DESC")
      .getMany();
    return new Map(runs.map((run) => [run.connectionId, run]));
  }

  /** Those that are kept, newest first. */
  listRuns(connectionId: string): Promise<ConnectionRun[]> {
    return this.dataSource.manager.find(ConnectionRun, {
      where: { connectionId },
      order: { createdAt: "DESC" },
    });
  }

  async countDocuments(connectionIds: readonly string[]): Promise<Map<string, number>> {
    const rows = await this.dataSource.query<{ id: string; count: number }[]>(
      `SELECT connection_id AS id, count(*)::int AS count FROM connectors.source_item
      WHERE connection_id = ANY($1) AND document_id IS NOT NULL GROUP BY connection_id`,
      [connectionIds],
    );
    return new Map(rows.map(({ id, count }) => [id, count]));
  }
}

/** Members change only their own sources, whose credential may reach more than they may. */
export const mayChange = (
  { principal }: Scope,
  { ownerId }: Pick<Connection, "ownerId">,
): boolean => principal.role !== "default" || ownerId === principal.userId;

/** Whoever added it, or admins once that person was deleted; without accounts, the one person. */
export const isOwner = ({ principal }: Scope, { ownerId }: Pick<Connection, "ownerId">): boolean =>
  principal.kind === "instance" ||
  (principal.kind === "user" &&
    (ownerId === null ? principal.role === "admin" : ownerId === principal.userId));
