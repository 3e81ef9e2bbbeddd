import {
  attachGeneration,
  deleteChats,
  listChatRecords,
  listThreads,
  listTurns,
  readAllTurns,
  readHistory,
  resetHistory,
  searchChats,
  type Conversation,
  type WorkspaceScope,
} from "@carrel/contracts";
import { key, startChat, user } from "../../test/chat-suite.ts";
import { wireFrames } from "../../test/received-frame.ts";

const { chat, sql } = await startChat("It is so.");

describe("a conversation outside the app", () => {
  const api = (sessionId: string): Conversation => ({ channel: "api", sessionId });
  const messages = (): { role: string; content: string }[] =>
    chat.llm.requests.at(-1)!.body.messages as { role: string; content: string }[];
  const itemsOf = async (scope: WorkspaceScope, conversation: Conversation): Promise<unknown[]> => {
    const { page } = await chat.request(readHistory, { thread: null, conversation }, scope);
    return JSON.parse(`[${page!.items}]`) as unknown[];
  };

  it("is created with its first question, and each session has its own history", async () => {
    const scope = chat.as(chat.addWorkspace(), key);
    const [one, two] = [api("one"), { channel: "widget", sessionId: "one", widgetId: 7 } as const];
    const first = await chat.ask(scope, "What is two and two?", { conversation: one });
    expect(first.queued).toBe(false);
    await chat.ask(scope, "And three and three?", { conversation: one });
    expect(messages().slice(1)).toMatchObject([
      { content: "What is two and two?" },
      { content: "It is so." },
      { content: "And three and three?" },
    ]);
    await chat.ask(scope, "Something else?", { conversation: two });
    expect(messages().slice(1)).toMatchObject([{ content: "Something else?" }]);
    // The same request again asks nothing.
    const [again, repeated] = [
      await chat.start(scope, "Once?", { conversation: api("new"), key: "once" }),
      await chat.start(scope, "Once?", { conversation: api("new"), key: "once" }),
    ];
    expect(repeated).toEqual(again);
    await chat.read(again.generationId);
    expect(await itemsOf(scope, api("new"))).toHaveLength(2);
    expect(await itemsOf(scope, one)).toHaveLength(4);
    expect(await itemsOf(scope, api("other"))).toEqual([]);
    await chat.request(resetHistory, { threadSlug: null, conversation: one }, scope);
    await chat.request(resetHistory, { threadSlug: null, conversation: api("other") }, scope);
    expect(await itemsOf(scope, one)).toEqual([]);
    expect(await itemsOf(scope, two)).toHaveLength(2);
    await chat.ask(scope, "/reset is no command here?", { conversation: one });
    expect(messages().slice(1)).toMatchObject([{ content: "/reset is no command here?" }]);
  });

  it("can be read without what was asked on somebody's behalf", async () => {
    const asKey = chat.as(chat.addWorkspace(), key);
    await chat.ask(asKey, "A program's?");
    await chat.ask(chat.as(asKey, user(5)), "A person's?");
    const questions = async (ownerless: boolean): Promise<string[]> => {
      const { items } = await chat.request(
        readAllTurns,
        { apiSessionId: null, threadSlug: null, ownerless, order: "asc", limit: 10, after: null },
        asKey,
      );
      return (JSON.parse(`[${items}]`) as { role: string; content: string }[])
        .filter(({ role }) => role === "user")
        .map(({ content }) => content);
    };
    expect(await questions(false)).toEqual(["A program's?", "A person's?"]);
    expect(await questions(true)).toEqual(["A program's?"]);
  });

  it("writes simultaneous first questions of many sessions, and of one, exactly once", async () => {
    const scope = chat.as(chat.addWorkspace(), key);
    const started = await Promise.all(
      Array.from({ length: 24 }, (_, index) =>
        chat.start(scope, `Number ${index}?`, {
          conversation: api(index % 2 === 0 ? "same" : `own ${index}`),
        }),
      ),
    );
    await Promise.all(started.map(({ generationId }) => chat.read(generationId)));
    const counted = await sql<{ session_id: string; turns: number }>(
      `SELECT session_id, count(turn.id)::int AS turns FROM chat.thread
      LEFT JOIN chat.turn ON turn.thread_id = thread.id AND turn.state = 'done'
      WHERE thread.workspace_id = $1
      GROUP BY 1
      ORDER BY 2`,
      [scope.workspace.id],
    );
    expect(counted.map(({ turns }) => turns)).toEqual([...Array<number>(12).fill(1), 12]);
  });

  it("appears only among the recorded chats", async () => {
    const scope = chat.addWorkspace();
    const { chatId } = await chat.ask(scope, "Where are rhododendrons?", {
      conversation: api("hidden"),
    });
    expect(await chat.history(scope)).toEqual([]);
    expect(await chat.request(listThreads, scope.workspace, scope)).toEqual({
      threads: [],
      defaultThreadChatCount: 0,
    });
    expect(await chat.request(listTurns, scope.workspace, scope)).toMatchObject({ turns: [] });
    await chat.request(deleteChats, { ...scope.workspace, chatIds: [chatId] }, scope);
    await chat.ask(scope, "And in the app?");
    expect(messages().slice(1)).toMatchObject([{ content: "And in the app?" }]);
    expect(await chat.request(searchChats, { term: "rhododendrons" }, scope)).toEqual({
      threads: [],
      messages: [],
    });
    const { chats } = await chat.request(listChatRecords, { offset: 0, limit: 2 }, scope);
    expect(chats).toMatchObject([
      { api_session_id: null },
      { id: chatId, prompt: "Where are rhododendrons?", api_session_id: "hidden", thread_id: null },
    ]);
  });

  it("keeps what replaces the workspace's settings, also in the queue", async () => {
    const scope = chat.as(chat.addWorkspace({ openAiHistory: 1 }), key);
    const conversation = { channel: "openai", sessionId: "settings" } as const;
    const { promise: after, resolve: answer } = Promise.withResolvers<void>();
    chat.llm.behave({ reply: "It is so.", after });
    const first = await chat.start(scope, "First?", { conversation });
    const overrides = {
      systemPrompt: "Speak like a pirate.",
      temperature: 0,
      model: "other-model",
      history: [
        { question: "Who?", answer: "Me." },
        { question: "Where?", answer: "Here." },
      ],
    };
    const second = await chat.start(scope, "/brief Second?", { conversation, overrides });
    expect(second.queued).toBe(true);
    answer();
    await chat.read(first.generationId);
    await chat.read(second.generationId);
    expect(chat.llm.requests.at(-1)!.body).toMatchObject({
      model: "other-model",
      temperature: 0,
      messages: [
        { role: "system", content: expect.stringMatching(/^Speak like a pirate\./) },
        { content: "Who?" },
        { content: "Me." },
        { content: "Where?" },
        { content: "Here." },
        { content: "/brief Second?" },
      ],
    });
    await chat.ask(scope, "Third?", { conversation, overrides: { historyLimit: 0 } });
    expect(messages().slice(1)).toMatchObject([{ content: "Third?" }]);
    const refused = await chat.ask(scope, "What of the moon?", {
      conversation,
      mode: "query",
      overrides: { refusal: "Nothing found.", emptyRefusal: "Nothing here." },
    });
    expect(wireFrames(refused.frames).at(-1)).toMatchObject({ textResponse: "Nothing here." });
    // A reader may return to an answer that has ended.
    expect(
      await chat.request(attachGeneration, { generationId: first.generationId }, scope),
    ).toMatchObject({ state: "done" });
  });
});
