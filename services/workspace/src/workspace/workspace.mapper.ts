import type { updateWorkspace, In, WorkspaceWire } from "@carrel/contracts";
import type { Workspace } from "./workspace.entity.ts";

/**
 * The row in the wire's words (wire-contract 3.1); what Carrel has no use for is null or the wire's
 * default.
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
 * Only what the update names; a workspace that follows the instance's provider follows its model
 * too.
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
    // `default` goes back to the instance's choice, with or without a model beside it
    // (wire-contract 3.2).
    if (columns[provider] === "default")
      Object.assign(columns, { [provider]: null, [model]: null });
    else if (columns[provider] === null && !(model in columns)) columns[model] = null;
  }
  return columns;
}
