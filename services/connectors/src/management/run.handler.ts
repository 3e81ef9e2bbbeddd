import {
  cancelRun,
  CarrelError,
  cutPage,
  listHiddenDocuments,
  listSourceItems,
  pauseRun,
  readCursor,
  resumeRun,
  retryRun,
  startRun,
  type In,
  type Out,
  type Scope,
  type SourceItemWire,
} from "@carrel/contracts";
import { Handle, RequestClient, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { DataSource } from "typeorm";
import { z } from "zod";
import { mapRun, type ConnectionRun } from "../connection/connection-run.entity.ts";
import type { Connection } from "../connection/connection.entity.ts";
import { ConnectionRepository, isOwner } from "../connection/connection.repository.ts";
import { ItemListRepository } from "../connection/item-list.repository.ts";
import { RunRepository } from "../connection/run.repository.ts";
import { RunProgress } from "../run/run-progress.ts";
import { RunStarter } from "../run/run-starter.ts";
import { mapItem } from "./connection-wire.ts";

type Action = In<typeof startRun>;
type RunOutput = Out<typeof startRun>;

/** The ordinal of the last item of a page. */
const place = z.tuple([z.string().regex(/^\d{1,18}$/)]);
const shownReasons = 50;

@Controller()
export class RunHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly connections: ConnectionRepository,
    private readonly runs: RunRepository,
    private readonly items: ItemListRepository,
    private readonly starter: RunStarter,
    private readonly progress: RunProgress,
    private readonly client: RequestClient,
  ) {}

  @Handle(startRun)
  start(input: Action, context: RequestContext): Promise<RunOutput> {
    return this.change(input, context, (connection) =>
      this.starter.start(context.scope, connection),
    );
  }

  @Handle(retryRun)
  retry(input: Action, context: RequestContext): Promise<RunOutput> {
    return this.change(input, context, async (connection) => {
      const last = (await this.connections.latestRuns([connection.id])).get(connection.id);
      if (last === undefined) throw new CarrelError("source.never-imported");
      // A source that couldn't even be listed is listed again.
      return last.isListed
        ? this.starter.retry(context.scope, connection)
        : this.starter.start(context.scope, connection);
    });
  }

  @Handle(pauseRun)
  pause(input: Action, context: RequestContext): Promise<RunOutput> {
    return this.change(input, context, ({ id }) => this.runs.setPaused(id, true));
  }

  @Handle(resumeRun)
  resume(input: Action, context: RequestContext): Promise<RunOutput> {
    return this.change(input, context, ({ id }) => this.runs.setPaused(id, false));
  }

  @Handle(cancelRun)
  cancel(input: Action, context: RequestContext): Promise<RunOutput> {
    return this.change(input, context, async ({ id }) => {
      const open = await this.runs.findOpen(id);
      if (open === null) return null;
      await this.runs.end(this.dataSource.manager, open.id, "cancelled");
      return this.runs.find(open.id);
    });
  }

  @Handle(listSourceItems)
  async list(
    { connectionId, state, limit, cursor }: In<typeof listSourceItems>,
    { scope }: RequestContext,
  ): Promise<Out<typeof listSourceItems>> {
    const connection = await this.connections.find(scope, connectionId);
    const run = (await this.connections.latestRuns([connection.id])).get(connection.id);
    if (run === undefined) return { items: [], reasons: [], nextCursor: null };
    const [after] = cursor === undefined ? ["0"] : readCursor(place, cursor);
    const [rows, reasons] = await Promise.all([
      this.items.list(connection.id, run.id, {
        ...(state !== undefined && { state }),
        after,
        limit: limit + 1,
      }),
      this.items.listReasons(run, shownReasons),
    ]);
    const { page, nextCursor } = cutPage(rows, limit, ({ ordinal }) => [ordinal]);
    const shown = await this.hideNames(scope, connection, page.map(mapItem));
    // Reasons may name items.
    const mayName = !connection.mirrorPermissions || isOwner(scope, connection);
    return { items: shown, reasons: mayName ? reasons : [], nextCursor };
  }

  /** Items of a source that mirrors permissions are named to those who may see their documents. */
  private async hideNames(
    scope: Scope,
    connection: Connection,
    items: SourceItemWire[],
  ): Promise<SourceItemWire[]> {
    if (!connection.mirrorPermissions || isOwner(scope, connection)) return items;
    const documentIds = items.flatMap(({ documentId }) => documentId ?? []);
    const { hidden } = await this.client.request(
      listHiddenDocuments,
      { documentIds },
      { scope: { principal: scope.principal, workspace: null } },
    );
    return items.map((item, index) =>
      item.documentId === null || hidden.includes(item.documentId)
        ? { ...item, id: `hidden-${index}`, title: "", address: "", documentId: null, fault: null }
        : item,
    );
  }

  private async change(
    { connectionId }: Action,
    { scope }: RequestContext,
    change: (connection: Connection) => Promise<ConnectionRun | null>,
  ): Promise<RunOutput> {
    const connection = await this.connections.findOwn(scope, connectionId);
    const run = await change(connection);
    if (run === null) throw new CarrelError("source.not-importing");
    await this.progress.report(connection, run.id);
    return { run: mapRun(run) };
  }
}
