import {
  searchPassages,
  type Args,
  type Out,
  type SearchTrace,
  type WorkspaceScope,
} from "@carrel/contracts";
import { joinQuestions, readingsOf } from "./follow-up.ts";
import type { GenerationTools } from "../generation/generation-tools.ts";
import { takeTurns } from "./select-sources.ts";

/** Passages for one question; a trace for each reading of it that was searched for. */
export type FoundPassages = Omit<Out<typeof searchPassages>, "trace"> & { traces: SearchTrace[] };

/** Candidates of one search that the inspector can show: some 4 kB. */
const tracedCandidates = 60;

/** What a try-out sets otherwise than the workspace. */
export type SearchChanges = Partial<
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

/**
 * One search for each reading of the question, as the workspace is set; their passages take turns,
 * the likelier reading's first.
 */
export async function searchQuestion(
  d: Pick<GenerationTools, "settings" | "requests">,
  scope: WorkspaceScope,
  question: string,
  previous: string | null,
  changes: SearchChanges = {},
): Promise<FoundPassages> {
  const workspace = await d.settings.getWorkspace(scope);
  const { topN = workspace.topN, similarityThreshold = workspace.similarityThreshold } = changes;
  const settings = {
    rerank: workspace.vectorSearchMode === "rerank",
    trace: tracedCandidates,
    ...changes,
    topN,
    similarityThreshold,
  };
  const found = await Promise.all(
    readingsOf(question, previous).map((reading) =>
      d.requests.request(
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
    passages: takeTurns(
      found.map(({ passages }) => passages),
      topN,
    ),
    milliseconds: Math.max(...found.map(({ milliseconds }) => milliseconds)),
  };
}
