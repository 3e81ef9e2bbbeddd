import * as c from "@carrel/contracts";
import { inWorkspace, plain, type Entry, type Fixture } from "./fixture.ts";

const config = { kind: "address", url: "http://127.0.0.1:9/mcp" };
const params = { id: "2000000000" };
/** None of them exists: servers are the instance's, so only their policy matters here. */
const gone = (body?: unknown): Fixture => ({
  names: [],
  call: () => ({ params, ...(body !== undefined && { body }) }),
  allowed: [404],
});
/** Existing clients read failures with status 200. */
const outcome = (body: unknown): Fixture => ({ ...plain, call: () => ({ body }) });

export const mcpFixtures: Entry[] = [
  [c.listMcpServers, plain],
  ["chat.mcp-server.list-legacy", plain],
  [c.reloadMcpServers, outcome({})],
  ["chat.mcp-server.force-reload", plain],
  // A name that can be used, but not connected to.
  [
    c.addMcpServer,
    { ...outcome({ name: "isolated", config, enabled: false }), allowed: [200, 409] },
  ],
  [c.updateMcpServer, gone({ config })],
  [c.importMcpServers, outcome({ file: '{"mcpServers":{}}' })],
  [c.toggleMcpServer, outcome({ name: "none" })],
  [c.deleteMcpServer, outcome({ name: "none" })],
  [c.toggleMcpTool, outcome({ serverName: "none", toolName: "none", enabled: true })],
  [c.approveMcpTools, gone({ tools: [] })],
  [c.callMcpTool, gone({ tool: "none" })],
  [c.readMcpLog, gone()],
  [c.listMcpPrompts, inWorkspace()],
  [
    c.getMcpPrompt,
    {
      names: ["workspace"],
      call: ({ slug }) => ({ params: { slug, serverId: "2000000000" }, body: { name: "none" } }),
      allowed: [404],
    },
  ],
  [c.startMcpSignIn, gone({})],
  [c.finishMcpSignIn, { ...plain, allowed: [302] }],
  [c.readMcpClient, plain],
];
