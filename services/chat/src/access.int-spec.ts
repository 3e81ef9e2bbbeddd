import { once } from "node:events";
import {
  attachGeneration,
  cancelGeneration,
  createThread,
  deleteChats,
  deleteThread,
  deleteThreads,
  getThreadGeneration,
  listChatRecords,
  listChats,
  listThreadChats,
  listThreads,
  listTurns,
  multiUserEnabled,
  servicePrincipal,
  startGeneration,
  updateThread,
  userDeleted,
  type Principal,
  type WorkspaceScope,
} from "@carrel/contracts";
import { createDataSource } from "@carrel/database";
import { eventually } from "@carrel/testing";
import type { DataSource } from "typeorm";
import { ChatInstance, wireFrames } from "../test/chat-instance.ts";
import { passageOf } from "../test/factories/passage.ts";

let chat: ChatInstance;
let source: DataSource;
beforeAll(async () => {
  chat = await ChatInstance.start();
  await chat.startReplica();
  source = await createDataSource(
    chat.database.url,
    { schema: "chat", entities: [], migrations: [] },
    { poolSize: 2 },
  ).initialize();
});
afterAll(async () => {
  await source?.destroy();
  await chat.stop();
});
beforeEach(() => chat.llm.behave({ reply: "An answer.", delayMs: 0 }));

const user = (userId: number, more: Partial<Principal> = {}): Principal => ({
  kind: "user",
  userId,
  role: "default",
  ...more,
});
const key: Principal = { kind: "key", userId: null, role: "admin", keyId: 1 };
const sql = <Row>(query: string, parameters: unknown[] = []): Promise<Row[]> =>
  source.query<Row[]>(query, parameters);
const count = async (query: string, parameters: unknown[] = []): Promise<number> =>
  (await sql<{ n: number }>(`select count(*)::int as n from ${query}`, parameters))[0]!.n;
const named = async (scope: WorkspaceScope): Promise<string> =>
  (await chat.request(createThread, { slug: scope.workspace.slug }, scope)).thread!.slug;

describe("the daily limit", () => {
  const start = (scope: WorkspaceScope, message = "One more?") =>
    chat.request(startGeneration, { threadSlug: null, message }, scope);
  const refusal = (n: number) => ({
    generationId: null,
    chatId: null,
    queued: false,
    frames: [
      {
        id: expect.any(String),
        type: "abort",
        textResponse: null,
        sources: [],
        close: true,
        error: `You have met your maximum 24 hour chat quota of ${n} chats. Try again later.`,
      },
    ],
  });

  it("refuses the next question in one frame and stores nothing, over all workspaces and after deletions", async () => {
    const limited = user(900, { dailyMessageLimit: 3 });
    const [first, second] = [
      chat.as(chat.addWorkspace(), limited),
      chat.as(chat.addWorkspace(), limited),
    ];
    const slug = await named(first);
    await chat.ask(first, "One?", { threadSlug: slug });
    await chat.ask(second, "Two?");
    await start(second, "/reset");
    await chat.request(deleteThread, { slug: first.workspace.slug, threadSlug: slug }, first);
    await chat.ask(second, "Three?");
    const searches = chat.fixture.searches.length;
    expect(await start(second)).toEqual(refusal(3));
    expect(await start(chat.as(chat.addWorkspace(), limited))).toEqual(refusal(3));
    await expect(chat.start(second, "Hi", { threadSlug: "unknown" })).rejects.toMatchObject({
      code: "THREAD_NOT_FOUND",
    });
    expect(chat.fixture.searches).toHaveLength(searches);
    expect(await count("turn where user_id = 900")).toBe(2);
    // Two threads at most: none was made for what was refused.
    expect(await count("thread where user_id = 900")).toBe(1);
    expect((await start(second, "/reset")).frames).toMatchObject([
      { type: "textResponse", action: "reset_chat" },
    ]);
    // A higher limit, and a day later.
    await chat.ask(chat.as(second, user(900, { dailyMessageLimit: 4 })), "Four?");
    expect(await start(second)).toEqual(refusal(3));
    await sql(
      `update question set asked_at = asked_at - interval '24 hours 1 second' where user_id = 900`,
    );
    await chat.ask(second, "Tomorrow?");
    expect(await count("question where user_id = 900")).toBe(1);
  });

  it("holds when questions come at once, also over replicas", async () => {
    const other = await chat.startReplica();
    try {
      const scope = chat.as(
        chat.addWorkspace(),
        user(901, { dailyMessageLimit: 5, role: "manager" }),
      );
      const slugs = await Promise.all(Array.from({ length: 6 }, () => named(scope)));
      const replies = await Promise.all(
        Array.from({ length: 30 }, (_, index) =>
          chat.request(
            startGeneration,
            { threadSlug: slugs[index % 6]!, message: `Question ${index}?` },
            scope,
          ),
        ),
      );
      expect(replies.filter(({ generationId }) => generationId !== null)).toHaveLength(5);
      expect(await count("turn where user_id = 901")).toBe(5);
    } finally {
      await other.stop();
      chat.replicas.splice(chat.replicas.indexOf(other), 1);
    }
  });

  it("holds for no admin and no key, and one delivery twice counts once", async () => {
    const base = chat.addWorkspace();
    const admin = chat.as(base, user(902, { role: "admin", dailyMessageLimit: 1 }));
    for (const scope of [
      admin,
      admin,
      chat.as(base, key),
      chat.as(base, key),
      chat.as(base, user(903)),
      chat.as(base, user(903)),
    ])
      expect((await start(scope)).generationId).not.toBeNull();
    const once = chat.as(base, user(904, { dailyMessageLimit: 2 }));
    const replies = [];
    for (let i = 0; i < 2; i += 1)
      replies.push(
        await chat.request(
          startGeneration,
          { threadSlug: null, message: "Same?" },
          once,
          "same-key",
        ),
      );
    expect(replies[1]).toEqual(replies[0]);
    expect(await count("question where user_id = 904")).toBe(1);
  });
});

