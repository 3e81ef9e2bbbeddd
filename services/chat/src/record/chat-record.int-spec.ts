import {
  cancelGeneration,
  deleteRecordedChats,
  eventLogged,
  explainRating,
  exportChatRecords,
  listChatRecords,
  readChatRecordText,
  readSystemPrompt,
  resetHistory,
  servicePrincipal,
  type Args,
  type EventPayload,
  type ExportedRecord,
  type WorkspaceScope,
} from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { describe, expect, it } from "@jest/globals";
import { key, startChat, user } from "../../test/chat-suite.ts";
import { passageOf } from "../../test/factories/passage.ts";
import { describeRecordFilters } from "../../test/record-filters.ts";

const { chat, sql, count, makeThread } = await startChat("An answer.");
const service = { principal: servicePrincipal, workspace: null } as unknown as WorkspaceScope;
const logged: EventPayload<typeof eventLogged>[] = [];
chat.shared.messaging.broadcast.on(`event:${eventLogged.name}`, (payload) =>
  logged.push(payload as EventPayload<typeof eventLogged>),
);

const idsOf = async (filter: Partial<Args<typeof listChatRecords>>): Promise<number[]> =>
  (await chat.request(listChatRecords, { offset: 0, limit: 100, ...filter }, service)).chats.map(
    ({ id }) => id,
  );

