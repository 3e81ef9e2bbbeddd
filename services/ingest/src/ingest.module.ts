import { CONFIG } from "@carrel/runtime";
import { BLOB_STORE, openBlobStore } from "@carrel/storage";
import { Module } from "@nestjs/common";
import { BlobSweeper } from "./blob/blob-sweeper.ts";
import { ContextHandler } from "./context/context.handler.ts";
import { ContextTexts } from "./context/context-texts.ts";
import { DocumentHandler } from "./document/document.handler.ts";
import { DocumentOwnerTransfer } from "./document/document-owner.transfer.ts";
import { DocumentParser } from "./document/document-parser.ts";
import { DocumentReader } from "./document/document-reader.ts";
import { DocumentRecogniser } from "./document/document-recogniser.ts";
import { DocumentRemover } from "./document/document-remover.ts";
import { DocumentRepository } from "./document/document.repository.ts";
import { Intake } from "./document/intake.ts";
import { ParsedTwin } from "./document/parsed-twin.ts";
import { RecognitionQueue } from "./document/recognition-queue.ts";
import { SheetDocuments } from "./document/sheet-documents.ts";
import { TextRepository } from "./document/text.repository.ts";
import { DocumentEmbedder } from "./embedding/document-embedder.ts";
import { Embedder } from "./embedding/embedder.ts";
import { EmbeddingCache } from "./embedding/embedding-cache.ts";
import { ChunkRepository } from "./indexing/chunk.repository.ts";
import { DocumentIndexer } from "./indexing/document-indexer.ts";
import { IndexStore } from "./indexing/index-store.ts";
import { IndexSweeper } from "./indexing/index-sweeper.ts";
import { WriterLease } from "./indexing/writer-lease.ts";
import { DocumentCopier } from "./indexing/document-copier.ts";
import { IndexBuilder } from "./indexing/index-builder.ts";
import { IndexDirectory } from "./indexing/index-directory.ts";
import { IndexFollower } from "./indexing/index-follower.ts";
import { IndexHandler } from "./indexing/index.handler.ts";
import { IndexJanitor } from "./indexing/index-janitor.ts";
import { SearchIndexRepository } from "./indexing/search-index.repository.ts";
import { ChunkVectors } from "./embedding/chunk-vectors.ts";
import { EmbeddingModels } from "./embedding/embedding-models.ts";
import { IngestReconciler } from "./ingest.reconciler.ts";
import { ParsedFileHandler } from "./parsed-file/parsed-file.handler.ts";
import { ParsedFileRemover } from "./parsed-file/parsed-file-remover.ts";
import { ParsedFileRepository } from "./parsed-file/parsed-file.repository.ts";
import { ThreadFileParser } from "./parsed-file/thread-file-parser.ts";
import { ChangePage } from "./library/change-page.ts";
import { FileMover } from "./library/file-mover.ts";
import { FolderHandler } from "./library/folder.handler.ts";
import { FolderRepository } from "./library/folder.repository.ts";
import { LibraryChanges } from "./library/library-changes.ts";
import { LibraryHandler } from "./library/library.handler.ts";
import { LibraryNotice } from "./library/library-notice.ts";
import { LibraryRepository } from "./library/library.repository.ts";
import { LibraryTree } from "./library/library-tree.ts";
import { SelectionHandler } from "./library/selection.handler.ts";
import { UploadedDocuments } from "./library/uploaded-documents.ts";
import { DocumentFilter } from "./passage/document-filter.ts";
import { PassageReader } from "./passage/passage-reader.ts";
import { PassageHandler } from "./passage/passage.handler.ts";
import { PassageSearch } from "./passage/passage-search.ts";
import { PinHandler } from "./pin/pin.handler.ts";
import { DocumentProgress } from "./progress/document-progress.ts";
import { Rerankers } from "./reranking/rerankers.ts";
import { ResetHandler } from "./reset/reset.handler.ts";
import { InstanceSettings } from "./setting/instance-settings.ts";
import {
  Transcriber,
  TRANSCRIPTION_MODELS,
  type TranscriptionModels,
} from "./transcription/transcriber.ts";
import { WatchHandler } from "./watch/watch.handler.ts";
import { WorkerPool } from "./work-pool/worker-pool.ts";
import { OrphanReconciler } from "./workspace-document/orphan.reconciler.ts";
import { WorkspaceDocumentHandler } from "./workspace-document/workspace-document.handler.ts";
import { WorkspaceDocumentListing } from "./workspace-document/workspace-document.listing.ts";
import { WorkspaceDocumentRepository } from "./workspace-document/workspace-document.repository.ts";

@Module({
  controllers: [
    DocumentHandler,
    WorkspaceDocumentHandler,
    PassageHandler,
    PinHandler,
    ResetHandler,
    ParsedFileHandler,
    ContextHandler,
    IndexHandler,
    LibraryHandler,
    FolderHandler,
    SelectionHandler,
    WatchHandler,
  ],
  providers: [
    {
      provide: BLOB_STORE,
      useFactory: openBlobStore,
      inject: [CONFIG],
    },
    // No provider of transcription is built yet: every setting names none.
    { provide: TRANSCRIPTION_MODELS, useValue: (() => null) satisfies TranscriptionModels },
    BlobSweeper,
    ChangePage,
    ChunkRepository,
    ContextTexts,
    DocumentEmbedder,
    DocumentIndexer,
    DocumentOwnerTransfer,
    DocumentParser,
    DocumentProgress,
    DocumentReader,
    DocumentRecogniser,
    DocumentRemover,
    DocumentRepository,
    Embedder,
    EmbeddingCache,
    IndexStore,
    IndexSweeper,
    FileMover,
    FolderRepository,
    LibraryChanges,
    LibraryNotice,
    LibraryRepository,
    LibraryTree,
    UploadedDocuments,
    ChunkVectors,
    DocumentCopier,
    EmbeddingModels,
    IndexBuilder,
    IndexDirectory,
    IndexFollower,
    IndexJanitor,
    SearchIndexRepository,
    IngestReconciler,
    InstanceSettings,
    Intake,
    OrphanReconciler,
    ParsedFileRemover,
    ParsedFileRepository,
    ParsedTwin,
    DocumentFilter,
    PassageReader,
    PassageSearch,
    Rerankers,
    RecognitionQueue,
    SheetDocuments,
    TextRepository,
    ThreadFileParser,
    Transcriber,
    WorkerPool,
    WorkspaceDocumentListing,
    WorkspaceDocumentRepository,
    WriterLease,
  ],
})
export class IngestModule {}
