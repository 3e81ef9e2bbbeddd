import { performance } from "node:perf_hooks";
import { settingsChanged } from "@carrel/contracts";
import { startFakeLlm, type FakeLlm } from "@carrel/testing";
import { ChatInstance } from "../../test/chat-instance.ts";

/** Enough that both replicas answer some. */
const questions = 20;
/** Far below the time after which cached settings expire by themselves. */
const limitMs = 1_000;

let chat: ChatInstance;
let other: FakeLlm;
beforeAll(async () => {
  [chat, other] = await Promise.all([ChatInstance.start(), startFakeLlm({ apiKey: "fake-key" })]);
  await Promise.all([chat.startReplica(), chat.startReplica()]);
});
afterAll(async () => {
  await chat.stop();
  await other.stop();
});

/** Saves and announces the model server like the workspace service. */
async function change(address: string): Promise<void> {
  chat.fixture.values = { ...chat.fixture.values, GenericOpenAiBasePath: address };
  chat.fixture.settingsVersion += 1;
  await chat.shared.messaging.broadcast.invalidate(settingsChanged, {
    keys: ["GenericOpenAiBasePath"],
  });
}

/** Asks in many threads at once; returns how many questions each model server got. */
async function ask(): Promise<[before: number, after: number]> {
  const counts = (): [number, number] => [chat.llm.requests.length, other.requests.length];
  const [one, two] = counts();
  await Promise.all(
    Array.from({ length: questions }, () => chat.ask(chat.addWorkspace(), "Is it live?")),
  );
  const [first, second] = counts();
  return [first - one, second - two];
}

describe("a settings change", () => {
  it("is live in every replica within a second, and so is its undo", async () => {
    const before = chat.fixture.values.GenericOpenAiBasePath!;
    // Every replica has cached the settings now.
    expect(await ask()).toEqual([questions, 0]);
    for (const [address, expected] of [
      [`${other.url}/v1`, [0, questions]],
      [before, [questions, 0]],
    ] as const) {
      const changedAt = performance.now();
      await change(address);
      const took = performance.now() - changedAt;
      expect(took).toBeLessThan(limitMs);
      expect(await ask()).toEqual(expected);
    }
  });
});
