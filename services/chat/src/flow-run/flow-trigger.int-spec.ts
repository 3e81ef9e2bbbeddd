import { randomUUID } from "node:crypto";
import {
  answerFlowRun,
  cancelFlowRun,
  deleteFlowTrigger,
  deliverFlowHook,
  eventLogged,
  flowRunReported,
  getFlowRun,
  instancePrincipal,
  listFlowTriggers,
  listSharedFlows,
  multiUserEnabled,
  readFlowRunProgress,
  rotateFlowHookSecret,
  setFlowTrigger,
  startFlowRunByKey,
  toggleFlow,
  type AdvanceApproval,
  type EventPayload,
  type FlowTriggerKind,
  type Scope,
} from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { Webhook } from "standardwebhooks";
import { key, startChat } from "../../test/chat-suite.ts";
import { passageOf } from "../../test/factories/passage.ts";
import { readInputs } from "./flow-hook.handler.ts";
import {
  approval,
  call,
  FlowRunClient,
  person,
  say,
  scopeOf,
  Site,
  start,
} from "./flow-run.fixture.ts";

const { chat, sql, count } = await startChat("Hello.", { CARREL_LINK_ALLOW: "127.0.0.1" });
const flows = new FlowRunClient(chat);
const site = new Site();
const byKey = scopeOf(key);
const nobody = "0b2c6bb4-1d0a-4c59-9a5e-5d2f0f3f6c10";
const logged: EventPayload<typeof eventLogged>[] = [];
const reported: EventPayload<typeof flowRunReported>[] = [];
beforeAll(async () => {
  await site.start();
  const { broadcast } = chat.shared.messaging;
  broadcast.on(`event:${eventLogged.name}`, (payload) => logged.push(payload as never));
  broadcast.on(`event:${flowRunReported.name}`, (payload) => reported.push(payload as never));
});
afterAll(() => site.stop());
beforeEach(() => {
  site.received.length = 0;
});

const failsWith = (code: string) => expect.objectContaining({ code });
const set = (
  id: string,
  kind: FlowTriggerKind,
  approvals: AdvanceApproval[] = [],
  workspaceId: number | null = null,
) => chat.request(setFlowTrigger, { id, kind, approvals, workspaceId }, flows.admin as never);
const requestsOf = (id: string, destination: string): AdvanceApproval => ({
  tool: `@@flow_${id}`,
  destination,
});
const startByKey = async (
  id: string,
  inputs: Record<string, string> = {},
  name: string = randomUUID(),
) => (await chat.request(startFlowRunByKey, { id, inputs }, byKey as never, name)).id;

