import { Reconciler, type OutboxMessage } from "@carrel/messaging";
import { CONFIG } from "@carrel/runtime";
import { BLOB_STORE, openBlobStore } from "@carrel/storage";
import { Injectable, Module } from "@nestjs/common";
import { ConnectionModule } from "../connection/connection.module.ts";
import { ConnectionRepository } from "../connection/connection.repository.ts";
import { runJob } from "../connection/run-job.ts";
import { RunRepository } from "../connection/run.repository.ts";
import { RegistryModule } from "../registry/connector-registry.ts";
import { AccessChecker } from "./access-checker.ts";
import { DocumentRefresher } from "./document-refresher.ts";
import { FailedRevisions } from "./failed-revisions.ts";
import { ItemImporter } from "./item-importer.ts";
import { OnceDocuments } from "./once-documents.ts";
import { PeopleMatcher } from "./people-matcher.ts";
import { RunProgress } from "./run-progress.ts";
import { RunStarter } from "./run-starter.ts";
import { RunWait } from "./run-wait.ts";
import { RunProcessor } from "./run.processor.ts";
import { SourceOpener } from "./source-opener.ts";
import { StaleDocuments } from "./stale-documents.ts";
import { TurnOpener } from "./turn-opener.ts";

/**
 * Requeues turns whose job was lost, and deletes connections that were imported once and the
 * documents that were left behind.
 */
@Injectable()
class RunReconciler extends Reconciler {
  constructor(
    private readonly connections: ConnectionRepository,
    private readonly runs: RunRepository,
    private readonly stale: StaleDocuments,
  ) {
    super();
  }

  async due(): Promise<OutboxMessage[]> {
    await this.connections.deleteOld();
    // Without ingest, they are deleted in a later round.
    await this.stale.remove(null).catch(() => undefined);
    const now = Date.now();
    return (await this.runs.listDue()).map((run) =>
      runJob(run, Math.max(0, (run.waitsUntil?.getTime() ?? 0) - now)),
    );
  }
}

@Module({
  imports: [ConnectionModule, RegistryModule],
  providers: [
    { provide: BLOB_STORE, useFactory: openBlobStore, inject: [CONFIG] },
    AccessChecker,
    DocumentRefresher,
    FailedRevisions,
    ItemImporter,
    PeopleMatcher,
    OnceDocuments,
    RunProcessor,
    RunProgress,
    RunReconciler,
    RunStarter,
    RunWait,
    SourceOpener,
    StaleDocuments,
    TurnOpener,
  ],
  exports: [
    DocumentRefresher,
    PeopleMatcher,
    RunProgress,
    RunStarter,
    RunWait,
    SourceOpener,
    StaleDocuments,
  ],
})
export class RunModule {}
