import type { Logger } from "@carrel/observability";
import pg from "pg";
import { outboxChannel } from "./outbox.ts";

const reconnectMs = 1_000;

/** Is notified about one schema's outbox. */
export interface OutboxListener {
  /** Whether rows will be announced from now on. */
  onListening(isListening: boolean): void;
  onRows(): void;
}

/**
 * Announces new outbox rows. The services of a process share one connection per database, because
 * each costs PostgreSQL a process.
 */
export class OutboxNotifications {
  private readonly databases = new Map<string, DatabaseNotifications>();

  constructor(private readonly logger: Logger) {}

  /** Connects as the user in `url`, which is asked at each attempt. Returns the unsubscribe function. */
  listen(url: () => string, schema: string, listener: OutboxListener): () => Promise<void> {
    const { host, pathname } = new URL(url());
    const key = host + pathname;
    const database = this.databases.get(key) ?? new DatabaseNotifications(url, this.logger);
    this.databases.set(key, database);
    const channel = outboxChannel(schema);
    database.add(channel, listener);
    return async () => {
      if (!database.remove(channel, listener)) return;
      this.databases.delete(key);
      await database.close();
    };
  }
}

class DatabaseNotifications {
  private readonly channels = new Map<string, Set<OutboxListener>>();
  private client: pg.Client | null = null;
  /** Set while it is connected. */
  private listening: pg.Client | null = null;
  private timer: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(
    private readonly url: () => string,
    private readonly logger: Logger,
  ) {}

  add(channel: string, listener: OutboxListener): void {
    const listeners = this.channels.get(channel) ?? new Set();
    this.channels.set(channel, listeners.add(listener));
    if (this.listening) void this.subscribe(this.listening, [channel]);
    else if (!this.client) void this.connect();
  }

  /** Returns true if no listener is left. */
  remove(channel: string, listener: OutboxListener): boolean {
    const listeners = this.channels.get(channel);
    listeners?.delete(listener);
    if (listeners?.size === 0) this.channels.delete(channel);
    return this.channels.size === 0;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.timer);
    await this.client?.end().catch(() => undefined);
  }

  private async connect(): Promise<void> {
    clearTimeout(this.timer);
    const client = new pg.Client({
      connectionString: this.url(),
      application_name: "carrel outbox",
      keepAlive: true,
    });
    this.client = client;
    client.on("error", () => this.lose(client));
    client.on("end", () => this.lose(client));
    client.on("notification", ({ channel }) => {
      for (const listener of this.channels.get(channel) ?? []) listener.onRows();
    });
    try {
      await client.connect();
    } catch (error) {
      this.logger.debug({ err: error }, "couldn't listen for outbox rows, polling instead");
      return this.lose(client);
    }
    if (this.client !== client) return;
    this.listening = client;
    await this.subscribe(client, [...this.channels.keys()]);
  }

  private async subscribe(client: pg.Client, channels: string[]): Promise<void> {
    try {
      await client.query(
        channels.map((channel) => `LISTEN ${client.escapeIdentifier(channel)}`).join(";"),
      );
    } catch {
      return this.lose(client);
    }
    if (this.client !== client) return;
    for (const channel of channels)
      for (const listener of this.channels.get(channel) ?? []) listener.onListening(true);
  }

  /** Reconnects after a while, unless already reconnected. */
  private lose(client: pg.Client): void {
    if (this.client !== client || this.isClosed) return;
    this.client = null;
    this.listening = null;
    for (const listeners of this.channels.values())
      for (const listener of listeners) listener.onListening(false);
    client.end().catch(() => undefined);
    this.timer = setTimeout(() => void this.connect(), reconnectMs).unref();
  }
}
