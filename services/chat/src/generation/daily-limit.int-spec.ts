import { deleteThread, startGeneration, type WorkspaceScope } from "@carrel/contracts";
import { key, startChat, user } from "../../test/chat-suite.ts";

const { chat, sql, count, makeThread } = await startChat("An answer.");

describe("daily limit", () => {
  const start = (scope: WorkspaceScope, message = "One more?") =>
    chat.request(startGeneration, { threadSlug: null, message }, scope);
  const refusal = (n: number) => ({
    generationId: null,
    chatId: null,
    queued: false,
    frames: [
      {
        type: "generationFault",
        fault: { code: "generation.daily-limit", params: { limit: n } },
      },
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

  it("refuses the next question and stores nothing, across workspaces and after deletions", async () => {
    const limited = user(900, { dailyMessageLimit: 3 });
    const [first, second] = [
      chat.as(chat.addWorkspace(), limited),
      chat.as(chat.addWorkspace(), limited),
    ];
    const slug = await makeThread(first);
    await chat.ask(first, "One?", { threadSlug: slug });
    await chat.ask(second, "Two?");
    await start(second, "/reset");
    await chat.request(deleteThread, { slug: first.workspace.slug, threadSlug: slug }, first);
    await chat.ask(second, "Three?");
    const searches = chat.fixture.searches.length;
    expect(await start(second)).toEqual(refusal(3));
    expect(await start(chat.as(chat.addWorkspace(), limited))).toEqual(refusal(3));
    await expect(chat.start(second, "Hi", { threadSlug: "unknown" })).rejects.toMatchObject({
      kind: "THREAD_NOT_FOUND",
    });
    expect(chat.fixture.searches).toHaveLength(searches);
    expect(await count("turn where user_id = 900")).toBe(2);
    // One thread only: none was created for the refused question.
    expect(await count("thread where user_id = 900")).toBe(1);
    expect((await start(second, "/reset")).frames).toMatchObject([
      { type: "textResponse", action: "reset_chat" },
    ]);
    // A higher limit, then a day later.
    await chat.ask(chat.as(second, user(900, { dailyMessageLimit: 4 })), "Four?");
    expect(await start(second)).toEqual(refusal(3));
    await sql(
      `UPDATE chat.question SET asked_at = asked_at - interval '24 hours 1 second' WHERE user_id = 900`,
    );
    await chat.ask(second, "Tomorrow?");
    expect(await count("question where user_id = 900")).toBe(1);
  });

  it("holds for concurrent questions, also across replicas", async () => {
    const other = await chat.startReplica();
    try {
      const scope = chat.as(
        chat.addWorkspace(),
        user(901, { dailyMessageLimit: 5, role: "manager" }),
      );
      const slugs = await Promise.all(Array.from({ length: 6 }, () => makeThread(scope)));
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

  it("does not apply to admins and API keys, and counts a redelivered question once", async () => {
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
