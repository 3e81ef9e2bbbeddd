import {
  deleteChats,
  listTurns,
  rateChat,
  readHistory,
  updateChat,
  type WorkspaceScope,
} from "@carrel/contracts";
import { describe, expect, it } from "@jest/globals";
import { startChat } from "../../test/chat-suite.ts";

const { chat, database } = await startChat("It is so.");

const read = (scope: WorkspaceScope, knownVersion: string | null = null) =>
  chat.request(readHistory, { thread: null, knownVersion }, scope);
const write = (scope: WorkspaceScope, threadId: number, columns: Record<string, unknown>) => {
  const names = Object.keys(columns);
  return database.query(
    `INSERT INTO chat.turn (thread_id, workspace_id, state, ${names.join(", ")})
    VALUES ($1, $2, 'done', ${names.map((_name, index) => `$${index + 3}`).join(", ")})`,
    [threadId, scope.workspace.id, ...Object.values(columns)],
  );
};

describe("a history", () => {
  it("has a version that changes with every change of a turn, and only then", async () => {
    const scope = chat.addWorkspace();
    const slugOf = { slug: scope.workspace.slug };
    expect(await read(scope)).toMatchObject({ page: { items: "", next: null, hasImages: false } });
    const { chatId } = await chat.ask(scope, "One?");
    const newest = async (): Promise<number> => (await chat.history(scope)).at(-1)!.chatId;
    const changes = [
      () => chat.ask(scope, "Two?"),
      () => chat.request(updateChat, { ...slugOf, chatId, newText: "It is not." }, scope),
      () => chat.request(rateChat, { ...slugOf, chatId, feedback: true }, scope),
      () => chat.request(rateChat, { ...slugOf, chatId, feedback: null }, scope),
      () => chat.ask(scope, "Two anew?", { replaces: chatId }),
      async () => chat.request(deleteChats, { ...slugOf, chatIds: [await newest()] }, scope),
    ];
    const seen = new Set<string>();
    for (const change of changes) {
      const { version, page } = await read(scope);
      expect(page).not.toBeNull();
      expect(await read(scope, version)).toEqual({ version, page: null });
      seen.add(version);
      await change();
      const changed = await read(scope, version);
      expect(changed.page).not.toBeNull();
      expect(changed.page!.items).not.toBe(page!.items);
    }
    expect(seen.size).toBe(changes.length);
    // Another workspace's thread changes nothing.
    const { version } = await read(scope);
    await chat.ask(chat.addWorkspace(), "Elsewhere?");
    expect(await read(scope, version)).toEqual({ version, page: null });
  });

  it("says which part is reasoning only where visitors read it", async () => {
    chat.llm.next({ reasoning: ["Hm."], reply: "It is so." });
    chat.llm.next({ reasoning: ["Hm."], reply: "It is so." });
    const scope = chat.addWorkspace();
    const channels = {
      widget: { channel: "widget", widgetId: 7 },
      api: { channel: "api" },
    } as const;
    for (const [channel, named] of Object.entries(channels)) {
      const conversation = { sessionId: "one", ...named };
      await chat.ask(scope, "Is it?", { conversation });
      const { page } = await chat.request(readHistory, { thread: null, conversation }, scope);
      const [, item] = JSON.parse(`[${page!.items}]`) as object[];
      expect(item).toMatchObject({ content: "<think>Hm.</think>It is so." });
      const spans = [{ start: 0, end: 18, milliseconds: expect.any(Number) }];
      if (channel === "widget") expect(item).toMatchObject({ reasoning: { length: 27, spans } });
      else expect(item).not.toHaveProperty("reasoning");
    }
  });

  it("has the bytes that JSON.stringify would give it", async () => {
    const scope = chat.addWorkspace();
    const threadId = await chat.threadId(scope);
    const text = '"Quoted" \\ and\n\ttabs, \u0001 control \u007f, 日本 😀 \u2028 </script>';
    const metrics = {
      prompt_tokens: 1,
      completion_tokens: 2,
      total_tokens: 3,
      outputTps: 4.5,
      duration: 0.25,
      timestamp: "2026-11-22T00:00:00.000Z",
    };
    const attachments = [{ name: "a.txt", mime: "text/plain", contentString: "" }];
    await write(scope, threadId, {
      question: text,
      answer: text,
      mode: "query",
      feedback: false,
      created_at: "2026-11-22T10:00:00.999Z",
      attachments: JSON.stringify(attachments),
    });
    await database.query("UPDATE chat.turn SET metrics = $1 WHERE thread_id = $2", [
      JSON.stringify(metrics),
      threadId,
    ]);
    await write(scope, threadId, {
      question: "",
      answer: "",
      created_at: "2026-11-22T10:00:01Z",
      attachments: JSON.stringify([{ ...attachments[0], blobKey: "attachment/1" }]),
    });
    const [first, second] = (await chat.request(listTurns, { slug: "w" }, scope)).turns;
    const sentAt = Date.parse("2026-11-22T10:00:00Z") / 1000;
    expect((await read(scope)).page).toEqual({
      items: [
        { role: "user", content: text, sentAt, attachments, chatId: first!.id },
        {
          role: "assistant",
          type: "query",
          content: text,
          sources: [],
          chatId: first!.id,
          sentAt,
          feedbackScore: false,
          metrics,
        },
        {
          role: "user",
          content: "",
          sentAt: sentAt + 1,
          attachments: [{ ...attachments[0], blobKey: "attachment/1" }],
          chatId: second!.id,
        },
        {
          role: "assistant",
          type: "chat",
          content: "",
          sources: [],
          chatId: second!.id,
          sentAt: sentAt + 1,
          feedbackScore: null,
          metrics: {},
        },
      ]
        .map((item) => JSON.stringify(item))
        .join(","),
      next: null,
      hasImages: true,
    });
  });

  it("fits into replies even if it consists of quotes", async () => {
    const scope = chat.addWorkspace();
    const threadId = await chat.threadId(scope);
    // The last one is far too large, the one before too large only once it is quoted twice.
    for (const length of [100_000, 100_000, 450_000, 600_000])
      await write(scope, threadId, { question: `${length}`, answer: '"'.repeat(length) });
    const answers: number[] = [];
    for (let before: number | null = null; ;) {
      const { page }: Awaited<ReturnType<typeof read>> = await chat.request(
        readHistory,
        { thread: null, before },
        scope,
      );
      const items = JSON.parse(`[${page!.items}]`) as { role: string; content: string }[];
      answers.unshift(
        ...items.filter(({ role }) => role === "assistant").map(({ content }) => content.length),
      );
      if (page!.next === null) break;
      before = page!.next;
    }
    expect(answers.slice(0, 2)).toEqual([100_000, 100_000]);
    for (const length of answers.slice(2)) expect(length).toBeLessThan(61_000);
  });
});
