import {
  answerFlowRun,
  cancelFlowRun,
  deleteFlow,
  describeFlowRequests,
  eventLogged,
  flowRunEnded,
  flowSteps,
  getFlowRun,
  listFlowRuns,
  listSharedFlows,
  readFlowRunProgress,
  readFlowRunResult,
  rerunFlow,
  shareFlow,
  startFlowRun,
  toggleFlow,
  updateFlow,
  userDeleted,
  workspaceDeleted,
  type EventPayload,
  type Out,
  type Scope,
} from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { startChat } from "../../test/chat-suite.ts";
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
import { FlowRunRepository } from "./flow-run.repository.ts";

const { chat, sql, count, database } = await startChat("Hello.", {
  CARREL_LINK_ALLOW: "127.0.0.1",
});
const flows = new FlowRunClient(chat);
const site = new Site();
const member = scopeOf(person(2, "default"));
const other = scopeOf(person(3, "default"));
const logged: EventPayload<typeof eventLogged>[] = [];
const ended: EventPayload<typeof flowRunEnded>[] = [];
beforeAll(async () => {
  await site.start();
  const { broadcast } = chat.shared.messaging;
  broadcast.on(`event:${eventLogged.name}`, (payload) => logged.push(payload as never));
  broadcast.on(`event:${flowRunEnded.name}`, (payload) => ended.push(payload as never));
});
afterAll(() => site.stop());
beforeEach(() => {
  site.received.length = 0;
});

const failsWith = (code: string) => expect.objectContaining({ code });
const answer = (id: string, path: string, decision: "once" | "run" | "denied", as: Scope) =>
  chat.request(answerFlowRun, { id, path, decision }, as as never);

