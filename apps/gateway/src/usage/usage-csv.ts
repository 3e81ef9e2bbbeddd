import type { UsageRow } from "@carrel/contracts";
import { disarmFormula, quoteCell } from "../http/csv.ts";

function writeCell(value: string | number): string {
  if (typeof value === "number") return String(value);
  const text = disarmFormula(value);
  return /[",\r\n]/.test(text) ? quoteCell(text) : text;
}

const writeLine = (cells: readonly (string | number)[]): string =>
  `${cells.map(writeCell).join(",")}\r\n`;

export const usageHeader = writeLine([
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

export const writeUsageLine = (row: UsageRow, { workspaces, users }: UsageNames): string =>
  writeLine([
    row.usedAt,
    row.purpose,
    row.state,
    workspaces.get(row.workspaceId) ?? "",
    row.workspaceId,
    users.get(row.userId ?? 0) ?? "",
    row.userId ?? "",
    row.keyId ?? "",
    row.provider,
    row.model,
    row.inputTokens,
    row.cachedTokens,
    row.outputTokens,
    row.reasoningTokens,
    row.isEstimated ? "yes" : "no",
    row.firstTokenMs ?? "",
    row.durationMs,
    row.cost === null ? "unknown" : row.cost.toFixed(6),
  ]);
