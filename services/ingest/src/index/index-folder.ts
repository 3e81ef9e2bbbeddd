import { randomUUID } from "node:crypto";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "@carrel/observability";
import { CONFIG, LOGGER } from "@carrel/runtime";
import { VectorStoreError } from "@carrel/vector-store";
import { Inject, Injectable, type OnApplicationShutdown } from "@nestjs/common";
import { DataSource } from "typeorm";
import type { IngestConfig } from "../ingest.config.ts";

/** How often a replica says that its folder is in use, in ms. */
const everyMs = 5_000;
/** A folder that nobody has said to be in use for this long isn't, in seconds. */
const goneSeconds = 15;
const lockKey = 7305;
const idLength = 36;

const elsewhere = (): VectorStoreError =>
  new VectorStoreError({ code: "vector-store.folder-elsewhere" }, { isRetryable: true });

/**
 * LanceDB's folder. Replicas with folders of their own would each index a part of the documents and
 * search only that, so the folder in use is recorded in PostgreSQL and a replica with another one
 * is refused.
 */
@Injectable()
export class IndexFolder implements OnApplicationShutdown {
  readonly path: string;
  private readonly replica = randomUUID();
  private claiming: Promise<void> | null = null;
  private isClaimed = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @Inject(CONFIG) config: IngestConfig,
    private readonly dataSource: DataSource,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.path = path.join(config.CARREL_HOME, "index");
  }

  /** Throws a VectorStoreError while a replica uses another folder. */
  async claim(): Promise<void> {
    if (this.isClaimed) return;
    this.claiming ??= this.record().finally(() => {
      this.claiming = null;
    });
    await this.claiming;
  }

  /** Like `claim`, but first waits whether the other folder is that of a replica that was killed. */
  async claimAtStart(): Promise<void> {
    const end = Date.now() + (goneSeconds + 1) * 1_000;
    const seen = await this.findOther();
    while (seen !== null && Date.now() < end) {
      await sleep(500);
      const now = await this.findOther();
      if (now === null) break;
      if (now.seenAt !== seen.seenAt) throw elsewhere();
    }
    await this.claim();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.claiming?.catch(() => undefined);
    if (this.isClaimed)
      await this.dataSource
        .query("DELETE FROM ingest.index_folder WHERE replica = $1", [this.replica])
        .catch(() => undefined);
  }

  private async findOther(): Promise<{ seenAt: string } | null> {
    const [other] = await this.dataSource.query<{ seenAt: string }[]>(
      `SELECT max(seen_at)::text AS "seenAt" FROM ingest.index_folder
      WHERE folder <> $1 AND seen_at > clock_timestamp() - make_interval(secs => $2)
      HAVING count(*) > 0`,
      [await this.readId(), goneSeconds],
    );
    return other ?? null;
  }

  private async record(): Promise<void> {
    const folder = await this.readId();
    this.isClaimed = await this.dataSource.transaction(async (manager) => {
      // Of two that start at once, the second sees the first.
      await manager.query("SELECT pg_advisory_xact_lock($1, 0)", [lockKey]);
      await manager.query(
        `DELETE FROM ingest.index_folder
        WHERE replica = $1 OR seen_at < clock_timestamp() - make_interval(secs => $2)`,
        [this.replica, goneSeconds],
      );
      const added = await manager.query<unknown[]>(
        `INSERT INTO ingest.index_folder (replica, folder, seen_at)
        SELECT $1, $2, clock_timestamp()
        WHERE NOT EXISTS (SELECT 1 FROM ingest.index_folder WHERE folder <> $2)
        RETURNING replica`,
        [this.replica, folder],
      );
      return added.length > 0;
    });
    this.timer ??= setInterval(() => this.renew(), everyMs).unref();
    if (!this.isClaimed) throw elsewhere();
  }

  private renew(): void {
    this.claiming ??= this.record()
      .catch((error: unknown) =>
        this.logger.error({ err: error, folder: this.path }, "couldn't confirm the index folder"),
      )
      .finally(() => {
        this.claiming = null;
      });
  }

  /** Names the folder for every replica that shares it; created on first use. */
  private async readId(): Promise<string> {
    const file = path.join(this.path, "folder-id");
    await mkdir(this.path, { recursive: true });
    for (let attempt = 0; ; attempt++) {
      await writeFile(file, randomUUID(), { flag: "wx" }).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== "EEXIST") throw error;
      });
      const id = await readFile(file, "utf8").catch(() => "");
      if (id.length === idLength) return id;
      // Another replica is writing it, or was killed before it did.
      if (attempt < 40) await sleep(50);
      else await rm(file, { force: true });
    }
  }
}