describe("what belongs to another user", () => {
  const principals: Principal[] = [
    user(11),
    user(12, { role: "manager" }),
    user(13, { role: "admin" }),
    key,
    { ...user(14), kind: "extension", keyId: 3 },
  ];

  it("is as if it were not there, for every role", async () => {
    const base = chat.addWorkspace();
    const owner = chat.as(base, user(10));
    const slug = base.workspace.slug;
    const threadSlug = await named(owner);
    const asked = await chat.ask(owner, "In a thread?", { threadSlug });
    await chat.ask(owner, "In the default thread?");
    chat.llm.behave({ reply: Array.from({ length: 100 }, () => "word "), delayMs: 50 });
    const running = await chat.start(owner, "Still running?", { threadSlug });
    for (const principal of principals) {
      const other = chat.as(base, principal);
      const [missing, foreign] = await Promise.all(
        ["no-such-thread", threadSlug].map((name) =>
          Promise.all(
            [
              chat.request(listThreadChats, { slug, threadSlug: name }, other),
              chat.request(listTurns, { slug, thread: name }, other),
              chat.request(updateThread, { slug, threadSlug: name, name: "Mine" }, other),
              chat.request(deleteThread, { slug, threadSlug: name }, other),
              chat.request(getThreadGeneration, { slug, threadSlug: name }, other),
              chat.start(other, "Hi", { threadSlug: name }),
            ].map((reply) =>
              reply.then(
                (value: unknown) => ({ value }),
                ({ code, message }: { code: string; message: string }) => ({ code, message }),
              ),
            ),
          ),
        ),
      );
      expect(missing!.every((reply) => "code" in reply && reply.code === "THREAD_NOT_FOUND")).toBe(
        true,
      );
      expect(foreign).toEqual(missing);
      for (const id of [running.generationId, asked.generationId]) {
        await expect(
          chat.request(attachGeneration, { generationId: id }, other),
        ).rejects.toMatchObject({ code: "GENERATION_NOT_FOUND" });
        await expect(chat.request(cancelGeneration, { id }, other)).rejects.toMatchObject({
          code: "GENERATION_NOT_FOUND",
        });
      }
      await chat.request(deleteThreads, { slug, slugs: [threadSlug] }, other);
      await chat.request(deleteChats, { slug, chatIds: [asked.chatId, running.chatId] }, other);
      expect(await chat.request(listThreads, { slug }, other)).toEqual({
        threads: [],
        defaultThreadChatCount: 0,
      });
      expect((await chat.request(listChats, { slug }, other)).history).toEqual([]);
      expect((await chat.request(listTurns, { slug }, other)).turns).toEqual([]);
      expect(
        (await chat.request(getThreadGeneration, { slug, threadSlug: "default" }, other))
          .generation,
      ).toBeNull();
    }
    expect(
      (await chat.request(getThreadGeneration, { slug, threadSlug }, owner)).generation,
    ).toMatchObject({ id: running.generationId, state: "running" });
    const told: unknown[] = [];
    const stop = chat.shared.messaging.broadcast.on("event:generation.changed", (payload) =>
      told.push(payload),
    );
    expect(await chat.request(cancelGeneration, { id: running.generationId }, owner)).toEqual({
      success: true,
    });
    await eventually(() =>
      expect(told).toContainEqual(
        expect.objectContaining({
          userId: 10,
          generationId: running.generationId,
          state: "cancelled",
        }),
      ),
    );
    stop();
    expect(await chat.request(listThreads, { slug }, owner)).toMatchObject({
      threads: [{ slug: threadSlug }],
      defaultThreadChatCount: 1,
    });
  });

  it("in a thread without an owner each sees the own turns, and only its maker changes it", async () => {
    const base = chat.addWorkspace();
    const [maker, member] = [chat.as(base, key), chat.as(base, user(20))];
    const slug = base.workspace.slug;
    const threadSlug = await named(maker);
    await chat.ask(maker, "A question of the key?", { threadSlug });
    expect((await chat.request(listThreadChats, { slug, threadSlug }, member)).history).toEqual([]);
    await chat.ask(member, "A question of the member?", { threadSlug });
    const contents = async (scope: WorkspaceScope) =>
      (await chat.request(listThreadChats, { slug, threadSlug }, scope)).history
        .filter(({ role }) => role === "user")
        .map(({ content }) => content);
    expect(await contents(member)).toEqual(["A question of the member?"]);
    expect(await contents(maker)).toEqual(["A question of the key?"]);
    expect((await chat.request(listThreads, { slug }, member)).threads).toEqual([]);
    await expect(chat.request(deleteThread, { slug, threadSlug }, member)).rejects.toMatchObject({
      code: "THREAD_NOT_FOUND",
    });
    await expect(
      chat.request(updateThread, { slug, threadSlug, name: "Mine" }, member),
    ).rejects.toMatchObject({ code: "THREAD_NOT_FOUND" });
    const body = chat.llm.requests.at(-1)!.body as { messages: { content: string }[] };
    expect(JSON.stringify(body.messages)).not.toContain("A question of the key?");
  });

  it("answers in a workspace that a member had to leave can be neither attached to nor stopped", async () => {
    const base = chat.addWorkspace();
    const member = chat.as(base, user(30));
    const { generationId } = await chat.ask(member, "While I was a member?");
    const request = () =>
      chat.request(attachGeneration, { generationId }, { ...member, workspace: null } as never);
    expect(await request()).toMatchObject({ state: "done" });
    chat.fixture.members.set(base.workspace.id, new Set([31]));
    await expect(request()).rejects.toMatchObject({ code: "GENERATION_NOT_FOUND" });
    await expect(
      chat.request(cancelGeneration, { id: generationId }, member),
    ).rejects.toMatchObject({ code: "GENERATION_NOT_FOUND" });
    chat.fixture.members.get(base.workspace.id)!.add(30);
    expect(await request()).toMatchObject({ state: "done" });
  });
});

