import type { Contracts } from "../operation.ts";
import { budgetContracts } from "./budget.ts";
import { chatRecordContracts } from "./chat-record.ts";
import { conversationContracts } from "./conversation.ts";
import { credentialContracts } from "./credential.ts";
import { developerThreadContracts } from "./developer-thread.ts";
import { exportContracts } from "./export.ts";
import { flowImportContracts } from "./flow-import.ts";
import { flowRunProgressContracts } from "./flow-run-progress.ts";
import { flowRunContracts } from "./flow-run.ts";
import { flowTestContracts } from "./flow-test.ts";
import { flowTriggerContracts } from "./flow-trigger.ts";
import { flowContracts } from "./flow.ts";
import { generatedFileContracts } from "./generated-file.ts";
import { generationContracts } from "./generation.ts";
import { inspectionContracts } from "./inspection.ts";
import { invocationContracts } from "./invocation.ts";
import { localModelContracts } from "./local-models.ts";
import { mcpPromptContracts } from "./mcp-prompt.ts";
import { mcpServerContracts } from "./mcp-server.ts";
import { mcpSignInContracts } from "./mcp-sign-in.ts";
import { memoryContracts } from "./memory.ts";
import { pluginContracts } from "./plugin.ts";
import { scheduleContracts } from "./schedule.ts";
import { shareContracts } from "./share.ts";
import { skillPermissionContracts } from "./skill-permission.ts";
import { skillSetupContracts } from "./skill-setup.ts";
import { speechContracts } from "./speech.ts";
import { threadModelContracts } from "./thread-setting.ts";
import { threadContracts } from "./thread.ts";
import { turnEditContracts } from "./turn-edit.ts";
import { turnContracts } from "./turn.ts";
import { usageContracts } from "./usage.ts";
import { visitorChatContracts } from "./visitor-chat.ts";
import { widgetChatContracts } from "./widget-chat.ts";

export * from "./advance-approval.ts";
export * from "./budget.ts";
export * from "./chat-record.ts";
export { CitationFilter, listCitedNumbers, numberCitations } from "./citation-filter.ts";
export * from "./conversation.ts";
export * from "./credential.ts";
export * from "./credential-host.ts";
export * from "./credential-reference.ts";
export * from "./developer-thread.ts";
export * from "./export.ts";
export * from "./flow.ts";
export type * from "./flow-run.ts";
export type * from "./flow-trigger.ts";
export * from "./flow-import.ts";
export * from "./flow-run.ts";
export * from "./flow-run-progress.ts";
export * from "./flow-run-wire.ts";
export * from "./flow-trigger.ts";
export * from "./flow-step.ts";
export * from "./flow-test.ts";
export * from "./flow-variable.ts";
export * from "./generated-file.ts";
export * from "./generation.ts";
export * from "./inspection.ts";
export * from "./local-models.ts";
export * from "./mcp-prompt.ts";
export * from "./mcp-server.ts";
export * from "./mcp-server-config.ts";
export * from "./mcp-sign-in.ts";
export * from "./invocation.ts";
export * from "./memory.ts";
export * from "./plugin.ts";
export * from "./plugin-manifest.ts";
export {
  placeInAnswer,
  readRecorded,
  ReasoningSplitter,
  recordReasoning,
  splitReasoning,
  withoutReasoning,
  type RecordedReasoning,
} from "./reasoning.ts";
export { splitOwnTags } from "./reasoning-tags.ts";
export {
  reasoningTags,
  splitSpans,
  type OpenReasoningSpan,
  type ReasoningBlock,
  type ReasoningSpan,
} from "./reasoning-spans.ts";
export * from "./run-step.ts";
export * from "./schedule.ts";
export * from "./schedule-wire.ts";
export * from "./share.ts";
export * from "./skill-permission.ts";
export * from "./skill-setup.ts";
export * from "./speech.ts";
export * from "./stream-frame.ts";
export * from "./thread-setting.ts";
export * from "./thread.ts";
export * from "./turn.ts";
export * from "./turn-edit.ts";
export * from "./usage.ts";
export * from "./visitor-chat.ts";
export * from "./widget-chat.ts";

export const chatServiceContracts: readonly Contracts[] = [
  budgetContracts,
  chatRecordContracts,
  conversationContracts,
  credentialContracts,
  developerThreadContracts,
  exportContracts,
  flowContracts,
  flowTestContracts,
  flowImportContracts,
  flowRunContracts,
  flowRunProgressContracts,
  flowTriggerContracts,
  generatedFileContracts,
  generationContracts,
  inspectionContracts,
  localModelContracts,
  mcpPromptContracts,
  mcpServerContracts,
  mcpSignInContracts,
  invocationContracts,
  memoryContracts,
  scheduleContracts,
  pluginContracts,
  shareContracts,
  skillPermissionContracts,
  skillSetupContracts,
  speechContracts,
  threadContracts,
  threadModelContracts,
  turnContracts,
  turnEditContracts,
  usageContracts,
  visitorChatContracts,
  widgetChatContracts,
];
