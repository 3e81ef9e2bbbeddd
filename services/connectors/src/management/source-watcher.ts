import { setTimeout as pause } from "node:timers/promises";
import { sourceChanged } from "@carrel/contracts";
import { eventMessage, Outbox } from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { CONFIG, LOGGER } from "@carrel/runtime";
import {
  Inject,
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from "@nestjs/common";
import { DataSource } from "typeorm";
import type { Connection } from "../connection/connection.entity.ts";
import { ConnectionRepository } from "../connection/connection.repository.ts";
import type { ConnectorsConfig } from "../connectors.config.ts";
import { ConnectorRegistry } from "../registry/connector-registry.ts";

/** How often to look for sources that were added, edited or removed. */
const lookMs = 5_000;
/** A change is told once nothing else has changed for so long, or after so long in any case. */
const [quietMs, longestMs] = [2_000, 20_000];

interface Watched {
  /** Of the settings. */
  text: string;
  stop(): Promise<void>;
}

/**
 * Watches sources that tell of changes as they happen, such as folders of the server. Every replica
 * does; what they all tell makes a source due once. Others, and changes that nobody was told of, are
 * found by the schedule.
 */
@Injectable()
export class SourceWatcher implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly watched = new Map<string, Watched>();
  private readonly failed = new Set<string>();
  private readonly stopping = new AbortController();
  private looking: Promise<void> = Promise.resolve();

  constructor(
    @Inject(CONFIG) private readonly config: ConnectorsConfig,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly registry: ConnectorRegistry,
    private readonly connections: ConnectionRepository,
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
  ) {}

  onApplicationBootstrap(): void {
    if (this.registry.listWatchable().length > 0) this.looking = this.lookRepeatedly();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.looking;
    await Promise.all([...this.watched.keys()].map((id) => this.forget(id)));
  }

  private async lookRepeatedly(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await this.look().catch((error: unknown) =>
        this.logger.warn({ err: error }, "couldn't look for sources to watch"),
      );
      await pause(lookMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  private async look(): Promise<void> {
    const found = await this.connections.listOfConnectors(this.registry.listWatchable());
    const texts = new Map(found.map(({ id, settings }) => [id, JSON.stringify(settings)]));
    for (const [id, { text }] of this.watched) if (texts.get(id) !== text) await this.forget(id);
    for (const id of this.failed) if (!texts.has(id)) this.failed.delete(id);
    for (const connection of found)
      if (!this.watched.has(connection.id) && !this.stopping.signal.aborted)
        await this.watch(connection, texts.get(connection.id)!);
  }

  private async watch({ id, connector: name, settings }: Connection, text: string): Promise<void> {
    const connector = this.registry.get(name);
    const changes = new QuietTimer(() => this.announce(id));
    try {
      const end = await connector.watch!(
        connector.settings.parse(settings),
        this.config.CARREL_SOURCE_FOLDERS,
        { onChange: () => changes.touch(), onEnd: () => void this.forget(id) },
      );
      const stop = async (): Promise<void> => {
        changes.clear();
        await end();
      };
      this.watched.set(id, { text, stop });
      this.failed.delete(id);
      // What has changed while nobody watched.
      changes.touch();
    } catch (error) {
      // Tried again at each look, which needs no line in the log each time.
      if (!this.failed.has(id))
        this.logger.warn({ err: error, connectionId: id }, "a source can't be watched for changes");
      this.failed.add(id);
    }
  }

  private async forget(id: string): Promise<void> {
    const watched = this.watched.get(id);
    this.watched.delete(id);
    await watched?.stop().catch(() => undefined);
  }

  private announce(connectionId: string): void {
    this.dataSource
      .transaction((manager) =>
        this.outbox.add(manager, eventMessage(sourceChanged, { connectionId })),
      )
      .catch((error: unknown) =>
        this.logger.warn({ err: error, connectionId }, "couldn't tell that a source has changed"),
      );
  }
}

/** Calls back once it hasn't been touched for a while. */
class QuietTimer {
  private timer: NodeJS.Timeout | undefined;
  private firstAt = 0;

  constructor(private readonly onQuiet: () => void) {}

  touch(): void {
    const now = performance.now();
    if (this.timer === undefined) this.firstAt = now;
    clearTimeout(this.timer);
    const wait = Math.max(0, Math.min(quietMs, this.firstAt + longestMs - now));
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.onQuiet();
    }, wait);
  }

  clear(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }
}
