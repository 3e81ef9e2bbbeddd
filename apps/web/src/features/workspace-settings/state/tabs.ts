/** Tabs in display order (specification 1, section 2). */
export const workspaceTabs = [
  "general-appearance",
  "chat-settings",
  "vector-database",
  "members",
  "agent-config",
] as const;
export type WorkspaceTab = (typeof workspaceTabs)[number];
/** Tabs that members may open in workspaces they have created. */
export const memberTabs: readonly WorkspaceTab[] = [
  "general-appearance",
  "chat-settings",
  "agent-config",
];
export const isWorkspaceTab = (name: string): name is WorkspaceTab =>
  workspaceTabs.some((tab) => tab === name);
