import {
  buildIndex,
  servicePrincipal,
  workspaceDocumentsChanged,
  type JobPayload,
} from "@carrel/contracts";
import { eventMessage, jobMessage, Outbox, Process, type JobContext } from "@carrel/messaging";
import { LOGGER } from "@carrel/runtime";
import type { Logger } from "@carrel/observability";
import { ProviderError } from "@carrel/providers";
import { VectorStoreError } from "@carrel/vector-store";
import { Inject, Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { Embedder } from "./embedder.ts";
import { EmbeddingModels, type NamedModel } from "../embedding/embedding-models.ts";
import { DocumentCopier } from "./document-copier.ts";
import { IndexDirectory } from "./index-directory.ts";
import { IndexFollower } from "./index-follower.ts";
import { IndexStore } from "./index-store.ts";
import type { SearchIndex } from "./search-index.ts";
import type { MissingDocument } from "./index-entry.repository.ts";
import { SearchIndexRepository } from "./search-index.repository.ts";
import { IndexBuildRepository } from "./index-build.repository.ts";
import { IndexEntryRepository } from "./index-entry.repository.ts";

const scope = { principal: servicePrincipal, workspace: null };
/** Longer than one call to a slow embedder; renewed after each document. */
const leaseMs = 180_000;
/**
 * One job works for so long, then the next one goes on: a process that stops need not be waited
 * for.
 */
const turnMs = 20_000;
const pageSize = 64;
/** Documents at work at the same time. */
const atOnce = 4;
/**
 * So few are left that those who publish can wait for them: without that, steady uploads would keep
 * an index from ever being complete.
 */
const lastStretch = 16;
const retryMs = { soon: 15_000, later: 60_000 };
/**
 * Documents that the embedder refuses, one after the other, until it is not the documents' fault
 * any more.
 */
const mostRefusals = 5;

/** Why a build cannot go on now. */
class BuildHeld extends Error {
  constructor(
    message: string,
    readonly retryMs: number | null,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

/**
 * Fills the index that the settings ask for, document by document from the stored text, and makes
 * it answer once nothing is missing.
 */
@Injectable()
export class IndexBuilder {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly directory: IndexDirectory,
    private readonly indexes: SearchIndexRepository,
    private readonly builds: IndexBuildRepository,
    private readonly entries: IndexEntryRepository,
    private readonly follower: IndexFollower,
    private readonly index: IndexStore,
    private readonly embedder: Embedder,
    private readonly models: EmbeddingModels,
    private readonly copier: DocumentCopier,
  ) {}

  @Process(buildIndex, { concurrency: 1 })
  async run(
    { buildId, version }: JobPayload<typeof buildIndex>,
    context: JobContext,
  ): Promise<void> {
    if (!(await this.builds.claim(scope, buildId, version, leaseMs))) return;
    this.directory.forget();
    const building = await this.directory.find("building");
    if (building?.id !== buildId) return;
    try {
      const isComplete = await this.work(building, version, context.signal);
      if (!isComplete)
        await this.rest(buildId, version, { state: "running", message: null, retryMs: null }, true);
    } catch (fault) {
      const held = hold(fault);
      this.logger.warn({ err: fault }, "the search index could not be built further");
      await this.rest(
        buildId,
        version,
        {
          state: held.retryMs === null ? "failed" : "waiting",
          message: held.message,
          retryMs: held.retryMs,
        },
        false,
      );
    } finally {
      await this.builds.release(scope, buildId);
    }
  }

  /** True when there is nothing more to do for this job: the index answers, or it was given up. */
  private async work(
    building: SearchIndex,
    version: number,
    signal: AbortSignal,
  ): Promise<boolean> {
    const named = await this.ready(building);
    await this.index.check(building);
    const until = performance.now() + turnMs;
    const refused = new Map<number, ProviderError>();
    for (let after = 0; ;) {
      const page = await this.entries.listMissing(scope, building.id, after, pageSize);
      if (page.length === 0) break;
      after = page.at(-1)!.id;
      if (!(await this.copyAll(building, version, page, named, signal, refused, until)))
        return true;
      if (performance.now() > until || signal.aborted) return false;
    }
    if (await this.finish(building, version, named, signal, refused)) return true;
    // What the embedder refuses and the old one had taken stands in the way: somebody has to
    // decide.
    const [first] = refused.values();
    if (first)
      throw new BuildHeld(
        `${refused.size === 1 ? "A document" : `${refused.size} documents`} could not be embedded: ${first.message}`,
        null,
        first,
      );
    return false;
  }

  /** False when the build is no longer this job's. */
  private async copyAll(
    building: SearchIndex,
    version: number,
    documents: MissingDocument[],
    named: NamedModel | null,
    signal: AbortSignal,
    refused: Map<number, ProviderError>,
    until: number,
  ): Promise<boolean> {
    const active = await this.directory.active();
    const withText = active.textPlace !== building.textPlace;
    let next = 0;
    let isOurs = true;
    let refusals = 0;
    const worker = async (): Promise<void> => {
      while (isOurs && next < documents.length && !signal.aborted && performance.now() < until) {
        const document = documents[next++]!;
        const started = performance.now();
        let chunks = 0;
        try {
          chunks = await this.copier.copy(building, document, { named, withText, signal });
          refusals = 0;
        } catch (fault) {
          if (
            !(fault instanceof ProviderError) ||
            (fault.kind !== "invalid" && fault.kind !== "context-length") ||
            ++refusals >= mostRefusals
          )
            throw fault;
          refused.set(document.id, fault);
        }
        isOurs &&= await this.builds.noteBuilt(scope, building.id, version, {
          chunks,
          ms: (performance.now() - started) / atOnce,
          leaseMs,
        });
        this.directory.tellProgress();
      }
    };
    const ended = await Promise.allSettled(
      Array.from({ length: Math.min(atOnce, documents.length) }, worker),
    );
    for (const end of ended) if (end.status === "rejected") throw end.reason;
    return isOurs;
  }

  /** Makes the index answer when nothing would be found worse by it. */
  private async finish(
    building: SearchIndex,
    version: number,
    named: NamedModel | null,
    signal: AbortSignal,
    refused: Map<number, ProviderError>,
  ): Promise<boolean> {
    const turned = await this.dataSource.transaction(async (manager) => {
      await manager.query(`SET LOCAL idle_in_transaction_session_timeout = '300s'`);
      await this.indexes.lock(scope, manager);
      const rows = await this.indexes.list(scope, manager);
      const [active, own] = [
        rows.find(({ role }) => role === "active"),
        rows.find(({ id }) => id === building.id),
      ];
      if (!active || own?.role !== "building" || own.version !== version) return "gone";
      if (!(await this.follower.mayTurn(manager, active, own))) {
        const left = (
          await this.entries.listMissing(scope, own.id, 0, lastStretch + refused.size + 1)
        ).filter(({ id }) => !refused.has(id));
        if (left.length > lastStretch) return "not yet";
        await this.copyAll(own, version, left, named, signal, refused, performance.now() + turnMs);
        if (!(await this.follower.mayTurn(manager, active, own))) return "not yet";
      }
      await this.follower.turnTo(manager, active, own);
      await this.tellWorkspaces(manager);
      return "turned";
    });
    if (turned === "not yet") return false;
    await this.directory.tellNow();
    await this.embedder.look();
    return true;
  }

  private async tellWorkspaces(manager: EntityManager): Promise<void> {
    const rows = await manager.query<{ id: number }[]>(
      `SELECT DISTINCT "workspace_id" AS "id" FROM "ingest"."workspace_document" ORDER BY 1 LIMIT 1000`,
    );
    await this.outbox.add(
      manager,
      ...rows.map(({ id }) => eventMessage(workspaceDocumentsChanged, { workspaceId: id })),
    );
  }

  /** The embedder of the index that is built, ready to be asked. */
  private async ready(building: SearchIndex): Promise<NamedModel | null> {
    if (building.embedder === null) return null;
    const named = await this.embedder.modelOf(building);
    if (!named)
      throw new BuildHeld(
        "The settings of the embedder cannot be used any more. Enter them again.",
        null,
      );
    if (await this.models.isReady(named)) return named;
    const native = await this.models.nativeState(named.model);
    throw new BuildHeld(
      native.message ?? "The model of the built-in embedder is being downloaded.",
      retryMs.soon,
    );
  }

  private async rest(
    id: string,
    version: number,
    o: Parameters<IndexBuildRepository["rest"]>[4],
    goOn: boolean,
  ): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      if (!(await this.builds.rest(scope, manager, id, version, o))) return;
      if (goOn)
        await this.outbox.add(
          manager,
          jobMessage(buildIndex, {
            rowId: id,
            version: version + 1,
            payload: { buildId: id, version: version + 1 },
          }),
        );
      else await this.directory.noteChange(manager);
    });
    if (!goOn) await this.directory.tellNow();
  }
}

/** Faults to what a person is told, and whether time may help. */
function hold(fault: unknown): BuildHeld {
  if (fault instanceof BuildHeld) return fault;
  if (fault instanceof ProviderError)
    return new BuildHeld(
      fault.message,
      fault.isRetryable || fault.kind === "aborted"
        ? Math.max(fault.retryAfterMs ?? 0, retryMs.soon)
        : null,
      fault,
    );
  if (fault instanceof VectorStoreError)
    return new BuildHeld(fault.message, fault.isRetryable ? retryMs.soon : null, fault);
  return new BuildHeld("The index could not be built further for now.", retryMs.later, fault);
}
