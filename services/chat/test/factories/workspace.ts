import type { WorkspaceWire } from "@carrel/contracts";

const date = "2026-11-21T00:00:00.000Z";

export const workspaceRow = (id: number, part: Partial<WorkspaceWire> = {}): WorkspaceWire => ({
  id,
  name: `w${id}`,
  slug: `w${id}`,
  vectorTag: null,
  createdAt: date,
  openAiTemp: null,
  openAiHistory: 20,
  lastUpdatedAt: date,
  openAiPrompt: null,
  similarityThreshold: 0.25,
  chatProvider: null,
  chatModel: null,
  topN: 4,
  chatMode: "chat",
  pfpFilename: null,
  agentProvider: null,
  agentModel: null,
  queryRefusalResponse: null,
  vectorSearchMode: "default",
  router_id: null,
  ...part,
});
