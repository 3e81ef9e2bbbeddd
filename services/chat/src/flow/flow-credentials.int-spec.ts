import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { instanceShape, loadConfig } from "@carrel/config";
import {
  createCredential,
  createFlow,
  flowSteps,
  getFlow,
  getFlowVersion,
  instancePrincipal,
  saveLegacyFlow,
  shareFlow,
  testFlow,
  type CredentialOwner,
} from "@carrel/contracts";
import {
  createSharedInfrastructure,
  startService,
  type RunningService,
  type SharedInfrastructure,
} from "@carrel/runtime";
import { DataSource } from "typeorm";
import { stepsOf } from "../../test/agent-tools.ts";
import { ChatInstance } from "../../test/chat-instance.ts";
import { chatShape } from "../chat.config.ts";
import { chatService } from "../chat.service-definition.ts";
import { queryRows } from "../database/query-rows.ts";

const secret = "sk-live-7f3a9c51d2e8";
const scope = { principal: instancePrincipal, workspace: null } as never;

let chat: ChatInstance;
let shared: SharedInfrastructure;
let replica: RunningService;
let database: DataSource;
let site = "";
const received: (string | undefined)[] = [];
/** Returns what it gets, as echo services do. */
const server = createServer((request, response) => {
  const key = request.headers["x-api-key"];
  received.push(String(key));
  response
    .writeHead(200, { "content-type": "application/json" })
    .end(JSON.stringify({ headers: { key }, note: `Your key is ${String(key)}.` }));
});
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  chat = await ChatInstance.start();
  const config = loadConfig(
    { ...instanceShape, ...chatShape },
    { ...chat.environment, CARREL_LINK_ALLOW: "127.0.0.1", CARREL_LOG_LEVEL: "trace" },
  );
  shared = createSharedInfrastructure(config, { logToFolder: true, inProcess: false });
  replica = await startService(chatService, config, { shared, healthPort: false });
  chat.fixture.agents = { ...chat.fixture.agents, skills: [], rules: {} };
  await chat.tellAgentSettings();
  database = await new DataSource({ type: "postgres", url: chat.database.url }).initialize();
});
afterAll(async () => {
  await database?.destroy();
  await replica?.stop();
  await shared?.close();
  await chat?.stop();
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

const keep = (name: string, value: string, owner: CredentialOwner = { kind: "instance" }) =>
  chat.request(createCredential, { name, owner, hosts: ["127.0.0.1"], value }, scope);
/** Once the site's address is known. */
const stepsFor = () =>
  flowSteps.parse([
    {
      type: "apiCall",
      config: {
        url: `${site}/`,
        headers: [{ key: "X-Api-Key", value: "{{credential.ECHO}}" }],
        responseVariable: "reply",
      },
    },
    { type: "llmInstruction", config: { instruction: "Sum up ${reply}", resultVariable: "said" } },
  ]);

/** Everything that the database holds, as text. */
async function dump(): Promise<string> {
  const tables = await queryRows<{ name: string }>(
    database,
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
    WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  );
  const rows = await Promise.all(
    tables.map(({ name }) =>
      queryRows<{ text: string }>(database, `SELECT row_to_json(t)::text AS text FROM ${name} t`),
    ),
  );
  return rows
    .flat()
    .map(({ text }) => text)
    .join("\n");
}

describe("a flow with a credential", () => {
  it("sends it, and leaves its value nowhere", async () => {
    await keep("ECHO", secret);
    const { id } = await chat.request(createFlow, { name: "Call it", steps: stepsFor() }, scope);
    await chat.request(shareFlow, { id, shared: true }, scope);
    chat.llm.next({ reply: "Summed up." });
    const outcome = await chat.request(testFlow, { id }, scope);
    expect(outcome).toMatchObject({
      ok: true,
      variables: { reply: { headers: { key: "•••" }, note: "Your key is •••." } },
    });
    chat.llm.next({ toolCalls: [{ name: "call_it", input: {} }] });
    chat.llm.next({ reply: "Summed up." });
    chat.llm.next({ reply: "It says so." });
    const asker = chat.as(chat.addWorkspace({ chatMode: "automatic" }), instancePrincipal);
    const { frames } = await chat.ask(asker, "Call it.");
    expect(stepsOf(frames)).toMatchObject([{ tool: "call_it", state: "done" }]);
    expect(received).toEqual([secret, secret]);
    const shown = [
      outcome,
      frames,
      await chat.request(getFlow, { id }, scope),
      await chat.request(getFlowVersion, { id, version: 1 }, scope),
      chat.llm.requests.map(({ body }) => body),
      await dump(),
    ];
    expect(JSON.stringify(shown)).toContain("{{credential.ECHO}}");
    expect(JSON.stringify(shown)).toContain("Your key is");
    expect(JSON.stringify(shown)).not.toContain(secret);
    const log = await readFile(join(chat.home, "logs", "chat.log"), "utf8");
    expect(log).toContain("ready");
    expect(log).not.toContain(secret);
  });

  it("uses its own before the instance's, also if an existing client saved it", async () => {
    const config = { steps: stepsFor().slice(0, 1) };
    const { flow } = await chat.request(saveLegacyFlow, { name: "Own", config }, scope);
    await keep("ECHO", "of-this-flow-only", { kind: "flow", id: flow.uuid });
    received.length = 0;
    const draft = { id: flow.uuid, steps: stepsFor().slice(0, 1) };
    expect(await chat.request(testFlow, draft, scope)).toMatchObject({ ok: true });
    expect(await chat.request(testFlow, { steps: stepsFor().slice(0, 1) }, scope)).toMatchObject({
      ok: true,
    });
    expect(received).toEqual(["of-this-flow-only", secret]);
  });

  it("fails with the name of the block if there is none by this name", async () => {
    const given = JSON.stringify(stepsFor().slice(0, 1)).replace("ECHO", "NONE");
    const outcome = await chat.request(
      testFlow,
      { steps: flowSteps.parse(JSON.parse(given)) },
      scope,
    );
    expect(outcome.fault).toMatchObject({
      code: "flow.block-failed",
      params: { block: "API call", reason: { code: "credential.missing" } },
    });
  });
});