describe("a run by hand", () => {
  it("records its blocks, its output and what it was started with", async () => {
    const steps = [start({ city: "Rome" }), call("GET", `${site.url}/w?\${city}`), say("${reply}")];
    const id = await flows.run(await flows.create(steps), { city: "Bari" });
    const run = await flows.reach(id, "done");
    expect(run).toMatchObject({
      trigger: "manual",
      version: 1,
      inputs: { city: "Bari" },
      output: "Hello.",
      owner: { id: 1, username: "user-1" },
      workspace: null,
      fault: null,
      blockCount: 3,
      canContinue: false,
    });
    expect(run.blocks.map(({ path, type, state, result }) => [path, type, state, result])).toEqual([
      ["0", "start", "done", ""],
      ["1", "apiCall", "done", '{"n":1}'],
      ["2", "llmInstruction", "done", "Hello."],
    ]);
    expect(site.received).toEqual(["GET /w?Bari"]);
    await poll(() => ended.find(({ runId }) => runId === id)).toMatchObject({ state: "done" });
    expect(await count("chat.model_usage WHERE user_id = 1")).toBeGreaterThan(0);
    const { blocks } = await chat.request(
      readFlowRunProgress,
      { id, after: 0 },
      flows.admin as never,
    );
    expect(blocks.map(({ path }) => path).sort()).toEqual(["0", "1", "2"]);
  });

  it("shows the start of a long result, and reads all of it in pieces", async () => {
    const text = "Zoë 🙂 ".repeat(14_000);
    const steps = [
      start({ text: "" }),
      { type: "carrel-transform", config: { input: "${text}${text}${text}", operations: [] } },
      { type: "carrel-transform", config: { input: '{"a":[1]}', operations: [] } },
    ];
    const id = await flows.run(await flows.create(steps), { text });
    const { blocks } = await flows.reach(id, "done");
    expect(blocks.map(({ isCut }) => isCut)).toEqual([false, true, false]);
    expect(blocks[1]!.result).toBe(text.slice(0, blocks[1]!.result.length));
    const read = (path: string, from: number, as = flows.admin) =>
      chat.request(readFlowRunResult, { id, path, from }, as as never);
    const pieces: string[] = [];
    for (let from: number | null = 0; from !== null;) {
      const piece: Out<typeof readFlowRunResult> = await read("1", from);
      pieces.push(piece.text);
      from = piece.next;
    }
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.join("")).toBe(text.repeat(3));
    expect(await read("2", 0)).toEqual({ text: '{"a":[1]}', next: null });
    expect(await read("2", 1_000)).toEqual({ text: "", next: null });
    await expect(read("7", 0)).rejects.toEqual(failsWith("flow.run-not-found"));
    await expect(read("1", 0, other)).rejects.toEqual(failsWith("flow.run-not-found"));
  });

  it("starts once for a request that is sent again", async () => {
    const id = await flows.create([start()]);
    const [one, two] = await Promise.all(
      [1, 2].map(() => chat.request(startFlowRun, { id }, flows.admin as never, "same-key")),
    );
    expect(one).toEqual(two);
  });

  it("waits for an approval, on whichever replica, and ends without it", async () => {
    const id = await flows.create([approval, call("POST", `${site.url}/send`)]);
    const agreed = await flows.run(id);
    const waiting = await flows.reach(agreed, "waiting");
    expect(waiting.question).toMatchObject({ path: "0", kind: "approval", question: "Go on?" });
    expect(waiting.blocks).toMatchObject([{ path: "0", state: "waiting" }]);
    expect(await answer(agreed, "0", "once", flows.admin)).toEqual({ success: true });
    expect(await answer(agreed, "0", "once", flows.admin)).toEqual({ success: false });
    await flows.reach(agreed, "done");
    const denied = await flows.run(id);
    await flows.reach(denied, "waiting");
    await answer(denied, "0", "denied", flows.admin);
    expect(await flows.reach(denied, "denied")).toMatchObject({
      fault: { code: "flow.denied", params: { block: "Approval" } },
      canContinue: true,
    });
    expect(site.received).toEqual(["POST /send"]);
  });

  it("asks about addresses that only the run has found, once for each origin if wanted", async () => {
    chat.llm.behave({ reply: site.url });
    const steps = [
      say("Which address?", "found"),
      call("GET", "${found}/one"),
      call("GET", "${found}/two"),
    ];
    const id = await flows.run(await flows.create(steps));
    const { question } = await flows.reach(id, "waiting");
    expect(question).toMatchObject({
      path: "1",
      kind: "request",
      destination: site.url,
      details: `GET ${site.url}/one`,
    });
    expect(site.received).toEqual([]);
    await answer(id, "1", "run", flows.admin);
    await flows.reach(id, "done");
    expect(site.received).toEqual(["GET /one", "GET /two"]);
  });

  it("can be cancelled while it waits and while it runs", async () => {
    const cancel = (id: string) => chat.request(cancelFlowRun, { id }, flows.admin as never);
    const waiting = await flows.run(await flows.create([approval]));
    await flows.reach(waiting, "waiting");
    expect(await cancel(waiting)).toEqual({ success: true });
    site.hold();
    const running = await flows.run(await flows.create([call("GET", `${site.url}/slow`), start()]));
    await poll(() => site.count("GET /slow")).toBe(1);
    expect(await cancel(running)).toEqual({ success: true });
    site.release();
    expect(await cancel(running)).toEqual({ success: false });
    expect((await flows.get(running)).blocks).toMatchObject([{ path: "0", state: "stopped" }]);
    expect((await flows.get(waiting)).state).toBe("cancelled");
    await poll(() => ended.filter(({ state }) => state === "cancelled").length).toBe(2);
  });

  it("runs again, from the start or from where it ended", async () => {
    const flowId = await flows.create([
      call("POST", `${site.url}/sent-once`),
      call("GET", `${site.url}:1/broken`, "x"),
    ]);
    const first = await flows.run(flowId);
    await flows.reach(first, "failed");
    const again = async (from: "start" | "end") =>
      (await chat.request(rerunFlow, { id: first, from }, flows.admin as never)).id;
    await flows.reach(await again("end"), "failed");
    expect(site.received).toEqual(["POST /sent-once"]);
    // The admin repairs the block that failed.
    const steps = flowSteps.parse([
      call("POST", `${site.url}/sent-once`),
      call("GET", `${site.url}/works`, "x"),
    ]);
    await chat.request(
      updateFlow,
      { id: flowId, name: "Flow", steps, version: 1 },
      flows.admin as never,
    );
    const repaired = await flows.reach(await again("end"), "done");
    expect(repaired).toMatchObject({ trigger: "rerun", version: 2, output: expect.any(String) });
    expect(repaired.blocks.map(({ path, state }) => [path, state])).toEqual([
      ["0", "done"],
      ["1", "done"],
    ]);
    expect(site.received).toEqual(["POST /sent-once", "GET /works"]);
    await flows.reach(await again("start"), "done");
    expect(site.count("POST /sent-once")).toBe(2);
    await expect(
      chat.request(rerunFlow, { id: repaired.id, from: "end" }, flows.admin as never),
    ).rejects.toEqual(failsWith("flow.run-complete"));
  });
});

