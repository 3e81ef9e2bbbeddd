/** What can be open beside the blocks. */
export const builderPanels = ["test", "versions", "triggers"] as const;
export type BuilderPanel = (typeof builderPanels)[number];
