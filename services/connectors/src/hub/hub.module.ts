import { CONFIG } from "@carrel/runtime";
import { BLOB_STORE, openBlobStore } from "@carrel/storage";
import { Module } from "@nestjs/common";
import { HubApplier } from "./hub-applier.ts";
import { HubEvents } from "./hub-events.ts";
import { HubImportHandler } from "./hub-import.handler.ts";
import { HubListHandler } from "./hub-list.handler.ts";
import { HubOpener } from "./hub-opener.ts";
import { HubPublicationRepository } from "./hub-publication.repository.ts";
import { HubPublishHandler } from "./hub-publish.handler.ts";
import { HubReader } from "./hub-reader.ts";
import { HubSettingHandler } from "./hub-setting.handler.ts";
import { HubSettingRepository } from "./hub-setting.repository.ts";
import { RepositoryTrees } from "./repository-tree.ts";
import { SkillInstaller } from "./skill-installer.ts";

@Module({
  controllers: [HubImportHandler, HubListHandler, HubPublishHandler, HubSettingHandler],
  providers: [
    { provide: BLOB_STORE, useFactory: openBlobStore, inject: [CONFIG] },
    HubApplier,
    HubEvents,
    HubOpener,
    HubPublicationRepository,
    HubReader,
    HubSettingRepository,
    RepositoryTrees,
    SkillInstaller,
  ],
})
export class HubModule {}
