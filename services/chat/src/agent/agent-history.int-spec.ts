import { cancelGeneration, forkThread, type RunStep, type WorkspaceScope } from "@carrel/contracts";
import { offerTools, toolOf } from "../../test/agent-tools.ts";
import { ChatInstance } from "../../test/chat-instance.ts";
import { passageOf } from "../../test/factories/passage.ts";
import { selectSources } from "../retrieval/earlier-sources.ts";

let chat: ChatInstance;
beforeAll(async () => {
  chat = await ChatInstance.start();
  await chat.startReplica();
});
afterAll(() => chat?.stop());

const call = (name: string, input: Record<string, unknown> = {}) => ({
  toolCalls: [{ name, input }],
});
interface Message {
  role: string;
  content: string | null;
  tool_call_id?: string;
  tool_calls?: { id: string; function: { name: string; arguments: string } }[];
}
/** The messages of the last request to the model, without its instructions. */
const lastMessages = (): Message[] =>
  (chat.llm.requests.at(-1)!.body as { messages: Message[] }).messages.slice(1);
/** In short: who says what, or which calls and results of which tools. */
const outline = (): string[] =>
  lastMessages().map(({ role, content, tool_calls: calls }) =>
    [role, ...(calls ?? []).map(({ function: { name } }) => name), content ?? ""].join(" ").trim(),
  );

const search = toolOf(
  "search",
  ({ query }, { nextSource }) => ({
    text: `[CONTEXT ${nextSource}]:\nFound ${String(query)}\n[END CONTEXT ${nextSource}]`,
    sources: selectSources([passageOf()]),
  }),
  { isUntrusted: true },
);
const long = toolOf("long", () => ({ text: "word ".repeat(20_000) }));
const send = toolOf("send", () => ({ text: "Sent." }), { effect: "send", approval: "always" });
let tools: ReturnType<typeof offerTools>;
beforeEach(() => {
  tools = offerTools(search, long, send);
});
afterEach(() => tools.restore());

/** A first question, for which the agent searches. */
async function searchFirst(): Promise<{ scope: WorkspaceScope; chatId: number }> {
  const scope = chat.addWorkspace({ chatMode: "automatic" });
  chat.llm.next(
    { ...call("search", { query: "radiators" }), reply: "Let me look." },
    { reply: "It runs at 48 °C [1]." },
  );
  const { chatId } = await chat.ask(scope, "How warm is it?");
  return { scope, chatId };
}