describe("an account that is deleted", () => {
  it("loses threads, turns and what runs; others keep theirs", async () => {
    const base = chat.addWorkspace();
    const [gone, stays, maker] = [
      chat.as(base, user(40)),
      chat.as(base, user(41)),
      chat.as(base, key),
    ];
    const shared = await named(maker);
    for (const scope of [gone, stays, maker]) {
      await chat.ask(scope, "Default?");
      await chat.ask(scope, "Shared?", { threadSlug: shared });
    }
    const [thread] = await sql<{ id: number }>("select id from thread where user_id = 40");
    await sql(
      `insert into turn (thread_id, workspace_id, user_id, question, state) select $1, $2, 40, 'old', 'done' from generate_series(1, 1200)`,
      [thread!.id, base.workspace.id],
    );
    chat.llm.behave({ reply: Array.from({ length: 200 }, () => "word "), delayMs: 50 });
    const running = await chat.start(gone, "Running?");
    const waiting = await chat.start(gone, "Waiting?");
    expect(waiting.queued).toBe(true);
    await chat.read(running.generationId, {
      until: ({ frame }) => frame.type === "textResponseChunk",
    });
    const left = await count("turn where user_id is distinct from 40");
    for (let i = 0; i < 2; i += 1) await chat.tell(userDeleted, { userId: 40 });
    await eventually(async () => {
      for (const table of ["thread", "turn", "generation", "question"])
        expect(await count(`${table} where user_id = 40`)).toBe(0);
    });
    await eventually(() => expect(chat.llm.openStreams()).toBe(0));
    expect(await count("turn where user_id is distinct from 40")).toBe(left);
    expect(
      (
        await chat.request(
          listThreadChats,
          { slug: base.workspace.slug, threadSlug: shared },
          stays,
        )
      ).history,
    ).toHaveLength(2);
  });

  it("loses too what a request under way made", async () => {
    const base = chat.addWorkspace();
    await chat.tell(userDeleted, { userId: 45 });
    await eventually(async () => expect(await count("deleted_user where user_id = 45")).toBe(1));
    await chat.ask(chat.as(base, user(45)), "Too late?");
    await sql(
      `update deleted_user set deleted_at = now() - interval '2 minutes' where user_id = 45`,
    );
    await chat.redis.restart({ keepData: false });
    await eventually(async () => {
      expect(await count("turn where user_id = 45")).toBe(0);
      expect(await count("deleted_user where user_id = 45")).toBe(0);
    });
  });
});

