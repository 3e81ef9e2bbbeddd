import type { Contracts } from "../registry.ts";
import { agentContracts } from "./agent.ts";
import { budgetContracts } from "./budget.ts";
import { chatRecordContracts } from "./chat-record.ts";
import { contextWindowContracts } from "./context-window.ts";
import { conversationContracts } from "./conversation.ts";
import { defaultThreadContracts } from "./default-thread.ts";
import { developerThreadContracts } from "./developer-thread.ts";
import { exportContracts } from "./export.ts";
import { generationContracts } from "./generation.ts";
import { inspectionContracts } from "./inspection.ts";
import { memoryContracts } from "./memory.ts";
import { shareContracts } from "./share.ts";
import { speechContracts } from "./speech.ts";
import { suggestedQuestionContracts } from "./suggested-question.ts";
import { threadModelContracts } from "./thread-model.ts";
import { threadParameterContracts } from "./thread-parameter.ts";
import { threadContracts } from "./thread.ts";
import { trashContracts } from "./trash.ts";
import { turnEditContracts } from "./turn-edit.ts";
import { turnContracts } from "./turn.ts";
import { usageContracts } from "./usage.ts";
import { visitorChatContracts } from "./visitor-chat.ts";
import { widgetChatContracts } from "./widget-chat.ts";

export * from "./agent.ts";
export * from "./budget.ts";
export * from "./chat-record.ts";
export { CitationFilter, listCitedNumbers, numberCitations } from "./citation-filter.ts";
export * from "./context-window.ts";
export * from "./conversation.ts";
export * from "./default-thread.ts";
export * from "./developer-thread.ts";
export * from "./export.ts";
export * from "./generation.ts";
export * from "./inspection.ts";
export * from "./memory.ts";
export type { QuestionMention } from "./mention.ts";
export {
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
export * from "./share.ts";
export * from "./speech.ts";
export * from "./stream-frame.ts";
export * from "./suggested-question.ts";
export * from "./thread-model.ts";
export * from "./thread-parameter.ts";
export * from "./thread.ts";
export * from "./tool-call.ts";
export * from "./trash.ts";
export * from "./turn.ts";
export * from "./turn-edit.ts";
export * from "./usage.ts";
export * from "./visitor-chat.ts";
export * from "./widget-chat.ts";

export const chatServiceContracts: readonly Contracts[] = [
  agentContracts,
  budgetContracts,
  chatRecordContracts,
  contextWindowContracts,
  conversationContracts,
  defaultThreadContracts,
  developerThreadContracts,
  exportContracts,
  generationContracts,
  inspectionContracts,
  memoryContracts,
  shareContracts,
  speechContracts,
  suggestedQuestionContracts,
  threadContracts,
  threadModelContracts,
  threadParameterContracts,
  trashContracts,
  turnContracts,
  turnEditContracts,
  usageContracts,
  visitorChatContracts,
  widgetChatContracts,
];
