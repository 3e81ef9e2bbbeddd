export * from "./create-chart/create-chart.ts";
export * from "./create-files/create-files.ts";
export * from "./filesystem/index.ts";
export * from "./plugin/index.ts";
export * from "./sql-agent/index.ts";
export * from "./tool.ts";
export { toolFault, withToolFaults } from "./tool-fault.ts";
export {
  closeCodeInterpreter,
  createCodeInterpreter,
  type CodeFile,
} from "./code-interpreter/run-code.ts";
export {
  createScheduledJobSkill,
  type SchedulePort,
} from "./create-scheduled-job/create-scheduled-job.ts";
export { createOutlook } from "./outlook/outlook.ts";
export {
  exchangeOutlookCode,
  outlookAuthorizationUrl,
  type OutlookTokens,
} from "./outlook/outlook-sign-in.ts";
export { createGmail } from "./google/gmail.ts";
export { createGoogleCalendar } from "./google/google-calendar.ts";
export { createWebBrowsing } from "./web-browsing/web-browsing.ts";
export { createWebScraping } from "./web-page/web-page.ts";
export {
  admissionQuestion,
  titleOf,
  type BlockPlace,
  type FlowPorts,
  type FlowRequest,
} from "./flow/block.ts";
export type { EndedBlock, FlowJournal, RecordedBlock } from "./flow/flow-journal.ts";
export { listReached, listRequests, readReach } from "./flow/flow-reach.ts";
export { FlowSecrets } from "./flow/flow-secrets.ts";
export { createFlowTool, flowToolName } from "./flow/flow-tool.ts";
export { runFlow } from "./flow/run-flow.ts";
export { SourceNumbers } from "./flow/source-numbers.ts";
export { showValue } from "./flow/substitute.ts";
export type * from "./document/document-port.ts";
export { chooseDocument } from "./document/find-document.ts";
export { readRange } from "./document/read-range.ts";
export { createDocumentSummarizer } from "./document-summarizer/document-summarizer.ts";
export { createRagMemory } from "./rag-memory/rag-memory.ts";
export type { MemoryPort } from "./rag-memory/remember.ts";
export type { DocumentSearchPort } from "./rag-memory/search-documents.ts";
