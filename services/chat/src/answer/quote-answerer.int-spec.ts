import { ChatInstance } from "../../test/chat-instance.ts";
import { passageOf } from "../../test/factories/passage.ts";
import { textOf, wireFrames } from "../../test/received-frame.ts";

let chat: ChatInstance;
beforeAll(async () => {
  chat = await ChatInstance.start();
  await chat.startReplica();
});
afterAll(() => chat.stop());
beforeEach(() => chat.llm.behave({ reply: "It runs at 48 °C [1].", delayMs: 0 }));

type Frames = Awaited<ReturnType<ChatInstance["read"]>>;
const sourcesOf = (frames: Frames): object[] =>
  wireFrames(frames).flatMap((frame) => (frame.sources as object[] | undefined) ?? []);

describe("built-in answerer", () => {
  const quoted = [
    passageOf({
      text: "The survey was made in May. At a flow temperature of 48 °C, 78 % of the radiators cover their room. Lunch was served at noon.",
      score: 0.9,
      textScore: 0.9,
    }),
  ];

  it("quotes verbatim, with marks that have sources", async () => {
    const scope = chat.addWorkspace({ chatProvider: "extractive" }, quoted);
    const { frames } = await chat.ask(
      scope,
      "At which flow temperature do the radiators cover their room?",
    );
    expect(textOf(frames)).toContain(
      "At a flow temperature of 48 °C, 78 % of the radiators cover their room. [1]",
    );
    for (const quote of textOf(frames).split("\n\n"))
      expect(quoted[0]!.text).toContain(quote.replace(/ \[1\]$/, ""));
    const closing = wireFrames(frames).find((frame) => frame.close === true)!;
    expect(closing.sources).toHaveLength(1);
    expect(wireFrames(frames).at(-1)).toMatchObject({
      type: "finalizeResponseStream",
      metrics: { provider: "extractive" },
    });
  });

  it("summarises the documents on request, whatever the search finds", async () => {
    const scope = chat.addWorkspace({ chatProvider: "extractive", chatMode: "query" }, [
      passageOf({
        text: "The tram line connects the harbour with the university. It rained in April.",
        chunkId: "11111111-1111-4111-8111-111111111111",
        score: 0.1,
      }),
      passageOf({
        text: "Students of the university use the tram line to the harbour every day.",
        chunkId: "22222222-2222-4222-8222-222222222222",
        score: 0.1,
      }),
    ]);
    const { frames } = await chat.ask(scope, "Summarize the main points of these documents.");
    expect(textOf(frames)).toContain("The tram line connects the harbour with the university. [1]");
    expect(sourcesOf(frames)).toHaveLength(2);
    for (const source of sourcesOf(frames)) expect(source).not.toHaveProperty("score");
  });

  const tramLines = [
    passageOf({
      text: "The tram line connects the harbour with the university. It rained in April.",
      chunkId: "11111111-1111-4111-8111-111111111111",
    }),
  ];
  const partial = { code: "notice.summary-partial", params: { covered: 1, total: 40 } };

  it.each(["extractive", undefined])(
    "says how many documents a summary covers (provider: %s)",
    async (chatProvider) => {
      const scope = chat.addWorkspace({ ...(chatProvider && { chatProvider }) }, tramLines);
      chat.fixture.documentCounts.set(scope.workspace.id, 40);
      const { frames } = await chat.ask(scope, "Summarize the main points of these documents.");
      expect(frames.map(({ frame }) => frame)).toContainEqual({
        type: "generationNotice",
        notice: partial,
      });
      expect(sourcesOf(frames)).toHaveLength(1);
      expect(sourcesOf(frames)[0]).not.toHaveProperty("score");
    },
  );

  it("lets a model summarise the conversation if a follow-up asks for it", async () => {
    const scope = chat.addWorkspace({}, tramLines);
    chat.fixture.documentCounts.set(scope.workspace.id, 40);
    await chat.ask(scope, "Where does the tram line go?");
    const { frames } = await chat.ask(scope, "Summarize that");
    expect(frames.map(({ frame }) => frame)).not.toContainEqual(
      expect.objectContaining({ type: "generationNotice" }),
    );
    expect(sourcesOf(frames)).toMatchObject([{ score: 0.8 }]);
  });

  it("without a match, refuses in query mode and explains itself in chat mode", async () => {
    const question = "Who won the chess tournament in Reykjavik?";
    const query = await chat.ask(
      chat.addWorkspace({ chatProvider: "extractive", chatMode: "query" }, quoted),
      question,
    );
    expect(wireFrames(query.frames)).toMatchObject([{ type: "textResponse" }]);
    const free = await chat.ask(
      chat.addWorkspace({ chatProvider: "extractive" }, quoted),
      question,
    );
    expect(textOf(free.frames)).toMatch(/found nothing in the documents[\s\S]*does not write/);
  });
});
