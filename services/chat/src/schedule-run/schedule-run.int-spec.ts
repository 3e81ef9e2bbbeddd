import { cancelScheduleRun, getScheduleRun, runSchedule } from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { user } from "../../test/chat-suite.ts";
import { startSchedules } from "../../test/schedules.ts";

const suite = await startSchedules();

describe("a run that is due", () => {
  it("is a turn of its owner in a new thread, and the owner is told", async () => {
    const { chat, create, makeDue, waitForRuns, readThread, reportsOf, get } = suite;
    const scope = chat.addWorkspace();
    const { schedule } = await create(scope);
    await makeDue(schedule.id);
    const [run] = await waitForRuns(scope, schedule.id);
    expect(run).toMatchObject({ state: "done", reason: "due", missedCount: 0, fault: null });
    expect(run!.generationId).toBe(run!.id);
    const turns = await readThread(scope, run!.threadSlug!);
    expect(turns).toMatchObject([
      { question: "What is new?", answer: "All is well.", scheduleId: schedule.id, mode: "chat" },
    ]);
    await poll(() => reportsOf(schedule.id)).toMatchObject([
      { kind: "schedule.delivered", name: "Morning brief", threadSlug: run!.threadSlug },
    ]);
    expect(await get(scope, schedule.id)).toMatchObject({
      active: true,
      failures: 0,
      lastRun: { id: run!.id, state: "done", deniedCount: 0 },
    });
  });

  it("goes on in the same thread, or a new one once that was deleted", async () => {
    const { chat, create, makeDue, waitForRuns, readThread, sql } = suite;
    const scope = chat.addWorkspace();
    const { schedule } = await create(scope, { delivery: { thread: "same" } });
    for (const count of [1, 2]) {
      await makeDue(schedule.id);
      await waitForRuns(scope, schedule.id, count);
    }
    const runs = await waitForRuns(scope, schedule.id, 2);
    expect(runs[0]!.threadSlug).toBe(runs[1]!.threadSlug);
    expect(await readThread(scope, runs[0]!.threadSlug!)).toHaveLength(2);
    await sql("DELETE FROM chat.thread WHERE slug = $1", [runs[0]!.threadSlug]);
    await makeDue(schedule.id);
    const [third, ...earlier] = await waitForRuns(scope, schedule.id, 3);
    expect(await readThread(scope, third!.threadSlug!)).toHaveLength(1);
    expect(earlier.map(({ threadSlug }) => threadSlug)).toEqual([null, null]);
  });

  it("uses the model, the mode and the limits of its owner", async () => {
    const { chat, create, makeDue, waitForRuns } = suite;
    chat.fixture.hasAccounts = true;
    chat.fixture.dailyLimits.set(7, 1);
    const scope = chat.as(chat.addWorkspace(), user(7));
    const { schedule } = await create(scope);
    await makeDue(schedule.id);
    expect((await waitForRuns(scope, schedule.id))[0]).toMatchObject({ state: "done" });
    await makeDue(schedule.id);
    expect((await waitForRuns(scope, schedule.id, 2))[0]).toMatchObject({
      state: "failed",
      fault: { code: "generation.daily-limit", params: { limit: 1 } },
      threadSlug: null,
    });
    chat.fixture.hasAccounts = false;
  });
});

describe("a result that says what the last one said", () => {
  it("is recorded but not delivered", async () => {
    const { chat, create, makeDue, waitForRuns, readThread, reportsOf, count } = suite;
    const scope = chat.addWorkspace();
    const { schedule } = await create(scope, { delivery: { onlyWhenChanged: true } });
    chat.llm.behave({ reply: "Three  ships\nare in port." });
    await makeDue(schedule.id);
    await waitForRuns(scope, schedule.id);
    chat.llm.behave({ reply: "Three ships are in port. " });
    await makeDue(schedule.id);
    const [second, first] = await waitForRuns(scope, schedule.id, 2);
    expect([first!.state, second!.state]).toEqual(["done", "unchanged"]);
    expect(second!.threadSlug).toBeNull();
    const { text } = await chat.request(
      getScheduleRun,
      { id: schedule.id, runId: second!.id },
      scope,
    );
    expect(text).toBe("Three ships are in port. ");
    chat.llm.behave({ reply: "Four ships are in port." });
    await makeDue(schedule.id);
    const [third] = await waitForRuns(scope, schedule.id, 3);
    expect(third).toMatchObject({ state: "done" });
    expect(await readThread(scope, third!.threadSlug!)).toMatchObject([
      { answer: "Four ships are in port." },
    ]);
    await poll(() => reportsOf(schedule.id).length).toBe(2);
    expect(
      await count("chat.thread WHERE workspace_id = $1 AND archived_at IS NULL", [
        scope.workspace.id,
      ]),
    ).toBe(2);
    expect(await count("chat.thread WHERE workspace_id = $1", [scope.workspace.id])).toBe(2);
  });

  it("leaves the thread of all results with its other turns", async () => {
    const { chat, create, makeDue, waitForRuns, readThread } = suite;
    const scope = chat.addWorkspace();
    const { schedule } = await create(scope, {
      delivery: { thread: "same", onlyWhenChanged: true },
    });
    for (const count of [1, 2]) {
      await makeDue(schedule.id);
      await waitForRuns(scope, schedule.id, count);
    }
    const [second, first] = await waitForRuns(scope, schedule.id, 2);
    expect([first!.state, second!.state]).toEqual(["done", "unchanged"]);
    expect(await readThread(scope, first!.threadSlug!)).toHaveLength(1);
  });
});

