import { openSpeech, settingsChanged, type WorkspaceScope } from "@carrel/contracts";
import { PipeBrokenError } from "@carrel/messaging";
import { poll, type FakeRequest } from "@carrel/testing";
import { startChat, user } from "../../test/chat-suite.ts";

const { chat, sql } = await startChat("Behind the **shed** [1]. It is locked.");
chat.fixture.secrets.TTSOpenAICompatibleKey = chat.shared.secretBox.seal("fake-key");
beforeEach(() => {
  chat.llm.requests.length = 0;
});

const spoken = (): FakeRequest[] =>
  chat.llm.requests.filter(({ path }) => path.endsWith("/audio/speech"));
/** Changes settings; the replica receives the change a moment later. */
async function change(values: Record<string, string>): Promise<void> {
  Object.assign(chat.fixture.values, values);
  await chat.shared.messaging.broadcast.publish(`event:${settingsChanged.name}`, {
    keys: Object.keys(values),
  });
}
async function ask(question: string): Promise<{ scope: WorkspaceScope; chatId: number }> {
  const scope = chat.addWorkspace();
  return { scope, chatId: (await chat.ask(scope, question)).chatId };
}
async function listen({ scope, chatId }: Awaited<ReturnType<typeof ask>>): Promise<string[]> {
  const { speech } = await chat.request(openSpeech, { chatId }, scope);
  expect(speech!.mime).toBe("audio/mpeg");
  const parts: string[] = [];
  for await (const part of chat.shared.messaging.pipes.read(speech!.pipe))
    parts.push(Buffer.from(part, "base64").toString());
  return parts;
}

beforeAll(async () => {
  const { scope, chatId } = await ask("Are you there?");
  await change({
    TextToSpeechProvider: "generic-openai",
    TTSOpenAICompatibleEndpoint: `${chat.llm.url}/v1`,
    TTSOpenAICompatibleModel: "small",
    TTSOpenAICompatibleVoiceModel: "deep",
  });
  await poll(() => chat.request(openSpeech, { chatId }, scope)).not.toEqual({ speech: null });
});

