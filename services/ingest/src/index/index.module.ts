import { randomUUID } from "node:crypto";
import {
  CarrelError,
  dropPreviousIndex,
  getIndexState,
  servicePrincipal,
  stopIndexBuild,
  sweepIndex,
  undoIndexSwitch,
  type Out,
  type Scope,
  eventLogged,
  type IndexTarget,
} from "@carrel/contracts";
import {
  Handle,
  Reconciler,
  jobMessage,
  type OutboxMessage,
  type RequestContext,
  Outbox,
  eventMessage,
} from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { LOGGER } from "@carrel/runtime";
import { Controller, Inject, Injectable, Module } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { ChunkingModule } from "../chunking/chunking.module.ts";
import { indexJob } from "../document/document-jobs.ts";
import { DocumentModule } from "../document/document.module.ts";
import { EmbeddingModule } from "../embedding/embedding.module.ts";
import { InstanceSettings } from "../setting/instance-settings.ts";
import { SettingModule } from "../setting/setting.module.ts";
import { UsageModule } from "../usage/usage.module.ts";
import { WorkPoolModule } from "../work-pool/work-pool.module.ts";
import { DocumentCopier } from "./document-copier.ts";
import { DocumentEmbedder, PublishedEmbedder } from "./document-embedder.ts";
import { ChunkWriter, DocumentIndexer, IndexingFailures } from "./document-indexer.ts";
import { DocumentPublisher } from "./document-publisher.ts";
import { DocumentWaits } from "./document-waits.ts";
import { Embedder } from "./embedder.ts";
import { IndexBuildRepository } from "./index-build.repository.ts";
import { IndexBuildLease, IndexBuilder, IndexFiller } from "./index-builder.ts";
import { IndexDirectory, SettingsRestorer } from "./index-directory.ts";
import { IndexEntryRepository } from "./index-entry.repository.ts";
import { IndexFolder } from "./index-folder.ts";
import { EmbeddingReconciler, IndexFollower } from "./index-follower.ts";
import { IndexGarbage, IndexJanitor } from "./index-garbage.ts";
import { IndexStore, WriterLease } from "./index-store.ts";
import { IndexSweeper, secondSweepMinutes } from "./index-sweeper.ts";
import { IndexSwitch } from "./index-switch.ts";
import { IndexWriter } from "./index-writer.ts";
import { IndexingRepository } from "./indexing.repository.ts";
import { PostponementRepository } from "./postponement.repository.ts";
import { SearchIndexRepository } from "./search-index.repository.ts";
import type { SearchIndex, Target } from "./search-index.ts";
import { StoreRecovery } from "./store-recovery.ts";
import { TermsReconciler } from "./terms.reconciler.ts";
import { TextEmbeddingHandler } from "./text-embedding.handler.ts";
import { DocumentLanguages, VectorLanguages } from "./vector-languages.ts";
import { VectorSelfCheck } from "./vector-self-check.ts";

const serviceScope: Scope = { principal: servicePrincipal, workspace: null };

const mapTarget = (index: SearchIndex | Target): IndexTarget => ({
  engine: index.engine,
  model: index.model,
  dimensions: index.dimensions,
  vectorDatabase: index.vectorDatabase,
});

/** The index that was active before the last switch: activates it again, or deletes it. */
@Injectable()
class PreviousIndex {
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

/** The index state for the settings page. */
@Controller()
class IndexStateHandler {
  constructor(
    private readonly settings: InstanceSettings,
    private readonly directory: IndexDirectory,
    private readonly entries: IndexEntryRepository,
  ) {}

