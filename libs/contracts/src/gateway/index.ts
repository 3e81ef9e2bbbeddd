import type { Contracts } from "../operation.ts";
import { changeContracts } from "./change.ts";
import { developerDocumentContracts } from "./developer-document.ts";
import { developerThreadRouteContracts } from "./developer-thread.ts";
import { developerWorkspaceContracts } from "./developer-workspace.ts";
import { extensionContracts } from "./extension.ts";
import { mcpEndpointContracts } from "./mcp-endpoint.ts";
import { openAiResponsesContracts } from "./openai-responses.ts";
import { openAiContracts } from "./openai.ts";
import { searchContracts } from "./search.ts";
import { systemContracts } from "./system.ts";

export * from "./agent-frame.ts";
export * from "./change.ts";
export * from "./developer-document.ts";
export * from "./extension.ts";
export * from "./developer-thread.ts";
export * from "./developer-workspace.ts";
export * from "./mcp-endpoint.ts";
export * from "./openai.ts";
export * from "./openai-chat.ts";
export * from "./openai-responses.ts";
export * from "./search.ts";
export * from "./system.ts";

export const gatewayServiceContracts: readonly Contracts[] = [
  changeContracts,
  developerDocumentContracts,
  extensionContracts,
  developerThreadRouteContracts,
  developerWorkspaceContracts,
  mcpEndpointContracts,
  openAiContracts,
  openAiResponsesContracts,
  searchContracts,
  systemContracts,
];
