import { servicePrincipal, type Scope, type WorkspaceScope } from "@carrel/contracts";
import type { Logger } from "@carrel/observability";
import { LOGGER } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { buildPublicationId } from "../chunking/chunk-id.ts";
import { IndexDirectory } from "./index-directory.ts";
import { IndexEntryRepository } from "./index-entry.repository.ts";
import { IndexStore } from "./index-store.ts";
import { SearchIndexRepository } from "./search-index.repository.ts";
import type { SearchIndex } from "./search-index.ts";

const scope = { principal: servicePrincipal, workspace: null };
/** A store that hasn't responded for this long is abandoned, along with its rows. */
const abandonedAfterMs = 7 * 24 * 3_600_000;

/**
 * Frees the storage of dropped indexes, and recovers from data loss, which shows as a store's
 * changed identity.
 */
@Injectable()
export class IndexJanitor {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly directory: IndexDirectory,
    private readonly indexes: SearchIndexRepository,
    private readonly index: IndexStore,
    private readonly entries: IndexEntryRepository,
  ) {}

  async free(): Promise<void> {
    for (const index of await this.indexes.listFree(scope)) {
      try {
        await (await this.index.vectorsOf(index))?.drop();
        await this.freeText(index);
        await this.indexes.delete(scope, index.id);
      } catch (fault) {
        this.logger.warn(
          { err: fault, place: index.vectorPlace },
          "couldn't free a dropped index yet",
        );
        if (Date.now() - index.since.getTime() > abandonedAfterMs)
          await this.indexes.delete(scope, index.id);
      }
    }
    this.directory.forget();
    await this.index.closeUnused();
  }

  /**
   * If the active index has lost rows, re-indexes every document from the text in PostgreSQL; if
   * another index has, rewrites its rows.
   */
  async followLosses(): Promise<void> {
    for (const index of await this.directory.list()) {
      const identity = await this.index.identity(index).catch((fault: unknown) => {
        this.logger.warn(
          { err: fault, place: index.vectorPlace },
          "couldn't compare a search index",
        );
        return null;
      });
      if (identity === null || identity === index.identity) continue;
      await this.dataSource.transaction(async (manager) => {
        await this.indexes.lock(scope, manager);
        const now = (await this.indexes.list(scope, manager)).find(({ id }) => id === index.id);
        if (!now || now.role === "dropped" || now.identity === identity) return;
        await this.indexes.saveIdentity(scope, manager, index.id, identity);
        if (now.identity === null) return;
        if (now.role === "active")
          await manager.query(
            `UPDATE ingest.workspace_document SET state = 'queued', version = version + 1,
              reason = NULL, lease_until = NULL, lost_index_version = index_version
            WHERE state <> 'failed'`,
          );
        else await this.entries.clearEntries(scope, manager, index.id);
      });
      this.directory.forget();
    }
  }

  /**
   * Drops the text index unless another index shares it. Holds the lock on roles, because such an
   * index may be created at the same moment.
   */
  private async freeText(index: SearchIndex): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      await this.indexes.lock(scope, manager);
      const others = (await this.indexes.list(scope, manager)).filter(
        ({ id, role }) => id !== index.id && role !== "dropped",
      );
      if (others.some(({ textPlace }) => textPlace === index.textPlace)) return;
      await (await this.index.textOf(index)).drop();
    });
  }
}

/** Records unreferenced index rows for the sweeper. */
@Injectable()
export class IndexGarbage {
  /**
   * Abandons the rows of a run that didn't publish, unless another run of the same version did or
   * still may: the job of a replica that stopped responding runs twice, and both runs write the
   * same rows.
   */
  async abandon(
    scope: WorkspaceScope,
    manager: EntityManager,
    id: number,
    version: number,
  ): Promise<void> {
    const [row] = await manager.query<{ version: number; index_version: number | null }[]>(
      `SELECT version, index_version FROM ingest.workspace_document WHERE id = $1 FOR UPDATE`,
      [id],
    );
    if (row?.version !== version && row?.index_version !== version)
      await this.add(scope, manager, buildPublicationId(id, version));
  }

  /**
   * Turns removed links of a workspace into garbage and deletes their chunks; returns how many.
   * Other replicas may process other links at the same time.
   */
  async collectRemoved(
    _scope: Scope,
    manager: EntityManager,
    workspaceId: number,
    limit: number,
  ): Promise<number> {
    const [rows] = await manager.query<
      [{ workspace_document_id: number; version: number; index_version: number | null }[], number]
    >(
      `WITH "some" AS (
        SELECT id FROM ingest.removed_link
        WHERE workspace_id = $1
        ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED
      )
      DELETE FROM ingest.removed_link r USING "some"
      WHERE r.id = "some".id
      RETURNING r.workspace_document_id, r.version, r.index_version`,
      [workspaceId, limit],
    );
    if (rows.length === 0) return 0;
    await manager.query(`DELETE FROM ingest.chunk WHERE workspace_document_id = ANY($1::int[])`, [
      rows.map((row) => row.workspace_document_id),
    ]);
    // A running job may also have written rows of the current version.
    const publications = rows.flatMap((row) =>
      [...new Set([row.version, row.index_version ?? row.version])].map((version) =>
        buildPublicationId(row.workspace_document_id, version),
      ),
    );
    await manager.query(
      `INSERT INTO ingest.index_garbage (workspace_id, publication) SELECT $1::int, unnest($2::uuid[])`,
      [workspaceId, publications],
    );
    return rows.length;
  }

  async add(scope: WorkspaceScope, manager: EntityManager, publication: string): Promise<void> {
    await manager.query(
      `INSERT INTO ingest.index_garbage (workspace_id, publication) VALUES ($1, $2)`,
      [scope.workspace.id, publication],
    );
  }

  /** Marks everything the indexes hold for a workspace as garbage. */
  async addWorkspace(_scope: Scope, manager: EntityManager, workspaceId: number): Promise<void> {
    await manager.query(
      `INSERT INTO ingest.index_garbage (workspace_id, publication) VALUES ($1, NULL)`,
      [workspaceId],
    );
  }
}
