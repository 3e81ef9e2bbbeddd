import type { Scope } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import type { ConnectionRun } from "../connection/connection-run.entity.ts";
import type { Connection } from "../connection/connection.entity.ts";
import { ConnectionRepository } from "../connection/connection.repository.ts";
import { RunItemsRepository } from "../connection/run-items.repository.ts";
import { RunRepository } from "../connection/run.repository.ts";
import { ConnectorRegistry } from "../registry/connector-registry.ts";

@Injectable()
export class RunStarter {
  constructor(
    private readonly dataSource: DataSource,
    private readonly registry: ConnectorRegistry,
    private readonly connections: ConnectionRepository,
    private readonly runs: RunRepository,
    private readonly items: RunItemsRepository,
  ) {}

  start({ principal }: Scope, connection: Pick<Connection, "id">): Promise<ConnectionRun> {
    return this.dataSource.transaction((manager) =>
      this.startIn(manager, connection.id, principal.userId),
    );
  }

  async startIn(
    manager: EntityManager,
    connectionId: string,
    userId: number | null,
  ): Promise<ConnectionRun> {
    // Its settings may have changed since somebody asked for it.
    const connection = await this.connections.lock(connectionId, manager);
    const { run, isNew } = await this.runs.start(manager, connection, userId);
    if (!isNew) return run;
    const { form } = this.registry.get(connection.connector);
    // What other settings led to isn't asked for.
    if (connection.isChanged) return run;
    // Pages that didn't change don't show where they lead to, so all of them are asked.
    if (form?.abilities.discovers) await this.items.requeue(manager, run, "known");
    // A listing of changes doesn't mention again what couldn't be fetched.
    else if (run.since !== null) await this.items.requeue(manager, run, "failed");
    return run;
  }

  /** Fetches again what the last run couldn't fetch. */
  retry({ principal }: Scope, { id }: Pick<Connection, "id">): Promise<ConnectionRun> {
    return this.dataSource.transaction(async (manager) => {
      const connection = await this.connections.lock(id, manager);
      const { run, isNew } = await this.runs.start(manager, connection, principal.userId, true);
      if (isNew) await this.items.requeue(manager, run, "failed");
      return run;
    });
  }
}
