import * as c from "@carrel/contracts";
import { accountFixtures } from "./account-fixtures.ts";
import { agentFixtures } from "./agent-fixtures.ts";
import { chatFixtures } from "./chat-fixtures.ts";
import { connectionFixtures } from "./connection-fixtures.ts";
import { credentialFixtures } from "./credential-fixtures.ts";
import { developerFixtures } from "./developer-fixtures.ts";
import { developerWorkspaceFixtures } from "./developer-workspace-fixtures.ts";
import { documentFixtures } from "./document-fixtures.ts";
import { plain, type Entry, type Fixture } from "./fixture.ts";
import { flowFixtures } from "./flow-fixtures.ts";
import { hubFixtures } from "./hub-fixtures.ts";
import { mcpEndpointFixtures } from "./mcp-endpoint-fixtures.ts";
import { mcpFixtures } from "./mcp-fixtures.ts";
import { openAiFixtures } from "./openai-fixtures.ts";
import { pluginFixtures } from "./plugin-fixtures.ts";
import { scheduleFixtures } from "./schedule-fixtures.ts";
import { syncFixtures } from "./sync-fixtures.ts";
import { webhookFixtures } from "./webhook-fixtures.ts";
import { widgetFixtures } from "./widget-fixtures.ts";
import { workspaceFixtures } from "./workspace-fixtures.ts";

const instanceFixtures: Entry[] = [
  [c.ping, plain],
  [c.getInstanceState, plain],
  [c.getMetrics, plain],
  [c.getSystemConditions, plain],
  [c.watchChanges, plain],
];

/** Every operation's fixture, by the operation's or the route's name. */
export const fixtures: ReadonlyMap<string, Fixture> = new Map(
  [
    ...accountFixtures,
    ...workspaceFixtures,
    ...agentFixtures,
    ...chatFixtures,
    ...documentFixtures,
    ...connectionFixtures,
    ...credentialFixtures,
    ...developerFixtures,
    ...flowFixtures,
    ...hubFixtures,
    ...mcpFixtures,
    ...scheduleFixtures,
    ...webhookFixtures,
    ...developerWorkspaceFixtures,
    ...widgetFixtures,
    ...openAiFixtures,
    ...mcpEndpointFixtures,
    ...pluginFixtures,
    ...syncFixtures,
    ...instanceFixtures,
  ].map(([route, fixture]) => [typeof route === "string" ? route : route.name, fixture]),
);