  @Handle(getIndexState)
  async state(): Promise<Out<typeof getIndexState>> {
    this.directory.forget();
    const [active, building, previous, vectors, embedding, target] = await Promise.all([
      this.directory.active(),
      this.directory.find("building"),
      this.directory.find("previous"),
      this.entries.countVectors(serviceScope),
      this.entries.countEmbedded(serviceScope),
      this.settings.get().then((values) => this.directory.read(values)),
    ]);
    const cannot =
      target.fault !== null &&
      (target.engine !== active.engine || target.vectorPlace !== active.vectorPlace || vectors > 0);
    return {
      active: vectors === 0 ? null : mapTarget(active),
      vectors,
      vectorsWork: active.vectorsWork,
      ...(await describeLanguages(active, building)),
      embedding,
      wanted: cannot ? mapTarget(target) : null,
      reason: cannot ? target.fault : null,
      building: building && {
        id: building.id,
        target: mapTarget(building),
        state: building.state,
        fault: building.message ?? (building.state === "running" ? null : building.fault),
        ...(await this.entries.count(serviceScope, building.id)),
        startedAt: building.startedAt.toISOString(),
        secondsLeft: await this.secondsLeft(building),
      },
      previous: previous && { target: mapTarget(previous), since: previous.since.toISOString() },
    };
  }

  private async secondsLeft(building: SearchIndex): Promise<number | null> {
    if (building.state !== "running" || building.chunksBuilt === 0 || building.busyMs === 0)
      return null;
    const { chunksDone, chunksTotal } = await this.entries.count(serviceScope, building.id);
    return Math.ceil(((chunksTotal - chunksDone) * building.busyMs) / building.chunksBuilt / 1000);
  }
}

/** Languages without vectors, and the built-in model that would cover them. */
async function describeLanguages(
  active: SearchIndex,
  building: SearchIndex | null,
): Promise<Pick<Out<typeof getIndexState>, "languagesWithoutVectors" | "multilingualModel">> {
  const languagesWithoutVectors = Object.entries(active.vectorChecks)
    .filter(([, { works }]) => !works)
    .map(([language]) => language);
  const { languagesOf, multilingualModel } = await import("@carrel/providers");
  const isLimited = active.engine === "native" && languagesOf(active.model) !== null;
  const { id: model, size } = multilingualModel;
  return {
    languagesWithoutVectors,
    multilingualModel:
      isLimited && languagesWithoutVectors.length > 0 && building?.model !== model
        ? { model, size }
        : null,
  };
}

/** Keeps the indexes in line with the settings and PostgreSQL, and requeues lost index jobs. */
@Injectable()
class IndexReconciler extends Reconciler {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly dataSource: DataSource,
    private readonly follower: IndexFollower,
    private readonly janitor: IndexJanitor,
    private readonly languages: DocumentLanguages,
    private readonly selfCheck: VectorSelfCheck,
  ) {
    super();
  }

  override async due(): Promise<OutboxMessage[]> {
    await this.attempt("couldn't apply the index settings", () => this.follower.follow());
    await this.attempt("couldn't check the search indexes for losses", () =>
      this.janitor.followLosses(),
    );
    await this.attempt("couldn't detect the languages of documents", () => this.languages.detect());
    await this.attempt("couldn't check whether vectors mean anything", () => this.selfCheck.run());
    await this.attempt("couldn't free dropped indexes", () => this.janitor.free());
    return [...(await this.dueIndexing()), ...(await this.dueSweeps())];
  }

  private async attempt(failure: string, work: () => Promise<void>): Promise<void> {
    await work().catch((error: unknown) => this.logger.warn({ err: error }, failure));
  }

  private async dueIndexing(): Promise<OutboxMessage[]> {
    const rows = await this.dataSource.query<
      { id: number; version: number; workspaceId: number }[]
    >(`SELECT w.id, w.version, w.workspace_id AS "workspaceId"
      FROM ingest.workspace_document w
      JOIN ingest.document d ON d.id = w.document_id AND d.state = 'parsed'
      WHERE (
          w.state = 'queued'
          AND w.last_updated_at < now() - interval '2 seconds'
          AND (w.retry_at IS NULL OR w.retry_at < now())
        )
        OR (w.state = 'indexing' AND w.lease_until < now())
      ORDER BY w.id LIMIT 5000`);
    return rows.map((row) => indexJob(row, row.workspaceId));
  }

