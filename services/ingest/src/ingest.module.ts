import { Module } from "@nestjs/common";
import { BlobModule } from "./blob/blob.module.ts";
import { ChunkingModule } from "./chunking/chunking.module.ts";
import { ContextModule } from "./context/context.module.ts";
import { DocumentModule } from "./document/document.module.ts";
import { EmbeddingModule } from "./embedding/embedding.module.ts";
import { IndexModule } from "./index/index.module.ts";
import { IntakeModule } from "./intake/intake.module.ts";
import { LibraryModule } from "./library/library.module.ts";
import { ParsedFileModule } from "./parsed-file/parsed-file.module.ts";
import { PassageModule } from "./passage/passage.module.ts";
import { RerankingModule } from "./reranking/reranking.module.ts";
import { RevisionModule } from "./revision/revision.module.ts";
import { SettingModule } from "./setting/setting.module.ts";
import { TranscriptionModule } from "./transcription/transcription.module.ts";
import { WebhookModule } from "./webhook/webhook.module.ts";
import { WorkPoolModule } from "./work-pool/work-pool.module.ts";
import { WorkspaceDocumentModule } from "./workspace-document/workspace-document.module.ts";

@Module({
  imports: [
    SettingModule,
    BlobModule,
    TranscriptionModule,
    WorkPoolModule,
    DocumentModule,
    ChunkingModule,
    EmbeddingModule,
    IndexModule,
    RevisionModule,
    IntakeModule,
    ParsedFileModule,
    RerankingModule,
    ContextModule,
    LibraryModule,
    PassageModule,
    WorkspaceDocumentModule,
    WebhookModule,
  ],
})
export class IngestModule {}
