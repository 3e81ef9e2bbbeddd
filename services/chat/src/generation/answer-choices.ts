import type {
  AnswerOverrides,
  AnswerParameters,
  ThreadParameters,
  WorkspaceWire,
} from "@carrel/contracts";

const defaultHistory = 20;
/** Number of stored turns that an answer takes into account. */
export const historyLimitOf = (
  workspace: WorkspaceWire,
  overrides: AnswerOverrides | null,
): number => overrides?.historyLimit ?? (workspace.openAiHistory || defaultHistory);

/** The workspace as this question sees it: the question chooses first, then its thread. */
export const withOverrides = (
  workspace: WorkspaceWire,
  thread: ThreadParameters | null,
  overrides: AnswerOverrides | null,
): WorkspaceWire => ({
  ...workspace,
  openAiTemp: overrides?.temperature ?? thread?.temperature ?? workspace.openAiTemp,
  chatModel: overrides?.model ?? workspace.chatModel,
});

/** What the thread's owner chose, else the workspace's. */
export const mergeParameters = (
  thread: ThreadParameters | null,
  workspace: AnswerParameters,
): AnswerParameters => ({
  maxTokens: thread?.maxTokens ?? workspace.maxTokens,
  topP: thread?.topP ?? workspace.topP,
  effort: thread?.effort ?? workspace.effort,
});
