import {
  answerStep,
  cancelGeneration,
  historyItem,
  listChatRecords,
  listTurns,
  readAllTurns,
  type HistoryItem,
  type RunStep,
  type WorkspaceScope,
} from "@carrel/contracts";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { offerTools, toolOf } from "../../test/agent-tools.ts";
import { key, slugOf, startChat, user } from "../../test/chat-suite.ts";
import type { ReceivedFrame } from "../../test/received-frame.ts";

const { chat, database } = await startChat("Done.");
const boats = (type: "bar" | "pie") => ({
  type: "chart" as const,
  chart: type,
  title: `Boats "${type}"`,
  rows: [{ name: "May\n", boats: 4 }],
});
const file = {
  type: "file" as const,
  name: "boats.csv",
  file: "5f0a5cbe-3f0b-4f0e-9d4a-2b7c1d9e6a10.csv",
  mime: "text/csv",
  size: 17,
};
const questions = ["Which harbour?", "Which year?"].map((question) => ({
  kind: "input" as const,
  question,
  inputType: "text" as const,
  placeholder: "",
}));

let tools: ReturnType<typeof offerTools>;
beforeAll(() => {
  tools = offerTools(
    toolOf("draw", () => ({ text: "Drawn.", outputs: [boats("bar"), boats("pie")] })),
    toolOf("write", () => ({ text: "Written.", outputs: [file] })),
    toolOf("look", () => ({ text: 'Nothing with "outputs":[{ or "answers":[ in it.' })),
    toolOf("ask", async (_, { ask }) => ({ text: JSON.stringify(await ask(questions)) })),
  );
});
afterAll(() => tools.restore());

const call = (name: string) => ({ toolCalls: [{ name, input: {} }] });
const room = (): WorkspaceScope =>
  chat.as(chat.addWorkspace({ chatMode: "automatic" }), user(1, { role: "admin" }));
const isWaiting = ({ frame }: ReceivedFrame): boolean =>
  frame.type === "generationStep" && (frame.step as RunStep).state === "waiting";
type Answer = Extract<HistoryItem, { role: "assistant" }>;

/** The answers as existing clients read them, and as programs do: the same. */
async function read(scope: WorkspaceScope): Promise<Answer[]> {
  const history = await chat.history(scope);
  const { items } = await chat.request(
    readAllTurns,
    { apiSessionId: null, threadSlug: null, order: "asc", limit: 10, after: null },
    chat.as(scope, key),
  );
  expect(z.array(historyItem).parse(JSON.parse(`[${items}]`))).toEqual(history);
  return history.filter((item) => item.role === "assistant");
}

describe("answers of agents, as existing clients read them later", () => {
  it("have their files, and no such field without one", async () => {
    const scope = room();
    chat.llm.next(call("write"), { reply: "Here." }, call("look"), { reply: "No." });
    await chat.ask(scope, "Write it.");
    await chat.ask(scope, "Look.");
    const [written, looked] = await read(scope);
    expect(written).toMatchObject({
      type: "chat",
      content: "Here.",
      outputs: [
        {
          type: "fileDownloadCard",
          payload: { filename: "boats.csv", storageFilename: file.file, fileSize: 17 },
        },
      ],
    });
    expect(looked).toMatchObject({ type: "chat", content: "No." });
    for (const field of ["outputs", "clarifyingQuestions"])
      expect(looked).not.toHaveProperty(field);
    expect(written).not.toHaveProperty("clarifyingQuestions");
  });

  it("are their last chart, with the text below it", async () => {
    const scope = room();
    chat.llm.next(call("draw"), { reasoning: ["Hm.\nHm."], reply: 'Four "boats".' });
    await chat.ask(scope, "Draw it.");
    const [drawn] = await read(scope);
    expect(drawn!.type).toBe("rechartVisualize");
    const { dataset, ...chart } = JSON.parse(drawn!.content) as { dataset: string };
    expect(chart).toEqual({ type: "pie", title: 'Boats "pie"', caption: 'Four "boats".' });
    expect(JSON.parse(dataset)).toEqual(boats("pie").rows);
    const { turns } = await chat.request(listTurns, slugOf(scope), scope);
    expect(turns).toMatchObject([{ answer: 'Four "boats".', steps: [{ state: "done" }] }]);
  });

  it("are only their text if their chart is too large for a page", async () => {
    const scope = room();
    chat.llm.next(call("draw"), { reply: "Four." });
    const { chatId } = await chat.ask(scope, "Draw it.");
    await database.query(
      `UPDATE chat.turn SET steps = replace(steps::text, 'May', repeat('\\"', 200000))::json
      WHERE id = $1`,
      [chatId],
    );
    expect(await read(scope)).toMatchObject([{ type: "chat", content: "Four." }]);
  });

  it.each([
    [["Leith", null], false, ["Leith", null]],
    [[], true, [null, null]],
  ])("have their questions with the answers %j", async (answers, skipped, given) => {
    const scope = room();
    chat.llm.next(call("ask"), { reply: "Thanks." });
    const { generationId } = await chat.start(scope, "Ask me.");
    await chat.read(generationId, { until: isWaiting });
    await chat.request(answerStep, { id: generationId, step: 1, answers }, scope);
    await chat.read(generationId);
    expect((await read(scope))[0]!.clarifyingQuestions).toEqual([
      {
        questions,
        result: {
          skipped,
          answers: given.map((answer) => ({ skipped: answer === null, answer })),
        },
      },
    ]);
  });

  it("stay hidden once they were stopped, but not in the app", async () => {
    const scope = room();
    chat.llm.next({ ...call("ask"), reply: "Let me ask." });
    const { generationId } = await chat.start(scope, "Ask me.");
    await chat.read(generationId, { until: isWaiting });
    await chat.request(cancelGeneration, { id: generationId }, scope);
    await chat.read(generationId);
    expect(await read(scope)).toEqual([]);
    const { turns } = await chat.request(listTurns, slugOf(scope), scope);
    expect(turns).toMatchObject([{ answer: "Let me ask.", state: "cancelled" }]);
    const { chats } = await chat.request(
      listChatRecords,
      { offset: 0, limit: 1, workspaceId: scope.workspace.id },
      scope,
    );
    expect(JSON.parse(chats[0]!.response)).toMatchObject({ type: "chat", text: "Let me ask." });
  });
});
