import { setTimeout as wait } from "node:timers/promises";
import {
  localModelsChanged,
  quotingProvider,
  servicePrincipal,
  updateSettings,
  type FaultWire,
} from "@carrel/contracts";
import { Broadcast, Reconciler, RequestClient, type OutboxMessage } from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { partialOf } from "@carrel/providers";
import { LOGGER } from "@carrel/runtime";
import { Inject, Injectable, type BeforeApplicationShutdown } from "@nestjs/common";
import { Replica } from "../replica/replica.ts";
import { SettingsCache } from "../setting/settings-cache.ts";
import { findCurated, type CuratedModel } from "./curated-models.ts";
import { describeFetchFault, fetchModel, type FetchProgress } from "./fetch-model.ts";
import { LocalModelPlace } from "./local-model-place.ts";
import { localModelKey, localProvider } from "./local-model-use.ts";
import {
  ModelDownloadRepository,
  leaseSeconds,
  type ModelDownloadRow,
} from "./model-download.repository.ts";

const heartbeatMs = 1_000;
const stallMs = 60_000;
const longestPauseMs = 60_000;

interface Running {
  model: string;
  abort: AbortController;
  ended: Promise<void>;
}

/**
 * Runs the download that is due, on whichever replica claims it first. One that a lost replica or
 * an ended process left behind is continued from the bytes on disk.
 */
@Injectable()
export class ModelDownloads extends Reconciler implements BeforeApplicationShutdown {
  override readonly everyMs = 3_000;
  private running: Running | null = null;
  private isStopped = false;

  constructor(
    private readonly downloads: ModelDownloadRepository,
    private readonly place: LocalModelPlace,
    private readonly replica: Replica,
    private readonly settings: SettingsCache,
    private readonly requests: RequestClient,
    private readonly broadcast: Broadcast,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    super();
  }

  override async due(): Promise<OutboxMessage[]> {
    await this.wake();
    return [];
  }

  /** Claims the download that is due and runs it in the background. */
  async wake(): Promise<void> {
    if (this.running !== null || this.isStopped || !this.place.isOn) return;
    const row = await this.downloads.claim(this.replica.id);
    if (row === null || this.running !== null) return;
    if (this.isStopped) return this.downloads.release(this.replica.id);
    const abort = new AbortController();
    const ended = this.run(row, abort)
      .catch((error: unknown) =>
        this.logger.warn({ err: error, model: row.model }, "a model's download was interrupted"),
      )
      .finally(() => {
        this.running = null;
      });
    this.running = { model: row.model, abort, ended };
  }

  /** Stops a download whose row was deleted, and deletes what it has brought. */
  async discard({ id, file }: CuratedModel): Promise<void> {
    if (this.running?.model === id) {
      this.running.abort.abort();
      await this.running.ended;
    }
    await this.place.deleteFile(partialOf(file));
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    if (this.running === null) return;
    this.running.abort.abort();
    await this.running.ended;
    await this.downloads.release(this.replica.id);
  }

  private async run(row: ModelDownloadRow, abort: AbortController): Promise<void> {
    const model = findCurated(row.model);
    if (model === undefined) {
      // Offered by another version.
      await this.downloads.fail(this.replica.id, row.model, { code: "local-model.not-found" });
      return;
    }
    const { hub, folder } = this.place;
    if (hub === null) {
      // Begun before downloads were disabled.
      await this.fail(model, { code: "local-model.downloads-disabled" });
      return;
    }
    const progress: FetchProgress = { ...row, state: "running" };
    let renewedAt = Date.now();
    const heartbeat = setInterval(() => {
      const asked = Date.now();
      this.downloads.renew(this.replica.id, { ...progress, model: model.id }).then(
        (isOurs) => {
          if (isOurs) renewedAt = asked;
          else abort.abort();
        },
        (error: unknown) => {
          this.logger.debug({ err: error }, "couldn't save a model's progress");
          // Another replica may take over before the database answers here again.
          if (Date.now() - renewedAt > (leaseSeconds - 2) * 1_000) abort.abort();
        },
      );
    }, heartbeatMs);
    try {
      await fetchModel(model, {
        hub,
        folder,
        signal: abort.signal,
        onProgress: (now) => Object.assign(progress, now),
        pause: (failures) =>
          wait(Math.min(1_000 * 2 ** failures, longestPauseMs), undefined, {
            signal: abort.signal,
          }).catch(() => undefined),
        stallMs,
      });
    } catch (error) {
      if (abort.signal.aborted) return await this.tidy(model);
      this.logger.warn({ err: error, model: model.id }, "a model couldn't be downloaded");
      await this.fail(model, describeFetchFault(error, hub, model.name));
      return;
    } finally {
      clearInterval(heartbeat);
    }
    await this.finish(model);
  }

  private async fail(model: CuratedModel, fault: FaultWire): Promise<void> {
    if (await this.downloads.fail(this.replica.id, model.id, fault))
      await this.announce(model, "failed", false);
  }

  /** Another replica that was told to cancel can't know when this one has stopped writing. */
  private async tidy({ id, file }: CuratedModel): Promise<void> {
    const rows = await this.downloads.list();
    if (!rows.some(({ model }) => model === id)) await this.place.deleteFile(partialOf(file));
  }

  /** The setting comes first: a lost replica's successor repeats it. */
  private async finish(model: CuratedModel): Promise<void> {
    const row = (await this.downloads.list()).find((each) => each.model === model.id);
    const inUse = row?.useWhenReady === true && (await this.use(model));
    if (await this.downloads.finish(this.replica.id, model.id))
      await this.announce(model, "ready", inUse);
  }

  /** Makes it the instance's model, unless another one was chosen in the meantime. */
  private async use({ file }: CuratedModel): Promise<boolean> {
    const { values } = await this.settings.getInstance();
    const chosen = values.LLMProvider ?? "";
    if (!["", quotingProvider, localProvider].includes(chosen)) return false;
    const { fault } = await this.requests.request(
      updateSettings,
      { values: { LLMProvider: localProvider, [localModelKey]: file } },
      { scope: { principal: servicePrincipal, workspace: null } },
    );
    return !fault;
  }

  private announce(
    { name, file }: CuratedModel,
    outcome: "ready" | "failed",
    inUse: boolean,
  ): Promise<void> {
    return this.broadcast.publishEvent(localModelsChanged, { name, file, outcome, inUse });
  }
}
