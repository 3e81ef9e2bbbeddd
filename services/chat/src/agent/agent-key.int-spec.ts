import { randomUUID } from "node:crypto";
import {
  answerStep,
  attachGeneration,
  cancelGeneration,
  decideStep,
  findGeneratedFile,
  readStep,
  type AnswerOverrides,
  type Principal,
  type RunStep,
} from "@carrel/contracts";
import { DataSource } from "typeorm";
import { failing, offerTools, stepsOf, toolOf } from "../../test/agent-tools.ts";
import { ChatInstance } from "../../test/chat-instance.ts";
import { textOf, type ReceivedFrame } from "../../test/received-frame.ts";

let chat: ChatInstance;
let database: DataSource;
let tools: ReturnType<typeof offerTools>;
beforeAll(async () => {
  chat = await ChatInstance.start();
  await chat.startReplica();
  database = await new DataSource({ type: "postgres", url: chat.database.url }).initialize();
  tools = offerTools(
    toolOf("look", () => ({ text: "High tide is at noon." })),
    toolOf("fail", () => failing("The table is locked.")),
    toolOf("mail", () => ({ text: "Sent." }), {
      skill: "mail",
      effect: "send",
      approval: "always",
    }),
    toolOf("ask", async (_, { ask }) => {
      const [answer] = await ask([
        { kind: "input", question: "Which year?", inputType: "number", placeholder: "" },
      ]);
      return { text: `The person said: ${String(answer)}` };
    }),
  );
});
afterAll(async () => {
  tools?.restore();
  await database?.destroy();
  await chat?.stop();
});

const key = (keyId: number, more: Partial<Principal> = {}): Principal => ({
  kind: "key",
  userId: null,
  role: "admin",
  keyId,
  scopes: ["chat"],
  ...more,
});
const call = (name: string) => ({ toolCalls: [{ name, input: {} }] });
const isWaiting = ({ frame }: ReceivedFrame): boolean =>
  frame.type === "generationStep" && (frame.step as RunStep).state === "waiting";
const typesOf = (frames: readonly ReceivedFrame[]) => frames.map(({ frame }) => frame.type);

/** A question as the developer API asks it. */
async function ask(
  principal: Principal,
  overrides: AnswerOverrides,
  ...behaviours: Parameters<typeof chat.llm.next>
) {
  const scope = chat.as(chat.addWorkspace(), principal);
  chat.llm.next(...behaviours);
  const { generationId } = await chat.start(scope, "@agent Do it.", { overrides });
  return { scope, generationId };
}
const denied: AnswerOverrides = { asksPerson: false };
const patient: AnswerOverrides = { asksPerson: true, waitSeconds: 60 };

describe("an agent called with a key", () => {
  it("makes calls, reads what fails and answers", async () => {
    const { generationId } = await ask(key(1), denied, call("look"), call("fail"), {
      reply: "At noon.",
    });
    const frames = await chat.read(generationId);
    expect(stepsOf(frames)).toMatchObject([
      { tool: "look", state: "done" },
      { tool: "fail", state: "failed", result: "The table is locked." },
    ]);
    expect(textOf(frames)).toBe("At noon.");
  });

  it("is denied at once what needs an approval if its client reads no steps", async () => {
    const { generationId } = await ask(key(1), denied, call("mail"), { reply: "I couldn't." });
    const frames = await chat.read(generationId, { timeoutMs: 20_000 });
    expect(stepsOf(frames)).toMatchObject([
      { state: "denied", approval: null, fault: { code: "tool.needs-approval" } },
    ]);
    expect(textOf(frames)).toBe("I couldn't.");
  });

  it("goes on without an approval once its client's time is up", async () => {
    const { generationId } = await ask(
      key(1),
      { asksPerson: true, waitSeconds: 1 },
      call("mail"),
      call("ask"),
      { reply: "I couldn't." },
    );
    const frames = await chat.read(generationId);
    expect(stepsOf(frames)).toMatchObject([
      { state: "denied", approval: { decision: "timed-out" } },
      { state: "done", result: "The person said: null" },
    ]);
    expect(textOf(frames)).toBe("I couldn't.");
  });
});

