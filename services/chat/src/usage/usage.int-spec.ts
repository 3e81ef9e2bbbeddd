import { randomUUID } from "node:crypto";
import {
  deleteThread,
  getUsage,
  getWidgetUsage,
  ingestModelUsed,
  modelOverridesLabel,
  settingsChanged,
} from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { key, startChat, user } from "../../test/chat-suite.ts";
import { textOf } from "../../test/received-frame.ts";

const { chat, sql, makeThread } = await startChat("It runs at 48 °C.");

interface Row {
  purpose: string;
  state: string;
  turn_id: number | null;
  user_id: number | null;
  key_id: number | null;
  provider: string;
  model: string;
  input_tokens: number;
  cached_tokens: number;
  output_tokens: number;
  reasoning_tokens: number;
  is_estimated: boolean;
  first_token_ms: number | null;
  duration_ms: number;
  cost: string | null;
  input_price: number | null;
  minute_price: number | null;
  audio_ms: string;
  searches: number;
}
const noAmounts = {
  inputTokens: 0,
  cachedTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
  isEstimated: false,
  audioMs: 0,
  searches: 0,
  milliseconds: 0,
};
const usageOf = ({ workspace }: { workspace: { id: number } }): Promise<Row[]> =>
  sql<Row>("SELECT * FROM chat.model_usage WHERE workspace_id = $1 ORDER BY id", [workspace.id]);

