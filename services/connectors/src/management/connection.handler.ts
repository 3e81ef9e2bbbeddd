import { isDeepStrictEqual } from "node:util";
import {
  CarrelError,
  connectionRemoved,
  createConnection,
  getConnection,
  listConnections,
  listConnectors,
  removeConnection,
  updateConnection,
  type In,
  type Out,
} from "@carrel/contracts";
import { eventMessage, Handle, keyed, Outbox, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { DataSource, IsNull, type EntityManager } from "typeorm";
import { ConnectionRun, mapRun } from "../connection/connection-run.entity.ts";
import type { Connection } from "../connection/connection.entity.ts";
import { ConnectionRepository, isOwner } from "../connection/connection.repository.ts";
import { StaleRepository } from "../connection/stale.repository.ts";
import { ConnectorRegistry } from "../registry/connector-registry.ts";
import { RunProgress } from "../run/run-progress.ts";
import { RunStarter } from "../run/run-starter.ts";
import { SourceOpener } from "../run/source-opener.ts";
import { StaleDocuments } from "../run/stale-documents.ts";
import { ConnectionView } from "./connection-wire.ts";
import { SourceEvents } from "./source-events.ts";

/** Until the source is asked for the first time who may see its items. */
const firstCheckMs = 3_600_000;

@Controller()
export class ConnectionReadHandler {
  constructor(
    private readonly registry: ConnectorRegistry,
    private readonly connections: ConnectionRepository,
    private readonly view: ConnectionView,
  ) {}

  @Handle(listConnectors)
  listConnectors(
    _input: In<typeof listConnectors>,
    { scope }: RequestContext,
  ): Promise<Out<typeof listConnectors>> {
    return Promise.resolve({ connectors: this.registry.listForms(scope.language) });
  }

  @Handle(listConnections)
  async list(
    _input: In<typeof listConnections>,
    { scope }: RequestContext,
  ): Promise<Out<typeof listConnections>> {
    const rows = await this.connections.list(scope);
    return { connections: await this.view.buildAll(scope, rows) };
  }

  @Handle(getConnection)
  async get(
    { connectionId }: In<typeof getConnection>,
    { scope }: RequestContext,
  ): Promise<Out<typeof getConnection>> {
    const connection = await this.connections.find(scope, connectionId);
    const runs = await this.connections.listRuns(connection.id);
    return { connection: await this.view.build(scope, connection), runs: runs.map(mapRun) };
  }
}

@Controller()
export class ConnectionHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly connections: ConnectionRepository,
    private readonly opener: SourceOpener,
    private readonly starter: RunStarter,
    private readonly view: ConnectionView,
    private readonly events: SourceEvents,
    private readonly progress: RunProgress,
  ) {}

  @Handle(createConnection)
  async create(
    input: In<typeof createConnection>,
    context: RequestContext,
  ): Promise<Out<typeof createConnection>> {
    const { scope } = context;
    const { connector, settings } = this.opener.read(
      input.connector,
      input.settings,
      input.credential,
    );
    if (connector.form === null) throw new CarrelError("source.connector-unknown");
    const mirrorPermissions = input.mirrorPermissions ?? connector.form.abilities.permissions;
    const { id } = await keyed(this.dataSource, context, async (manager) => {
      const created = await this.connections.create(scope, manager, {
        connector: connector.id,
        name: input.name || connector.nameOf(settings),
        settings: settings as Connection["settings"],
        sealedCredential: this.opener.seal(input.credential),
        embed: true,
        metadata: {},
        isOnce: false,
        mirrorPermissions,
        matchAccounts: input.matchAccounts,
        accessDueAt: mirrorPermissions ? new Date(Date.now() + firstCheckMs) : null,
      });
      if (input.start) await this.starter.startIn(manager, created.id, scope.principal.userId);
      await this.events.record(manager, scope, "source_added", created);
      return { id: created.id };
    });
    return this.show(context, id);
  }

  /** A credential goes only to the server it was saved for, so another server needs another one. */
  @Handle(updateConnection)
  async update(
    input: In<typeof updateConnection>,
    context: RequestContext,
  ): Promise<Out<typeof updateConnection>> {
    const { scope } = context;
    const { id } = await this.connections.findOwn(scope, input.connectionId);
    await this.dataSource.transaction(async (manager) => {
      // Of two edits at once, the second builds on the first.
      const current = await this.connections.lock(id, manager);
      const settings = this.readSettings(input, current);
      const {
        mirrorPermissions = current.mirrorPermissions,
        matchAccounts = current.matchAccounts,
      } = input;
      const isOpened =
        (current.mirrorPermissions && !mirrorPermissions) ||
        (matchAccounts && !current.matchAccounts);
      if (isOpened && !isOwner(scope, current))
        throw new CarrelError("source.permissions-of-another");
      const isMatchedAnew =
        mirrorPermissions !== current.mirrorPermissions || matchAccounts !== current.matchAccounts;
      const hasChanged = !isDeepStrictEqual(settings, current.settings);
      // What a running import registers would have the rules of before.
      if (hasChanged || isMatchedAnew) await refuseWhileImporting(id, manager);
      if (hasChanged) await this.connections.changeSettings(id, settings, manager);
      await this.connections.update(
        id,
        {
          ...(input.name !== undefined && { name: input.name }),
          ...(input.credential !== undefined && {
            sealedCredential: this.opener.seal(input.credential),
          }),
          ...(isMatchedAnew && { mirrorPermissions, matchAccounts }),
          // Whoever gets a say in it, the check that is due now tells ingest.
          ...((isMatchedAnew || (input.credential !== undefined && mirrorPermissions)) && {
            accessDueAt: new Date(),
            accessAskAt: null,
            accessCursor: null,
          }),
        },
        manager,
      );
      if (input.credential) await this.connections.adopt(scope, id, manager);
      await this.events.record(manager, scope, "source_updated", current);
    });
    return this.show(context, id);
  }

  /** The source's next settings; what nobody sends isn't read, because it may no longer be readable. */
  private readSettings(
    { settings, credential }: In<typeof updateConnection>,
    current: Connection,
  ): Connection["settings"] {
    const kept = credential === undefined;
    if (settings === undefined && kept) return current.settings;
    const next = this.opener.read(
      current.connector,
      settings ?? current.settings,
      kept ? this.opener.readCredential(current.sealedCredential) : credential,
    );
    const isElsewhere = next.connector.originOf(next.settings) !== this.opener.originOf(current);
    if (kept && current.sealedCredential !== null && isElsewhere)
      throw new CarrelError("source.credential-due");
    return next.settings as Connection["settings"];
  }

  private async show({ scope }: RequestContext, id: string): Promise<Out<typeof createConnection>> {
    const connection = await this.connections.find(scope, id);
    await this.progress.send(connection, { type: "connection_changed", connectionId: id });
    return { connection: await this.view.build(scope, connection) };
  }
}