describe("recorded chats", () => {
  it("are raw rows of all accounts, newest first, without what still runs", async () => {
    const base = chat.addWorkspace({}, [passageOf()]);
    const [someone, maker] = [chat.as(base, user(50)), chat.as(base, key)];
    const slug = await named(someone);
    const service = { principal: servicePrincipal, workspace: null } as unknown as WorkspaceScope;
    const before = (await chat.request(listChatRecords, { offset: 0, limit: 1 }, service)).total;
    const hidden = await chat.ask(maker, "Hidden?");
    await chat.request(startGeneration, { threadSlug: null, message: "/reset" }, maker);
    const pictured = await chat.ask(someone, "With a picture?", {
      threadSlug: slug,
      attachments: [
        { name: "a.png", mime: "image/png", contentString: "data:image/png;base64,AAAA" },
      ],
    });
    chat.llm.behave({ reply: Array.from({ length: 100 }, () => "word "), delayMs: 50 });
    const running = await chat.start(maker, "Running?");
    const { chats, total } = await chat.request(listChatRecords, { offset: 0, limit: 20 }, service);
    expect(total).toBe(before + 2);
    expect(chats.map(({ id }) => id).slice(0, 2)).toEqual([pictured.chatId, hidden.chatId]);
    const [thread] = await sql<{ id: number }>("select id from thread where slug = $1", [slug]);
    expect(chats[0]).toEqual({
      id: pictured.chatId,
      workspaceId: base.workspace.id,
      prompt: "With a picture?",
      response: expect.any(String),
      include: true,
      user_id: 50,
      thread_id: thread!.id,
      api_session_id: null,
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      lastUpdatedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      feedbackScore: null,
    });
    expect(JSON.parse(chats[0]!.response)).toMatchObject({
      text: "An answer.",
      type: "chat",
      sources: [{ title: "survey.txt" }],
      attachments: [{ name: "a.png" }],
      metrics: { model: "fake-model" },
    });
    expect(chats[1]).toMatchObject({ include: false, user_id: null, thread_id: null });
    expect(
      (await chat.request(listChatRecords, { offset: 1, limit: 1 }, service)).chats[0]!.id,
    ).toBe(hidden.chatId);
    expect(
      (await chat.request(listChatRecords, { offset: 9_999, limit: 20 }, service)).chats,
    ).toEqual([]);
    await chat.request(cancelGeneration, { id: running.generationId }, maker);
  });

  it("fit one reply, however large they are", async () => {
    const base = chat.addWorkspace();
    const scope = chat.as(base, user(51));
    await chat.ask(scope, "First?");
    const [thread] = await sql<{ id: number }>("select id from thread where user_id = 51");
    // Their words are of no use here, and take long to cut out of so much text.
    await sql("alter table turn disable trigger turn_words_inserted");
    await sql(
      `insert into turn (thread_id, workspace_id, user_id, question, answer, sources, attachments, state)
      select $1, $2, 51, repeat(chr(1), 90000), repeat('€"', 50000), '[{"text":"s"}]', to_json(array[json_build_object('name', 'x', 'mime', 'y', 'contentString', repeat('a', 300000))]), 'done' from generate_series(1, 100)`,
      [thread!.id, base.workspace.id],
    );
    await sql("alter table turn enable trigger turn_words_inserted");
    const { chats } = await chat.request(listChatRecords, { offset: 0, limit: 100 }, {
      principal: servicePrincipal,
      workspace: null,
    } as unknown as WorkspaceScope);
    expect(chats).toHaveLength(100);
    expect((JSON.parse(chats[0]!.response) as { text: string }).text.length).toBeGreaterThan(100);
  });
});