describe("a step of an agent called with a key", () => {
  const waiting = async (principal: Principal, tool: string) => {
    const { scope, generationId } = await ask(principal, patient, call(tool), { reply: "Done." });
    const frames = await chat.read(generationId, { until: isWaiting });
    const step = frames.at(-1)!.frame.step as RunStep;
    return { scope, step, place: { id: generationId, step: step.id } };
  };

  it("is decided with this key, but not once and for all", async () => {
    const { scope, step, place } = await waiting(key(1), "mail");
    expect(step.approval).toMatchObject({ decision: null, canBeLasting: false });
    expect(await chat.request(decideStep, { ...place, decision: "once" }, scope)).toEqual({
      success: true,
    });
    expect(stepsOf(await chat.read(place.id))).toMatchObject([{ state: "done" }]);
    expect(await chat.request(readStep, place, scope)).toEqual({ input: "{}", result: "Sent." });
  });

  it("is answered with this key, on whoever's behalf it was requested", async () => {
    const { scope, place } = await waiting(key(1, { userId: 7 }), "ask");
    const answer = { ...place, answers: ["1999"] };
    expect(await chat.request(answerStep, answer, chat.as(scope, key(1)))).toEqual({
      success: true,
    });
    expect(stepsOf(await chat.read(place.id))).toMatchObject([
      { state: "done", result: "The person said: 1999" },
    ]);
  });

  it("looks like a missing one to other keys, and where this one may no longer go", async () => {
    const { scope, place } = await waiting(key(1), "mail");
    const elsewhere = key(1, { workspaceIds: [scope.workspace.id + 1] });
    for (const other of [key(2), elsewhere, { ...key(1), kind: "extension" as const, userId: 5 }]) {
      const as = chat.as(scope, other);
      const missing = { code: "generation.not-found" };
      await expect(
        chat.request(decideStep, { ...place, decision: "once" }, as),
      ).rejects.toMatchObject(missing);
      await expect(chat.request(readStep, place, as)).rejects.toMatchObject(missing);
    }
    const here = chat.as(scope, key(1, { workspaceIds: [scope.workspace.id] }));
    expect(await chat.request(decideStep, { ...place, decision: "denied" }, here)).toEqual({
      success: true,
    });
    expect(stepsOf(await chat.read(place.id))).toMatchObject([{ state: "denied" }]);
  });

  it("of a person's answer looks like a missing one to every key", async () => {
    const scope = chat.addWorkspace({ chatMode: "automatic" });
    chat.llm.next(call("mail"));
    const { generationId: id } = await chat.start(scope, "Do it.");
    await chat.read(id, { until: isWaiting });
    const as = chat.as(scope, key(1));
    const missing = { code: "generation.not-found" };
    const decision = { id, step: 1, decision: "denied" as const };
    await expect(chat.request(decideStep, decision, as)).rejects.toMatchObject(missing);
    await expect(chat.request(readStep, { id, step: 1 }, as)).rejects.toMatchObject(missing);
    // It would be answered, and then its memories extracted, with what other tests expect.
    await chat.request(cancelGeneration, { id }, scope);
    await chat.read(id);
  });
});

describe("readers of an answer", () => {
  it("learn that an agent writes it before anything else of it", async () => {
    const { scope, generationId } = await ask(key(1), denied, call("look"), { reply: "Done." });
    const types = typesOf(await chat.read(generationId));
    expect(types.indexOf("generationAgent")).toBeGreaterThan(-1);
    expect(types.indexOf("generationAgent")).toBeLessThan(types.indexOf("generationStep"));
    expect(types.indexOf("generationAgent")).toBeLessThan(types.indexOf("textResponseChunk"));
    await chat.shared.messaging.streams.drop(`gen:${generationId}`);
    const { frames } = await chat.request(attachGeneration, { generationId }, scope);
    expect((frames as { type: string }[]).map(({ type }) => type)).toContain("generationAgent");
  });

  it("don't if none does", async () => {
    chat.llm.next({ reply: "Hello." });
    const scope = chat.as(chat.addWorkspace({ chatMode: "automatic" }), key(1));
    const asked = await chat.ask(scope, "Hello?", { mode: "chat" });
    expect(typesOf(asked.frames)).not.toContain("generationAgent");
    const quoting = chat.addWorkspace({ chatProvider: "extractive" });
    const quoted = await chat.ask(chat.as(quoting, key(1)), "@agent Hello?");
    expect(typesOf(quoted.frames)).not.toContain("generationAgent");
  });
});

it("an agent answers clients of OpenAI's protocol in automatic workspaces", async () => {
  const scope = chat.as(chat.addWorkspace({ chatMode: "automatic" }), key(1));
  chat.llm.next(call("look"), call("mail"), { reply: "At noon." });
  const { frames } = await chat.ask(scope, "When is high tide?", {
    conversation: { channel: "openai", sessionId: "one" },
    overrides: { systemPrompt: null, history: [] },
  });
  expect(stepsOf(frames)).toMatchObject([{ state: "done" }, { state: "denied", approval: null }]);
  expect(textOf(frames)).toBe("At noon.");
});

it("keys find the files of their workspaces' answers, or only of those without an owner", async () => {
  const scope = chat.as(chat.addWorkspace(), key(1, { userId: 7 }));
  chat.llm.next({ reply: "Done." });
  const { chatId } = await chat.ask(scope, "Make it.");
  const file = `${randomUUID()}.txt`;
  await database.query(
    `INSERT INTO chat.generated_file (file, turn_id, name, mime, bytes)
    VALUES ($1, $2, 'tides.txt', 'text/plain', 4)`,
    [file, chatId],
  );
  const find = (principal: Principal, ownerless = false) =>
    chat.request(findGeneratedFile, { file, ownerless }, chat.as(scope, principal));
  const { id } = scope.workspace;
  const person: Principal = { kind: "user", userId: 7, role: "default" };
  for (const principal of [key(2), key(2, { workspaceIds: [id] }), person])
    expect(await find(principal)).toMatchObject({ name: "tides.txt" });
  const missing = { code: "tool.file-missing" };
  for (const principal of [key(2, { workspaceIds: [id + 1] }), { ...person, userId: 8 }])
    await expect(find(principal)).rejects.toMatchObject(missing);
  await expect(find(key(2), true)).rejects.toMatchObject(missing);
});
