import {
  describePlaces,
  findPassages,
  getEmbeddingState,
  listLeadPassages,
  listRetrievalFacets,
  searchPassages,
  type In,
  type Out,
} from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { withSpan } from "@carrel/observability";
import { Controller } from "@nestjs/common";
import { DataSource } from "typeorm";
import { Embedder } from "../index/embedder.ts";
import { requireWorkspace } from "../document/workspace-scope.ts";
import { SearchPriority } from "../work-pool/search-priority.ts";
import { DocumentFilter } from "./document-filter.ts";
import { LeadPassages } from "./lead-passages.ts";
import { PassageReader } from "./passage-reader.ts";
import { PassageSearch } from "./passage-search.ts";

@Controller()
export class PassageHandler {
  constructor(
    private readonly passages: PassageSearch,
    private readonly reader: PassageReader,
    private readonly lead: LeadPassages,
    private readonly filters: DocumentFilter,
    private readonly embedder: Embedder,
    private readonly priority: SearchPriority,
    private readonly dataSource: DataSource,
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
  async state(): Promise<Out<typeof getEmbeddingState>> {
    const [rows, native] = await Promise.all([
      this.dataSource.query<unknown[]>(
        `SELECT 1 FROM ingest.workspace_document WHERE embedded_at IS NOT NULL OR state = 'embedding' LIMIT 1`,
      ),
      this.embedder.nativeState(),
    ]);
    return { hasEmbeddings: rows.length > 0, native };
  }
}
