import { servicePrincipal, workspaceDocumentsChanged } from "@carrel/contracts";
import { eventMessage, Outbox } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { Embedder } from "./embedder.ts";
import { IndexDirectory } from "./index-directory.ts";
import { IndexEntryRepository } from "./index-entry.repository.ts";
import { SearchIndexRepository } from "./search-index.repository.ts";
import type { SearchIndex } from "./search-index.ts";

const scope = { principal: servicePrincipal, workspace: null };

/** Makes another index the active one. */
@Injectable()
export class IndexSwitch {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly directory: IndexDirectory,
    private readonly indexes: SearchIndexRepository,
    private readonly entries: IndexEntryRepository,
    private readonly embedder: Embedder,
  ) {}

  /**
   * Activates the index even if documents are missing from it; those are embedded afterwards. The
   * caller holds the lock on index roles.
   */
  async activate(manager: EntityManager, from: SearchIndex, to: SearchIndex): Promise<void> {
    const rows = await this.indexes.list(scope, manager);
    const previous = rows.find(({ role }) => role === "previous");
    if (previous && previous.id !== to.id)
      await this.indexes.setRole(scope, manager, previous.id, "dropped");
    const isWorthKeeping =
      (await this.entries.countVectors(scope)) > 0 || from.textPlace !== to.textPlace;
    await this.entries.reassignDocuments(scope, manager, from, to);
    // Steps through "dropped", because two indexes never hold the same role.
    await this.indexes.setRole(scope, manager, to.id, "dropped");
    await this.indexes.setRole(
      scope,
      manager,
      from.id,
      from.table !== null && isWorthKeeping ? "previous" : "dropped",
    );
    await this.indexes.setRole(scope, manager, to.id, "active");
    await this.directory.recordChange(manager);
    await this.notifyWorkspaces(manager);
  }

  /** Whether the index could become active without making any search result worse. */
  async canActivate(manager: EntityManager, from: SearchIndex, to: SearchIndex): Promise<boolean> {
    const textMoves = from.textPlace !== to.textPlace;
    return (await this.entries.countBlocking(scope, manager, to.id, textMoves)) === 0;
  }

  /**
   * Activates a build once it is complete. `fillRest` gets a last chance to complete it while
   * publishing is blocked. False if it is still incomplete.
   */
  async activateWhenComplete(
    building: SearchIndex,
    version: number,
    fillRest: (own: SearchIndex) => Promise<boolean>,
  ): Promise<boolean> {
    const outcome = await this.dataSource.transaction(async (manager) => {
      await manager.query(`SET LOCAL idle_in_transaction_session_timeout = '300s'`);
      await this.indexes.lock(scope, manager);
      const rows = await this.indexes.list(scope, manager);
      const active = rows.find(({ role }) => role === "active");
      const own = rows.find(({ id }) => id === building.id);
      if (!active || own?.role !== "building" || own.version !== version) return "gone";
      if (!(await this.canActivate(manager, active, own))) {
        if (!(await fillRest(own)) || !(await this.canActivate(manager, active, own)))
          return "incomplete";
      }
      await this.activate(manager, active, own);
      return "activated";
    });
    if (outcome === "incomplete") return false;
    await this.directory.announceChange();
    await this.embedder.refreshReadiness();
    return true;
  }

  private async notifyWorkspaces(manager: EntityManager): Promise<void> {
    const rows = await manager.query<{ id: number }[]>(
      "SELECT DISTINCT workspace_id AS id FROM ingest.workspace_document ORDER BY 1 LIMIT 1000",
    );
    await this.outbox.add(
      manager,
      ...rows.map(({ id }) => eventMessage(workspaceDocumentsChanged, { workspaceId: id })),
    );
  }
}
