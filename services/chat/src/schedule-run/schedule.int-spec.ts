import { randomUUID } from "node:crypto";
import {
  deleteSchedule,
  getSchedule,
  instancePrincipal,
  listSchedules,
  previewSchedule,
  rotateScheduleSecret,
  runSchedule,
  scheduleLimitLabel,
  schedulesLabel,
  setScheduleActive,
  updateSchedule,
  userDeleted,
  writeCursor,
} from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { key, user } from "../../test/chat-suite.ts";
import { startSchedules } from "../../test/schedules.ts";

const suite = await startSchedules();
const { chat, create, get, makeDue, waitForRuns, sql } = suite;
const fails = (code: string) => expect.objectContaining({ code });
const content = {
  name: "Weekly report",
  work: { kind: "agent", prompt: "What happened?" },
  timing: { kind: "cron", cron: "0 9 * * MON", timeZone: "UTC" },
} as const;

afterEach(() => {
  chat.fixture.hasAccounts = false;
  delete chat.fixture.values[schedulesLabel];
});

it("is created, changed, paused, resumed and deleted by its owner", async () => {
  const scope = chat.addWorkspace();
  const { schedule, secret } = await create(scope);
  expect(schedule).toMatchObject({
    name: "Morning brief",
    ownerId: null,
    workspaceSlug: scope.workspace.slug,
    missed: "once",
    delivery: { thread: "new", webhook: null, onlyWhenChanged: false },
    approvals: [],
    active: true,
    pausedReason: null,
    byAgent: false,
    lastRun: null,
  });
  expect(secret).toBeNull();
  expect(new Date(schedule.nextAt!).getTime()).toBeGreaterThan(Date.now());
  const { id } = schedule;
  const changed = await chat.request(updateSchedule, { id, ...content, missed: "skip" }, scope);
  expect(changed.schedule).toMatchObject({ ...content, missed: "skip" });
  const setActive = (active: boolean) => chat.request(setScheduleActive, { id, active }, scope);
  expect((await setActive(false)).schedule).toMatchObject({ active: false, nextAt: null });
  expect((await setActive(true)).schedule).toMatchObject({
    active: true,
    nextAt: changed.schedule.nextAt,
  });
  expect(await chat.request(deleteSchedule, { id }, scope)).toEqual({ success: true });
  await expect(get(scope, id)).rejects.toThrow(fails("schedule.not-found"));
});

it("belongs to one person: others see nothing, and admins can't act for them", async () => {
  chat.fixture.hasAccounts = true;
  const mine = chat.as(chat.addWorkspace(), user(1));
  const others = chat.as(mine, user(2));
  const admin = chat.as(mine, user(3, { role: "admin" }));
  const { schedule } = await create(mine);
  const { id } = schedule;
  await expect(get(others, id)).rejects.toThrow(fails("schedule.not-found"));
  await expect(chat.request(deleteSchedule, { id }, others)).rejects.toThrow(
    fails("schedule.not-found"),
  );
  await expect(chat.request(listSchedules, { of: "all" }, others)).rejects.toThrow(
    fails("access.forbidden"),
  );
  expect((await chat.request(listSchedules, {}, others)).schedules).toEqual([]);
  const all = await chat.request(listSchedules, { of: "all" }, admin);
  expect(all.schedules.map((each) => each.id)).toContain(id);
  for (const refused of [
    chat.request(updateSchedule, { id, ...content }, admin),
    chat.request(runSchedule, { id }, admin),
    chat.request(setScheduleActive, { id, active: true }, admin),
  ])
    await expect(refused).rejects.toThrow(fails("access.forbidden"));
  expect(
    (await chat.request(setScheduleActive, { id, active: false }, admin)).schedule.active,
  ).toBe(false);
  expect((await chat.request(getSchedule, { id }, admin)).schedule.ownerId).toBe(1);
});

