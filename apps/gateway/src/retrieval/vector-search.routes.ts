import {
  CarrelError,
  clipText,
  getWorkspaceSettings,
  searchPassages,
  searchVectors,
  type Out,
  type Scope,
  type WorkspaceWire,
} from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { LRUCache } from "lru-cache";
import { WorkspaceFreshness, type ReadTime } from "../access/workspace-freshness.ts";
import { Route, type Call } from "../http/route.ts";

const longestQuery = 20_000;
const maxResults = 100;

interface KnownSettings {
  reading: Promise<WorkspaceWire>;
  readAt: ReadTime;
}

/**
 * Search through the developer API (wire-contract 9.4), with the same retrieval as the workspace's
 * chat.
 */
@Injectable()
export class VectorSearchRoutes {
  private readonly settings = new LRUCache<number, KnownSettings>({ max: 1_000 });

  constructor(
    private readonly requests: RequestClient,
    private readonly freshness: WorkspaceFreshness,
  ) {}

  @Route(searchVectors)
  async search({ input, scope }: Call<typeof searchVectors>): Promise<Out<typeof searchVectors>> {
    const query = typeof input.query === "string" ? input.query.replaceAll("\0", "").trim() : "";
    if (query === "") throw new CarrelError("search.query-empty");
    const workspace = await this.readSettings(scope);
    const found = await this.requests.request(
      searchPassages,
      {
        query: clipText(query, longestQuery),
        rerank: workspace.vectorSearchMode === "rerank",
        filter: input.filter ?? {},
        topN: Math.trunc(
          Math.min(maxResults, numberWithin(input.topN, 1, Infinity) ?? workspace.topN),
        ),
        similarityThreshold:
          numberWithin(input.scoreThreshold, 0, 1) ?? workspace.similarityThreshold,
      },
      { scope },
    );
    if (found.documentCount === 0)
      return { results: [], message: "No embeddings found for this workspace." };
    return {
      results: found.passages.map((passage) => ({
        id: passage.chunkId,
        text: passage.text,
        metadata: {
          url: passage.url,
          title: passage.title,
          author: passage.docAuthor,
          description: passage.description,
          docSource: passage.docSource,
          chunkSource: passage.chunkSource,
          published: passage.published,
          wordCount: passage.wordCount,
          tokenCount: passage.tokenCountEstimate,
        },
        distance: 1 - passage.score,
        score: passage.score,
      })),
    };
  }

  /** Those of the workspace in scope. Failures are not kept. */
  private readSettings(scope: Scope): Promise<WorkspaceWire> {
    const id = scope.workspace!.id;
    const known = this.settings.get(id);
    if (known !== undefined && this.freshness.isCurrent(known.readAt)) return known.reading;
    const readAt = this.freshness.now();
    const reading = this.requests
      .request(getWorkspaceSettings, {}, { scope })
      .then(({ workspace }) => workspace);
    this.settings.set(id, { reading, readAt });
    reading.catch(() => {
      if (this.settings.peek(id)?.reading === reading) this.settings.delete(id);
    });
    return reading;
  }
}

/** Numbers may be sent as text; null for anything else and for out-of-range values. */
function numberWithin(value: unknown, least: number, most: number): number | null {
  if (typeof value !== "number" && typeof value !== "string") return null;
  const number = Number.parseFloat(String(value));
  return Number.isFinite(number) && number >= least && number <= most ? number : null;
}
