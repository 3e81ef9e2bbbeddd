import {
  describePlaces,
  findPassages,
  getEmbeddingState,
  getSearchState,
  listLeadPassages,
  listRetrievalFacets,
  searchDocumentTexts,
  searchPassages,
  servicePrincipal,
  type In,
  type Out,
} from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { withSpan, type Logger } from "@carrel/observability";
import { LOGGER } from "@carrel/runtime";
import {
  Controller,
  Inject,
  Injectable,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from "@nestjs/common";
import { ChunkSampleRepository } from "../chunking/chunk.repository.ts";
import { ChunkingModule } from "../chunking/chunking.module.ts";
import { DocumentModule } from "../document/document.module.ts";
import { WorkspaceDocumentRepository } from "../document/workspace-document.repository.ts";
import { requireWorkspace } from "../document/workspace-scope.ts";
import { Embedder } from "../index/embedder.ts";
import { IndexStore } from "../index/index-store.ts";
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
import { StoredTextIndex } from "./stored-text-index.ts";
import { WorkspaceVectors } from "./workspace-vectors.ts";

/**
 * Delayed so that it doesn't slow down startup. Smaller workspaces are fast enough to count during
 * their first search.
 */
const warmAfterMs = 3_000;
const minPassages = 5_000;
/** Maximum number of workspaces to warm up; each takes several MB of memory. */
const maxWorkspaces = 3;

/**
 * Computes word statistics of the largest workspaces shortly after startup, so their first search
 * doesn't have to wait for them.
 */
@Injectable()
export class SearchWarmer implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly chunks: ChunkSampleRepository,
    private readonly index: IndexStore,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setTimeout(() => void this.warm(), warmAfterMs).unref();
  }

  onApplicationShutdown(): void {
    if (this.timer) clearTimeout(this.timer);
  }

  /**
   * Returns the ids of the workspaces counted. Never rejects: it only saves the first search time,
   * which runs into the same error and reports it to its user.
   */
  async warm(fewest = minPassages): Promise<number[]> {
    const counted: number[] = [];
    try {
      for (const workspaceId of await this.chunks.listLargestWorkspaces(
        { principal: servicePrincipal, workspace: null },
        maxWorkspaces,
        fewest,
      )) {
        await (await this.index.text()).statistics({ workspaceId, terms: [] });
        counted.push(workspaceId);
      }
    } catch (error) {
      this.logger.warn({ err: error, counted }, "the search could not be warmed up");
    }
    return counted;
  }
}

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
  search(
    input: In<typeof searchDocumentTexts>,
    { scope }: RequestContext,
  ): Promise<Out<typeof searchDocumentTexts>> {
    return this.priority.search(() => this.documents.search(scope, input));
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
