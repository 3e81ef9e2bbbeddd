import { Module } from "@nestjs/common";
import { CONFIG } from "@carrel/runtime";
import { BLOB_STORE, openBlobStore } from "@carrel/storage";
import { ImportStarter } from "./import-starter.ts";
import { ImportWait } from "./import-wait.ts";
import { ImportProcessor } from "./import.processor.ts";
import { ImportReconciler } from "./import.reconciler.ts";
import { ImportRepository } from "./import.repository.ts";
import { ItemImporter } from "./item-importer.ts";
import { LinkHandler } from "./link.handler.ts";

@Module({
  controllers: [LinkHandler],
  providers: [
    { provide: BLOB_STORE, useFactory: openBlobStore, inject: [CONFIG] },
    ImportProcessor,
    ImportReconciler,
    ImportRepository,
    ImportStarter,
    ImportWait,
    ItemImporter,
  ],
})
export class ImportModule {}
