import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { flowSteps, type FlowStep } from "@carrel/contracts";
import { createContentClient } from "@carrel/egress";
import { afterAll, beforeAll, beforeEach, expect, it } from "@jest/globals";
import { FlowSecrets } from "./flow-secrets.ts";
import { noCredentials } from "./no-credentials.fixture.ts";
import { runFlow, type FlowOptions } from "./run-flow.ts";

/* The examples in docs/agents/flows.md run as they say. */

const received: string[] = [];
const replies: Record<string, string> = {
  "/now?city=Oslo": '{"temperature": 31, "warning": "Heat until Friday"}',
  "/now?city=Rome": '{"temperature": 19, "warning": ""}',
  "/week": "<h1>News</h1><p>The harbour is closed.</p>",
  "/items":
    '{"items": [{"name": "rope", "count": 2}, {"name": "oil", "count": 9}, {"name": "tar", "count": 1}]}',
  "/orders": '{"ok": true}',
  "/hooks/team": "",
};
const server = createServer((request, response) => {
  void (async () => {
    let body = "";
    for await (const piece of request) body += String(piece);
    const { method, url = "" } = request;
    received.push([method, url, body].filter(Boolean).join(" "));
    response.writeHead(200, {
      "content-type": url === "/week" ? "text/html" : "application/json",
    });
    response.end(replies[url]);
  })();
});
let origin = "";
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  origin = `http://site.test:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});
beforeEach(() => void received.splice(0));

function stepsOf(name: string): FlowStep[] {
  const docs = readFileSync(new URL("../../../../docs/agents/flows.md", import.meta.url), "utf8");
  const flows = [...docs.matchAll(/```json\n(.*?)```/gs)].map(
    ([, json = ""]) =>
      JSON.parse(json.replaceAll(/https:\/\/[a-z]+\.example\.com/g, origin)) as {
        name: string;
        steps: unknown;
      },
  );
  return flowSteps.parse(flows.find((flow) => flow.name === name)?.steps);
}

const run = (
  name: string,
  inputs: Record<string, string>,
  more: Partial<FlowOptions["ports"]> = {},
) =>
  runFlow({
    flowId: null,
    steps: stepsOf(name),
    inputs,
    ports: {
      content: createContentClient({
        allow: ["site.test"],
        resolve: () => Promise.resolve([{ address: "127.0.0.1", family: 4 }]),
      }),
      model: { contextWindow: 8_000, ask: ({ text }) => Promise.resolve(`"${text}"`) },
      search: null,
      secrets: new FlowSecrets(noCredentials),
      approve: () => Promise.resolve(true),
      admit: () => Promise.resolve(true),
      findFlow: () => Promise.resolve(null),
      ...more,
    },
    signal: new AbortController().signal,
  });

it("explains a weather warning, and else returns the temperature", async () => {
  const warned = await run("Get weather", { city: "Oslo" });
  expect(warned).toMatchObject({ error: null, isDirect: true });
  expect(warned.output).toContain("Heat until Friday");
  expect((await run("Get weather", {})).variables.temperature).toBe(19);
  expect(received).toEqual(["GET /now?city=Oslo", "GET /now?city=Rome"]);
});

it("posts the summary of a page to a webhook", async () => {
  expect((await run("Send the week's news", {})).error).toBeNull();
  const [page, post] = received;
  expect(page).toBe("GET /week");
  const { text } = JSON.parse(post!.replace("POST /hooks/team ", "")) as { text: string };
  expect(text).toMatch(/^This week: "Summarise .*The harbour is closed\.\s*"$/s);
  const missing = await run("Send the week's news", { page: "" });
  expect(missing.error?.fault).toEqual({ code: "flow.input-missing", params: { name: "page" } });
});

it("orders what is low in stock, once the person agrees", async () => {
  const asked: string[] = [];
  const approve = (isAgreed: boolean) => (question: string, details: string) => {
    asked.push(`${question} ${details}`);
    return Promise.resolve(isAgreed);
  };
  const done = await run("Order what runs out", {}, { approve: approve(true) });
  expect(done.variables.orders).toEqual([{ ok: true }, { ok: true }]);
  expect(asked).toEqual([
    'Order ten of each? [{"name":"tar","count":1},{"name":"rope","count":2}]',
  ]);
  expect(received).toEqual([
    "GET /items",
    'POST /orders {"item":"tar","count":10}',
    'POST /orders {"item":"rope","count":10}',
  ]);
  const denied = await run("Order what runs out", {}, { approve: approve(false) });
  expect(denied.error?.fault?.code).toBe("flow.denied");
  const nothing = await run("Order what runs out", { minimum: "0" }, { approve: approve(true) });
  expect(nothing).toMatchObject({ error: null, output: "[]" });
  expect(asked).toHaveLength(2);
  expect(received.slice(3)).toEqual(["GET /items", "GET /items"]);
});