it("is listed by name in pages, without what is long", async () => {
  const scope = chat.addWorkspace();
  const prompt = "\u{1f4dd}".repeat(5_000);
  const names = ["Beta 1", "alpha \u{1f4dd}", "Beta 2", "gamma"];
  for (const name of names) await create(scope, { name, work: { kind: "agent", prompt } });
  const list = (cursor?: string) =>
    chat.request(listSchedules, { limit: 2, ...(cursor !== undefined && { cursor }) }, scope);
  const first = await list();
  expect(first).toMatchObject({
    schedules: [{ name: names[1], work: { kind: "agent", promptStart: prompt.slice(0, 200) } }, {}],
    total: first.used,
  });
  const found = first.schedules.map(({ name }) => name);
  for (let cursor = first.nextCursor; cursor !== null;) {
    const page = await list(cursor);
    found.push(...page.schedules.map(({ name }) => name));
    cursor = page.nextCursor;
  }
  expect(found).toHaveLength(first.total);
  expect(found.filter((name) => names.includes(name))).toEqual([1, 0, 2, 3].map((i) => names[i]));
  for (const name of ["\0", "\ud800"])
    await expect(list(writeCursor([name, randomUUID()]))).rejects.toThrow(
      fails("request.cursor-invalid"),
    );
});

it("needs an owner if a key creates it", async () => {
  chat.fixture.hasAccounts = true;
  const scope = chat.as(chat.addWorkspace(), key);
  chat.fixture.members.set(scope.workspace.id, new Set([4]));
  await expect(create(scope)).rejects.toThrow(fails("schedule.owner-needed"));
  await expect(create(scope, { ownerId: 5 })).rejects.toThrow(fails("owner.workspace-missing"));
  expect((await create(scope, { ownerId: 4 })).schedule.ownerId).toBe(4);
});

it("refuses what can't run, or would run too often", async () => {
  const scope = chat.addWorkspace();
  const timing = (cron: string, timeZone = "UTC") => ({ kind: "cron", cron, timeZone }) as const;
  await expect(create(scope, { timing: timing("daily") })).rejects.toThrow(
    fails("schedule.cron-invalid"),
  );
  await expect(create(scope, { timing: timing("@daily", "Nowhere") })).rejects.toThrow(
    fails("schedule.zone-unknown"),
  );
  await expect(
    create(scope, { timing: { kind: "once", at: "2020-01-01T00:00:00Z", timeZone: "UTC" } }),
  ).rejects.toThrow(fails("schedule.time-passed"));
  await expect(create(scope, { delivery: { thread: "none" } })).rejects.toThrow(
    fails("schedule.result-nowhere"),
  );
  const flowId = "0b4d3a52-6a0e-4f7c-9f0e-0a8c1f6d2b11";
  await expect(create(scope, { work: { kind: "flow", flowId } })).rejects.toThrow(
    fails("schedule.flow-unavailable"),
  );
  const preview = await chat.request(previewSchedule, { timing: timing("0 9 * * *") }, scope);
  expect(preview.runs).toHaveLength(5);
  expect(preview.runs.every((run) => run.endsWith("T09:00:00.000Z"))).toBe(true);
});

it("keeps what PostgreSQL can't store out of its texts", async () => {
  const scope = chat.addWorkspace();
  const { schedule } = await create(scope, {
    name: "A\0b",
    work: { kind: "prompt", prompt: "What\0 is new\ud800?", mode: "chat" },
    approvals: [{ tool: "send\0", destination: "\0" }],
  });
  expect(schedule).toMatchObject({
    name: "Ab",
    work: { prompt: "What is new\ufffd?" },
    approvals: [{ tool: "send", destination: "" }],
  });
});

it("is limited per person, also for requests at the same time", async () => {
  chat.fixture.hasAccounts = true;
  const scope = chat.as(chat.addWorkspace(), user(9));
  const created = await Promise.allSettled(Array.from({ length: 23 }, () => create(scope)));
  const refused = created.filter((each) => each.status === "rejected");
  expect(refused.map(({ reason }) => reason as unknown)).toEqual(
    Array.from({ length: 3 }, () =>
      expect.objectContaining({ code: "schedule.too-many", params: { limit: 20 } }),
    ),
  );
  expect(await chat.request(listSchedules, {}, scope)).toMatchObject({
    used: 20,
    limit: 20,
    defaultLimit: 20,
    minimumSeconds: 60,
  });
  // An admin can set another limit; existing schedules are kept.
  const setLimit = async (limit: string | undefined): Promise<void> => {
    if (limit === undefined) delete chat.fixture.values[scheduleLimitLabel];
    else chat.fixture.values[scheduleLimitLabel] = limit;
    await chat.tellAgentSettings();
  };
  await setLimit("21");
  await create(scope);
  await setLimit("2");
  expect(await chat.request(listSchedules, {}, scope)).toMatchObject({ used: 21, limit: 2 });
  await expect(create(scope)).rejects.toMatchObject({ params: { limit: 2 } });
  await setLimit(undefined);
});

