import { CONFIG } from "@carrel/runtime";
import { BLOB_STORE, openBlobStore } from "@carrel/storage";
import { Module } from "@nestjs/common";
import { BlobSweeper } from "./blob-sweeper.ts";
import { BlobReconciler } from "./blob.reconciler.ts";

@Module({
  providers: [
    { provide: BLOB_STORE, useFactory: openBlobStore, inject: [CONFIG] },
    BlobReconciler,
    BlobSweeper,
  ],
  exports: [BLOB_STORE, BlobSweeper],
})
export class BlobModule {}