describe("members", () => {
  it("run what is shared and active, and see their own runs only", async () => {
    const shared = await flows.create([start({ a: "1" }), say("x")], { shared: true, name: "S" });
    const hidden = await flows.create([start()], { name: "H" });
    const listed = await chat.request(listSharedFlows, {}, member as never);
    expect(listed.flows.find(({ id }) => id === shared)).toEqual({
      id: shared,
      name: "S",
      description: "",
      variables: [{ name: "a", value: "1", description: "" }],
      sends: false,
      searches: false,
    });
    expect(listed.flows.map(({ id }) => id)).not.toContain(hidden);
    await expect(flows.run(hidden, {}, member)).rejects.toEqual(failsWith("flow.not-found"));
    const own = await flows.run(shared, {}, member);
    await poll(async () => (await flows.get(own, member)).state).toBe("done");
    expect((await flows.get(own)).owner?.id).toBe(2);
    for (const act of [
      () => flows.get(own, other),
      () => chat.request(cancelFlowRun, { id: own }, other as never),
      () => chat.request(rerunFlow, { id: own }, other as never),
      () => answer(own, "0", "once", other),
      // Admins see it, but don't answer for its owner.
      () => answer(own, "0", "once", flows.admin),
    ])
      await expect(act()).rejects.toEqual(failsWith("flow.run-not-found"));
    const list = async (as: Scope) =>
      (await chat.request(listFlowRuns, { flowId: shared }, as as never)).runs.map(({ id }) => id);
    expect([await list(member), await list(other), await list(flows.admin)]).toEqual([
      [own],
      [],
      [own],
    ]);
    await chat.request(toggleFlow, { id: shared, active: false }, flows.admin as never);
    await expect(flows.run(shared, {}, member)).rejects.toEqual(failsWith("flow.inactive"));
  });

  it("see what would be requested, without the values of headers", async () => {
    const send = call("POST", `${site.url}/x?\${a}`);
    Object.assign(send.config, { headers: [{ key: "X-Key", value: "hush" }], body: '{"b":1}' });
    const id = await flows.create([start({ a: "1" }), send, approval], { shared: true });
    const describe = (as: Scope, a = "2") =>
      chat.request(describeFlowRequests, { id, inputs: { a } }, as as never);
    expect(await describe(member)).toEqual({
      requests: [
        {
          title: "API call",
          address: `${site.url}/x?2`,
          origin: site.url,
          text: `POST ${site.url}/x?2\nX-Key: ••••••••\ncontent-type: ••••••••\n\n{"b":1}`,
        },
      ],
      approvals: [{ id: "ok", title: "Approval", question: "Go on?" }],
    });
    expect((await describe(flows.admin)).requests[0]!.text).toContain("X-Key: hush");
    expect(JSON.stringify(await describe(member, "\n\n"))).not.toContain("hush");
    expect((await describe(member, "x".repeat(90_000))).requests[0]!.text).toHaveLength(10_001);
  });

  it("lose their runs' rights while these wait", async () => {
    const id = await flows.create([approval, call("POST", `${site.url}/late`)], { shared: true });
    const run = await flows.run(id, {}, member);
    await poll(async () => (await flows.get(run)).state).toBe("waiting");
    chat.fixture.suspended.add(2);
    await answer(run, "0", "once", member);
    expect(await flows.reach(run, "failed")).toMatchObject({ fault: { code: "owner.suspended" } });
    chat.fixture.suspended.delete(2);
    expect(site.received).toEqual([]);
  });

  it("lose their runs' rights between two blocks", async () => {
    const { workspace } = chat.addWorkspace();
    const steps = [call("GET", `${site.url}/slow`), call("POST", `${site.url}/late`)];
    const [shared, unshared] = [
      await flows.create(steps, { shared: true }),
      await flows.create(steps, { shared: true }),
    ];
    site.hold();
    const start = async (id: string, userId: number, within: Scope["workspace"] = null) => {
      const as = { principal: person(userId, "default"), workspace: within };
      return (await chat.request(startFlowRun, { id }, as as never)).id;
    };
    const runs = [
      await start(shared, 2),
      await start(shared, 3, workspace),
      await start(unshared, 3),
      await start(shared, 3),
    ];
    await poll(() => site.count("GET /slow")).toBe(4);
    chat.fixture.suspended.add(2);
    chat.fixture.members.set(workspace.id, new Set());
    await chat.request(shareFlow, { id: unshared, shared: false }, flows.admin as never);
    site.release();
    await flows.reach(runs.pop()!, "done");
    const faults = await Promise.all(
      runs.map(async (id) => (await flows.reach(id, "failed")).fault?.code),
    );
    expect(faults).toEqual(["owner.suspended", "owner.workspace-missing", "flow.inactive"]);
    chat.fixture.suspended.delete(2);
    expect(site.count("POST /late")).toBe(1);
    const { blocks } = await flows.get(runs[0]!);
    expect(blocks.map(({ state }) => state)).toEqual(["done", "stopped"]);
  });
});

