import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  createFlow,
  deleteFlow,
  eventLogged,
  flowSteps,
  getFlow,
  getFlowVersion,
  listFlows,
  listFlowVersions,
  saveLegacyFlow,
  shareFlow,
  testFlow,
  toggleFlow,
  updateFlow,
  type EventPayload,
  type Principal,
  type Scope,
} from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { ChatInstance } from "../../test/chat-instance.ts";

const sessionId = "6c8f4a1e-58a4-4a5c-9d28-2d7c7c0d7f01";
const admin = (provenAt?: number): Principal => ({
  kind: "user",
  userId: 1,
  role: "admin",
  sessionId,
  provenAt,
});
const scopeOf = (principal: Principal): Scope => ({ principal, workspace: null });
const scope = scopeOf(admin(Date.now() + 600_000));
const unproven = scopeOf(admin());
const nobody = "0b2c6bb4-1d0a-4c59-9a5e-5d2f0f3f6c10";

let chat: ChatInstance;
let site = "";
const received: string[] = [];
const server = createServer((request, response) => {
  received.push(`${request.method} ${request.url}`);
  response.writeHead(200, { "content-type": "application/json" }).end('{"max":31}');
});
const logged: EventPayload<typeof eventLogged>[] = [];
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  chat = await ChatInstance.start();
  chat.shared.messaging.broadcast.on(`event:${eventLogged.name}`, (payload) =>
    logged.push(payload as EventPayload<typeof eventLogged>),
  );
  await chat.startReplica({ CARREL_LINK_ALLOW: "127.0.0.1" });
});
afterAll(async () => {
  await chat?.stop();
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

const start = { type: "start", config: { variables: [{ name: "city", value: "Rome" }] } };
const say = (instruction: string, more: object = {}) => ({
  type: "llmInstruction",
  config: { instruction, resultVariable: "said", ...more },
});
const api = (url: string, more: object = {}) => ({
  type: "apiCall",
  config: { url, responseVariable: "reply", ...more },
});
const approval = { type: "carrel-approval", config: { question: "Go on?" } };
const create = (name: string, steps: object[], as = scope) =>
  chat.request(createFlow, { name, steps: flowSteps.parse(steps) }, as as never);
const save = (name: string, config: object, uuid?: string, as = scope) =>
  chat.request(saveLegacyFlow, { name, config: { ...config }, uuid }, as as never);
const get = (id: string) => chat.request(getFlow, { id }, scope as never);
const failsWith = (code: string) => expect.objectContaining({ code });

describe("flows of existing clients", () => {
  it("are saved, listed, switched and deleted", async () => {
    const config = {
      name: "Weather",
      description: "Tells the weather.",
      steps: [{ ...start, position: { x: 1 } }, api("https://a.example/${city}")],
    };
    const { flow } = await save("Weather", config);
    expect(await get(flow.uuid)).toMatchObject({
      name: "Weather",
      description: "Tells the weather.",
      active: true,
      shared: true,
      version: 1,
      stepCount: 2,
      hasOwnBlocks: false,
      sends: true,
      steps: [
        { type: "start", position: { x: 1 } },
        { type: "apiCall", config: { method: "GET" } },
      ],
    });
    await save("Weather now", { ...config, active: false }, flow.uuid);
    expect(await get(flow.uuid)).toMatchObject({ name: "Weather now", active: false, version: 2 });
    const on = await chat.request(toggleFlow, { id: flow.uuid, active: true }, scope as never);
    expect(on).toMatchObject({ name: "Weather now", active: true });
    await chat.request(deleteFlow, { id: flow.uuid }, scope as never);
    await expect(get(flow.uuid)).rejects.toEqual(failsWith("flow.not-found"));
    await expect(chat.request(deleteFlow, { id: flow.uuid }, scope as never)).rejects.toEqual(
      failsWith("flow.not-found"),
    );
    await poll(() =>
      logged.map(({ event, metadata }) => [event, (metadata as { name: string }).name]),
    ).toEqual([
      ["flow_created", "Weather"],
      ["flow_updated", "Weather now"],
      ["flow_toggled", "Weather now"],
      ["flow_deleted", "Weather now"],
    ]);
  });

  it.each([
    ["no steps", {}, "flow.steps-missing"],
    ["a website", { steps: [{ type: "website", config: {} }] }, "flow.block-unsupported"],
    ["a file", { steps: [{ type: "file", config: {} }] }, "flow.block-unsupported"],
    ["code", { steps: [{ type: "code", config: {} }] }, "flow.block-unsupported"],
    ["blocks of ours", { steps: [approval] }, "flow.block-unsupported"],
    ["no block", { steps: [null] }, "flow.block-unsupported"],
    ["an odd type", { steps: [{ type: { toString: 1 } }] }, "flow.block-unsupported"],
    [
      "an object as method",
      { steps: [api("https://a.example", { method: { toString: 1 } })] },
      "flow.block-invalid",
    ],
    [
      "an odd method",
      { steps: [api("https://a.example", { method: "TRACE" })] },
      "flow.block-invalid",
    ],
    ["too many blocks", { steps: Array(101).fill(start) }, "flow.too-many-steps"],
    ["too much", { steps: [1, 2, 3].map(() => say("ä".repeat(35_000))) }, "flow.too-large"],
  ])("are refused with %s", async (_what, config, code) => {
    const before = await chat.request(listFlows, {}, scope as never);
    await expect(save("Refused", config)).rejects.toEqual(failsWith(code));
    await expect(save("Refused", config, nobody)).rejects.toEqual(failsWith(code));
    expect(await chat.request(listFlows, {}, scope as never)).toEqual(before);
  });

  it("keep the ID they come with, if it is one", async () => {
    expect((await save("Own", { steps: [] }, nobody)).flow.uuid).toBe(nobody);
    await expect(save("Own", { steps: [] }, "../own")).rejects.toEqual(
      failsWith("flow.id-invalid"),
    );
    await chat.request(deleteFlow, { id: nobody }, scope as never);
  });

  it("never replace one that holds blocks of ours", async () => {
    const ours = { name: "Ours", steps: flowSteps.parse([start, approval]), active: false };
    const { id } = await chat.request(createFlow, ours, scope as never);
    await expect(save("Theirs", { steps: [start] }, id)).rejects.toEqual(
      failsWith("flow.needs-own-builder"),
    );
    expect(await get(id)).toMatchObject({ ...ours, version: 1, hasOwnBlocks: true });
  });

  it("need a recent sign-in to send to new addresses, and nothing else", async () => {
    const { flow } = await save("Quiet", { steps: [start, say("x")] }, undefined, unproven);
    const loud = { steps: [api("https://a.example")] };
    await expect(save("Loud", loud, flow.uuid, unproven)).rejects.toEqual(
      failsWith("flow.proof-due"),
    );
    await save("Loud", loud, flow.uuid);
    await save("Loud again", loud, flow.uuid, unproven);
    await expect(
      create("New", [{ type: "webScraping", config: { url: "https://a.example" } }], unproven),
    ).rejects.toEqual(failsWith("access.proof-due"));
  });
});

describe("flows of ours", () => {
  it("are saved with versions, and refuse a save from another tab", async () => {
    const { id, version } = await create("Report", [say("one")]);
    expect(version).toBe(1);
    const steps = flowSteps.parse([{ ...say("two"), id: "a-1", title: "Say two" }, approval]);
    const update = (of: number) =>
      chat.request(
        updateFlow,
        { id, name: "Report 2", description: "New", steps, version: of },
        scope as never,
      );
    expect(await update(1)).toEqual({ version: 2 });
    await expect(update(1)).rejects.toEqual(failsWith("flow.changed"));
    expect(await get(id)).toMatchObject({ name: "Report 2", shared: false, steps });
    const { versions } = await chat.request(listFlowVersions, { id }, scope as never);
    expect(versions).toMatchObject([
      { version: 2, name: "Report 2", savedBy: 1, stepCount: 2 },
      { version: 1, name: "Report", stepCount: 1 },
    ]);
    expect(await chat.request(getFlowVersion, { id, version: 1 }, scope as never)).toMatchObject({
      name: "Report",
      steps: [{ config: { instruction: "one" } }],
    });
    await chat.request(shareFlow, { id, shared: true }, scope as never);
    expect(await get(id)).toMatchObject({ shared: true, version: 2 });
    for (const request of [
      chat.request(getFlowVersion, { id, version: 9 }, scope as never),
      chat.request(listFlowVersions, { id: nobody }, scope as never),
      chat.request(shareFlow, { id: nobody, shared: true }, scope as never),
    ])
      await expect(request).rejects.toMatchObject({ kind: "NOT_FOUND" });
  });

  it("are nested only as deep as they may be", async () => {
    const nest = (depth: number): object =>
      depth === 1
        ? start
        : { type: "carrel-loop", config: { list: "[]", steps: [nest(depth - 1)] } };
    await create("Deep", [nest(5)]);
    await expect(create("Deeper", [nest(6)])).rejects.toEqual(failsWith("flow.too-deep"));
  });
});

describe("a test of a flow", () => {
  const test = (id: string | undefined, more: object = {}, as: Scope = scope) =>
    chat.request(testFlow, { id, ...more }, as as never);

  it("runs its blocks, and shows what each did", async () => {
    const { id } = await create("Weather", [
      start,
      { ...api(`${site}/\${city}`), id: "call", title: "Get it" },
      say("Say ${reply.max} for ${city}", { directOutput: true }),
    ]);
    chat.llm.next({ reply: "It's hot." });
    const outcome = await test(id, { inputs: { city: "Oslo" } });
    expect(outcome).toMatchObject({
      ok: true,
      output: "It's hot.",
      variables: { city: "Oslo", reply: { max: 31 }, said: "It's hot." },
      steps: [
        { type: "start", state: "done" },
        { id: "call", title: "Get it", state: "done", result: '{"max":31}', fault: null },
        { type: "llmInstruction", state: "done", result: "It's hot." },
      ],
    });
    expect(received).toEqual(["GET /Oslo"]);
    expect(JSON.stringify(chat.llm.requests.at(-1)!.body)).toContain("Say 31 for Oslo");
    const resumed = await test(id, {
      from: "call",
      variables: { city: "Bonn" },
      steps: flowSteps.parse([start, { ...api(`${site}/\${city}`), id: "call" }]),
    });
    expect(resumed).toMatchObject({ ok: true, steps: [{ state: "skipped" }, { state: "done" }] });
    expect(received.at(-1)).toBe("GET /Bonn");
  });

  it("runs blocks that were never saved", async () => {
    const steps = flowSteps.parse([start, { ...api(`${site}/\${city}`), id: "call" }]);
    const outcome = await test(undefined, { steps, inputs: { city: "Riga" } });
    expect(outcome).toMatchObject({ ok: true, variables: { reply: { max: 31 } } });
    expect(received.at(-1)).toBe("GET /Riga");
    const nested = Array.from({ length: 6 }).reduce<object[]>(
      (inner) => [{ type: "carrel-loop", config: { list: "[]", steps: inner } }],
      [],
    );
    await expect(test(undefined, { steps: flowSteps.parse(nested) })).rejects.toEqual(
      failsWith("flow.too-deep"),
    );
  });

  it("says what failed", async () => {
    const { id } = await create("Failing", [
      { ...api("http://10.1.2.3/"), title: "Inside" },
      say("x"),
    ]);
    const outcome = await test(id);
    expect(outcome).toMatchObject({
      ok: false,
      output: null,
      fault: { code: "flow.block-failed", params: { block: "Inside" } },
      steps: [{ state: "failed", fault: { code: "flow.block-failed" } }],
    });
  });

  it("ends at an approval unless the admin gives it", async () => {
    const { id } = await create("Asks", [approval, say("x")]);
    expect(await test(id)).toMatchObject({ ok: false, fault: { code: "flow.denied" } });
    chat.llm.next({ reply: "Done." });
    expect(await test(id, { approve: true })).toMatchObject({ ok: true, output: "Done." });
  });

  it("shows what fits into its reply", async () => {
    const { id } = await create("Large", [
      { type: "carrel-transform", config: { input: "small", resultVariable: "other" } },
      { type: "carrel-transform", config: { input: "${large}", resultVariable: "copy" } },
    ]);
    const outcome = await test(id, { variables: { large: "ä".repeat(60_000) } });
    expect(outcome).toMatchObject({ ok: true, omitted: ["copy"], variables: { other: "small" } });
    expect(outcome.output!.length).toBe(50_000);
  });

  it("searches only in a workspace", async () => {
    const search = { type: "carrel-search", config: { query: "notice", resultVariable: "found" } };
    const { id } = await create("Searches", [search]);
    expect(await test(id)).toMatchObject({ fault: { code: "flow.workspace-missing" } });
    const { workspace } = chat.addWorkspace();
    expect(await test(id, {}, { ...scope, workspace })).toMatchObject({ ok: true });
  });
});
