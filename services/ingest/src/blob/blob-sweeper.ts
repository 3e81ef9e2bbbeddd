import { BLOB_STORE, type BlobStore } from "@carrel/storage";
import { Inject, Injectable, type OnApplicationShutdown } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";

/**
 * A recent blob may belong to an upload that is not registered yet; putting the same bytes again
 * renews its timestamp.
 */
const graceMs = 5_000;

/**
 * Deletes originals that no document refers to any more. Blobs are content-addressed, so the same
 * bytes may have been uploaded again in the meantime.
 */
@Injectable()
export class BlobSweeper implements OnApplicationShutdown {
  private timer: NodeJS.Timeout | null = null;

  constructor(
    @Inject(BLOB_STORE) private readonly blobs: BlobStore,
    private readonly dataSource: DataSource,
  ) {}

  /** Runs in the transaction that drops the references. */
  async note(manager: EntityManager, keys: string[]): Promise<void> {
    if (keys.length > 0)
      await manager.query(
        `INSERT INTO ingest.blob_garbage (blob_key)
        SELECT DISTINCT unnest($1::text[])
        ON CONFLICT (blob_key) DO UPDATE SET created_at = now()`,
        [keys],
      );
  }

  /**
   * Blocks deletion of a blob until the transaction ends; taken before writing a document that
   * refers to it. False if the blob is already gone.
   */
  async hold(manager: EntityManager, key: string): Promise<boolean> {
    await manager.query(`SELECT pg_advisory_xact_lock_shared(hashtextextended($1, 7302))`, [key]);
    return this.isStored(key);
  }

  async isStored(key: string): Promise<boolean> {
    return (await this.blobs.stat(key)) !== null;
  }

  /** Sweeps after the grace period; if this process ends first, the reconciler does it. */
  soon(): void {
    this.timer ??= setTimeout(() => {
      this.timer = null;
      void this.sweep().catch(() => undefined);
    }, graceMs + 500).unref();
  }

  async sweep(): Promise<void> {
    const rows = await this.dataSource.query<{ blob_key: string }[]>(
      `SELECT blob_key FROM ingest.blob_garbage WHERE created_at < now() - $1 * interval '1 millisecond' LIMIT 1000`,
      [graceMs],
    );
    for (const { blob_key: key } of rows) {
      await this.dataSource.transaction(async (manager) => {
        await manager.query(`SELECT pg_advisory_xact_lock(hashtextextended($1, 7302))`, [key]);
        const [used] = await manager.query<unknown[]>(
          `SELECT 1 FROM ingest.document WHERE blob_key = $1 LIMIT 1`,
          [key],
        );
        if (!used) {
          if ((await this.blobs.stat(key)) && !(await this.isOld(key))) return;
          await this.blobs.delete(key);
        }
        await manager.query(`DELETE FROM ingest.blob_garbage WHERE blob_key = $1`, [key]);
      });
    }
    if (
      rows.length > 0 &&
      (await this.dataSource.query<unknown[]>(`SELECT 1 FROM ingest.blob_garbage LIMIT 1`)).length >
        0
    )
      this.soon();
  }

  onApplicationShutdown(): void {
    if (this.timer) clearTimeout(this.timer);
  }

  private async isOld(key: string): Promise<boolean> {
    for await (const found of this.blobs.list(key, {
      updatedBefore: new Date(Date.now() - graceMs + 1_000),
    }))
      if (found === key) return true;
    return false;
  }
}
