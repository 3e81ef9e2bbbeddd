import { Injectable } from "@nestjs/common";
import {
  searchPassages,
  type Args,
  type Out,
  type SearchTrace,
  type WorkspaceScope,
} from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { SettingsCache } from "../setting/settings-cache.ts";
import { joinQuestions, readingsOf } from "./follow-up.ts";
import { interleavePassages } from "./select-sources.ts";

/** Passages for one question, and a trace of each of its searches. */
export type FoundPassages = Omit<Out<typeof searchPassages>, "trace"> & { traces: SearchTrace[] };

/** Maximum number of candidates per search kept for the inspector: about 4 kB. */
const tracedCandidates = 60;

/** Settings that override the workspace's. */
export type SearchOverrides = Partial<
  Pick<
    Args<typeof searchPassages>,
    | "topN"
    | "similarityThreshold"
    | "mode"
    | "filter"
    | "expansion"
    | "rerank"
    | "trace"
    | "excludeDocumentIds"
  >
>;

/** Searches the workspace for the passages a question needs. */
@Injectable()
export class QuestionSearch {
  constructor(
    private readonly settings: SettingsCache,
    private readonly requests: RequestClient,
  ) {}

  /**
   * Runs one search per variant of the question, with the workspace's settings. Passages of several
   * searches are interleaved, the likelier variant first.
   */
  async search(
    scope: WorkspaceScope,
    question: string,
    previousQuestion: string | null,
    overrides: SearchOverrides = {},
  ): Promise<FoundPassages> {
    const workspace = await this.settings.getWorkspace(scope);
    const { topN = workspace.topN, similarityThreshold = workspace.similarityThreshold } =
      overrides;
    const settings = {
      rerank: workspace.vectorSearchMode === "rerank",
      trace: tracedCandidates,
      ...overrides,
      topN,
      similarityThreshold,
    };
    const found = await Promise.all(
      readingsOf(question, previousQuestion).map((reading) =>
        this.requests.request(
          searchPassages,
          { ...settings, query: joinQuestions(question, reading) },
          { scope },
        ),
      ),
    );
    const traces = found.flatMap(({ trace }) => trace ?? []);
    if (found.length === 1) return { ...found[0]!, traces };
    return {
      ...found[0]!,
      traces,
      passages: interleavePassages(
        found.map(({ passages }) => passages),
        topN,
      ),
      milliseconds: Math.max(...found.map(({ milliseconds }) => milliseconds)),
    };
  }
}
