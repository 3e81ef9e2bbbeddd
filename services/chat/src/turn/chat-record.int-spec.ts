import {
  cancelGeneration,
  explainRating,
  listChatRecords,
  servicePrincipal,
  resetHistory,
  type WorkspaceScope,
} from "@carrel/contracts";
import { key, startChat, user } from "../../test/chat-suite.ts";
import { passageOf } from "../../test/factories/passage.ts";

const { chat, sql, makeThread } = await startChat("An answer.");

describe("chat records", () => {
  it("are raw rows of all accounts, newest first, without running ones", async () => {
    const base = chat.addWorkspace({}, [passageOf()]);
    const [someone, maker] = [chat.as(base, user(50)), chat.as(base, key)];
    const slug = await makeThread(someone);
    const service = { principal: servicePrincipal, workspace: null } as unknown as WorkspaceScope;
    const before = (await chat.request(listChatRecords, { offset: 0, limit: 1 }, service)).total;
    const hidden = await chat.ask(maker, "Hidden?");
    await chat.request(resetHistory, { threadSlug: null }, maker);
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
    const [thread] = await sql<{ id: number }>("SELECT id FROM thread WHERE slug = $1", [slug]);
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
    expect(JSON.parse(chats[0]!.response)).not.toHaveProperty("feedbackReason");
    const why = { reason: "incomplete", comment: null } as const;
    await chat.request(
      explainRating,
      { slug: base.workspace.slug, chatId: pictured.chatId, ...why },
      someone,
    );
    const [explained] = (await chat.request(listChatRecords, { offset: 0, limit: 1 }, service))
      .chats;
    expect([explained!.feedbackScore, JSON.parse(explained!.response)]).toMatchObject([
      false,
      { text: "An answer.", feedbackReason: why },
    ]);
    expect(chats[1]).toMatchObject({ include: false, user_id: null, thread_id: null });
    expect(
      (await chat.request(listChatRecords, { offset: 1, limit: 1 }, service)).chats[0]!.id,
    ).toBe(hidden.chatId);
    expect(
      (await chat.request(listChatRecords, { offset: 9_999, limit: 20 }, service)).chats,
    ).toEqual([]);
    await chat.request(cancelGeneration, { id: running.generationId }, maker);
  });

  it("fit into one reply, however large they are", async () => {
    const base = chat.addWorkspace();
    const scope = chat.as(base, user(51));
    await chat.ask(scope, "First?");
    const [thread] = await sql<{ id: number }>("SELECT id FROM thread WHERE user_id = 51");
    // The trigger's search words aren't needed here, and are slow to extract from so much text.
    await sql("ALTER TABLE turn DISABLE TRIGGER turn_words_inserted");
    await sql(
      `INSERT INTO turn (
        thread_id, workspace_id, user_id, question, answer, sources, attachments, state
      )
      SELECT $1, $2, 51, repeat(chr(1), 30000), repeat('€"', 20000), '[{"text":"s"}]',
        to_json(
          array[json_build_object('name', 'x', 'mime', 'y', 'contentString', repeat('a', 100000))]
        ),
        'done'
      FROM generate_series(1, 100)`,
      [thread!.id, base.workspace.id],
    );
    await sql("ALTER TABLE turn ENABLE TRIGGER turn_words_inserted");
    const { chats } = await chat.request(listChatRecords, { offset: 0, limit: 100 }, {
      principal: servicePrincipal,
      workspace: null,
    } as unknown as WorkspaceScope);
    expect(chats).toHaveLength(100);
    expect((JSON.parse(chats[0]!.response) as { text: string }).text.length).toBeGreaterThan(100);
  });
});
