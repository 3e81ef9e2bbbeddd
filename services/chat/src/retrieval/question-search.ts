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

/** Passages for one question, and a trace of the search for each of its readings. */
export type FoundPassages = Omit<Out<typeof searchPassages>, "trace"> & { traces: SearchTrace[] };

/** Candidates of one search that are kept for the inspector: about 4 kB. */
const tracedCandidates = 60;

/** Settings that override those of the workspace. */
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

/** Searches the workspace for what a question needs. */
@Injectable()
export class QuestionSearch {
  constructor(
    private readonly settings: SettingsCache,
    private readonly requests: RequestClient,
  ) {}

  /**
   * One search for each reading of the question, with the workspace's settings. The passages of
   * several readings are interleaved, the likelier reading first.
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