describe("an answer", () => {
  it("is spoken without its markup, sentence by sentence, and remembered by voice", async () => {
    chat.llm.behave({ reply: "It's **behind** the shed [1]. It is locked." });
    const answer = await ask("Where is the key?");
    chat.llm.behave({ reply: "echo" });
    const text = "It's behind the shed. It is locked.";
    expect((await listen(answer)).join("")).toBe(text);
    expect(spoken().map(({ body }) => body)).toMatchObject([
      { model: "small", voice: "deep", input: text },
    ]);
    expect((await listen(answer)).join("")).toBe(text);
    expect(spoken()).toHaveLength(1);
    await change({ TTSOpenAICompatibleVoiceModel: "high" });
    await poll(async () => {
      await listen(answer);
      return spoken().map(({ body }) => body.voice);
    }).toEqual(["deep", "high"]);
  });

  it("is counted in characters, once, at an unknown price", async () => {
    chat.llm.behave({ reply: "Under the **mat**." });
    const answer = await ask("Where is the spare key?");
    chat.llm.behave({ reply: "echo" });
    for (let times = 0; times < 2; times += 1) await listen(answer);
    await poll(() =>
      sql("SELECT * FROM chat.model_usage WHERE purpose = 'speech' AND workspace_id = $1", [
        answer.scope.workspace.id,
      ]),
    ).toMatchObject([
      {
        ...{ state: "done", provider: "generic-openai", model: "small" },
        ...{ characters: "Under the mat.".length, input_tokens: 0, cost: null },
      },
    ]);
  });

  it("isn't spoken while a budget is used up, nor too often for one person", async () => {
    chat.llm.behave({ reply: "On the shelf." });
    const answer = await ask("Where is the manual?");
    chat.llm.behave({ reply: "echo" });
    await sql(
      `INSERT INTO chat.budget (subject, subject_id, period, unit, stop_at, period_start, used, calls)
      VALUES ('workspace', $1, 'day', 'dollars', 5, budget_period_start('day'), 5, 1)`,
      [answer.scope.workspace.id],
    );
    await expect(listen(answer)).rejects.toMatchObject({
      code: "budget.day-used",
      kind: "REFUSED",
    });
    expect(spoken()).toEqual([]);
    await sql("DELETE FROM chat.budget");
    // What was spoken once costs nothing, so it isn't limited.
    await listen(answer);
    const scope = chat.as(answer.scope, user(930));
    chat.llm.behave({ reply: "It is late." });
    const { chatId } = await chat.ask(scope, "Again?");
    chat.llm.behave({ status: 401 });
    const attempts = await Promise.allSettled(
      Array.from({ length: 48 }, () => chat.request(openSpeech, { chatId }, scope)),
    );
    expect(attempts).toContainEqual(
      expect.objectContaining({
        reason: expect.objectContaining({ code: "access.too-many-attempts", retryAfter: 2 }),
      }),
    );
    chat.llm.behave({ reply: "echo" });
    expect(await listen(answer)).not.toEqual([]);
  });

  it("is heard from its first sentence on, while the rest is generated", async () => {
    const long = `It stands in the cellar. ${"The tank beside it holds three hundred litres of water. ".repeat(30)}`;
    chat.llm.behave({ reply: long });
    const { scope, chatId } = await ask("Where is the boiler?");
    chat.llm.behave({ reply: "echo" });
    const { speech } = await chat.request(openSpeech, { chatId }, scope);
    expect(spoken()[0]!.body.input).toMatch(
      /^It stands in the cellar\. The tank [^.]*\.( The tank [^.]*\.)?$/,
    );
    const heard: string[] = [];
    for await (const part of chat.shared.messaging.pipes.read(speech!.pipe))
      heard.push(Buffer.from(part, "base64").toString());
    expect(heard.join("").replace(/\.(?=The)/g, ". ")).toBe(long.trim());
    expect(spoken().length).toBeGreaterThan(1);
  });

  it("ends the vendor's request when nobody listens any more", async () => {
    chat.llm.behave({ reply: "Anna has it." });
    const answer = await ask("Who has the key?");
    chat.llm.behave({ tokens: 100_000, delayMs: 5 });
    const { speech } = await chat.request(openSpeech, { chatId: answer.chatId }, answer.scope);
    for await (const _part of chat.shared.messaging.pipes.read(speech!.pipe)) break;
    await poll(() => spoken()[0]!.aborted).toBe(true);
    // What was sent is charged, and stopping isn't a failure.
    await poll(() =>
      sql("SELECT state FROM chat.model_usage WHERE purpose = 'speech' AND workspace_id = $1", [
        answer.scope.workspace.id,
      ]),
    ).toEqual([{ state: "cancelled" }]);
  });

  it("says what the provider refuses, and breaks off where it fails later", async () => {
    chat.llm.behave({ reply: "Because it is cold." });
    const answer = await ask("Why?");
    chat.llm.behave({ status: 401 });
    await expect(listen(answer)).rejects.toMatchObject({ code: "provider.key-rejected" });
    chat.llm.behave({ reply: "One two three four.", delayMs: 20, breakAfter: 2 });
    await expect(listen(answer)).rejects.toBeInstanceOf(PipeBrokenError);
    // The broken audio isn't cached.
    chat.llm.behave({ reply: "echo" });
    expect((await listen(answer)).join("")).toBe("Because it is cold.");
  });

  it("of code alone has nothing to say", async () => {
    chat.llm.behave({ reply: "```js\nlet a;\n```" });
    const { scope, chatId } = await ask("Code?");
    expect(await chat.request(openSpeech, { chatId }, scope)).toEqual({ speech: null });
  });

  it("isn't spoken by the server if browsers read aloud", async () => {
    const { scope, chatId } = await ask("Where?");
    chat.llm.behave({ reply: "echo" });
    const isSpoken = async () =>
      (await chat.request(openSpeech, { chatId }, scope)).speech !== null;
    for (const [provider, expected] of [
      ["native", false],
      ["generic-openai", true],
      ["piper_local", false],
    ] as const) {
      await change({ TextToSpeechProvider: provider });
      await poll(isSpoken).toBe(expected);
    }
  });

  it("names the setting that is missing", async () => {
    const { scope, chatId } = await ask("When?");
    await change({ TextToSpeechProvider: "elevenlabs" });
    await poll(() =>
      chat.request(openSpeech, { chatId }, scope).catch((error: unknown) => error),
    ).toMatchObject({ code: "provider.key-missing" });
  });
});
