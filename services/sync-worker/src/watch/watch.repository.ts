import type { WhenGone } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource, In, type EntityManager } from "typeorm";
import { Watch, type SyncRun } from "./watch.entity.ts";

/** Runs that are kept of each watch. */
const keptRuns = 50;

type NewWatch = Pick<
  Watch,
  | "documentId"
  | "connectionId"
  | "workspaceId"
  | "chunkSource"
  | "title"
  | "connector"
  | "host"
  | "userId"
  | "intervalSeconds"
  | "whenGone"
>;

@Injectable()
export class WatchRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Watches something; what was given up starts over. `dueIn` in seconds. */
  async add(values: NewWatch, dueIn: number): Promise<void> {
    await this.dataSource.query(
      `INSERT INTO sync_worker.watch AS w (
        document_id, connection_id, workspace_id, chunk_source, title, connector, host, user_id,
        interval_seconds, when_gone, next_sync_at
      )
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, now() + $11 * interval '1 second')
      ON CONFLICT (${values.documentId === null ? "connection_id" : "document_id"}) DO UPDATE SET
        title = excluded.title,
        chunk_source = excluded.chunk_source,
        host = excluded.host,
        user_id = excluded.user_id,
        state = CASE WHEN w.state = 'stopped' THEN 'waiting' ELSE w.state END,
        next_sync_at = CASE WHEN w.state = 'stopped' THEN now() ELSE w.next_sync_at END,
        failures = CASE WHEN w.state = 'stopped' THEN 0 ELSE w.failures END,
        fault = CASE WHEN w.state = 'stopped' THEN NULL ELSE w.fault END`,
      [
        values.documentId,
        values.connectionId,
        values.workspaceId,
        values.chunkSource,
        values.title,
        values.connector,
        values.host,
        values.userId,
        values.intervalSeconds,
        values.whenGone,
        dueIn,
      ],
    );
  }

  /** Sets what people choose; an interval counts from the latest sync, or from the one going on. */
  async update(
    id: number,
    values: { intervalSeconds?: number | undefined; whenGone?: WhenGone | undefined },
  ): Promise<void> {
    await this.dataSource.query(
      `UPDATE sync_worker.watch SET
        when_gone = coalesce($3, when_gone),
        interval_seconds = coalesce($2, interval_seconds),
        next_sync_at = CASE
          -- Claims of lost replicas are found by it.
          WHEN $2::float IS NULL OR state = 'syncing' THEN next_sync_at
          ELSE greatest(now(), coalesce(last_synced_at, now()) + $2 * interval '1 second')
        END
      WHERE id = $1`,
      [id, values.intervalSeconds ?? null, values.whenGone ?? null],
    );
  }

  /** A person makes it due now, or again once the sync that is going on has succeeded. */
  request(id: number): Promise<void> {
    return this.bringForward(this.dataSource.manager, id, true);
  }

  /**
   * The same for its source. While it fails, it waits as it would otherwise: a source that is down
   * for minutes may announce more changes than failures are allowed.
   */
  announce(id: number, manager: EntityManager = this.dataSource.manager): Promise<void> {
    return this.bringForward(manager, id, false);
  }

  private async bringForward(
    manager: EntityManager,
    id: number,
    isFailingToo: boolean,
  ): Promise<void> {
    await manager.query(
      `UPDATE sync_worker.watch SET requested_at = clock_timestamp(),
        next_sync_at = CASE
          WHEN state = 'syncing' OR (failures > 0 AND NOT $2) THEN next_sync_at
          ELSE now()
        END
      WHERE id = $1 AND state <> 'stopped'`,
      [id, isFailingToo],
    );
  }

  find(id: number): Promise<Watch | null> {
    return this.dataSource.manager.findOneBy(Watch, { id });
  }

  findOfConnection(connectionId: string): Promise<Watch | null> {
    return this.dataSource.manager.findOneBy(Watch, { connectionId });
  }

  listOfDocuments(documentIds: readonly string[]): Promise<Watch[]> {
    return this.dataSource.manager.findBy(Watch, { documentId: In([...documentIds]) });
  }

  listOfWorkspace(workspaceId: number): Promise<Watch[]> {
    return this.dataSource.manager.find(Watch, { where: { workspaceId }, order: { id: "ASC" } });
  }

  /** All of them, or only documents that aren't given up, by id. */
  list(after: number, limit: number, onlyActiveDocuments = false): Promise<Watch[]> {
    const query = this.dataSource.manager
      .createQueryBuilder(Watch, "watch")
      .where("watch.id > :after", { after })
      .orderBy("watch.id")
      .take(limit);
    if (onlyActiveDocuments)
      query.andWhere("watch.documentId IS NOT NULL AND watch.state <> 'stopped'");
    return query.getMany();
  }

  async listRuns(watchId: number): Promise<SyncRun[]> {
    return this.dataSource.query<SyncRun[]>(
      `SELECT id::int, status, change, fault, started_at AS "startedAt", ended_at AS "endedAt"
      FROM sync_worker.sync_run WHERE watch_id = $1 ORDER BY id DESC LIMIT $2`,
      [watchId, keptRuns],
    );
  }

  async removeDocuments(documentIds: readonly string[]): Promise<void> {
    if (documentIds.length > 0)
      await this.dataSource.manager.delete(Watch, { documentId: In([...documentIds]) });
  }

  async remove(id: number): Promise<void> {
    await this.dataSource.manager.delete(Watch, { id });
  }

  async removeOfWorkspace(workspaceId: number): Promise<void> {
    await this.dataSource.manager.delete(Watch, { workspaceId });
  }
}
