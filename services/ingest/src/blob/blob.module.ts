import { Reconciler, type OutboxMessage } from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { CONFIG, LOGGER } from "@carrel/runtime";
import { BLOB_STORE, openBlobStore, sweepTemporary, type BlobStore } from "@carrel/storage";
import { Inject, Injectable, Module } from "@nestjs/common";
import { DataSource } from "typeorm";
import { BlobSweeper } from "./blob-sweeper.ts";

const dayMs = 24 * 3_600_000;

/** Deletes unreferenced originals and, once a day, uploads that were never registered. */
@Injectable()
class BlobReconciler extends Reconciler {
  private lastDaily = 0;

  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(BLOB_STORE) private readonly blobs: BlobStore,
    private readonly dataSource: DataSource,
    private readonly sweeper: BlobSweeper,
  ) {
    super();
  }

  override async due(): Promise<OutboxMessage[]> {
    await this.clean().catch((error: unknown) =>
      this.logger.warn({ err: error }, "couldn't clean up originals"),
    );
    return [];
  }

  private async clean(): Promise<void> {
    await this.sweeper.sweep();
    if (Date.now() - this.lastDaily < dayMs) return;
    this.lastDaily = Date.now();
    await sweepTemporary(this.blobs);
    await this.noteUnregistered();
  }

  private async noteUnregistered(): Promise<void> {
    for await (const key of this.blobs.list("original/", {
      updatedBefore: new Date(Date.now() - dayMs),
    })) {
      await this.dataSource.query(
        `INSERT INTO ingest.blob_garbage (blob_key)
        SELECT $1::text
        WHERE NOT EXISTS (SELECT 1 FROM ingest.document WHERE blob_key = $1)
        ON CONFLICT DO NOTHING`,
        [key],
      );
    }
  }
}

@Module({
  providers: [
    { provide: BLOB_STORE, useFactory: openBlobStore, inject: [CONFIG] },
    BlobReconciler,
    BlobSweeper,
  ],
  exports: [BLOB_STORE, BlobSweeper],
})
export class BlobModule {}
