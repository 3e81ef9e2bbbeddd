import { Module } from "@nestjs/common";
import { CONFIG } from "@carrel/runtime";
import { BLOB_STORE, openBlobStore } from "@carrel/storage";
import { ItemImporter } from "./item-importer.ts";
import { LinkHandler } from "./link.handler.ts";

@Module({
  controllers: [LinkHandler],
  providers: [{ provide: BLOB_STORE, useFactory: openBlobStore, inject: [CONFIG] }, ItemImporter],
})
export class ImportModule {}
