import {
  allowDeniedCall,
  createFlow,
  deleteFlow,
  deleteSchedule,
  flowRunReported,
  flowSteps,
  getScheduleRun,
  listSchedules,
  runSchedule,
  scheduleChanged,
  setScheduleActive,
  shareFlow,
  type EventPayload,
  type ScheduleRunWire,
} from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { user } from "../../test/chat-suite.ts";
import { startSchedules } from "../../test/schedules.ts";
import { approval, Site, start } from "../flow-run/flow-run.fixture.ts";

const suite = await startSchedules("Hello, Oslo!", { CARREL_LINK_ALLOW: "127.0.0.1" });
const { chat, create, get, waitForRuns, readThread, reportsOf, sql } = suite;
const site = new Site();
const denials: string[] = [];
const changes: EventPayload<typeof scheduleChanged>[] = [];
beforeAll(async () => {
  await site.start();
  const { broadcast } = chat.shared.messaging;
  broadcast.on(`event:${scheduleChanged.name}`, (payload) => changes.push(payload as never));
  broadcast.on(`event:${flowRunReported.name}`, (payload) =>
    denials.push((payload as { runId: string }).runId),
  );
});
afterAll(() => site.stop());
beforeEach(() => {
  chat.fixture.hasAccounts = false;
});

const addFlow = async (
  scope: ReturnType<typeof chat.addWorkspace>,
  steps: object[],
): Promise<string> =>
  (await chat.request(createFlow, { name: "Greeting", steps: flowSteps.parse(steps) }, scope)).id;
/** The last of this many runs, which is started at once. */
const runNow = async (
  scope: ReturnType<typeof chat.addWorkspace>,
  id: string,
  count = 1,
): Promise<ScheduleRunWire> => {
  await chat.request(runSchedule, { id }, scope);
  return (await waitForRuns(scope, id, count))[0]!;
};
const greet = { type: "llmInstruction", config: { instruction: "Greet.", directOutput: true } };

it("runs a flow with its inputs as its owner, and pauses once it is no longer shared", async () => {
  chat.fixture.hasAccounts = true;
  chat.fixture.admins.add(50);
  const admin = chat.as(chat.addWorkspace(), user(50, { role: "admin" }));
  const member = chat.as(admin, user(51));
  const steps = flowSteps.parse([
    { type: "start", config: { variables: [{ name: "city", value: "Rome" }] } },
    { type: "llmInstruction", config: { instruction: "Greet ${city}.", resultVariable: "text" } },
  ]);
  const { id: flowId } = await chat.request(createFlow, { name: "Greeting", steps }, admin);
  const share = (shared: boolean) => chat.request(shareFlow, { id: flowId, shared }, admin);
  const work = { kind: "flow", flowId, inputs: { city: "Oslo" } } as const;
  await expect(create(member, { work })).rejects.toMatchObject({
    code: "schedule.flow-unavailable",
  });
  await share(true);
  const { schedule } = await create(member, { work });
  const run = await runNow(member, schedule.id);
  expect(run).toMatchObject({ state: "done", generationId: null });
  expect(run.flowRunId).toBe(run.id);
  const { text } = await chat.request(getScheduleRun, { id: schedule.id, runId: run.id }, member);
  expect(text).toContain("Hello, Oslo!");
  expect(JSON.stringify(chat.llm.requests.at(-1)!.body)).toContain("Greet Oslo.");
  // Its thread says what ran.
  expect(await readThread(member, run.threadSlug!)).toMatchObject([
    { question: "Greeting\ncity: Oslo", answer: text, scheduleId: schedule.id },
  ]);
  await poll(() => reportsOf(schedule.id)).toMatchObject([
    { kind: "schedule.delivered", threadSlug: run.threadSlug },
  ]);
  const { schedule: theirs } = await create(admin, { work });
  const paused = { active: false, pausedReason: { code: "schedule.paused-flow" } };
  await share(false);
  await poll(() => get(member, schedule.id)).toMatchObject(paused);
  expect(await runNow(member, schedule.id, 2)).toMatchObject({
    state: "skipped",
    fault: { code: "schedule.paused-flow" },
  });
  const count = async (of: "own" | "all") =>
    (await chat.request(listSchedules, { of, flowId, limit: 1 }, admin)).total;
  expect([await count("own"), await count("all")]).toEqual([1, 2]);
  // Admins may run it without that.
  expect(await get(admin, theirs.id)).toMatchObject({ active: true });
  await chat.request(deleteFlow, { id: flowId }, admin);
  await poll(() => get(admin, theirs.id)).toMatchObject(paused);
});

it("needs the values without which the flow can't start", async () => {
  const scope = chat.addWorkspace();
  const variables = [{ name: "city", value: "", required: true }];
  const flowId = await addFlow(scope, [{ type: "start", config: { variables } }, greet]);
  const createWith = (inputs: Record<string, string>) =>
    create(scope, { work: { kind: "flow", flowId, inputs } });
  await expect(createWith({})).rejects.toMatchObject({
    code: "flow.input-missing",
    params: { name: "city" },
  });
  expect((await createWith({ city: "Oslo" })).schedule).toMatchObject({ active: true });
});

it("fails with the reason for which a flow can't be started", async () => {
  chat.fixture.hasAccounts = true;
  chat.fixture.admins.add(53);
  const admin = chat.as(chat.addWorkspace(), user(53, { role: "admin" }));
  const flowId = await addFlow(admin, [greet]);
  const { schedule } = await create(admin, { work: { kind: "flow", flowId, inputs: {} } });
  await sql(
    `INSERT INTO chat.flow_run (
      id, flow_id, name, version, steps, reached, inputs, trigger, user_id, state, due_at
    )
    SELECT gen_random_uuid(), $1, 'Open', 1, '[]', '{}', '{}', 'manual', 53, 'waiting',
      now() + interval '1 day'
    FROM generate_series(1, 100)`,
    [flowId],
  );
  expect(await runNow(admin, schedule.id)).toMatchObject({
    state: "failed",
    flowRunId: null,
    fault: { code: "flow.too-many-runs" },
  });
});

