import * as c from "@carrel/contracts";
import { plain, inWorkspace, form, pixel, freshVariable, type Entry } from "./fixture.ts";

export const workspaceFixtures: Entry[] = [
  // Workspaces, members
  [c.listWorkspaces, plain],
  [c.createWorkspace, { ...plain, call: () => ({ body: { name: "Made" } }) }],
  [c.getWorkspace, inWorkspace()],
  [c.updateWorkspace, inWorkspace({ topN: 4 })],
  [
    c.deleteWorkspace,
    {
      names: ["workspace"],
      deletes: true,
      call: async ({ slug }, world) => ({
        params: {
          slug:
            slug === world.unknown.slug || slug === world.foreign.slug
              ? slug
              : (await world.root.makeWorkspace("To delete")).slug,
        },
      }),
    },
  ],
  [c.getMemberRights, plain],
  [c.listAdminWorkspaces, plain],
  [c.listMembers, { ...plain, call: ({ workspaceId }) => ({ params: { id: workspaceId } }) }],
  [c.createAdminWorkspace, { ...plain, call: () => ({ body: { name: "Made" } }) }],
  [
    c.updateMembers,
    {
      ...plain,
      call: async (_things, world) => ({
        params: { id: (await world.root.makeWorkspace("Members")).id },
        body: { userIds: [] },
      }),
    },
  ],
  [
    c.deleteAdminWorkspace,
    {
      ...plain,
      call: async (_things, world) => ({
        params: { id: (await world.root.makeWorkspace("To delete")).id },
      }),
    },
  ],
  // Members may, once an admin lets everyone choose models.
  [c.listWorkspaceProviders, { ...inWorkspace(), allowed: [200, 401] }],
  [c.getInstanceFallbacks, plain],
  [c.setInstanceFallbacks, { ...plain, call: () => ({ body: { models: [] } }) }],
  [c.getModelOverrides, plain],
  [c.setModelOverrides, { ...plain, call: () => ({ body: { overrides: [] } }) }],
  [c.getWorkspaceFallbacks, inWorkspace()],
  [c.setWorkspaceFallbacks, inWorkspace({ models: null })],
  [c.setWorkspaceParameters, inWorkspace({ parameters: {} })],
  [c.listSuggestedMessages, inWorkspace()],
  [
    c.setSuggestedMessages,
    inWorkspace({ messages: [{ heading: "Ask", message: "What is this?" }] }),
  ],
  [c.listPromptHistory, inWorkspace()],
  [c.clearPromptHistory, inWorkspace()],
  // Managers manage every workspace, and the route is closed to others: deleting a nonexistent
  // entry is not a success.
  [c.deletePromptHistoryEntry, { ...plain, call: () => ({ params: { id: 2_000_000_000 } }) }],
  [c.getWorkspacePicture, { ...inWorkspace(), allowed: [200, 204] }],
  [c.removeWorkspacePicture, inWorkspace()],
  [
    c.uploadWorkspacePicture,
    {
      names: ["workspace"],
      call: ({ slug }) => ({
        params: { slug },
        body: form("file", pixel, "workspace.png", "image/png"),
      }),
    },
  ],
  // Notices
  [c.listNotices, plain],
  [c.readNotices, { ...plain, call: () => ({ body: {} }) }],
  // Prompts
  [c.listPresets, plain],
  [
    c.createPreset,
    {
      ...plain,
      call: () => ({
        body: {
          command: `/made-${Math.random().toString(36).slice(2, 10)}`,
          prompt: "Explain.",
          description: "",
        },
      }),
    },
  ],
  [
    c.updatePreset,
    {
      names: ["preset"],
      call: ({ presetId }) => ({
        params: { id: presetId },
        body: { command: `/changed-${presetId}`, prompt: "Changed.", description: "" },
      }),
    },
  ],
  [
    c.deletePreset,
    { names: ["preset"], deletes: true, call: ({ presetId }) => ({ params: { id: presetId } }) },
  ],
  [c.listVariables, plain],
  [
    c.createVariable,
    {
      ...plain,
      call: () => ({
        body: { key: `made_${Math.random().toString(36).slice(2, 10)}`, value: "x" },
      }),
    },
  ],
  [
    c.updateVariable,
    {
      ...plain,
      call: async (_things, world) => ({
        params: { id: await freshVariable(world) },
        body: { key: `changed_${Math.random().toString(36).slice(2, 10)}`, value: "y" },
      }),
    },
  ],
  [
    c.deleteVariable,
    { ...plain, call: async (_things, world) => ({ params: { id: await freshVariable(world) } }) },
  ],
  [c.getDefaultSystemPrompt, plain],
  [
    c.setDefaultSystemPrompt,
    { ...plain, call: () => ({ body: { defaultSystemPrompt: "Be brief." } }) },
  ],
  // Memories
  [c.listMemories, inWorkspace()],
  [c.createMemory, inWorkspace({ content: "Reads much.", scope: "workspace" })],
  [
    c.updateMemory,
    {
      names: ["memory"],
      call: ({ memoryId }) => ({ params: { id: memoryId }, body: { content: "Reads more." } }),
    },
  ],
  [c.promoteMemory, { names: ["memory"], call: ({ memoryId }) => ({ params: { id: memoryId } }) }],
  [
    c.demoteMemory,
    {
      names: ["workspace", "memory"],
      call: ({ slug, memoryId }) => ({ params: { id: memoryId, slug } }),
    },
  ],
  [
    c.deleteMemory,
    { names: ["memory"], deletes: true, call: ({ memoryId }) => ({ params: { id: memoryId } }) },
  ],
  // Settings, branding, log
  [c.getSetup, plain],
  [
    c.listModels,
    { ...plain, call: () => ({ body: { provider: "ollama", basePath: "http://127.0.0.1:9" } }) },
  ],
  [c.testProvider, { ...plain, call: () => ({ body: { kind: "language", provider: "ollama" } }) }],
  [c.listProviders, plain],
  [c.updateSettings, plain],
  [c.listEvents, plain],
  [c.clearEvents, plain],
  [c.getEventLogState, plain],
  [c.verifyEvents, plain],
  [c.exportEvents, plain],
  [c.completeOnboarding, plain],
  [c.getOnboarding, plain],
  [c.getTelemetry, plain],
  [c.getSurvey, plain],
  // The instance has no address to send it to.
  [c.sendSurvey, { ...plain, allowed: [403], call: () => ({ body: { email: "a@b.example" } }) }],
  [c.getCustomAppName, plain],
  [c.getPageBranding, plain],
  [c.getFooterData, plain],
  [c.getSupportEmail, plain],
  [c.isDefaultLogo, plain],
  [c.getLogo, { ...plain, allowed: [200, 204] }],
  [
    c.uploadLogo,
    { ...plain, call: () => ({ body: form("logo", pixel, "logo.png", "image/png") }) },
  ],
  [c.removeLogo, plain],
  [c.getWelcomeMessages, plain],
  [c.setWelcomeMessages, { ...plain, call: () => ({ body: { messages: [] } }) }],
  [c.listPreferences, { ...plain, call: () => ({ query: { labels: "custom_app_name" } }) }],
  ["workspace.preference.list-all", plain],
  [c.updatePreferences, { ...plain, call: () => ({ body: { custom_app_name: "Isolated" } }) }],
];
