/** Specification 1, section 2, in the order in which they are shown. */
export const workspaceTabs = [
  "general-appearance",
  "chat-settings",
  "vector-database",
  "members",
  "agent-config",
] as const;
export type WorkspaceTab = (typeof workspaceTabs)[number];
export const isWorkspaceTab = (name: string): name is WorkspaceTab =>
  workspaceTabs.some((tab) => tab === name);