  private async dueSweeps(): Promise<OutboxMessage[]> {
    const rows = await this.dataSource.query<{ workspaceId: number; version: number }[]>(
      `SELECT workspace_id AS "workspaceId", max(id)::int AS version
      FROM (
        SELECT workspace_id, id
        FROM ingest.index_garbage
        WHERE swept_at IS NULL OR created_at < now() - $1 * interval '1 minute'
        UNION ALL
        SELECT workspace_id, id
        FROM ingest.removed_link
      ) due
      GROUP BY workspace_id
      LIMIT 1000`,
      [secondSweepMinutes],
    );
    return rows.map(({ workspaceId, version }) =>
      jobMessage(sweepIndex, { rowId: workspaceId, version, payload: { workspaceId, version } }),
    );
  }
}

/** Actions on the index from the settings page. */
@Controller()
class IndexHandler {
  constructor(
    private readonly directory: IndexDirectory,
    private readonly follower: IndexFollower,
    private readonly previousIndex: PreviousIndex,
    private readonly restorer: SettingsRestorer,
    private readonly janitor: IndexJanitor,
  ) {}

  @Handle(stopIndexBuild)
  async stop(_input: unknown, { scope }: RequestContext): Promise<Out<typeof stopIndexBuild>> {
    const active = await this.directory.active();
    if (!(await this.directory.find("building")) && (await this.follower.isFollowed()))
      throw new CarrelError("index.not-building");
    await this.restorer.restore(scope, active);
    await this.follower.follow();
    this.freeSoon();
    return { success: true };
  }

  @Handle(undoIndexSwitch)
  async undo(_input: unknown, { scope }: RequestContext): Promise<Out<typeof undoIndexSwitch>> {
    const previous = await this.directory.find("previous");
    if (!previous) throw new CarrelError("index.nothing-to-restore");
    // Settings first: if the process dies now, a build leads to the same index.
    await this.restorer.restore(scope, previous);
    await this.previousIndex.activate(scope, previous);
    await this.follower.follow();
    this.freeSoon();
    return { success: true };
  }

  @Handle(dropPreviousIndex)
  async drop(_input: unknown, { scope }: RequestContext): Promise<Out<typeof dropPreviousIndex>> {
    await this.previousIndex.drop(scope);
    this.freeSoon();
    return { success: true };
  }

  /** If this process ends first, the reconciler frees them. */
  private freeSoon(): void {
    setTimeout(() => void this.janitor.free().catch(() => undefined), 1_000).unref();
  }
}

@Module({
  imports: [
    SettingModule,
    WorkPoolModule,
    DocumentModule,
    ChunkingModule,
    EmbeddingModule,
    UsageModule,
  ],
  controllers: [IndexHandler, IndexStateHandler, TextEmbeddingHandler],
  providers: [
    ChunkWriter,
    DocumentCopier,
    DocumentEmbedder,
    DocumentIndexer,
    DocumentLanguages,
    DocumentPublisher,
    DocumentWaits,
    Embedder,
    EmbeddingReconciler,
    IndexBuildLease,
    IndexBuildRepository,
    IndexBuilder,
    IndexDirectory,
    IndexEntryRepository,
    IndexFiller,
    IndexFolder,
    IndexFollower,
    IndexGarbage,
    IndexJanitor,
    IndexReconciler,
    IndexStore,
    IndexSweeper,
    IndexSwitch,
    IndexWriter,
    IndexingFailures,
    IndexingRepository,
    PostponementRepository,
    PreviousIndex,
    PublishedEmbedder,
    SearchIndexRepository,
    SettingsRestorer,
    StoreRecovery,
    TermsReconciler,
    VectorLanguages,
    VectorSelfCheck,
    WriterLease,
  ],
  exports: [
    DocumentPublisher,
    Embedder,
    IndexGarbage,
    IndexStore,
    IndexSweeper,
    IndexWriter,
    PostponementRepository,
    PublishedEmbedder,
    StoreRecovery,
    VectorLanguages,
  ],
})
export class IndexModule {}
