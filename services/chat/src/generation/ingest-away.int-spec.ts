import { cancelGeneration } from "@carrel/contracts";
import { ChatInstance } from "../../test/chat-instance.ts";
import { passageOf } from "../../test/factories/passage.ts";
import { textOf, wireFrames, type ReceivedFrame } from "../../test/received-frame.ts";

let chat: ChatInstance;
beforeAll(async () => {
  chat = await ChatInstance.start();
  await chat.startReplica();
});
afterAll(() => chat.stop());
beforeEach(() => chat.llm.behave({ reply: "It runs at 48 °C [1]." }));

const isNotice = ({ frame }: ReceivedFrame): boolean => frame.type === "statusResponse";

describe("a question while ingest is away", () => {
  it("is told to be late within seconds, and answered once ingest is back", async () => {
    const scope = chat.addWorkspace({}, [passageOf()]);
    await chat.stopIngest();
    const { generationId } = await chat.start(scope, "How warm does the pump run?");
    const waiting = await chat.read(generationId, { until: isNotice, timeoutMs: 15_000 });
    expect(wireFrames(waiting).at(-1)).toMatchObject({
      textResponse: expect.stringContaining("longer than usual"),
    });
    await chat.startIngest();
    const frames = await chat.read(generationId);
    expect(textOf(frames)).toBe("It runs at 48 °C [1].");
    expect(wireFrames(frames).at(-1)).toMatchObject({ type: "finalizeResponseStream" });
  });

  it("doesn't wait if neither its conversation nor the workspace had documents", async () => {
    const scope = chat.addWorkspace();
    await chat.ask(scope, "Who are you?");
    await chat.stopIngest();
    chat.llm.behave({ reply: "Hello again." });
    const { frames } = await chat.ask(scope, "And what can you do?");
    expect(textOf(frames)).toBe("Hello again.");
    expect(wireFrames(frames).filter(({ type }) => type === "statusResponse")).toMatchObject([
      { textResponse: expect.stringContaining("doesn't use any") },
    ]);
    await chat.startIngest();
    const { frames: later } = await chat.ask(scope, "Is all well again?");
    expect(later.some(isNotice)).toBe(false);
  });

  it("can be stopped while it waits", async () => {
    const scope = chat.addWorkspace({}, [passageOf()]);
    await chat.stopIngest();
    const { generationId } = await chat.start(scope, "How warm does the pump run?");
    await chat.read(generationId, { until: ({ frame }) => frame.type === "generationStage" });
    await chat.request(cancelGeneration, { id: generationId }, scope);
    // Ingest is still away.
    await chat.read(generationId, { timeoutMs: 10_000 });
    await chat.startIngest();
  });
});