it("adds results to one thread, only when they have changed", async () => {
  const scope = chat.addWorkspace();
  const flowId = await addFlow(scope, [greet]);
  const { schedule } = await create(scope, {
    work: { kind: "flow", flowId, inputs: {} },
    delivery: { thread: "same", onlyWhenChanged: true },
  });
  for (const [index, text] of ["Hello!", " Hello!\n", "Good evening!"].entries()) {
    chat.llm.next({ reply: text });
    await runNow(scope, schedule.id, index + 1);
  }
  const [last, same, first] = await waitForRuns(scope, schedule.id, 3);
  expect([first, same, last].map((run) => run!.state)).toEqual(["done", "unchanged", "done"]);
  expect(same!.threadSlug).toBeNull();
  expect(last!.threadSlug).toBe(first!.threadSlug);
  const turns = await readThread(scope, first!.threadSlug!);
  expect(turns!.map(({ answer }) => answer)).toEqual(["Hello!", "Good evening!"]);
});

it("says what a run was denied, and makes it once its owner has allowed it", async () => {
  const scope = chat.addWorkspace();
  const url = `${site.url}/notes/${"${city}"}`;
  const flowId = await addFlow(scope, [
    start({ city: "Rome" }),
    {
      type: "apiCall",
      title: "Note it",
      config: { url, method: "POST", body: '{"to":"${city}"}' },
    },
    { ...approval, title: "Ask", config: { question: "Greet ${city}?", details: "Politely." } },
    greet,
  ]);
  const { schedule } = await create(scope, { work: { kind: "flow", flowId, inputs: {} } });
  const runAndAllow = async (count: number) => {
    const run = await runNow(scope, schedule.id, count);
    if (run.denied.length > 0)
      await chat.request(allowDeniedCall, { id: schedule.id, runId: run.id, call: 0 }, scope);
    return run;
  };
  const first = await runAndAllow(1);
  expect(first).toMatchObject({
    state: "failed",
    fault: { code: "flow.request-not-approved" },
    threadSlug: null,
    denied: [
      {
        tool: `@@flow_${flowId}`,
        destination: site.url,
        details: [{ label: "Note it", value: `POST ${site.url}/notes/Rome\n\n{"to":"Rome"}` }],
        isAllowed: false,
      },
    ],
  });
  expect(site.received).toEqual([]);
  expect(await runAndAllow(2)).toMatchObject({
    state: "failed",
    fault: { code: "flow.approval-missing" },
    denied: [
      {
        tool: "carrel-approval",
        destination: "ok",
        details: [{ label: "Ask", value: "Greet Rome?\n\nPolitely." }],
      },
    ],
  });
  expect(await get(scope, schedule.id)).toMatchObject({ failures: 2 });
  expect(await runAndAllow(3)).toMatchObject({ state: "done", denied: [] });
  expect(site.received).toEqual(["POST /notes/Rome", "POST /notes/Rome"]);
  // One notice each, which leads to where it can be allowed.
  await poll(() => reportsOf(schedule.id).map(({ kind }) => kind)).toEqual([
    "schedule.denied",
    "schedule.denied",
    "schedule.delivered",
  ]);
  expect(denials).not.toContain(first.id);
});

it("lists an approval at which an agent's flow ended, and continues once it is allowed", async () => {
  const scope = chat.addWorkspace();
  const flow = { name: "Greet politely", steps: flowSteps.parse([start(), approval, greet]) };
  await chat.request(createFlow, flow, scope);
  const work = { kind: "agent", prompt: "Greet us." } as const;
  const { schedule } = await create(scope, { work });
  const callFlow = { toolCalls: [{ name: "greet_politely", input: {} }] };
  chat.llm.next(callFlow);
  const first = await runNow(scope, schedule.id);
  expect(first).toMatchObject({
    state: "done",
    denied: [
      {
        tool: "greet_politely",
        destination: "carrel-approval:ok",
        details: [{ label: "Approval", value: "Go on?" }],
      },
    ],
  });
  await chat.request(allowDeniedCall, { id: schedule.id, runId: first.id, call: 0 }, scope);
  chat.llm.next(callFlow, { reply: "Greetings!" });
  const second = await runNow(scope, schedule.id, 2);
  expect(second.denied).toEqual([]);
  const turns = await readThread(scope, second.threadSlug!);
  expect(turns!.at(-1)).toMatchObject({ answer: "Greetings!", steps: [{ state: "done" }] });
});

it("announces each change of a schedule and of its runs, for pages that show it", async () => {
  chat.fixture.hasAccounts = true;
  const scope = chat.as(chat.addWorkspace(), user(52));
  const { schedule } = await create(scope);
  const { id } = schedule;
  const change = { scheduleId: id, userId: 52 };
  const reach = (count: number) =>
    poll(() => changes.filter(({ scheduleId }) => scheduleId === id)).toEqual(
      Array.from({ length: count }, () => change),
    );
  await reach(1);
  // Due, running and done.
  await runNow(scope, id);
  await reach(4);
  await chat.request(setScheduleActive, { id, active: false }, scope);
  await reach(5);
  await chat.request(deleteSchedule, { id }, scope);
  await reach(6);
});
