import { Module } from "@nestjs/common";
import { SettingModule } from "../setting/setting.module.ts";
import { DocumentModule } from "../document/document.module.ts";
import { ChunkingModule } from "../chunking/chunking.module.ts";
import { IndexModule } from "../index/index.module.ts";
import { ParsedFileModule } from "../parsed-file/parsed-file.module.ts";
import { LibraryModule } from "../library/library.module.ts";
import { PinHandler } from "./pin.handler.ts";
import { ResetHandler } from "./reset.handler.ts";
import { WatchHandler } from "./watch.handler.ts";
import { WorkspaceDeletedConsumer } from "./workspace-deleted.consumer.ts";
import { WorkspaceDocumentChangeHandler } from "./workspace-document-change.handler.ts";
import { WorkspaceDocumentHandler } from "./workspace-document.handler.ts";
import { WorkspaceDocumentReadHandler } from "./workspace-document-read.handler.ts";
import { WorkspaceDocumentReadRepository } from "./workspace-document-read.repository.ts";
import { WorkspaceDocumentListing } from "./workspace-document.listing.ts";

@Module({
  imports: [
    SettingModule,
    DocumentModule,
    ChunkingModule,
    IndexModule,
    ParsedFileModule,
    LibraryModule,
  ],
  controllers: [
    PinHandler,
    ResetHandler,
    WatchHandler,
    WorkspaceDocumentChangeHandler,
    WorkspaceDocumentHandler,
    WorkspaceDocumentReadHandler,
  ],
  providers: [WorkspaceDeletedConsumer, WorkspaceDocumentListing, WorkspaceDocumentReadRepository],
})
export class WorkspaceDocumentModule {}