describe("the developer API", () => {
  it("starts flows with a trigger, with its owner's rights and what that approved", async () => {
    const id = await flows.create([
      start({ n: "1" }),
      approval,
      call("POST", `${site.url}/p?\${n}`),
    ]);
    await expect(startByKey(id)).rejects.toEqual(failsWith("flow.trigger-not-found"));
    const listed = async () =>
      (await chat.request(listSharedFlows, {}, byKey as never)).flows.map((flow) => flow.id);
    expect(await listed()).not.toContain(id);
    await set(id, "api", [
      requestsOf(id, site.url),
      { tool: "carrel-approval", destination: "ok" },
    ]);
    expect(await listed()).toContain(id);
    const run = await startByKey(id, { n: "2" }, "same");
    expect(await startByKey(id, { n: "2" }, "same")).toBe(run);
    expect(await flows.reach(run, "done")).toMatchObject({ trigger: "api", owner: { id: 1 } });
    expect(site.received).toEqual(["POST /p?2"]);
    // A key reads what keys started, and nothing else.
    expect((await chat.request(getFlowRun, { id: run }, byKey as never)).state).toBe("done");
    const own = await flows.run(await flows.create([start()]));
    await expect(chat.request(getFlowRun, { id: own }, byKey as never)).rejects.toEqual(
      failsWith("flow.run-not-found"),
    );
    await chat.request(toggleFlow, { id, active: false }, flows.admin as never);
    await expect(startByKey(id)).rejects.toEqual(failsWith("flow.inactive"));
  });

  it("gives a key that is restricted to workspaces only what happens in these", async () => {
    const [own, foreign] = [chat.addWorkspace(), chat.addWorkspace()].map(
      ({ workspace: { id } }) => id,
    ) as [number, number];
    const restricted = scopeOf({ ...key, workspaceIds: [own] });
    const [mine, theirs, nowhere] = await Promise.all(
      [own, foreign, null].map(async (workspaceId) => {
        const id = await flows.create([start()]);
        await set(id, "api", [], workspaceId);
        return id;
      }),
    );
    const { flows: listed } = await chat.request(listSharedFlows, {}, restricted as never);
    expect(listed.map(({ id }) => id)).toEqual([mine]);
    const startAs = async (id: string, as: Scope) =>
      (await chat.request(startFlowRunByKey, { id, inputs: {} }, as as never, randomUUID())).id;
    for (const id of [theirs!, nowhere!])
      await expect(startAs(id, restricted)).rejects.toEqual(failsWith("flow.trigger-not-found"));
    const run = await startAs(mine!, restricted);
    await flows.reach(run, "done");
    const read = (id: string) => chat.request(getFlowRun, { id }, restricted as never);
    expect(await read(run)).toMatchObject({ state: "done", workspace: { id: own } });
    const cancel = (id: string) => chat.request(cancelFlowRun, { id }, restricted as never);
    expect(await cancel(run)).toEqual({ success: false });
    const follow = (id: string) =>
      chat.request(readFlowRunProgress, { id, after: 0 }, restricted as never);
    expect((await follow(run)).state).toBe("done");
    for (const other of [await startAs(theirs!, byKey), await startAs(nowhere!, byKey)])
      for (const act of [read, cancel, follow])
        await expect(act(other)).rejects.toEqual(failsWith("flow.run-not-found"));
  });

  it("ends at what nobody approved, before it happens, and says so", async () => {
    const elsewhere = await flows.create([say("x"), call("GET", `${site.url}/no`)]);
    await set(elsewhere, "api", [requestsOf(elsewhere, "https://example.com")]);
    const run = await startByKey(elsewhere);
    const params = { block: "API call", destination: site.url };
    expect(await flows.reach(run, "denied")).toMatchObject({
      fault: { code: "flow.request-not-approved", params },
      blocks: [{ state: "done" }, { path: "1", state: "denied" }],
    });
    expect(site.received).toEqual([]);
    await poll(() => reported.find(({ runId }) => runId === run)).toMatchObject({
      kind: "flow.denied",
      flowId: elsewhere,
      userId: 1,
      title: "Flow",
      fault: { code: "flow.request-not-approved", params },
    });
    await poll(() => logged.find(({ event }) => event === "flow_run_denied")).toMatchObject({
      metadata: { runId: run, ...params },
    });
    const asks = await flows.create([approval]);
    await set(asks, "api", [{ tool: "carrel-approval", destination: "another block" }]);
    expect(await flows.reach(await startByKey(asks), "denied")).toMatchObject({
      fault: { code: "flow.approval-missing" },
    });
    const fails = await flows.create([call("GET", "https://")]);
    await set(fails, "api");
    const failed = await startByKey(fails);
    await flows.reach(failed, "failed");
    await poll(() => reported.find(({ runId }) => runId === failed)).toMatchObject({
      kind: "flow.failed",
      fault: { code: "flow.address-invalid" },
    });
  });

  it("stops when the rights of the trigger's owner end", async () => {
    const id = await flows.create([start()]);
    await set(id, "api");
    chat.fixture.suspended.add(1);
    await expect(startByKey(id)).rejects.toEqual(failsWith("owner.suspended"));
    chat.fixture.suspended.delete(1);
    chat.fixture.admins.delete(1);
    await expect(startByKey(id)).rejects.toEqual(failsWith("flow.inactive"));
    chat.fixture.admins.add(1);
    await expect(set(id, "api", [], 999_999)).rejects.toEqual(failsWith("owner.workspace-missing"));
  });
});

