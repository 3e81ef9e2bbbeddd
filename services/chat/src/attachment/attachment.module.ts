import { Reconciler, type OutboxMessage } from "@carrel/messaging";
import { CONFIG } from "@carrel/runtime";
import { BLOB_STORE, openBlobStore, type BlobStore } from "@carrel/storage";
import { Inject, Injectable, Module } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { queryRows } from "../database/query-rows.ts";
import { AttachmentImages } from "./attachment-images.ts";

const batch = 200;
/**
 * How often to look for images never used by a turn, and their minimum age: a gateway that crashes
 * between the upload and the question leaves them behind.
 */
const searchEveryMs = 6 * 3_600_000;
const unclaimedMs = 24 * 3_600_000;

/**
 * Deletes the images and files of deleted turns, however they were deleted: triggers record their keys. A
 * key shared with another turn (a fork of the thread) is kept until that turn is deleted.
 */
@Injectable()
export class AttachmentSweeper extends Reconciler {
  private searchedAt = 0;
  constructor(
    private readonly dataSource: DataSource,
    @Inject(BLOB_STORE) private readonly blobs: BlobStore,
  ) {
    super();
  }

  override async due(): Promise<OutboxMessage[]> {
    while ((await this.sweep()) === batch);
    if (Date.now() - this.searchedAt > searchEveryMs) {
      this.searchedAt = Date.now();
      await this.sweepUnclaimed();
    }
    return [];
  }

  private sweep(): Promise<number> {
    return this.dataSource.transaction(async (manager) => {
      const released = (
        await queryRows<{ key: string }>(
          manager,
          "SELECT key FROM chat.released_attachment LIMIT $1 FOR UPDATE SKIP LOCKED",
          [batch],
        )
      ).map((row) => row.key);
      if (released.length === 0) return 0;
      const used = await this.findUsed(manager, released);
      for (const key of released) if (!used.has(key)) await this.blobs.delete(key);
      await manager.query("DELETE FROM chat.released_attachment WHERE key = ANY($1::text[])", [
        released,
      ]);
      return released.length;
    });
  }

  private async sweepUnclaimed(): Promise<void> {
    let keys: string[] = [];
    const sweepKeys = async (): Promise<void> => {
      const used = await this.findUsed(this.dataSource.manager, keys);
      for (const key of keys) if (!used.has(key)) await this.blobs.delete(key);
      keys = [];
    };
    for await (const key of this.blobs.list("attachment/", {
      updatedBefore: new Date(Date.now() - unclaimedMs),
    })) {
      keys.push(key);
      if (keys.length === batch) await sweepKeys();
    }
    if (keys.length > 0) await sweepKeys();
  }

  private async findUsed(manager: EntityManager, keys: readonly string[]): Promise<Set<string>> {
    const rows = await queryRows<{ key: string }>(
      manager,
      `
      SELECT DISTINCT attachment->>'blobKey' AS key FROM chat.turn, json_array_elements(turn.attachments) AS attachment
      WHERE turn.attachments::text <> '[]' AND attachment->>'blobKey' = ANY($1::text[])`,
      [keys],
    );
    return new Set(rows.map((row) => row.key));
  }
}

@Module({
  providers: [
    { provide: BLOB_STORE, useFactory: openBlobStore, inject: [CONFIG] },
    AttachmentImages,
    AttachmentSweeper,
  ],
  exports: [AttachmentImages, BLOB_STORE],
})
export class AttachmentModule {}
