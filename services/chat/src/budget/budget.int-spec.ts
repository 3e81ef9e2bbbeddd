import { randomUUID } from "node:crypto";
import {
  admitModelCall,
  createBudget,
  deleteBudget,
  eventLogged,
  ingestModelUsed,
  instancePrincipal,
  listBudgetNotices,
  listBudgets,
  releaseModelCall,
  startGeneration,
  updateBudget,
  type Args,
  type EventPayload,
  type Principal,
  type WorkspaceScope,
} from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { key, startChat, user } from "../../test/chat-suite.ts";

const { chat, sql, count } = await startChat("It runs at 48 °C.");
const admin = { principal: instancePrincipal, workspace: null };

const create = async (budget: Partial<Args<typeof createBudget>>): Promise<number> =>
  (
    await chat.request(
      createBudget,
      {
        subject: "instance",
        period: "month",
        unit: "tokens",
        warnAt: null,
        stopAt: null,
        ...budget,
      },
      admin as WorkspaceScope,
    )
  ).id;
const find = async (id: number) =>
  (await chat.request(listBudgets, {}, admin as WorkspaceScope)).budgets.find(
    (budget) => budget.id === id,
  )!;
const start = (scope: WorkspaceScope, threadSlug: string | null = null) =>
  chat.request(startGeneration, { threadSlug, message: "What is the flow temperature?" }, scope);
const noticesFor = async (principal: Principal) =>
  (
    await chat.request(listBudgetNotices, {}, {
      principal,
      workspace: null,
    } as unknown as WorkspaceScope)
  ).notices;
const logged: EventPayload<typeof eventLogged>[] = [];
beforeAll(() => {
  chat.shared.messaging.broadcast.on(`event:${eventLogged.name}`, (payload) =>
    logged.push(payload as EventPayload<typeof eventLogged>),
  );
});
const levelEvents = (id: number): string[] =>
  logged
    .filter(({ event, metadata }) => !event.endsWith("d") && metadata.id === id)
    .map(({ event }) => event);
const used = { type: "generationFault", fault: { code: "budget.month-used" } };

afterEach(() => sql("DELETE FROM chat.budget"));

