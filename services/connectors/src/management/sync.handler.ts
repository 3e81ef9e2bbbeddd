import {
  CarrelError,
  findRun,
  prepareSync,
  refreshDocument,
  syncConnection,
  type In,
  type Out,
} from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { mapRun } from "../connection/connection-run.entity.ts";
import { ConnectionRepository } from "../connection/connection.repository.ts";
import { RunRepository } from "../connection/run.repository.ts";
import { DocumentRefresher } from "../run/document-refresher.ts";
import { RunProgress } from "../run/run-progress.ts";
import { RunStarter } from "../run/run-starter.ts";

/** What the sync worker has done, when something is due. */
@Controller()
export class SyncHandler {
  constructor(
    private readonly connections: ConnectionRepository,
    private readonly runs: RunRepository,
    private readonly refresher: DocumentRefresher,
    private readonly starter: RunStarter,
    private readonly progress: RunProgress,
  ) {}

  @Handle(refreshDocument)
  refresh(
    input: In<typeof refreshDocument>,
    { scope, signal }: RequestContext,
  ): Promise<Out<typeof refreshDocument>> {
    return this.refresher.refresh(input, scope, signal);
  }

  @Handle(prepareSync)
  async prepare(
    { connectionId, keepsGone }: In<typeof prepareSync>,
    { scope }: RequestContext,
  ): Promise<Out<typeof prepareSync>> {
    const { id, name, connector } = await this.connections.findOwn(scope, connectionId);
    if (keepsGone !== undefined) await this.connections.update(id, { keepsGone });
    return { name, connector };
  }

  @Handle(syncConnection)
  async sync(
    { connectionId }: In<typeof syncConnection>,
    { scope }: RequestContext,
  ): Promise<Out<typeof syncConnection>> {
    const connection = await this.connections.findById(connectionId);
    if (connection === null) throw new CarrelError("source.not-found");
    const run = await this.starter.start(scope, connection);
    await this.progress.report(connection, run.id);
    return { run: mapRun(run), isRetry: run.isRetry };
  }

  @Handle(findRun)
  async find({ runId }: In<typeof findRun>): Promise<Out<typeof findRun>> {
    const run = await this.runs.find(runId);
    return {
      run: run && mapRun(run),
      isWhole: run !== null && run.since === null && !run.isRetry,
    };
  }
}