describe("what is left", () => {
  it("is listed in pages", async () => {
    const flowId = await flows.create([start()]);
    await sql(
      `INSERT INTO chat.flow_run (id, flow_id, name, version, steps, reached, inputs, trigger, user_id, state, ended_at, created_at)
      SELECT gen_random_uuid(), $1, 'x', 1, '[]', '{}', '{}', 'manual', 1, 'done', now(), now() - n * interval '1 second'
      FROM generate_series(1, 120) n`,
      [flowId],
    );
    const seen: string[] = [];
    for (let after: string | null | undefined; after !== null;) {
      const page = await chat.request(listFlowRuns, { flowId, after }, flows.admin as never);
      seen.push(...page.runs.map(({ id }) => id));
      after = page.next;
    }
    expect(new Set(seen).size).toBe(120);
    expect(seen).toHaveLength(120);
    await expect(
      chat.request(listFlowRuns, { after: "no cursor" }, flows.admin as never),
    ).rejects.toEqual(failsWith("request.cursor-invalid"));
  });

  it("is deleted after 30 days, and beyond the last runs of a flow", async () => {
    const flowId = await flows.create([start()]);
    await sql(
      `INSERT INTO chat.flow_run (id, flow_id, name, version, steps, reached, inputs, trigger, user_id, state, ended_at, created_at)
      SELECT gen_random_uuid(), $1, 'x', 1, '[]', '{}', '{}', 'manual', 1, 'done', at, at
      FROM (SELECT now() - n * interval '1 day' AS at FROM generate_series(1, 40) n) days`,
      [flowId],
    );
    const runs = new FlowRunRepository(database, null as never);
    const left = () => count("chat.flow_run WHERE flow_id = $1", [flowId]);
    await runs.purge({ days: 30, perFlow: 1_000, batch: 5 });
    expect(await left()).toBe(35);
    while ((await runs.purge({ days: 30, perFlow: 1_000, batch: 5 })) > 0);
    expect(await left()).toBe(29);
    await runs.purge({ days: 30, perFlow: 10, batch: 500 });
    expect(await left()).toBe(10);
    expect(await count("chat.flow_run WHERE created_at < now() - interval '11 days'")).toBe(0);
  });

  it("goes with its flow, its owner and its workspace", async () => {
    const { workspace } = chat.addWorkspace();
    const flowId = await flows.create([start()], { shared: true });
    const own = await flows.run(flowId, {}, scopeOf(person(9, "default")));
    const within = await chat.request(startFlowRun, { id: flowId }, {
      ...flows.admin,
      workspace,
    } as never);
    const third = await flows.run(flowId);
    for (const id of [own, within.id, third]) await flows.reach(id, "done");
    const left = () => count("chat.flow_run WHERE flow_id = $1", [flowId]);
    await chat.tell(userDeleted, { userId: 9 });
    await poll(left).toBe(2);
    await chat.tell(workspaceDeleted, { workspaceId: workspace.id });
    await poll(left).toBe(1);
    await chat.request(deleteFlow, { id: flowId }, flows.admin as never);
    expect(await left()).toBe(0);
    await expect(chat.request(getFlowRun, { id: third }, flows.admin as never)).rejects.toEqual(
      failsWith("flow.run-not-found"),
    );
    expect(logged.filter(({ event }) => event === "flow_run_started").length).toBeGreaterThan(5);
  });
});

describe("a question that nobody answers in time", () => {
  it("counts as no", async () => {
    await Promise.all(chat.replicas.splice(0).map((replica) => replica.stop()));
    await chat.startReplica({ CARREL_AGENT_WAIT_SECONDS: "1" });
    const id = await flows.run(await flows.create([approval]));
    await flows.reach(id, "denied");
  });
});
