/** Tabs in display order (specification 1, section 2). */
export const workspaceTabs = [
  "general-appearance",
  "chat-settings",
  "vector-database",
  "members",
] as const;
export type WorkspaceTab = (typeof workspaceTabs)[number];
export const isWorkspaceTab = (name: string): name is WorkspaceTab =>
  workspaceTabs.some((tab) => tab === name);