describe("what models use", () => {
  it("is recorded with each answer, for its user or API key, at an unknown cost", async () => {
    const scope = chat.addWorkspace();
    const { chatId } = await chat.ask(chat.as(scope, user(910)), "What is the flow temperature?");
    await chat.ask(chat.as(scope, key), "And of the other pump, please?");
    const rows = await usageOf(scope);
    expect(rows).toMatchObject([
      { turn_id: chatId, user_id: 910, key_id: null },
      { user_id: null, key_id: 1 },
    ]);
    for (const row of rows) {
      expect(row).toMatchObject({
        purpose: "answer",
        state: "done",
        provider: "generic-openai",
        model: "fake-model",
        is_estimated: false,
        cost: null,
        input_price: null,
      });
      expect(row.input_tokens).toBeGreaterThan(0);
      expect(row.output_tokens).toBeGreaterThan(0);
      expect(row.first_token_ms).toBeLessThanOrEqual(row.duration_ms);
    }
  });

  it("costs what an admin set, from the next answer on", async () => {
    const scope = chat.addWorkspace();
    await chat.ask(scope, "What is the flow temperature?");
    const price = { input: 3, cachedInput: 0.5, output: 20 };
    const { values } = chat.fixture;
    chat.fixture.values = {
      ...values,
      [modelOverridesLabel]: JSON.stringify([
        { provider: "generic-openai", model: "fake-model", ...price },
      ]),
    };
    const announce = () =>
      chat.shared.messaging.broadcast.invalidate(settingsChanged, { keys: [modelOverridesLabel] });
    try {
      await announce();
      await chat.ask(scope, "And of the other pump, please?");
      const [before, after] = await usageOf(scope);
      expect(before).toMatchObject({ cost: null, input_price: null });
      expect(after).toMatchObject({
        input_price: 3,
        cost: String(
          Math.round(
            (after!.input_tokens - after!.cached_tokens) * 3 +
              after!.cached_tokens * 0.5 +
              after!.output_tokens * 20,
          ),
        ),
      });
      const [, answer] = (await chat.history(scope)).slice(-2);
      expect(answer).toMatchObject({
        metrics: {
          outputCost: (after!.output_tokens * 20) / 1_000_000,
        },
      });
    } finally {
      chat.fixture.values = values;
      await announce();
    }
  });

  it("costs nothing for quotes, and they use no tokens", async () => {
    const scope = chat.addWorkspace({ chatProvider: "extractive" });
    await chat.ask(scope, "What is the flow temperature?");
    expect(await usageOf(scope)).toMatchObject([
      { provider: "extractive", input_tokens: 0, output_tokens: 0, cost: "0", is_estimated: false },
    ]);
  });

  it("is nothing for an answer that the vendor rejected", async () => {
    const scope = chat.addWorkspace();
    chat.llm.next({ status: 401 });
    await chat.ask(scope, "What is the flow temperature?");
    expect(await usageOf(scope)).toMatchObject([
      { state: "failed", input_tokens: 0, output_tokens: 0, cost: "0", first_token_ms: null },
    ]);
  });

  it("is recorded for embedders without a user, once per event, and charges no budget", async () => {
    const scope = chat.addWorkspace();
    const { id: workspaceId } = scope.workspace;
    await sql(
      `INSERT INTO chat.budget (subject, subject_id, period, unit, stop_at, period_start, used, calls)
      VALUES ('workspace', $1, 'day', 'tokens', 5000, budget_period_start('day'), 10, 1)`,
      [workspaceId],
    );
    const event = {
      id: randomUUID(),
      purpose: "embedding" as const,
      workspaceId,
      userId: null,
      keyId: null,
      provider: "ollama",
      model: "nomic-embed-text",
      state: "done" as const,
      ...noAmounts,
      inputTokens: 12_345,
      milliseconds: 678,
    };
    await chat.tell(ingestModelUsed, event);
    await chat.tell(ingestModelUsed, event);
    await chat.tell(ingestModelUsed, { ...event, id: randomUUID(), provider: "azure" });
    await poll(() => usageOf(scope)).toHaveLength(2);
    await chat.tell(ingestModelUsed, {
      ...event,
      id: randomUUID(),
      provider: "voyageai",
      model: "voyage-3-lite",
    });
    await poll(() => usageOf(scope)).toMatchObject([
      {
        purpose: "embedding",
        state: "done",
        user_id: null,
        provider: "ollama",
        model: "nomic-embed-text",
        input_tokens: 12_345,
        output_tokens: 0,
        is_estimated: false,
        first_token_ms: null,
        duration_ms: 678,
        cost: "0",
      },
      { provider: "azure", cost: null },
      { provider: "voyageai", model: "voyage-3-lite", cost: "247", input_price: 0.02 },
    ]);
    expect(
      await sql("SELECT used::int, calls FROM chat.budget WHERE subject_id = $1", [workspaceId]),
    ).toEqual([{ used: 10, calls: 1 }]);
  });

  it("is known of each widget by day, after its chats are gone too", async () => {
    const scope = chat.addWorkspace();
    const admin = chat.as(scope, user(1, { role: "admin" }));
    const widgetId = 71;
    const visitor = chat.as(scope, {
      kind: "widget",
      userId: null,
      role: "none",
      widget: { id: widgetId, host: null, address: null, username: null },
    });
    for (const sessionId of ["a", "a", "b"])
      await chat.ask(visitor, "How warm?", {
        conversation: { channel: "widget", sessionId, widgetId },
      });
    await chat.ask(chat.as(scope, user(913)), "How warm?");
    const today = new Date().toISOString().slice(0, 10);
    const read = (id: number) =>
      chat.request(getWidgetUsage, { id, from: today, to: today }, admin);
    const { totals, days } = await read(widgetId);
    expect(totals).toMatchObject({ chats: 3, visitors: 2 });
    expect(totals.inputTokens).toBeGreaterThan(0);
    expect(days).toEqual([{ day: today, ...totals }]);
    const reranked = {
      id: randomUUID(),
      purpose: "reranking",
      provider: "openai",
      model: "gpt-4.1",
    };
    await chat.tell(ingestModelUsed, {
      ...{ workspaceId: scope.workspace.id, userId: null, keyId: null, state: "done" },
      ...{ ...noAmounts, ...reranked, widgetId, searches: 1, inputTokens: 1_000 },
    } as never);
    await poll(async () => (await read(widgetId)).totals.inputTokens).toBe(
      totals.inputTokens + 1_000,
    );
    await sql("DELETE FROM chat.turn WHERE workspace_id = $1", [scope.workspace.id]);
    expect((await read(widgetId)).totals).toMatchObject({
      chats: 0,
      outputTokens: totals.outputTokens,
    });
    expect(await read(widgetId + 1)).toMatchObject({ totals: { chats: 0, cost: 0 }, days: [] });
    const asked = { from: today, to: today, widgetId };
    expect((await chat.request(getUsage, asked, admin)).totals.answers).toBe(3);
    await expect(
      chat.request(getUsage, asked, chat.as(scope, user(1, { role: "manager" }))),
    ).rejects.toThrow();
  });

  it("is recorded for transcription and reranking, for who asked for them", async () => {
    const scope = chat.addWorkspace();
    const event = {
      ...{ workspaceId: scope.workspace.id, userId: 912, keyId: null, state: "done" as const },
      ...noAmounts,
    };
    await chat.tell(ingestModelUsed, {
      ...event,
      ...{ id: randomUUID(), purpose: "transcription", provider: "openai", model: "whisper-1" },
      audioMs: 90_000,
    });
    await poll(() => usageOf(scope)).toHaveLength(1);
    await chat.tell(ingestModelUsed, {
      ...event,
      ...{ id: randomUUID(), purpose: "reranking", provider: "openai", model: "gpt-4.1" },
      ...{ userId: null, keyId: 3, searches: 1, inputTokens: 1_000, outputTokens: 50 },
    });
    await poll(() => usageOf(scope)).toMatchObject([
      {
        purpose: "transcription",
        user_id: 912,
        audio_ms: "90000",
        cost: "9000",
        minute_price: 0.006,
      },
      { purpose: "reranking", user_id: null, key_id: 3, searches: 1, cost: "2400" },
    ]);
  });

  it("is estimated for an answer that was deleted while it was written, and is kept", async () => {
    const scope = chat.as(chat.addWorkspace(), user(911));
    const threadSlug = await makeThread(scope);
    chat.llm.behave({ reply: Array.from({ length: 500 }, () => "word "), delayMs: 20 });
    const { generationId } = await chat.start(scope, "Write a lot?", { threadSlug });
    await chat.read(generationId, {
      until: ({ frame }) => textOf([{ seq: 0, data: "", frame }]) !== "",
    });
    await chat.request(deleteThread, { slug: scope.workspace.slug, threadSlug }, scope);
    await poll(() => usageOf(scope)).toMatchObject([
      { state: "cancelled", user_id: 911, is_estimated: true },
    ]);
    const [row] = await usageOf(scope);
    expect(row!.input_tokens).toBeGreaterThan(0);
    expect(row!.output_tokens).toBeGreaterThan(0);
  });
});
