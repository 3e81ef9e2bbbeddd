import type { Endpoint } from "@carrel/contracts";

/**
 * Names of the developer API's routes in the API docs, and of their methods in the clients
 * (`clients/`). Renaming one breaks programs that use a client.
 */
const developerNames: Record<string, string> = {
  "gateway.developer.auth": "checkKey",
  "gateway.developer.is-multi-user-mode": "isMultiUserMode",
  "gateway.developer.preferences": "updatePreferences",
  "gateway.developer.admin-users": "listUserAccounts",
  "gateway.developer.create-user": "createUser",
  "gateway.developer.update-user": "updateUser",
  "gateway.developer.delete-user": "deleteUser",
  "gateway.developer.users": "listUsers",
  "gateway.developer.issue-auth-token": "issueSignInToken",
  "gateway.developer.invites": "listInvites",
  "gateway.developer.create-invite": "createInvite",
  "gateway.developer.disable-invite": "disableInvite",
  "gateway.developer.members": "listWorkspaceMembers",
  "gateway.developer.update-members": "replaceWorkspaceMembers",
  "gateway.developer.manage-members": "addWorkspaceMembers",
  "gateway.developer.chats": "listRecordedChats",
  "gateway.developer.export-chats": "exportRecordedChats",
  "gateway.developer-document.upload": "uploadDocument",
  "gateway.developer-document.upload-to-folder": "uploadDocumentToFolder",
  "gateway.developer-document.upload-link": "uploadLink",
  "gateway.developer-document.raw-text": "addText",
  "gateway.developer-document.list": "listDocuments",
  "gateway.developer-document.folder": "listFolder",
  "gateway.developer-document.get": "getDocument",
  "gateway.developer-document.create-folder": "createFolder",
  "gateway.developer-document.remove-folder": "removeFolder",
  "gateway.developer-document.move-files": "moveDocuments",
  "gateway.developer-document.types": "listAcceptedFileTypes",
  "gateway.developer-document.metadata-schema": "getMetadataSchema",
  "gateway.developer-document.generated-file": "downloadGeneratedFile",
  "gateway.developer-system.settings": "getSettings",
  "gateway.developer-system.update-env": "updateSettings",
  "gateway.developer-system.env-dump": "dumpSettings",
  "gateway.developer-system.remove-documents": "removeDocuments",
  "gateway.developer-system.vector-count": "countVectors",
  "gateway.developer.widgets": "listWidgets",
  "workspace.developer.create-widget": "createWidget",
  "workspace.developer.update-widget": "updateWidget",
  "workspace.developer.delete-widget": "deleteWidget",
  "gateway.developer.widget-chats": "listWidgetChats",
  "gateway.developer.widget-session": "listWidgetSessionChats",
  "gateway.openai.models": "listModels",
  "gateway.openai.model": "getModel",
  "gateway.openai.chat-completion": "createChatCompletion",
  "gateway.openai.response": "createResponse",
  "gateway.openai.embeddings": "createEmbeddings",
  "gateway.openai.vector-stores": "listVectorStores",
  "gateway.developer.list-webhooks": "listWebhooks",
  "gateway.developer.create-webhook": "createWebhook",
  "gateway.developer.update-webhook": "updateWebhook",
  "gateway.developer.delete-webhook": "deleteWebhook",
  "gateway.developer.test-webhook": "testWebhook",
  "gateway.developer.rotate-webhook-secret": "rotateWebhookSecret",
  "gateway.developer.list-webhook-deliveries": "listWebhookDeliveries",
  "gateway.developer.replay-webhook-delivery": "replayWebhookDelivery",
  "gateway.developer-workspace.list": "listWorkspaces",
  "gateway.developer-workspace.get": "getWorkspace",
  "gateway.developer-workspace.create": "createWorkspace",
  "gateway.developer-workspace.update": "updateWorkspace",
  "gateway.developer-workspace.delete": "deleteWorkspace",
  "gateway.developer-workspace.update-embeddings": "updateWorkspaceDocuments",
  "gateway.developer-workspace.update-pin": "pinDocument",
  "gateway.developer-workspace.chat": "chat",
  "gateway.developer-workspace.stream-chat": "streamChat",
  "gateway.developer-workspace.chats": "listChats",
  "gateway.developer-schedule.list": "listSchedules",
  "gateway.developer-schedule.get": "getSchedule",
  "gateway.developer-schedule.create": "createSchedule",
  "gateway.developer-schedule.delete": "deleteSchedule",
  "gateway.developer-schedule.run": "runSchedule",
  "gateway.developer-step.decide": "decideStep",
  "gateway.developer-step.answer": "answerStep",
  "gateway.developer-step.read": "readStep",
  "gateway.developer-flow.list": "listFlows",
  "gateway.developer-flow.run": "runFlow",
  "gateway.developer-flow-run.get": "getFlowRun",
  "gateway.developer-flow-run.read-result": "readFlowRunResult",
  "gateway.developer-flow-run.cancel": "cancelFlowRun",
  "gateway.developer.vector-search": "searchWorkspace",
  "gateway.developer-thread.create": "createThread",
  "gateway.developer-thread.update": "updateThread",
  "gateway.developer-thread.delete": "deleteThread",
  "gateway.developer-thread.chat": "chatInThread",
  "gateway.developer-thread.stream-chat": "streamChatInThread",
  "gateway.developer-thread.chats": "listThreadChats",
};

/** Groups of the developer API by the paths they start with, in the order the docs show them. */
const developerGroups: readonly (readonly [tag: string, path: RegExp])[] = [
  ["API key", /^\/v1\/auth$/],
  ["Threads", /^\/v1\/workspace\/:slug\/thread/],
  ["Schedules", /^\/v1\/(workspace\/:slug\/)?schedules/],
  ["Workspaces", /^\/v1\/workspaces?(\/|$)/],
  ["Agents", /^\/v1\/generation\//],
  ["Flows", /^\/v1\/flow(s|-runs)(\/|$)/],
  ["Documents", /^\/v1\/documents?(\/|$)/],
  ["OpenAI-compatible", /^\/v1\/openai\//],
  ["Widgets", /^\/v1\/embed/],
  ["Webhooks", /^\/v1\/webhooks/],
  ["Users", /^\/v1\/users/],
  ["Administration", /^\/v1\/admin\//],
  ["System", /^\/v1\/system/],
];

export const isDeveloperApi = ({ path }: Endpoint): boolean => path.startsWith("/v1/");

export function nameOperation(endpoint: Endpoint): string {
  if (!isDeveloperApi(endpoint)) return endpoint.name;
  const name = developerNames[endpoint.name];
  if (name === undefined)
    throw new Error(`Name the route ${endpoint.name} in ${import.meta.filename}`);
  return name;
}

export function tagOperation({ name, path }: Endpoint): string {
  return developerGroups.find(([, start]) => start.test(path))?.[0] ?? name.split(".")[1]!;
}

/** The developer API comes first. */
export const tags = developerGroups.map(([name]) => ({ name }));