describe("steps of earlier answers", () => {
  it("go back to the model between their question and answer, without their numbers", async () => {
    const { scope } = await searchFirst();
    chat.llm.next({ reply: "Yes." });
    await chat.ask(scope, "Is that enough?");
    expect(outline()).toEqual([
      "user How warm is it?",
      "assistant search",
      "tool [SOURCE]:\nFound radiators\n[END SOURCE]",
      "assistant Let me look.\n\nIt runs at 48 °C [1].",
      "user Is that enough?",
    ]);
    const [, called, result] = lastMessages();
    expect(called!.tool_calls![0]!.function.arguments).toBe('{"query":"radiators"}');
    expect(result!.tool_call_id).toBe(called!.tool_calls![0]!.id);
  });

  it("keep IDs apart that models give again in each answer", async () => {
    const { scope } = await searchFirst();
    chat.llm.next(call("search", { query: "pumps" }), { reply: "Done." }, { reply: "Yes." });
    await chat.ask(scope, "And pumps?");
    await chat.ask(scope, "Sure?");
    const ids = lastMessages().flatMap(({ tool_calls: calls }) =>
      (calls ?? []).map(({ id }) => id),
    );
    expect(new Set(ids).size).toBe(2);
    expect(ids.every((id) => /^[a-z0-9]{9}$/.test(id))).toBe(true);
  });

  it("aren't sent in plain chats", async () => {
    const { scope } = await searchFirst();
    chat.llm.next({ reply: "Yes." });
    await chat.ask(scope, "Is that enough?", { mode: "chat" });
    expect(outline()).toEqual([
      "user How warm is it?",
      "assistant Let me look.\n\nIt runs at 48 °C [1].",
      "user Is that enough?",
    ]);
  });

  it("of tools that it doesn't have any more are left out", async () => {
    const { scope } = await searchFirst();
    tools.restore();
    tools = offerTools(long);
    chat.llm.next({ reply: "Yes." });
    await chat.ask(scope, "Is that enough?");
    expect(outline()).toEqual([
      "user How warm is it?",
      "assistant Let me look.\n\nIt runs at 48 °C [1].",
      "user Is that enough?",
    ]);
  });

  it("that had no result are left out", async () => {
    const scope = chat.addWorkspace({ chatMode: "automatic" });
    chat.llm.next(
      {
        toolCalls: [
          { name: "search", input: { query: "a" } },
          { name: "send", input: {} },
        ],
        reply: "Let me look.",
      },
      { reply: "Yes." },
    );
    const { generationId } = await chat.start(scope, "Send it.");
    await chat.read(generationId, {
      until: ({ frame }) =>
        frame.type === "generationStep" && (frame.step as RunStep).state === "waiting",
    });
    await chat.request(cancelGeneration, { id: generationId }, scope);
    await chat.read(generationId);
    await chat.ask(scope, "Well?");
    expect(outline()).toEqual([
      "user Send it.",
      "assistant search",
      "tool [SOURCE]:\nFound a\n[END SOURCE]",
      "assistant Let me look.",
      "user Well?",
    ]);
  });

  it("of another version of an answer are left out", async () => {
    const { scope, chatId } = await searchFirst();
    chat.llm.next({ reply: "About 50 °C." }, { reply: "Yes." });
    await chat.ask(scope, "How warm is it?", { replaces: chatId });
    await chat.ask(scope, "Is that enough?");
    expect(outline()).toEqual([
      "user How warm is it?",
      "assistant About 50 °C.",
      "user Is that enough?",
    ]);
  });

  it("are copied with their thread", async () => {
    const { scope, chatId } = await searchFirst();
    const { newThreadSlug } = await chat.request(
      forkThread,
      { slug: scope.workspace.slug, chatId, threadSlug: null },
      scope,
    );
    chat.llm.next({ reply: "Yes." });
    await chat.ask(scope, "Is that enough?", { threadSlug: newThreadSlug });
    expect(outline().slice(0, 3)).toEqual([
      "user How warm is it?",
      "assistant search",
      "tool [SOURCE]:\nFound radiators\n[END SOURCE]",
    ]);
  });

  it("with long results are notes, with which the model can read them again", async () => {
    const scope = chat.addWorkspace({ chatMode: "automatic" });
    chat.llm.next(call("long"), { reply: "Long." });
    const { chatId } = await chat.ask(scope, "Read it.");
    chat.llm.next(
      call("read-result", { answer: chatId, step: 1, part: 2 }),
      call("read-result", { answer: chatId + 1_000, step: 1, part: 1 }),
      { reply: "Done." },
    );
    await chat.ask(scope, "Go on.");
    expect(outline()[2]).toBe(
      `tool [Left out to save space: 100000 characters. To read it again, call read-result with answer ${chatId}, step 1 and part 1.]`,
    );
    const results = lastMessages().filter(({ role }) => role === "tool");
    expect(results[1]!.content).toMatch(/^word .*\[Part 2 of \d+\./s);
    expect(results[2]!.content).toBe("Step 1 has no result.");
  });

  it("are text for a model that can't call tools", async () => {
    await Promise.all(chat.replicas.splice(0).map((replica) => replica.stop()));
    await chat.startReplica({ PROVIDER_DISABLE_NATIVE_TOOL_CALLING: "true" });
    const scope = chat.addWorkspace({ chatMode: "automatic" });
    chat.llm.next(
      { reply: '<tool_call>{"name":"search","arguments":{"query":"pumps"}}</tool_call>' },
      { reply: "Three pumps." },
      { reply: "Yes." },
    );
    await chat.ask(scope, "Which pumps?");
    await chat.ask(scope, "Is that enough?");
    expect(lastMessages()).toMatchObject([
      { role: "user", content: "Which pumps?" },
      { role: "assistant", content: expect.stringContaining('{"query":"pumps"}') },
      { role: "user", content: expect.stringContaining("Found pumps") },
      { role: "assistant", content: "Three pumps." },
      { role: "user", content: "Is that enough?" },
    ]);
    expect(JSON.stringify(chat.llm.requests.at(-1)!.body)).not.toContain("tool_call_id");
  });
});