describe("times for which nothing ran", () => {
  const hourly = { kind: "cron", cron: "0 * * * *", timeZone: "UTC" } as const;

  it("are made up for once, by a run that says which they were", async () => {
    const { chat, create, makeDue, waitForRuns, get } = suite;
    const scope = chat.addWorkspace();
    const { schedule } = await create(scope, { timing: hourly });
    // Now and then the last hour began within the five minutes that don't count as missed.
    await makeDue(schedule.id, 3 * 3_600 + 400);
    const [run, ...others] = await waitForRuns(scope, schedule.id);
    expect(others).toEqual([]);
    expect(run).toMatchObject({ state: "done" });
    expect(run!.missedCount).toBeGreaterThanOrEqual(3);
    expect(run!.missedTimes).toHaveLength(run!.missedCount);
    const next = new Date((await get(scope, schedule.id)).nextAt!);
    expect(next.getTime()).toBeGreaterThan(Date.now());
  });

  it("are skipped if its owner chose that, which is recorded", async () => {
    const { chat, create, makeDue, waitForRuns } = suite;
    const scope = chat.addWorkspace();
    const { schedule } = await create(scope, { missed: "skip" });
    await makeDue(schedule.id, 400);
    expect(await waitForRuns(scope, schedule.id)).toMatchObject([
      { state: "skipped", fault: { code: "schedule.skipped-missed" }, missedCount: 1 },
    ]);
  });
});

describe("a run that hasn't ended", () => {
  it("isn't joined by another, and can be stopped with its text kept", async () => {
    const { chat, create, makeDue, waitForRuns, readThread, listRuns } = suite;
    const scope = chat.addWorkspace();
    const { schedule } = await create(scope);
    chat.llm.next({ tokens: 20_000, delayMs: 10 });
    const { runId } = await chat.request(runSchedule, { id: schedule.id }, scope);
    await poll(async () => (await listRuns(scope, schedule.id))[0]!.state).toBe("running");
    await chat.read(runId, { until: ({ frame }) => frame.type === "textResponseChunk" });
    await expect(chat.request(runSchedule, { id: schedule.id }, scope)).rejects.toMatchObject({
      code: "schedule.is-running",
    });
    await makeDue(schedule.id);
    expect((await waitForRuns(scope, schedule.id))[0]).toMatchObject({
      state: "skipped",
      fault: { code: "schedule.skipped-running" },
    });
    const cancel = () => chat.request(cancelScheduleRun, { id: schedule.id, runId }, scope);
    expect(await cancel()).toEqual({ success: true });
    const runs = await waitForRuns(scope, schedule.id, 2);
    const manual = runs.find(({ id }) => id === runId)!;
    expect(manual).toMatchObject({ state: "cancelled", reason: "manual" });
    expect(await cancel()).toEqual({ success: false });
    const [turn] = (await readThread(scope, manual.threadSlug!))!;
    expect(turn).toMatchObject({ state: "cancelled" });
    expect(turn!.answer.length).toBeGreaterThan(0);
  });

  it("counts as lost if its thread is deleted", async () => {
    const { chat, create, makeDue, waitForRuns, listRuns, sql } = suite;
    const scope = chat.addWorkspace();
    const { schedule } = await create(scope);
    chat.llm.next({ tokens: 20_000, delayMs: 10 });
    await makeDue(schedule.id);
    await poll(async () => (await listRuns(scope, schedule.id))[0]?.state).toBe("running");
    const [{ threadSlug, id }] = (await listRuns(scope, schedule.id)) as [
      Awaited<ReturnType<typeof listRuns>>[number],
    ];
    // The model must have been asked, or the slow reply would be left for another test.
    await chat.read(id, { until: ({ frame }) => frame.type === "textResponseChunk" });
    await sql("DELETE FROM chat.thread WHERE slug = $1", [threadSlug]);
    // So that the next round of the reconcilers finds it.
    await sql("UPDATE chat.schedule_run SET started_at = now() - interval '1 hour' WHERE id = $1", [
      id,
    ]);
    expect((await waitForRuns(scope, schedule.id))[0]).toMatchObject({
      state: "failed",
      fault: { code: "schedule.result-lost" },
    });
  }, 90_000);
});

it("pauses after five failures in a row, and says so", async () => {
  const { chat, create, makeDue, waitForRuns, get, reportsOf } = suite;
  const scope = chat.addWorkspace();
  const { schedule } = await create(scope);
  chat.llm.behave({ status: 400 });
  for (const count of [1, 2, 3, 4, 5]) {
    await makeDue(schedule.id);
    await waitForRuns(scope, schedule.id, count);
  }
  await poll(() => get(scope, schedule.id)).toMatchObject({
    active: false,
    nextAt: null,
    pausedReason: { code: "schedule.paused-failures", params: { count: 5 } },
  });
  await poll(() => reportsOf(schedule.id).map(({ kind }) => kind)).toEqual([
    ...Array.from({ length: 4 }, () => "schedule.failed"),
    "schedule.paused",
  ]);
});

it("pauses a schedule whose time zone is unknown here, and runs the others", async () => {
  const { chat, create, makeDue, waitForRuns, get, reportsOf, sql } = suite;
  const scope = chat.addWorkspace();
  const [broken, other] = [await create(scope), await create(scope)];
  const { id } = broken.schedule;
  // As a backup of an instance with newer time zones would have it.
  await sql(
    `UPDATE chat.schedule SET timing = jsonb_set(timing, '{timeZone}', '"Mars/Olympus"')
    WHERE id = $1`,
    [id],
  );
  await makeDue(id, 60);
  await makeDue(other.schedule.id);
  await waitForRuns(scope, other.schedule.id);
  const fault = { code: "schedule.zone-unknown", params: { zone: "Mars/Olympus" } };
  expect(await get(scope, id)).toMatchObject({ active: false, nextAt: null, pausedReason: fault });
  await poll(() => reportsOf(id)).toMatchObject([{ kind: "schedule.paused", fault }]);
});