describe("a run that searches a workspace", () => {
  it("lists what its output cites, numbered across its searches and turns", async () => {
    const passage = passageOf({ title: "survey.pdf", page: 3 });
    const { workspace } = chat.addWorkspace({}, [passage]);
    const search = (resultVariable: string) => ({
      type: "carrel-search",
      config: { query: "radiators", limit: 2, resultVariable },
    });
    const id = await flows.create([search("one"), approval, search("two"), say("${one} ${two}")]);
    const within = { ...flows.admin, workspace };
    chat.llm.behave({ reply: "They suffice [1, 2]. Once more [1]. Nothing has this number [9]." });
    const run = await flows.run(id, {}, within as never);
    await flows.reach(run, "waiting");
    await chat.request(answerFlowRun, { id: run, path: "1", decision: "once" }, within as never);
    const { title, page, url } = passage;
    expect((await flows.reach(run, "done")).sources).toEqual([
      { number: 1, title, page, url },
      { number: 2, title, page, url },
    ]);
    expect(JSON.stringify(chat.llm.requests.at(-1)!.body)).toContain("Passages of documents have");
  });
});

describe("a webhook", () => {
  const deliver = async (
    id: string,
    secret: string,
    o: { body?: string; messageId?: string; at?: Date; signedBody?: string } = {},
  ) => {
    const {
      body = '{"city":"Rome","n":7,"x":{"y":[1]}}',
      messageId = randomUUID(),
      at = new Date(),
    } = o;
    return chat.request(
      deliverFlowHook,
      {
        id,
        body,
        messageId,
        timestamp: String(Math.floor(at.getTime() / 1_000)),
        signature: new Webhook(secret).sign(messageId, at, o.signedBody ?? body),
      },
      scopeOf({ kind: "public", userId: null, role: "none" }) as never,
    );
  };
  const make = async () => {
    const steps = [
      start({ city: "", n: "" }),
      call("GET", `${site.url}/h?\${city}-\${n}-\${webhook.x.y[0]}`),
    ];
    const id = await flows.create(steps);
    const { trigger, secret } = await set(id, "webhook", [requestsOf(id, site.url)]);
    return { id, trigger, secret: secret! };
  };

  it("starts its flow once, with the body as a variable and its fields as inputs", async () => {
    const { id, trigger, secret } = await make();
    expect(trigger.path).toBe(`/api/flow-hooks/${trigger.id}`);
    const [one, two] = await Promise.all(
      [1, 2].map(() => deliver(trigger.id, secret, { messageId: "msg_1" })),
    );
    expect(one).toEqual(two);
    expect(await flows.reach(one!.id, "done")).toMatchObject({
      trigger: "webhook",
      inputs: { city: "Rome", n: "7" },
    });
    expect(await deliver(trigger.id, secret, { messageId: "msg_1" })).toEqual(one);
    expect(site.received).toEqual(["GET /h?Rome-7-1"]);
    expect(await count("chat.flow_run WHERE trigger = 'webhook'")).toBe(1);
    // No matter whether another could be started.
    await chat.request(toggleFlow, { id, active: false }, flows.admin as never);
    expect(await deliver(trigger.id, secret, { messageId: "msg_1" })).toEqual(one);
    await expect(deliver(trigger.id, secret)).rejects.toEqual(failsWith("flow.inactive"));
  });

  it("that isn't signed with its secret, or is too old, looks like a missing one", async () => {
    const { id, trigger, secret } = await make();
    const other = `whsec_${Buffer.from("another secret of 32 bytes......").toString("base64")}`;
    const missing = failsWith("flow.hook-not-found");
    await expect(deliver(nobody, secret)).rejects.toEqual(missing);
    await expect(deliver(trigger.id, other)).rejects.toEqual(missing);
    await expect(deliver(trigger.id, secret, { signedBody: "{}" })).rejects.toEqual(missing);
    const old = new Date(Date.now() - 600_000);
    await expect(deliver(trigger.id, secret, { at: old })).rejects.toEqual(missing);
    for (const body of ["no json", `${"[".repeat(75_000)}${"]".repeat(75_000)}`])
      await expect(deliver(trigger.id, secret, { body })).rejects.toEqual(
        failsWith("flow.hook-invalid"),
      );
    const next = await chat.request(rotateFlowHookSecret, { id }, flows.admin as never);
    await expect(deliver(trigger.id, secret)).rejects.toEqual(missing);
    await deliver(trigger.id, next.secret);
    await chat.request(deleteFlowTrigger, { id, kind: "webhook" }, flows.admin as never);
    await expect(deliver(trigger.id, next.secret)).rejects.toEqual(missing);
  });

  it("has a secret that is shown once and sealed", async () => {
    const { id, secret } = await make();
    const again = await set(id, "webhook", []);
    expect(again.secret).toBeNull();
    const { triggers } = await chat.request(listFlowTriggers, { id }, flows.admin as never);
    expect(triggers).toEqual([again.trigger]);
    expect(again.trigger.owner).toMatchObject({ id: 1 });
    expect(JSON.stringify(triggers)).not.toContain(secret);
    const rows = await sql(
      `SELECT t::text AS t, (SELECT string_agg(r::text, '') FROM chat.request_result r) AS r FROM chat.flow_trigger t`,
    );
    expect(JSON.stringify(rows)).not.toContain(secret.slice(6, 30));
    expect(logged.filter(({ event }) => event === "flow_trigger_set").length).toBeGreaterThan(2);
    expect(JSON.stringify(logged)).not.toContain(secret.slice(6, 30));
  });

  it("may be called too often for a while", async () => {
    const { trigger, secret } = await make();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 90 }, () => deliver(trigger.id, secret, { messageId: "msg_2" })),
    );
    const refused = outcomes.filter(({ status }) => status === "rejected");
    expect(refused.length).toBeGreaterThan(10);
    expect(refused[0]).toMatchObject({ reason: { code: "flow.hook-too-often" } });
  });

  it.each([
    [[1, 2], {}],
    ["text", {}],
    [null, {}],
    [
      { a: "x", b: 2, c: true, d: null, e: {} },
      { a: "x", b: "2" },
    ],
    [JSON.parse('{"__proto__":"x"}') as unknown, {}],
    [{ ["n".repeat(101)]: "x" }, {}],
  ])("reads texts and numbers of %j as inputs", (payload, inputs) => {
    expect(readInputs(payload)).toEqual(inputs);
  });
});