describe("chat records", () => {
  it("are raw rows of all accounts, newest first, without running ones", async () => {
    const base = chat.addWorkspace({}, [passageOf()]);
    const [someone, maker] = [chat.as(base, user(50)), chat.as(base, key)];
    const slug = await makeThread(someone);
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
    const [thread] = await sql<{ id: number }>("SELECT id FROM chat.thread WHERE slug = $1", [
      slug,
    ]);
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
    expect(await idsOf({ offset: 1, limit: 1 })).toEqual([hidden.chatId]);
    expect(await idsOf({ offset: 9_999, limit: 20 })).toEqual([]);
    await chat.request(cancelGeneration, { id: running.generationId }, maker);
  });

  it("fit into one reply, however large they are", async () => {
    const base = chat.addWorkspace();
    const scope = chat.as(base, user(51));
    await chat.ask(scope, "First?");
    const [thread] = await sql<{ id: number }>("SELECT id FROM chat.thread WHERE user_id = 51");
    // The trigger's search words aren't needed here, and are slow to extract from so much text.
    await sql("ALTER TABLE turn DISABLE TRIGGER turn_words_inserted");
    await sql(
      `INSERT INTO chat.turn (
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
    const { chats } = await chat.request(listChatRecords, { offset: 0, limit: 100 }, service);
    expect(chats).toHaveLength(100);
    expect((JSON.parse(chats[0]!.response) as { text: string }).text.length).toBeGreaterThan(100);
  });
});

describeRecordFilters({ chat, sql });

type Position = Args<typeof exportChatRecords>["after"];

describe("an export of chat records", () => {
  const read = async (
    input: Omit<Args<typeof exportChatRecords>, "after">,
  ): Promise<{ pages: number; records: ExportedRecord[] }> => {
    const records: ExportedRecord[] = [];
    let after: Position = null;
    for (let pages = 1; ; pages += 1) {
      const page: { records: ExportedRecord[]; next: Position } = await chat.request(
        exportChatRecords,
        { ...input, after },
        service,
      );
      records.push(...page.records);
      if (page.next === null) return { pages, records };
      after = page.next;
    }
  };

  it("comes in pages, in order, with what its format needs", async () => {
    const base = chat.addWorkspace({ openAiPrompt: "Be brief." }, [passageOf()]);
    const scope = chat.as(base, user(70));
    const blobKey = "attachment/7c4d1b86-5a44-4f0e-9f0e-0a8c1f6d2b11";
    await chat.ask(scope, "With a picture?", {
      attachments: [
        { name: "notes.txt", mime: "text/plain", contentString: "" },
        { name: "a.png", mime: "image/png", contentString: "", blobKey },
      ],
    });
    const [thread] = await sql<{ id: number }>("SELECT id FROM chat.thread WHERE user_id = 70");
    await sql(
      `INSERT INTO chat.turn (thread_id, workspace_id, user_id, question, answer, attachments, state)
      SELECT $1, $2, 70, 'Question ' || n, repeat('x', CASE n WHEN 7 THEN 250000 ELSE 3000 END),
        CASE n WHEN 7 THEN '[{"contentString":"data:image/png;base64,AAAA","mime":"image/png"}]'
        ELSE '[]' END::json, 'done'
      FROM generate_series(1, 450) n ORDER BY n`,
      [thread!.id, base.workspace.id],
    );
    const filter = { workspaceId: base.workspace.id };
    logged.length = 0;
    const { pages, records } = await read({ ...filter, type: "jsonl" });
    expect(pages).toBeGreaterThan(2);
    expect(records.map(({ question }) => question)).toEqual([
      "With a picture?",
      ...Array.from({ length: 450 }, (_, index) => `Question ${index + 1}`),
    ]);
    expect(records[0]).toMatchObject({
      userId: 70,
      sessionId: null,
      answer: "An answer.",
      sources: [],
      long: [],
      images: [{ mime: "image/png", blobKey, index: 1 }],
    });
    const long = records[7]!;
    expect(long).toMatchObject({ answer: "", long: ["answer"], images: [{ blobKey: null }] });
    const readText = (text: Args<typeof readChatRecordText>["text"], from: number) =>
      chat.request(readChatRecordText, { id: long.id, text, from }, service);
    expect(await readText("answer", 0)).toMatchObject({ next: 100_000 });
    expect(await readText("answer", 200_000)).toEqual({ part: "x".repeat(50_000), next: null });
    expect(await readText({ image: 0 }, 0)).toEqual({
      part: "data:image/png;base64,AAAA",
      next: null,
    });
    await expect(readText({ image: 4 }, 0)).rejects.toMatchObject({ kind: "NOT_FOUND" });
    const alpaca = (await read({ ...filter, search: "picture", type: "jsonAlpaca" })).records;
    expect(alpaca).toEqual([
      expect.objectContaining({ sources: [expect.stringContaining(passageOf().text)], images: [] }),
    ]);
    expect(await chat.request(readSystemPrompt, {}, base)).toEqual({ prompt: "Be brief." });
    await poll(() => logged.map(({ event, metadata }) => [event, metadata])).toEqual([
      ["exported_chats", { type: "jsonl", chatType: "workspace" }],
      ["exported_chats", { type: "jsonAlpaca", chatType: "workspace" }],
    ]);
  });
});

describe("deleted chat records", () => {
  const manager = { ...service, principal: user(1, { role: "manager" }), address: "192.0.2.1" };
  const remove = (input: Args<typeof deleteRecordedChats>) =>
    chat.request(deleteRecordedChats, input, manager);

  it("leave the rest of a thread, and running answers", async () => {
    const scope = chat.as(chat.addWorkspace(), user(80));
    const [first, second, third] = [
      await chat.ask(scope, "First?"),
      await chat.ask(scope, "Second?"),
      await chat.ask(scope, "Third?"),
    ];
    expect(await remove({ id: second.chatId, chatType: "embed" })).toMatchObject({ success: true });
    expect(await count("turn WHERE user_id = 80")).toBe(3);
    logged.length = 0;
    expect(await remove({ id: second.chatId })).toEqual({ success: true, error: null });
    expect(await remove({ id: second.chatId })).toEqual({ success: true, error: null });
    expect(await sql("SELECT id, parent_id FROM chat.turn WHERE user_id = 80 ORDER BY id")).toEqual(
      [
        { id: first.chatId, parent_id: null },
        { id: third.chatId, parent_id: first.chatId },
      ],
    );
    await poll(() => logged).toMatchObject([
      {
        event: "deleted_chats",
        userId: 1,
        metadata: { chatId: second.chatId, chats: 1, address: "192.0.2.1" },
      },
    ]);
    chat.llm.behave({ reply: Array.from({ length: 100 }, () => "word "), delayMs: 50 });
    const running = await chat.start(scope, "Running?");
    await remove({ id: -1, userId: 80 });
    expect(await sql("SELECT id, parent_id FROM chat.turn WHERE user_id = 80")).toEqual([
      { id: running.chatId, parent_id: null },
    ]);
    await chat.request(cancelGeneration, { id: running.generationId }, scope);
  });

  it("are all of them with -1, or those of a filter, in the trash too", async () => {
    const [one, other] = [chat.addWorkspace(), chat.addWorkspace()];
    await chat.ask(chat.as(one, user(81)), "Old?");
    const slug = await makeThread(chat.as(other, user(81)));
    await chat.ask(chat.as(other, user(81)), "New?", { threadSlug: slug });
    await sql("UPDATE chat.thread SET deleted_at = now() WHERE slug = $1", [slug]);
    await remove({ id: -1, workspaceId: one.workspace.id, search: "old" });
    expect(await sql("SELECT question FROM chat.turn WHERE user_id = 81")).toEqual([
      { question: "New?" },
    ]);
    await chat.ask(chat.as(one, key), "Of a key?");
    await remove({ id: -1 });
    expect(await sql("SELECT question FROM chat.turn WHERE state = 'done'")).toEqual([
      { question: "By a visitor?" },
    ]);
    await poll(() => logged.at(-1)?.metadata).not.toHaveProperty("workspaceId");
  });
});
