import type { Logger } from "@carrel/observability";
import { CONFIG, LOGGER } from "@carrel/runtime";
import {
  Inject,
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from "@nestjs/common";
import { LiveSyncSwitch } from "../setting/live-sync-switch.ts";
import type { SyncWorkerConfig } from "../sync-worker.config.ts";
import { SyncQueueRepository, type Claimed } from "../watch/sync-queue.repository.ts";
import { DocumentSync } from "./document-sync.ts";
import { SourceSync } from "./source-sync.ts";

/** Documents synced at the same time by a replica. */
const maxDocuments = 32;
/** Documents synced at the same time for each host, by all replicas. */
const maxPerHost = 4;
/** Sources whose runs a replica follows at the same time. */
const maxSources = 200;
/**
 * How long places that become free are collected before they are filled, at least, and how many
 * times longer than a look takes, because each look ranks everything that is due.
 */
const [pauseMs, pauseShare] = [250, 4];
/** How long stopping waits for what is being synced; what isn't done is repeated. */
const drainMs = 3_000;

/** Syncs what is due: looks every minute, and at once when it is woken. */
@Injectable()
export class SyncLoop implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly active = new Map<string, { claimed: Claimed; work: Promise<void> }>();
  private readonly stopping = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private renewal: NodeJS.Timeout | undefined;
  private looking: Promise<void> | null = null;
  private isDue = false;
  private pause: NodeJS.Timeout | undefined;
  private lookMs = 0;

  constructor(
    @Inject(CONFIG) private readonly config: SyncWorkerConfig,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly liveSync: LiveSyncSwitch,
    private readonly queue: SyncQueueRepository,
    private readonly documents: DocumentSync,
    private readonly sources: SourceSync,
  ) {}

  onApplicationBootstrap(): void {
    const { CARREL_SYNC_POLL_SECONDS: poll, CARREL_SYNC_LEASE_SECONDS: lease } = this.config;
    this.timer = setInterval(() => this.wake(), poll * 1_000).unref();
    this.renewal = setInterval(() => void this.renew(), (lease * 1_000) / 3).unref();
    this.liveSync.onChange(() => this.wake());
    this.wake();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    clearInterval(this.renewal);
    clearTimeout(this.pause);
    this.stopping.abort();
    await Promise.race([
      Promise.all([...this.active.values()].map(({ work }) => work)),
      new Promise((resolve) => setTimeout(resolve, drainMs).unref()),
    ]);
    await this.looking;
  }

  /** Looks now for what is due. */
  wake(): void {
    this.isDue = true;
    if (this.stopping.signal.aborted) return;
    this.looking ??= this.look().finally(() => {
      this.looking = null;
      // Woken between the last look and here.
      if (this.isDue) this.wake();
    });
  }

  private wakeSoon(): void {
    this.pause ??= setTimeout(
      () => {
        this.pause = undefined;
        this.wake();
      },
      Math.max(pauseMs, this.lookMs * pauseShare),
    ).unref();
  }

  private async look(): Promise<void> {
    while (this.isDue && !this.stopping.signal.aborted) {
      this.isDue = false;
      try {
        await this.begin();
      } catch (error) {
        // The next look repeats it.
        this.logger.warn({ err: error }, "couldn't look for due syncs");
      }
    }
  }

  private async begin(): Promise<void> {
    const syncing = [...this.active.values()].map(({ claimed }) => claimed);
    const documents = syncing.filter(({ documentId }) => documentId !== null).length;
    const room = {
      documents: maxDocuments - documents,
      sources: maxSources - (syncing.length - documents),
    };
    if ((room.documents <= 0 && room.sources <= 0) || !(await this.liveSync.isOn())) return;
    const lease = this.config.CARREL_SYNC_LEASE_SECONDS;
    const startedAt = performance.now();
    const claimed = await this.queue.claim(room, maxPerHost, lease);
    this.lookMs = performance.now() - startedAt;
    const known = await this.documents.describe(claimed);
    for (const each of claimed) this.start(each, this.work(each, known));
  }

  private start(claimed: Claimed, work: Promise<void>): void {
    const done = work
      .catch((error: unknown) =>
        this.logger.error({ err: error, watchId: claimed.id }, "a sync was given up"),
      )
      .finally(() => {
        this.active.delete(claimed.runId);
        this.wakeSoon();
      });
    this.active.set(claimed.runId, { claimed, work: done });
  }

  private work(
    claimed: Claimed,
    known: Awaited<ReturnType<DocumentSync["describe"]>>,
  ): Promise<void> {
    return claimed.documentId === null
      ? this.sources.sync(claimed, this.stopping.signal)
      : this.documents.sync(claimed, known.get(claimed.documentId));
  }

  private async renew(): Promise<void> {
    if (this.active.size === 0) return;
    await this.queue
      .renew([...this.active.keys()], this.config.CARREL_SYNC_LEASE_SECONDS)
      .catch((error: unknown) => this.logger.warn({ err: error }, "couldn't renew syncs"));
  }
}