describe("an instance that gets accounts", () => {
  it("gives its runs and triggers to the first admin, with what they wait for", async () => {
    chat.fixture.hasAccounts = false;
    const solo = scopeOf(instancePrincipal);
    const id = await flows.create([approval, call("POST", `${site.url}/agreed`)]);
    const approvals = [requestsOf(id, site.url), { tool: "carrel-approval", destination: "ok" }];
    const trigger = { id, kind: "api", approvals, workspaceId: null } as const;
    await chat.request(setFlowTrigger, trigger, solo as never);
    const [waiting, ended] = await Promise.all([1, 2].map(() => flows.run(id, {}, solo)));
    for (const run of [waiting!, ended!]) await flows.reach(run, "waiting");
    await chat.request(cancelFlowRun, { id: ended! }, solo as never);
    chat.fixture.hasAccounts = true;
    await chat.tell(multiUserEnabled, { adminId: 1, at: new Date().toISOString() });
    await poll(() => count("chat.flow_run WHERE user_id IS NULL")).toBe(0);
    await poll(() => count("chat.flow_trigger WHERE user_id IS NULL")).toBe(0);
    const answer = { id: waiting!, path: "0", decision: "once" } as const;
    const other = scopeOf(person(2, "admin"));
    await expect(chat.request(answerFlowRun, answer, other as never)).rejects.toEqual(
      failsWith("flow.run-not-found"),
    );
    await chat.request(answerFlowRun, answer, flows.admin as never);
    expect(await flows.reach(waiting!, "done")).toMatchObject({ owner: { id: 1 } });
    expect(await flows.get(ended!)).toMatchObject({ state: "cancelled", owner: { id: 1 } });
    const started = await flows.reach(await startByKey(id), "done");
    expect(started).toMatchObject({ trigger: "api", owner: { id: 1 } });
    expect(site.count("POST /agreed")).toBe(2);
  });
});
