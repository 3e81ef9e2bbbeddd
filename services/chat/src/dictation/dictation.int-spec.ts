import { randomUUID } from "node:crypto";
import {
  CarrelError,
  longestDictation,
  settingsChanged,
  transcribeRecording,
  type WorkspaceScope,
} from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { startChat } from "../../test/chat-suite.ts";

const { chat, sql } = await startChat("Meet me at noon.");
const scope = { ...chat.addWorkspace(), workspace: null } as unknown as WorkspaceScope;
chat.fixture.secrets.STTOpenAICompatibleKey = chat.shared.secretBox.seal("fake-key");
/** Changes settings and waits until the replica has received the change. */
async function choose(values: Record<string, string>, isBrowser: boolean): Promise<void> {
  Object.assign(chat.fixture.values, values);
  await chat.shared.messaging.broadcast.publish(`event:${settingsChanged.name}`, {
    keys: Object.keys(values),
  });
  const refused = () => dictate(recording("x")).catch((error: unknown) => error);
  await poll(async () => {
    const reply = await refused();
    return reply instanceof CarrelError && reply.code === "dictation.in-browser";
  }).toBe(isBrowser);
}
beforeAll(() =>
  choose(
    {
      SpeechToTextProvider: "generic-openai",
      STTOpenAICompatibleEndpoint: `${chat.llm.url}/v1`,
      STTOpenAICompatibleModel: "small",
    },
    false,
  ),
);
beforeEach(() => {
  chat.llm.requests.length = 0;
});

async function dictate(parts: AsyncIterable<string>): Promise<string> {
  const pipe = `dictation:${randomUUID()}`;
  await chat.shared.messaging.pipes.open(pipe);
  const writing = chat.shared.messaging.pipes
    .write(pipe, parts, AbortSignal.timeout(30_000))
    .catch(() => undefined);
  const reply = chat.request(
    transcribeRecording,
    { pipe, filename: "speech.webm", mime: "audio/webm" },
    scope,
  );
  await Promise.all([writing, reply.catch(() => undefined)]);
  return (await reply).text;
}
async function* recording(...parts: string[]): AsyncGenerator<string> {
  for (const part of parts) yield Buffer.from(part).toString("base64");
}

describe("a recording", () => {
  it("is sent to the provider as it came, and its text returned", async () => {
    expect(await dictate(recording("first ", "second"))).toBe("Meet me at noon.");
    const sent = JSON.stringify(chat.llm.requests[0]!.body);
    for (const part of ["first second", "speech.webm", "audio/webm", "small"])
      expect(sent).toContain(part);
  });

  it("is counted in seconds, in no workspace, and refused while a budget is used up", async () => {
    const counted = () => sql("SELECT * FROM chat.model_usage WHERE purpose = 'dictation'");
    const before = (await counted()).length;
    await dictate(recording("one"));
    expect((await counted()).slice(before)).toMatchObject([
      {
        ...{ workspace_id: null, provider: "generic-openai", model: "small", state: "done" },
        ...{ audio_ms: "3000", is_estimated: false, cost: null },
      },
    ]);
    await sql(
      `INSERT INTO chat.budget (subject, period, unit, stop_at, period_start, used, calls)
      VALUES ('instance', 'month', 'dollars', 5, budget_period_start('month'), 5, 1)`,
    );
    const calls = chat.llm.requests.length;
    await expect(dictate(recording("two"))).rejects.toMatchObject({ code: "budget.month-used" });
    expect(chat.llm.requests).toHaveLength(calls);
    await sql("DELETE FROM chat.budget");
  });

  it("that is empty, breaks off or is too large is refused", async () => {
    await expect(dictate(recording())).rejects.toMatchObject({ code: "dictation.audio-missing" });
    const broken = (async function* () {
      yield* recording("first");
      throw new Error("gone");
    })();
    await expect(dictate(broken)).rejects.toMatchObject({ code: "dictation.broken" });
    const megabyte = "x".repeat(1024 * 1024);
    const parts = longestDictation / megabyte.length + 1;
    await expect(dictate(recording(...Array<string>(parts).fill(megabyte)))).rejects.toMatchObject({
      code: "dictation.too-large",
    });
    expect(chat.llm.requests).toEqual([]);
  });

  it("is refused with what the provider says", async () => {
    chat.llm.behave({ status: 400, error: { message: "Invalid file format." } });
    await expect(dictate(recording("x"))).rejects.toMatchObject({
      code: "provider.request-rejected",
      message: expect.stringContaining("Invalid file format."),
    });
  });

  it("isn't needed while browsers recognize speech", async () => {
    await choose({ SpeechToTextProvider: "native" }, true);
  });
});
