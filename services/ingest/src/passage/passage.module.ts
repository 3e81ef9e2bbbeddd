import {
  describePlaces,
  findPassages,
  getEmbeddingState,
  getSearchState,
  listLeadPassages,
  listRetrievalFacets,
  searchDocumentTexts,
  searchPassages,
  type In,
  type Out,
} from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { withSpan } from "@carrel/observability";
import { Controller, Module } from "@nestjs/common";
import { ChunkingModule } from "../chunking/chunking.module.ts";
import { DocumentModule } from "../document/document.module.ts";
import { WorkspaceDocumentRepository } from "../document/workspace-document.repository.ts";
import { requireWorkspace } from "../document/workspace-scope.ts";
import { Embedder } from "../index/embedder.ts";
import { IndexModule } from "../index/index.module.ts";
import { RerankingModule } from "../reranking/reranking.module.ts";
import { SearchPriority } from "../work-pool/search-priority.ts";
import { WorkPoolModule } from "../work-pool/work-pool.module.ts";
import { AvailableIndexes } from "./available-indexes.ts";
import { DocumentFilter } from "./document-filter.ts";
import { DocumentSearch, DocumentSearchRepository } from "./document-search.ts";
import { LiveChunks, WorkspaceSummaries } from "./live-chunks.ts";
import { LeadPassages, PassageReader, PassageRepository } from "./passage-reader.ts";
import { PassageSearch } from "./passage-search.ts";
import { SearchWarmer } from "./search-warmer.ts";
import { StoredTextIndex } from "./stored-text-index.ts";
import { WorkspaceVectors } from "./workspace-vectors.ts";

@Controller()
class PassageHandler {
  constructor(
    private readonly passages: PassageSearch,
    private readonly reader: PassageReader,
    private readonly lead: LeadPassages,
    private readonly filters: DocumentFilter,
    private readonly embedder: Embedder,
    private readonly priority: SearchPriority,
    private readonly documents: WorkspaceDocumentRepository,
  ) {}

  @Handle(searchPassages)
  search(
    input: In<typeof searchPassages>,
    context: RequestContext,
  ): Promise<Out<typeof searchPassages>> {
    const attributes = { "carrel.search.mode": input.mode, "carrel.search.top_n": input.topN };
    return withSpan("search chunks", { attributes }, (span) =>
      this.priority.search(() =>
        this.passages.search(requireWorkspace(context.scope), input, (counts) => span?.set(counts)),
      ),
    );
  }

  @Handle(findPassages)
  async find(
    input: In<typeof findPassages>,
    context: RequestContext,
  ): Promise<Out<typeof findPassages>> {
    return { passages: await this.reader.find(requireWorkspace(context.scope), input.sources) };
  }

  @Handle(listLeadPassages)
  async listLead(
    input: In<typeof listLeadPassages>,
    context: RequestContext,
  ): Promise<Out<typeof listLeadPassages>> {
    return { passages: await this.lead.list(requireWorkspace(context.scope), input) };
  }

  @Handle(describePlaces)
  async describe(
    input: In<typeof describePlaces>,
    context: RequestContext,
  ): Promise<Out<typeof describePlaces>> {
    return { places: await this.reader.describe(requireWorkspace(context.scope), input.places) };
  }

  @Handle(listRetrievalFacets)
  facets(
    _input: In<typeof listRetrievalFacets>,
    context: RequestContext,
  ): Promise<Out<typeof listRetrievalFacets>> {
    return this.filters.facets(requireWorkspace(context.scope));
  }

  @Handle(getEmbeddingState)
  async state(
    _input: In<typeof getEmbeddingState>,
    { scope }: RequestContext,
  ): Promise<Out<typeof getEmbeddingState>> {
    const [hasEmbeddings, native] = await Promise.all([
      this.documents.hasEmbeddings(scope),
      this.embedder.nativeState(),
    ]);
    return { hasEmbeddings, native };
  }
}

/** How far semantic search covers a workspace. */
@Controller()
class SearchStateHandler {
  constructor(
    private readonly documents: WorkspaceDocumentRepository,
    private readonly embedder: Embedder,
  ) {}

  @Handle(getSearchState)
  async state(
    _input: In<typeof getSearchState>,
    { scope }: RequestContext,
  ): Promise<Out<typeof getSearchState>> {
    const { table, embedder } = await this.embedder.state();
    const counts = await this.documents.countSearchable(requireWorkspace(scope), table);
    return { ...counts, embedder };
  }
}

@Controller()
class DocumentSearchHandler {
  constructor(
    private readonly documents: DocumentSearch,
    private readonly priority: SearchPriority,
  ) {}

  @Handle(searchDocumentTexts)
  async search(
    input: In<typeof searchDocumentTexts>,
    { scope }: RequestContext,
  ): Promise<Out<typeof searchDocumentTexts>> {
    return { hits: await this.priority.search(() => this.documents.search(scope, input)) };
  }
}

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