it("needs a recent proof for a new webhook or approval, and only for those", async () => {
  const sessionId = "6c8f4a1e-58a4-4a5c-9d28-2d7c7c0d7f01";
  const scope = chat.addWorkspace();
  const unproven = chat.as(scope, { ...instancePrincipal, sessionId });
  const proven = chat.as(scope, { ...instancePrincipal, sessionId, provenAt: Date.now() });
  const approvals = [{ tool: "send", destination: "a@example.org" }];
  const delivery = { webhook: "https://hooks.example.org/x?token=1" };
  for (const part of [{ approvals }, { delivery }])
    await expect(create(unproven, part)).rejects.toThrow(fails("access.proof-due"));
  const { schedule, secret } = await create(proven, { approvals, delivery });
  expect(secret).toMatch(/^whsec_/);
  const { id } = schedule;
  const kept = await chat.request(
    updateSchedule,
    { id, ...content, approvals, delivery },
    unproven,
  );
  expect(kept.secret).toBeNull();
  await expect(
    chat.request(
      updateSchedule,
      { id, ...content, approvals: [{ tool: "send", destination: null }], delivery },
      unproven,
    ),
  ).rejects.toThrow(fails("access.proof-due"));
  const rotated = await chat.request(rotateScheduleSecret, { id }, proven);
  expect(rotated.secret).not.toBe(secret);
  // Neither the address nor the secret is stored as it is.
  const [row] = await sql<object>("SELECT * FROM chat.schedule WHERE id = $1", [id]);
  expect(JSON.stringify(row)).not.toMatch(/whsec_|hooks\.example/);
  const admin = chat.as(scope, user(8, { role: "admin" }));
  expect((await get(admin, id)).delivery.webhook).toBe("https://hooks.example.org");
  // After the instance secret was replaced, its owner can still list it and enter the address again.
  const forget = "UPDATE chat.schedule SET sealed_webhook = 'v1.unreadable' WHERE id = $1";
  await sql(forget, [id]);
  const listed = await chat.request(listSchedules, { limit: 100 }, scope);
  expect(listed.schedules.find((each) => each.id === id)).toMatchObject({
    delivery: { webhook: null },
    isWebhookUnreadable: true,
  });
  const again = await chat.request(updateSchedule, { id, ...content, approvals, delivery }, proven);
  expect(again.secret).toMatch(/^whsec_/);
  expect(again.schedule).toMatchObject({ delivery, isWebhookUnreadable: false });
});

it("doesn't run while scheduled work is off, which counts as missed afterwards", async () => {
  const scope = chat.addWorkspace();
  const { schedule } = await create(scope);
  const turn = async (value: string): Promise<void> => {
    chat.fixture.values[schedulesLabel] = value;
    await chat.tellAgentSettings();
  };
  await turn("false");
  await expect(create(scope)).rejects.toThrow(fails("schedule.off"));
  await expect(chat.request(runSchedule, { id: schedule.id }, scope)).rejects.toThrow(
    fails("schedule.off"),
  );
  expect((await chat.request(listSchedules, {}, scope)).enabled).toBe(false);
  await makeDue(schedule.id, 3_600);
  await turn("true");
  const [run] = await waitForRuns(scope, schedule.id);
  expect(run).toMatchObject({ state: "done", reason: "late", missedCount: 1 });
});

it("runs once at a time, and then no more", async () => {
  const scope = chat.addWorkspace();
  const at = new Date(Date.now() + 3_600_000).toISOString();
  const { schedule } = await create(scope, { timing: { kind: "once", at, timeZone: "UTC" } });
  expect(schedule.nextAt).toBe(at);
  await makeDue(schedule.id);
  await waitForRuns(scope, schedule.id);
  // The time itself is in the future here; a schedule that ran at it has no other.
  await sql(
    "UPDATE chat.schedule SET timing = jsonb_set(timing, '{at}', '\"2020-01-01T00:00:00Z\"')",
  );
  await makeDue(schedule.id);
  await waitForRuns(scope, schedule.id, 2);
  await poll(() => get(scope, schedule.id)).toMatchObject({ active: true, nextAt: null });
});

it("is deleted with its owner", async () => {
  chat.fixture.hasAccounts = true;
  const scope = chat.as(chat.addWorkspace(), user(6));
  const { schedule } = await create(scope);
  await chat.tell(userDeleted, { userId: 6 });
  await poll(() => sql("SELECT id FROM chat.schedule WHERE id = $1", [schedule.id])).toEqual([]);
});
