import type { UsageRow } from "@carrel/contracts";
import { writeCsvLine } from "../http/csv.ts";

export const usageHeader = writeCsvLine([
  "Time (UTC)",
  "Purpose",
  "State",
  "Workspace",
  "Workspace ID",
  "User",
  "User ID",
  "API key ID",
  "Provider",
  "Model",
  "Prompt tokens",
  "Cached prompt tokens",
  "Answer tokens",
  "Reasoning tokens",
  "Characters",
  "Audio (s)",
  "Searches",
  "Estimated",
  "Time to first token (ms)",
  "Duration (ms)",
  "Cost (USD)",
]);

/** Names are empty for what was deleted. */
export interface UsageNames {
  workspaces: ReadonlyMap<number, string>;
  users: ReadonlyMap<number, string>;
}

/** @param showsKeys false for managers: only admins see API keys */
export const writeUsageLine = (
  row: UsageRow,
  { workspaces, users }: UsageNames,
  showsKeys: boolean,
): string =>
  writeCsvLine([
    row.usedAt,
    row.purpose,
    row.state,
    workspaces.get(row.workspaceId ?? 0) ?? "",
    row.workspaceId ?? "",
    users.get(row.userId ?? 0) ?? "",
    row.userId ?? "",
    showsKeys ? (row.keyId ?? "") : "",
    row.provider,
    row.model,
    row.inputTokens,
    row.cachedTokens,
    row.outputTokens,
    row.reasoningTokens,
    row.characters,
    row.audioSeconds,
    row.searches,
    row.isEstimated ? "yes" : "no",
    row.firstTokenMs ?? "",
    row.durationMs,
    row.cost === null ? "unknown" : row.cost.toFixed(6),
  ]);
