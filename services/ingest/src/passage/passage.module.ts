import { Module } from "@nestjs/common";
import { DocumentModule } from "../document/document.module.ts";
import { ChunkingModule } from "../chunking/chunking.module.ts";
import { IndexModule } from "../index/index.module.ts";
import { WorkPoolModule } from "../work-pool/work-pool.module.ts";
import { RerankingModule } from "../reranking/reranking.module.ts";
import { AvailableIndexes } from "./available-indexes.ts";
import { DocumentFilter } from "./document-filter.ts";
import { DocumentSearchHandler } from "./document-search.handler.ts";
import { DocumentSearch } from "./document-search.ts";
import { DocumentSearchRepository } from "./document-search.repository.ts";
import { LeadPassages } from "./lead-passages.ts";
import { LiveChunks } from "./live-chunks.ts";
import { PassageReader } from "./passage-reader.ts";
import { PassageRepository } from "./passage.repository.ts";
import { PassageSearch } from "./passage-search.ts";
import { PassageHandler } from "./passage.handler.ts";
import { SearchStateHandler } from "./search-state.handler.ts";
import { SearchWarmer } from "./search-warmer.ts";
import { StoredTextIndex } from "./stored-text-index.ts";
import { WorkspaceSummaries } from "./workspace-summaries.ts";
import { WorkspaceVectors } from "./workspace-vectors.ts";

@Module({
  imports: [DocumentModule, ChunkingModule, IndexModule, RerankingModule, WorkPoolModule],
  controllers: [DocumentSearchHandler, PassageHandler, SearchStateHandler],
  providers: [
    AvailableIndexes,
    DocumentFilter,
    DocumentSearch,
    DocumentSearchRepository,
    LeadPassages,
    LiveChunks,
    PassageReader,
    PassageRepository,
    PassageSearch,
    SearchWarmer,
    StoredTextIndex,
    WorkspaceSummaries,
    WorkspaceVectors,
  ],
})
export class PassageModule {}
