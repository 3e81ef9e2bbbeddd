import { randomUUID } from "node:crypto";
import {
  CarrelError,
  eventLogged,
  servicePrincipal,
  type IndexTarget,
  type Scope,
} from "@carrel/contracts";
import { Outbox, eventMessage } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { IndexDirectory } from "./index-directory.ts";
import { IndexSwitch } from "./index-switch.ts";
import { SearchIndexRepository } from "./search-index.repository.ts";
import type { SearchIndex, Target } from "./search-index.ts";

export const mapTarget = (index: SearchIndex | Target): IndexTarget => ({
  engine: index.engine,
  model: index.model,
  dimensions: index.dimensions,
  vectorDatabase: index.vectorDatabase,
});

const serviceScope: Scope = { principal: servicePrincipal, workspace: null };

/** The index that was active before the last switch: activates it again, or deletes it. */
@Injectable()
export class PreviousIndex {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly directory: IndexDirectory,
    private readonly indexes: SearchIndexRepository,
    private readonly indexSwitch: IndexSwitch,
  ) {}

  /** Activates the index unless documents would be missing from search; a build adds them first. */
  async activate(scope: Scope, previous: SearchIndex): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      await this.indexes.lock(serviceScope, manager);
      const rows = await this.indexes.list(serviceScope, manager);
      const [active, to, building] = [
        rows.find(({ role }) => role === "active"),
        rows.find(({ id }) => id === previous.id),
        rows.find(({ role }) => role === "building"),
      ];
      if (!active || !to || (to.role !== "previous" && to.role !== "building")) return;
      if (building && building.id !== to.id)
        await this.indexes.setRole(serviceScope, manager, building.id, "dropped");
      // A separate full-text index lacks documents added since.
      if (
        active.textPlace !== to.textPlace &&
        !(await this.indexSwitch.canActivate(manager, active, to))
      )
        return;
      await this.indexSwitch.activate(manager, active, to);
      await this.log(manager, scope, "search_index_undone", to);
    });
    await this.directory.announceChange();
  }

  /** CONFLICT if there is none. */
  async drop(scope: Scope): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      await this.indexes.lock(serviceScope, manager);
      const previous = (await this.indexes.list(serviceScope, manager)).find(
        ({ role }) => role === "previous",
      );
      if (!previous) throw new CarrelError("index.no-previous");
      await this.indexes.setRole(serviceScope, manager, previous.id, "dropped");
      await this.log(manager, scope, "search_index_dropped", previous);
      await this.directory.recordChange(manager);
    });
    await this.directory.announceChange();
  }

  private async log(
    manager: EntityManager,
    { principal, address }: Scope,
    event: string,
    index: SearchIndex,
  ): Promise<void> {
    await this.outbox.add(
      manager,
      eventMessage(eventLogged, {
        id: randomUUID(),
        event,
        userId: principal.userId,
        occurredAt: new Date().toISOString(),
        metadata: {
          ...mapTarget(index),
          ...(principal.keyId === undefined ? {} : { apiKeyId: principal.keyId }),
          ...(address === undefined ? {} : { address }),
        },
      }),
    );
  }
}