/** With its connection locked, no import begins until the transaction ends. */
async function refuseWhileImporting(connectionId: string, manager: EntityManager): Promise<void> {
  if (await manager.existsBy(ConnectionRun, { connectionId, endedAt: IsNull() }))
    throw new CarrelError("source.importing");
}

@Controller()
export class ConnectionRemovalHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly connections: ConnectionRepository,
    private readonly left: StaleRepository,
    private readonly stale: StaleDocuments,
    private readonly events: SourceEvents,
    private readonly progress: RunProgress,
  ) {}

  @Handle(removeConnection)
  async remove(
    { connectionId, documents }: In<typeof removeConnection>,
    { scope }: RequestContext,
  ): Promise<Out<typeof removeConnection>> {
    const connection = await this.connections.findOwn(scope, connectionId);
    const count = await this.dataSource.transaction(async (manager) => {
      await this.connections.lock(connection.id, manager);
      await this.connections.lockRuns(connection.id, manager);
      const removed = documents ? await this.left.addAll(manager, connection.id) : 0;
      await this.connections.delete(connection.id, manager);
      await this.events.record(manager, scope, "source_removed", connection);
      await this.outbox.add(manager, eventMessage(connectionRemoved, { connectionId }));
      return removed;
    });
    // Replaced documents go in any case; what ingest can't delete now is deleted later.
    await this.stale.remove(connection.id).catch(() => undefined);
    await this.progress.send(connection, { type: "connection_removed", connectionId });
    return { success: true, documents: count };
  }
}
