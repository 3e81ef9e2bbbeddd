import { changeContracts } from "./change.ts";
import { developerContracts } from "./developer.ts";
import { developerSystemContracts } from "./developer-system.ts";
import { developerThreadRouteContracts } from "./developer-thread.ts";
import { developerWorkspaceContracts } from "./developer-workspace.ts";
import { developerDocumentContracts } from "./developer-document.ts";
import { extensionContracts } from "./extension.ts";
import { openAiContracts } from "./openai.ts";
import { openAiResponsesContracts } from "./openai-responses.ts";
import { plannedFeatureContracts } from "./planned-feature.ts";
import { searchContracts } from "./search.ts";
import { systemContracts } from "./system.ts";
import type { Contracts } from "../registry.ts";

export * from "./change.ts";
export * from "./developer.ts";
export * from "./developer-chat.ts";
export * from "./developer-document.ts";
export * from "./extension.ts";
export * from "./developer-system.ts";
export * from "./developer-thread.ts";
export * from "./developer-workspace.ts";
export * from "./openai.ts";
export * from "./openai-chat.ts";
export * from "./openai-responses.ts";
export * from "./planned-feature.ts";
export * from "./search.ts";
export * from "./system.ts";

export const gatewayServiceContracts: readonly Contracts[] = [
  changeContracts,
  developerContracts,
  developerDocumentContracts,
  extensionContracts,
  developerSystemContracts,
  developerThreadRouteContracts,
  developerWorkspaceContracts,
  openAiContracts,
  openAiResponsesContracts,
  plannedFeatureContracts,
  searchContracts,
  systemContracts,
];
