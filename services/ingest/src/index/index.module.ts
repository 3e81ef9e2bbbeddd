import { Module } from "@nestjs/common";
import { SettingModule } from "../setting/setting.module.ts";
import { WorkPoolModule } from "../work-pool/work-pool.module.ts";
import { DocumentModule } from "../document/document.module.ts";
import { ChunkingModule } from "../chunking/chunking.module.ts";
import { EmbeddingModule } from "../embedding/embedding.module.ts";
import { UsageModule } from "../usage/usage.module.ts";
import { DocumentCopier } from "./document-copier.ts";
import { DocumentEmbedder, PublishedEmbedder } from "./document-embedder.ts";
import { DocumentWaits } from "./document-waits.ts";
import { DocumentLanguages } from "./document-languages.ts";
import { ChunkWriter, DocumentIndexer } from "./document-indexer.ts";
import { DocumentPublisher } from "./document-publisher.ts";
import { Embedder } from "./embedder.ts";
import { EmbeddingReconciler } from "./embedding.reconciler.ts";
import { IndexBuilder, IndexBuildLease } from "./index-builder.ts";
import { IndexBuildRepository } from "./index-build.repository.ts";
import { IndexDirectory } from "./index-directory.ts";
import { IndexEntryRepository } from "./index-entry.repository.ts";
import { IndexFiller } from "./index-filler.ts";
import { IndexFollower } from "./index-follower.ts";
import { IndexGarbage } from "./index-garbage.ts";
import { IndexJanitor } from "./index-janitor.ts";
import { IndexStateHandler } from "./index-state.handler.ts";
import { IndexStore } from "./index-store.ts";
import { IndexSweeper } from "./index-sweeper.ts";
import { IndexSwitch } from "./index-switch.ts";
import { IndexHandler } from "./index.handler.ts";
import { IndexReconciler } from "./index.reconciler.ts";
import { IndexWriter } from "./index-writer.ts";
import { IndexingFailures } from "./indexing-failures.ts";
import { IndexingRepository } from "./indexing.repository.ts";
import { PostponementRepository } from "./postponement.repository.ts";
import { PreviousIndex } from "./previous-index.ts";
import { SearchIndexRepository } from "./search-index.repository.ts";
import { SettingsRestorer } from "./settings-restorer.ts";
import { StoreRecovery } from "./store-recovery.ts";
import { TermsReconciler } from "./terms.reconciler.ts";
import { TextEmbeddingHandler } from "./text-embedding.handler.ts";
import { VectorLanguages } from "./vector-languages.ts";
import { VectorSelfCheck } from "./vector-self-check.ts";
import { WriterLease } from "./writer-lease.ts";

@Module({
  imports: [
    SettingModule,
    WorkPoolModule,
    DocumentModule,
    ChunkingModule,
    EmbeddingModule,
    UsageModule,
  ],
  controllers: [IndexHandler, IndexStateHandler, TextEmbeddingHandler],
  providers: [
    ChunkWriter,
    DocumentCopier,
    DocumentEmbedder,
    DocumentIndexer,
    DocumentLanguages,
    DocumentPublisher,
    DocumentWaits,
    Embedder,
    EmbeddingReconciler,
    IndexBuildLease,
    IndexBuildRepository,
    IndexBuilder,
    IndexDirectory,
    IndexEntryRepository,
    IndexFiller,
    IndexFollower,
    IndexGarbage,
    IndexJanitor,
    IndexReconciler,
    IndexStore,
    IndexSweeper,
    IndexSwitch,
    IndexWriter,
    IndexingFailures,
    IndexingRepository,
    PostponementRepository,
    PreviousIndex,
    PublishedEmbedder,
    SearchIndexRepository,
    SettingsRestorer,
    StoreRecovery,
    TermsReconciler,
    VectorLanguages,
    VectorSelfCheck,
    WriterLease,
  ],
  exports: [
    DocumentPublisher,
    Embedder,
    IndexGarbage,
    IndexStore,
    IndexSweeper,
    IndexWriter,
    PostponementRepository,
    PublishedEmbedder,
    StoreRecovery,
    VectorLanguages,
  ],
})
export class IndexModule {}
