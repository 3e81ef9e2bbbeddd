import {
  createShare,
  exportThread,
  forkThread,
  listTurns,
  readShare,
  recordReasoning,
  searchChats,
  updateChat,
  updateShare,
  type WorkspaceScope,
} from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { slugOf, startChat, user } from "../../test/chat-suite.ts";
import { textOf, wireFrames } from "../../test/received-frame.ts";

const { chat, database } = await startChat("Four.");

const thinking = { reasoning: ["Let me ", "count 😀."], reply: "Four." };
const inline = "<think>Let me count 😀.</think>Four.";
const block = { at: 0, text: "Let me count 😀.", milliseconds: expect.any(Number) };
const turns = async (scope: WorkspaceScope) =>
  (await chat.request(listTurns, slugOf(scope), scope)).turns;

let users = 0;
async function think(question = "What is two and two?", behaviour: object = thinking) {
  chat.llm.behave({ delayMs: 0, ...behaviour });
  const scope = { ...chat.addWorkspace(), principal: user((users += 1)) };
  return { scope, ...(await chat.ask(scope, question)) };
}

describe("a model's reasoning", () => {
  it("is inline for existing clients, byte for byte, and announced to ours", async () => {
    const { scope, frames, generationId, chatId } = await think();
    const chunks = wireFrames(frames).filter(({ type }) => type === "textResponseChunk");
    expect(chunks.map((frame) => frame.textResponse).join("")).toBe(inline);
    for (const chunk of chunks.slice(0, -1))
      expect(JSON.stringify(chunk)).toBe(
        JSON.stringify({
          uuid: generationId,
          sources: [],
          type: "textResponseChunk",
          textResponse: chunk.textResponse,
          close: false,
          error: false,
        }),
      );
    const metrics = wireFrames(frames).find(({ type }) => type === "finalizeResponseStream")!;
    expect(Object.keys(metrics.metrics as object)).not.toContain("reasoning");
    const [, answer] = await chat.history(scope);
    expect(answer).toMatchObject({ content: inline, chatId });
    expect(Object.keys(answer!)).not.toContain("reasoning");

    const announced = frames.filter(({ frame }) => frame.type === "generationReasoning");
    expect(announced[0]!.frame).toMatchObject({ start: 0, end: null, milliseconds: 0 });
    expect(announced.at(-1)!.frame).toMatchObject({ start: 0, end: inline.length - 5 });
    // The end of the reasoning comes before the text that follows.
    const shown = frames.filter(({ seq }) => seq < announced.at(-1)!.seq);
    expect(inline.slice(0, -13)).toContain(textOf(shown));
    expect(await turns(scope)).toMatchObject([{ answer: "Four.", reasoning: [block] }]);
  });

  it("that only its end tells is moved in front of the answer", async () => {
    const delta = (content: string): string =>
      `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;
    const body = `${["Let me ", "count.\n", "</think>\n\n", "Four."].map(delta).join("")}data: [DONE]\n\n`;
    const { scope, frames } = await think("And now?", {
      raw: { body, contentType: "text/event-stream" },
    });
    expect(textOf(frames)).toBe("Let me count.\n</think>Four.");
    expect(frames.map(({ frame }) => frame)).toContainEqual({
      type: "generationReasoning",
      start: 0,
      end: "Let me count.\n</think>".length,
      milliseconds: expect.any(Number),
    });
    expect((await chat.history(scope))[1]).toMatchObject({
      content: "<think>Let me count.\n</think>Four.",
    });
    expect(await turns(scope)).toMatchObject([
      { answer: "Four.", reasoning: [{ at: 0, text: "Let me count." }] },
    ]);
  });

  it("is part of exports, forks and links, each apart from the answer", async () => {
    const { scope, chatId } = await think();
    const expected = { answer: "Four.", reasoning: [{ ...block, index: 0 }] };
    const exported = await chat.request(exportThread, { threadSlug: null }, scope);
    expect(exported.turns).toMatchObject([expected]);
    const { token } = await chat.request(
      createShare,
      { ...slugOf(scope), audience: "anyone", expiresInDays: null, showReasoning: true },
      scope,
    );
    const link = await chat.request(readShare, { token, after: 0 }, scope);
    expect(link.turns).toMatchObject([{ answer: "Four.", reasoning: [block] }]);
    const { newThreadSlug } = await chat.request(forkThread, { ...slugOf(scope), chatId }, scope);
    const fork = await chat.request(listTurns, { ...slugOf(scope), thread: newThreadSlug! }, scope);
    expect(fork.turns).toMatchObject([{ answer: "Four.", reasoning: [block] }]);
  });

  it("is shown by links whose owner agreed to it", async () => {
    const { scope } = await think();
    // Sent by clients that don't know the option, and before it existed.
    const { token, share } = await chat.request(
      createShare,
      { ...slugOf(scope), audience: "anyone", expiresInDays: null },
      scope,
    );
    const update = async (change: object): Promise<unknown> => {
      await chat.request(updateShare, { id: share.id, ...change }, scope);
      const [turn] = (await chat.request(readShare, { token, after: 0 }, scope)).turns;
      expect(turn!.answer).toBe("Four.");
      return turn!.reasoning;
    };
    expect(await update({})).toBeUndefined();
    expect(await update({ showReasoning: true })).toEqual([block]);
    expect(await update({ audience: "anyone" })).toEqual([block]);
    expect(await update({ showReasoning: false })).toBeUndefined();
  });

  it("spans the pages of an export", async () => {
    const { scope } = await think();
    const [thought, answer] = ["t".repeat(150_000), "a".repeat(120_000)];
    await database.query("UPDATE chat.turn SET answer = $1 WHERE workspace_id = $2", [
      `<think>${thought}</think><think>Two.</think>${answer}`,
      scope.workspace.id,
    ]);
    const texts: Record<string, string> = { answer: "" };
    for (let [after, from] = [null as number | null, 0]; ;) {
      const page = await chat.request(exportThread, { threadSlug: null, after, from }, scope);
      for (const turn of page.turns) {
        texts.answer += turn.answer;
        for (const { index, text } of turn.reasoning ?? [])
          texts[index] = (texts[index] ?? "") + text;
      }
      if (page.next === null) break;
      [after, from] = [page.next, page.nextFrom];
    }
    expect(texts).toEqual({ 0: thought, 1: "Two.", answer });
  });

  it("isn't repeated to the model, nor found", async () => {
    const { scope } = await think();
    await chat.ask(scope, "And three and three?");
    const { messages } = chat.llm.requests.at(-1)!.body as { messages: { content: string }[] };
    expect(JSON.stringify(messages)).toContain("Four.");
    expect(JSON.stringify(messages)).not.toContain("count");
    const find = async (term: string): Promise<number> =>
      (await chat.request(searchChats, { term, limit: 10 }, scope)).messages.length;
    await poll(() => find("four")).toBe(2);
    expect(await find("count")).toBe(0);
  });

  it.each([
    "Write `<think>` first, then the contract clause.",
    "😀 Write `<think>` 😀 first, <think>Hm 😀 count.</think>then the contract clause.",
  ])("isn't searched, but what mentions it is: %s", async (text) => {
    const { scope } = await think();
    const answer = `<think>Let me count 😀.</think>${text}`;
    const spans = [...answer.matchAll(/(?<!`)<think>.*?<\/think>/g)].map(({ index, 0: block }) => ({
      start: index,
      end: index + block.length,
      milliseconds: 1,
    }));
    await database.query(
      "UPDATE chat.turn SET answer = $1, reasoning = $2 WHERE workspace_id = $3",
      [answer, JSON.stringify(recordReasoning(answer, spans)), scope.workspace.id],
    );
    const [found] = (await chat.request(searchChats, { term: "contract", limit: 10 }, scope))
      .messages;
    expect(JSON.stringify(found)).toContain("clause");
    const counted = await chat.request(searchChats, { term: "count", limit: 10 }, scope);
    expect(counted.messages).toEqual([]);
  });

  it("stays when our client edits the answer, and goes when another rewrites it", async () => {
    const { scope, chatId } = await think();
    const edit = (newText: string, more: object = {}): Promise<void> =>
      chat.request(updateChat, { ...slugOf(scope), chatId, newText, ...more }, scope);
    await edit("Five. `<think>`", { keepReasoning: true });
    expect(await turns(scope)).toMatchObject([{ answer: "Five. `<think>`", reasoning: [block] }]);
    expect((await chat.history(scope))[1]).toMatchObject({
      content: "<think>Let me count 😀.</think>Five. `<think>`",
    });
    await edit("<think>Hm.</think>Six.");
    expect(await turns(scope)).toMatchObject([
      { answer: "Six.", reasoning: [{ at: 0, text: "Hm.", milliseconds: null }] },
    ]);
    await edit("Seven.");
    const [rewritten] = await turns(scope);
    expect(rewritten!.answer).toBe("Seven.");
    expect(rewritten).not.toHaveProperty("reasoning");
  });

  it.each([
    ["<thinking>Hm.</thinking>Four.", "Four.", "Hm."],
    ["[THINK]Hm.[/THINK]Four.", "Four.", "Hm."],
    ["Hm.\n</think>\n\nFour.", "Four.", "Hm."],
    [
      "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Four.",
      "Four.",
      "Hm.",
    ],
    ["Use `<think>`.", "Use `<think>`.", undefined],
  ])("is found in a text stored before: %s", async (stored, answer, thought) => {
    const { scope } = await think();
    await database.query(
      "UPDATE chat.turn SET answer = $1, reasoning = NULL WHERE workspace_id = $2",
      [stored, scope.workspace.id],
    );
    const [turn] = await turns(scope);
    expect(turn!.answer).toBe(answer);
    expect(turn!.reasoning?.[0]?.text).toBe(thought);
    expect((await chat.history(scope))[1]).toMatchObject({ content: stored });
  });
});
