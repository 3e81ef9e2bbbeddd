import type { updateWorkspace, In, WorkspaceWire } from "@carrel/contracts";
import type { Workspace } from "./workspace.entity.ts";

/**
 * Maps a workspace to the wire format (wire-contract 3.1); fields Carrel doesn't use are null or
 * have the wire's default. `WorkspaceReadRepository` does the same in SQL.
 */
export const mapWorkspaceToWire = (workspace: Workspace): WorkspaceWire => ({
  id: workspace.id,
  name: workspace.name,
  slug: workspace.slug,
  vectorTag: null,
  createdAt: workspace.createdAt.toISOString(),
  openAiTemp: workspace.temperature,
  openAiHistory: workspace.historyLength,
  lastUpdatedAt: workspace.updatedAt.toISOString(),
  openAiPrompt: workspace.systemPrompt,
  similarityThreshold: workspace.similarityThreshold,
  chatProvider: workspace.chatProvider,
  chatModel: workspace.chatModel,
  topN: workspace.topN,
  chatMode: workspace.chatMode,
  pfpFilename:
    workspace.pictureKey === null ? null : `${workspace.pictureKey.replace("picture/", "")}.webp`,
  agentProvider: workspace.agentProvider,
  agentModel: workspace.agentModel,
  queryRefusalResponse: workspace.queryRefusalResponse,
  vectorSearchMode: workspace.vectorSearchMode,
  router_id: null,
});

const columnOf = {
  name: "name",
  openAiTemp: "temperature",
  openAiHistory: "historyLength",
  openAiPrompt: "systemPrompt",
  similarityThreshold: "similarityThreshold",
  topN: "topN",
  chatMode: "chatMode",
  chatProvider: "chatProvider",
  chatModel: "chatModel",
  queryRefusalResponse: "queryRefusalResponse",
  agentProvider: "agentProvider",
  agentModel: "agentModel",
  vectorSearchMode: "vectorSearchMode",
  lastUpdatedAt: "updatedAt",
} as const satisfies Partial<Record<keyof In<typeof updateWorkspace>, keyof Workspace>>;

/**
 * Maps only the fields in the update. A workspace that uses the instance's provider also uses its
 * model.
 */
export function mapUpdateToColumns(
  update: Partial<In<typeof updateWorkspace>>,
): Partial<Workspace> {
  const columns: Record<string, unknown> = {};
  for (const [field, column] of Object.entries(columnOf)) {
    const value = update[field as keyof typeof columnOf];
    if (value !== undefined)
      columns[column] = field === "lastUpdatedAt" ? new Date(value as string) : value;
  }
  for (const [provider, model] of [
    ["chatProvider", "chatModel"],
    ["agentProvider", "agentModel"],
  ] as const) {
    // `default` reverts to the instance's choice, whether or not a model is given (wire-contract
    // 3.2).
    if (columns[provider] === "default")
      Object.assign(columns, { [provider]: null, [model]: null });
    else if (columns[provider] === null && !(model in columns)) columns[model] = null;
  }
  return columns;
}