describe("the first admin", () => {
  it("gets the threads of the instance whole, also when the service is killed in between", async () => {
    const base = chat.addWorkspace();
    await sql("delete from thread where user_id is null");
    const slug = await named(base);
    await chat.ask(base, "An old question in a thread?", { threadSlug: slug });
    await chat.ask(base, "An old question by default?");
    const lone = chat.addWorkspace();
    await chat.ask(lone, "Only an old default thread?");
    const admin = user(60, { role: "admin" });
    await chat.ask(chat.as(base, admin), "A new question by default?");
    await sql(`with t as (insert into thread (slug, workspace_id, name) select gen_random_uuid()::text, 1, 'bulk' from generate_series(1, 6000) returning id)
      insert into turn (thread_id, workspace_id, question, state) select id, 1, 'bulk', 'done' from t, generate_series(1, 2)`);
    const chatter = chat.as(lone, key);
    await chat.replicas.pop()!.stop();
    const child = await chat.spawnReplica();
    await chat.tell(multiUserEnabled, { adminId: 60, at: new Date().toISOString() });
    await eventually(
      async () => expect(await count("thread where user_id = 60")).toBeGreaterThan(100),
      { intervalMs: 5 },
    );
    child.kill("SIGKILL");
    await once(child, "exit");
    const left = await count("thread where user_id is null");
    expect(left).toBeGreaterThan(0);
    // Never a part of a thread.
    expect(
      await count(
        "turn join thread on thread.id = turn.thread_id where turn.user_id is distinct from thread.user_id",
      ),
    ).toBe(0);
    await sql(`update owner_transfer set at = at - interval '2 minutes'`);
    await sql(`update thread set created_at = created_at - interval '2 minutes'`);
    await chat.startReplica();
    await eventually(async () =>
      expect(await count("owner_transfer where done_at is not null")).toBe(1),
    );
    expect(await count("thread where user_id is null")).toBe(0);
    for (const table of ["turn", "generation"])
      expect(await count(`${table} where user_id is null`)).toBe(0);

    const scope = chat.as(base, admin);
    const { threads, defaultThreadChatCount } = await chat.request(
      listThreads,
      { slug: base.workspace.slug },
      scope,
    );
    expect(threads.map(({ name }) => name)).toEqual(["An old question in a t", "Earlier chats"]);
    expect(defaultThreadChatCount).toBe(1);
    const contents = async (threadSlug: string) =>
      (
        await chat.request(listThreadChats, { slug: base.workspace.slug, threadSlug }, scope)
      ).history.map(({ content }) => content)[0];
    expect(await Promise.all(threads.map((thread) => contents(thread.slug)))).toEqual([
      "An old question in a thread?",
      "An old question by default?",
    ]);
    expect(
      (await chat.request(listChats, { slug: lone.workspace.slug }, chat.as(lone, admin))).history,
    ).toHaveLength(2);

    // Later ones without an owner are the developer API's.
    await chat.ask(chatter, "By key?");
    await chat.tell(multiUserEnabled, { adminId: 61, at: new Date().toISOString() });
    await chat.replicas.pop()!.stop();
    await chat.startReplica();
    await chat.ask(chatter, "By key again?");
    expect(await count("thread where user_id is null")).toBe(1);
    expect(
      wireFrames((await chat.ask(scope, "And now?", { threadSlug: slug })).frames).length,
    ).toBeGreaterThan(0);
    const body = chat.llm.requests.at(-1)!.body as { messages: { content: string }[] };
    expect(JSON.stringify(body.messages)).toContain("An old question in a thread?");
  });
});
