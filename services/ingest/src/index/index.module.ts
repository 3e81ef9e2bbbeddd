import { Module } from "@nestjs/common";
import { SettingModule } from "../setting/setting.module.ts";
import { WorkPoolModule } from "../work-pool/work-pool.module.ts";
import { DocumentModule } from "../document/document.module.ts";
import { ChunkingModule } from "../chunking/chunking.module.ts";
import { EmbeddingModule } from "../embedding/embedding.module.ts";
import { DocumentCopier } from "./document-copier.ts";
import { DocumentEmbedder } from "./document-embedder.ts";
import { DocumentIndexer } from "./document-indexer.ts";
import { Embedder } from "./embedder.ts";
import { EmbeddingReconciler } from "./embedding.reconciler.ts";
import { IndexBuildRepository } from "./index-build.repository.ts";
import { IndexBuilder } from "./index-builder.ts";
import { IndexDirectory } from "./index-directory.ts";
import { IndexEntryRepository } from "./index-entry.repository.ts";
import { IndexFollower } from "./index-follower.ts";
import { IndexGarbage } from "./index-garbage.ts";
import { IndexJanitor } from "./index-janitor.ts";
import { IndexStore } from "./index-store.ts";
import { IndexSweeper } from "./index-sweeper.ts";
import { IndexHandler } from "./index.handler.ts";
import { IndexReconciler } from "./index.reconciler.ts";
import { IndexingRepository } from "./indexing.repository.ts";
import { SearchIndexRepository } from "./search-index.repository.ts";
import { WriterLease } from "./writer-lease.ts";

@Module({
  imports: [SettingModule, WorkPoolModule, DocumentModule, ChunkingModule, EmbeddingModule],
  controllers: [IndexHandler],
  providers: [
    DocumentCopier,
    DocumentEmbedder,
    DocumentIndexer,
    Embedder,
    EmbeddingReconciler,
    IndexBuildRepository,
    IndexBuilder,
    IndexDirectory,
    IndexEntryRepository,
    IndexFollower,
    IndexGarbage,
    IndexJanitor,
    IndexReconciler,
    IndexStore,
    IndexSweeper,
    IndexingRepository,
    SearchIndexRepository,
    WriterLease,
  ],
  exports: [DocumentIndexer, Embedder, IndexGarbage, IndexStore, IndexSweeper],
})
export class IndexModule {}
