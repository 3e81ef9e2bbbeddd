import { Module } from "@nestjs/common";
import { CONFIG } from "@carrel/runtime";
import { BLOB_STORE, openBlobStore } from "@carrel/storage";
import { AttachmentImages } from "./attachment-images.ts";
import { AttachmentSweeper } from "./attachment-sweeper.ts";

@Module({
  providers: [
    { provide: BLOB_STORE, useFactory: openBlobStore, inject: [CONFIG] },
    AttachmentImages,
    AttachmentSweeper,
  ],
  exports: [AttachmentImages],
})
export class AttachmentModule {}
