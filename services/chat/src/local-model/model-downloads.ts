import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import {
  localModelsChanged,
  quotingProvider,
  servicePrincipal,
  updateSettings,
} from "@carrel/contracts";
import { Broadcast, Reconciler, RequestClient, type OutboxMessage } from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { partialOf, sizeOf } from "@carrel/providers";
import { LOGGER } from "@carrel/runtime";
import { Inject, Injectable, type BeforeApplicationShutdown } from "@nestjs/common";
import { Replica } from "../replica/replica.ts";
import { SettingsCache } from "../setting/settings-cache.ts";
import { findCurated, type CuratedModel } from "./curated-models.ts";
import { describeFetchFault, fetchModel, type FetchProgress } from "./fetch-model.ts";
import { LocalModelPlace } from "./local-model-place.ts";
import {
  ModelDownloadRepository,
  leaseSeconds,
  type ModelDownloadRow,
} from "./model-download.repository.ts";

const localProvider = "local-gguf";
const modelKey = "LocalGgufModelPref";
const heartbeatMs = 1_000;
const stallMs = 60_000;

/** Whether the instance's answers are written by this file. */
export const isLocalModelInUse = (
  values: Readonly<Record<string, string>>,
  file: string,
): boolean => values.LLMProvider === localProvider && values[modelKey] === file;

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
    const { hub } = this.place;
    if (this.running !== null || this.isStopped || !this.place.isOn || hub === null) return;
    const row = await this.downloads.claim(this.replica.id);
    if (row === null || this.running !== null) return;
    const abort = new AbortController();
    const ended = this.run(row, hub, abort)
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
    await rm(partialOf(join(this.place.folder, file)), { force: true });
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    if (this.running === null) return;
    this.running.abort.abort();
    await this.running.ended;
    await this.downloads.release(this.replica.id);
  }

  private async run(row: ModelDownloadRow, hub: string, abort: AbortController): Promise<void> {
    const model = findCurated(row.model);
    if (model === undefined) {
      // Offered by another version.
      await this.downloads.fail(this.replica.id, row.model, { code: "local-model.not-found" });
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
      // A lost replica may have been about to finish.
      if ((await sizeOf(join(this.place.folder, model.file))) === 0)
        await fetchModel(model, {
          hub,
          folder: this.place.folder,
          signal: abort.signal,
          onProgress: (now) => Object.assign(progress, now),
          pause: (failures) =>
            wait(1_000 * 2 ** failures, undefined, { signal: abort.signal }).catch(() => undefined),
          stallMs,
        });
    } catch (error) {
      if (abort.signal.aborted) return;
      this.logger.warn({ err: error, model: model.id }, "a model couldn't be downloaded");
      const fault = describeFetchFault(error, hub, model.name);
      if (await this.downloads.fail(this.replica.id, model.id, fault))
        await this.announce(model, "failed", false);
      return;
    } finally {
      clearInterval(heartbeat);
    }
    await this.finish(model);
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
      { values: { LLMProvider: localProvider, [modelKey]: file } },
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