describe("a budget", () => {
  it("refuses questions once it is used up, and stores nothing of them", async () => {
    const scope = chat.as(chat.addWorkspace(), user(920));
    await chat.ask(scope, "What is the flow temperature?");
    const id = await create({ subject: "user", subjectId: 920, stopAt: 1 });
    // A new budget begins with what the period has already used.
    expect((await find(id)).used).toBeGreaterThan(1);
    const before = await count("turn");
    const calls = chat.llm.requests.length;
    expect(await start(scope)).toMatchObject({
      generationId: null,
      chatId: null,
      frames: [used, { type: "abort", error: expect.stringMatching(/budget is used up/) }],
    });
    expect(await count("turn")).toBe(before);
    expect(await count("question WHERE user_id = 920")).toBe(1);
    expect(chat.llm.requests).toHaveLength(calls);
    const threads = await count("thread");
    const conversation = { channel: "api", sessionId: "refused" } as const;
    const refused = { threadSlug: null, message: "And by the API?", conversation };
    expect(await chat.request(startGeneration, refused, scope)).toMatchObject({ chatId: null });
    expect(await count("thread")).toBe(threads);
    // Others may ask, and so may this user with a higher limit.
    await chat.ask(chat.as(scope, user(921)), "What is the flow temperature?");
    await chat.request(
      updateBudget,
      { id, warnAt: null, stopAt: 1_000_000 },
      admin as WorkspaceScope,
    );
    await chat.ask(scope, "What is the flow temperature?");
  });

  it("counts what its instance, workspace, user or API key uses", async () => {
    const scope = chat.addWorkspace();
    const other = chat.addWorkspace();
    const ids = {
      instance: await create({ stopAt: 1e9 }),
      workspace: await create({
        subject: "workspace",
        subjectId: scope.workspace.id,
        stopAt: 1e9,
      }),
      user: await create({ subject: "user", subjectId: 922, stopAt: 1e9 }),
      key: await create({ subject: "key", subjectId: 1, stopAt: 1e9 }),
    };
    const before = (await find(ids.instance)).used;
    const keyBefore = (await find(ids.key)).used;
    await chat.ask(chat.as(scope, user(922)), "What is the flow temperature?");
    const { used: one } = await find(ids.user);
    expect(one).toBeGreaterThan(0);
    expect((await find(ids.workspace)).used).toBe(one);
    expect((await find(ids.instance)).used).toBe(before + one);
    expect((await find(ids.key)).used).toBe(keyBefore);
    await chat.ask(chat.as(other, key), "What is the flow temperature?");
    expect((await find(ids.key)).used).toBeGreaterThan(keyBefore);
    expect((await find(ids.workspace)).used).toBe(one);
    expect((await find(ids.user)).used).toBe(one);
  });

  it("begins with what the trigger would have counted", async () => {
    const workspaceId = chat.addWorkspace().workspace.id;
    for (const [purpose, tokens] of [
      ["answer", 10],
      ["speech", 5],
      ["embedding", 1_000],
      ["transcription", 1_000],
    ] as const)
      await sql(
        `INSERT INTO chat.model_usage (workspace_id, purpose, state, provider, model, input_tokens,
          cached_tokens, output_tokens, reasoning_tokens, is_estimated, duration_ms)
        VALUES ($1, $2, 'done', 'openai', 'm', $3, 0, 0, 0, false, 1)`,
        [workspaceId, purpose, tokens],
      );
    const id = await create({ subject: "workspace", subjectId: workspaceId, stopAt: 100 });
    expect((await find(id)).used).toBe(15);
    expect(await sql("SELECT calls FROM chat.budget WHERE id = $1", [id])).toEqual([{ calls: 1 }]);
  });

  it("holds and counts the texts that an API key embeds, but no documents", async () => {
    const keyId = 926;
    const by = { principal: { ...key, keyId }, workspace: null } as unknown as WorkspaceScope;
    const id = await create({ subject: "key", subjectId: keyId, stopAt: 100 });
    const model = { provider: "openai", model: "text-embedding-3-small" };
    const admit = async (): Promise<string> => {
      const callId = randomUUID();
      await chat.request(admitModelCall, { callId, ...model, inputTokens: 60 }, by);
      return callId;
    };
    const refused = { code: "budget.month-used" };
    const [first, second] = [await admit(), await admit()];
    await expect(admit()).rejects.toMatchObject(refused);
    const report = {
      ...({
        ...model,
        purpose: "embedding",
        workspaceId: null,
        userId: null,
        state: "done",
      } as const),
      ...{ cachedTokens: 0, outputTokens: 0, reasoningTokens: 0, isEstimated: false },
      ...{ inputTokens: 70, audioMs: 0, searches: 0, milliseconds: 1 },
    };
    await chat.tell(ingestModelUsed, {
      ...report,
      ...{ id: randomUUID(), keyId, callIds: [first] },
    });
    await chat.tell(ingestModelUsed, { ...report, id: randomUUID(), keyId: null });
    await poll(async () => (await find(id)).used).toBe(70);
    // The second call's expected use is still reserved.
    await poll(() => count(`budget_hold WHERE generation_id = '${first}'`)).toBe(0);
    await expect(admit()).rejects.toMatchObject(refused);
    await chat.request(releaseModelCall, { callId: second }, by);
    await admit();
    const [instance, again] = [
      await create({ stopAt: 1e9 }),
      await create({ subject: "key", subjectId: keyId, period: "day", stopAt: 1e9 }),
    ];
    expect((await find(again)).used).toBe(70);
    expect((await find(instance)).used).toBe(
      (
        await sql<{ n: number }>(
          `SELECT sum(input_tokens + output_tokens)::int AS n FROM chat.model_usage
          WHERE purpose NOT IN ('transcription') AND (purpose <> 'embedding' OR key_id IS NOT NULL)`,
        )
      )[0]!.n,
    );
  });

  it("begins again with each period", async () => {
    const scope = chat.as(chat.addWorkspace(), user(923));
    await chat.ask(scope, "What is the flow temperature?");
    const id = await create({ subject: "user", subjectId: 923, period: "day", stopAt: 1 });
    expect((await start(scope)).frames).toMatchObject([{ fault: { code: "budget.day-used" } }, {}]);
    await sql(
      "UPDATE chat.budget SET period_start = period_start - 1, used = 500, announced = 'stop'",
    );
    expect((await find(id)).used).toBe(0);
    await chat.ask(scope, "What is the flow temperature?");
    const { used: today } = await find(id);
    expect(today).toBeGreaterThan(0);
    expect(today).toBeLessThan(500);
  });

  it("in dollars doesn't stop models that cost nothing, nor quotes", async () => {
    await create({ unit: "dollars", stopAt: 0.000001 });
    await create({ stopAt: 1 });
    await sql("UPDATE chat.budget SET used = 10 WHERE unit = 'dollars'");
    const scope = chat.addWorkspace({ chatProvider: "extractive" });
    await chat.ask(scope, "What is the flow temperature?");
    const local = chat.addWorkspace({ chatProvider: "ollama" });
    await sql("DELETE FROM chat.budget WHERE unit = 'tokens'");
    expect((await start(local)).generationId).not.toBeNull();
    expect((await start(chat.addWorkspace())).frames).toMatchObject([used, {}]);
  });

  it("holds for 50 simultaneous questions on two replicas", async () => {
    const other = await chat.startReplica();
    try {
      const scope = chat.as(chat.addWorkspace(), user(924));
      const slugs = Array.from({ length: 50 }, (_, index) => `many-${index}`);
      await sql(
        `INSERT INTO chat.thread (slug, workspace_id, user_id, name)
        SELECT slug, $2, 924, 'Thread' FROM unnest($1::text[]) AS slug`,
        [slugs, scope.workspace.id],
      );
      const { promise: after, resolve: answer } = Promise.withResolvers<void>();
      chat.llm.behave({ reply: "It runs at 48 °C.", after });
      // Each is expected to use about 1,000 tokens.
      const id = await create({ subject: "user", subjectId: 924, stopAt: 10_000 });
      const replies = await Promise.all(slugs.map((slug) => start(scope, slug)));
      const admitted = replies.filter(({ generationId }) => generationId !== null);
      expect(admitted).toHaveLength(10);
      for (const { generationId, frames } of replies)
        if (generationId === null) expect(frames).toMatchObject([used, { type: "abort" }]);
      expect(await count("turn WHERE user_id = 924")).toBe(10);
      answer();
      await Promise.all(admitted.map(({ generationId }) => chat.read(generationId!)));
      const { used: sum } = await find(id);
      expect(sum).toBeGreaterThan(0);
      expect(
        await sql(
          "SELECT sum(input_tokens + output_tokens)::int AS n FROM chat.model_usage WHERE user_id = 924",
        ),
      ).toEqual([{ n: sum }]);
      // Their reservations are released.
      await chat.ask(scope, "What is the flow temperature?", { threadSlug: slugs[0]! });
    } finally {
      await other.stop();
      chat.replicas.splice(chat.replicas.indexOf(other), 1);
    }
  });

  it("frees what a stopped or deleted question held", async () => {
    const scope = chat.as(chat.addWorkspace(), user(925));
    await create({ subject: "user", subjectId: 925, stopAt: 1_000 });
    const { promise: after, resolve: answer } = Promise.withResolvers<void>();
    chat.llm.next({ reply: "It runs at 48 °C.", after });
    const first = await start(scope);
    expect(first.generationId).not.toBeNull();
    expect((await start(scope)).generationId).toBeNull();
    answer();
    await chat.read(first.generationId!);
    expect((await start(scope)).generationId).not.toBeNull();
  });

  it("warns once per level and period, in the event log and to those it concerns", async () => {
    const scope = chat.as(chat.addWorkspace(), user(926));
    const id = await create({ subject: "user", subjectId: 926, warnAt: 1, stopAt: 1_000_000 });
    expect(await noticesFor(user(926))).toEqual([]);
    await chat.ask(scope, "What is the flow temperature?");
    await poll(() => sql("SELECT announced FROM chat.budget")).toEqual([{ announced: "warn" }]);
    await chat.ask(scope, "What is the flow temperature?");
    expect(await noticesFor(user(926))).toMatchObject([{ id, subject: "user", level: "warn" }]);
    expect(await noticesFor(instancePrincipal)).toMatchObject([{ id }]);
    expect(await noticesFor(user(927))).toEqual([]);
    await chat.request(updateBudget, { id, warnAt: 1, stopAt: 2 }, admin as WorkspaceScope);
    await poll(() => sql("SELECT announced FROM chat.budget")).toEqual([{ announced: "stop" }]);
    await poll(() => levelEvents(id)).toEqual(["budget_warning", "budget_used_up"]);
    expect(await noticesFor(user(926))).toMatchObject([{ id, level: "stop" }]);
  });

  it("needs a subject and a level, and exists once", async () => {
    for (const [budget, code] of [
      [{}, "budget.level-missing"],
      [{ warnAt: 5, stopAt: 5 }, "budget.level-order"],
      [{ subject: "user", stopAt: 5 }, "budget.subject-missing"],
    ] as const)
      await expect(create(budget)).rejects.toMatchObject({ code });
    const id = await create({ stopAt: 0.5, unit: "dollars" });
    await expect(create({ stopAt: 7, unit: "dollars" })).rejects.toMatchObject({
      code: "budget.exists",
    });
    expect(await find(id)).toMatchObject({ stopAt: 0.5, warnAt: null, name: null });
    await chat.request(deleteBudget, { id }, admin as WorkspaceScope);
    for (const changeGone of [
      () => chat.request(deleteBudget, { id }, admin as WorkspaceScope),
      () => chat.request(updateBudget, { id, warnAt: 1, stopAt: 2 }, admin as WorkspaceScope),
    ])
      await expect(changeGone()).rejects.toMatchObject({ code: "budget.not-found" });
  });
});
