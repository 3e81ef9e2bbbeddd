import {
  createShare,
  publicPrincipal,
  readShare,
  updateChat,
  type Scope,
  type WorkspaceScope,
} from "@carrel/contracts";
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

  const survey = passageOf({
    text: "# Survey\n\nThe survey was made in May.\n\n# Rooms\n\nThe radiators cover most rooms.\nThey are from 1998.",
    start: 1_000,
    end: 1_096,
  });

  it.each(["query", "chat"] as const)(
    "shows the closest passages in %s mode if no sentence answers",
    async (chatMode) => {
      const scope = chat.addWorkspace({ chatProvider: "extractive", chatMode }, [survey]);
      const { frames, chatId } = await chat.ask(scope, "Who painted the kitchen radiators green?");
      const excerpt = "The radiators cover most rooms.\nThey are from 1998.";
      const answer =
        "No sentence answers this directly. The closest passages:\n\n> The radiators cover most rooms.\\\n> They are from 1998. [1]";
      expect(textOf(frames)).toBe(answer);
      const begin = survey.text.indexOf("The radiators");
      const source = {
        text: expect.stringMatching(/<\/document_metadata>\n\nThe radiators[^#]*1998\.$/),
        start: 1_000 + begin,
        end: 1_000 + begin + excerpt.length,
      };
      expect(frames.map(({ frame }) => frame)).toContainEqual({
        type: "generationSources",
        sources: [expect.objectContaining(source)],
        answerKind: "closest-passages",
      });
      // Existing clients see an ordinary answer.
      expect(wireFrames(frames).map(({ type }) => type)).toEqual([
        "textResponseChunk",
        "textResponseChunk",
        "textResponseChunk",
        "finalizeResponseStream",
      ]);
      expect(wireFrames(frames).at(-1)).toMatchObject({
        chatId,
        metrics: { answer_kind: "closest-passages" },
      });
      expect(await chat.history(scope)).toMatchObject([
        { role: "user" },
        { role: "assistant", content: answer, sources: [source] },
      ]);
      // A share link also shows the excerpts, and tells its page what they are.
      const { token } = await chat.request(
        createShare,
        { slug: scope.workspace.slug, audience: "anyone", expiresInDays: null },
        scope,
      );
      const visitor: Scope = { principal: publicPrincipal, workspace: null, address: "192.0.2.7" };
      const shared = await chat.request(readShare, { token, after: 0 }, visitor as WorkspaceScope);
      expect(shared.turns).toMatchObject([
        { answerKind: "closest-passages", sources: [{ number: 1, text: excerpt }] },
      ]);
      const text = "They were painted by the caretaker.";
      await chat.request(
        updateChat,
        { slug: scope.workspace.slug, chatId: chatId!, newText: text, role: "assistant" },
        scope,
      );
      const [, edited] = await chat.history(scope);
      expect(edited).toMatchObject({ content: text, metrics: { provider: "extractive" } });
      expect(edited).not.toHaveProperty("metrics.answer_kind");
    },
  );

  it("without a match, refuses in query mode and says so in chat mode", async () => {
    const question = "Who won the chess tournament in Reykjavik?";
    const query = await chat.ask(
      chat.addWorkspace({ chatProvider: "extractive", chatMode: "query" }, quoted),
      question,
    );
    expect(wireFrames(query.frames)).toMatchObject([{ type: "textResponse" }]);
    const workspace = chat.addWorkspace({ chatProvider: "extractive" }, quoted);
    const free = await chat.ask(workspace, question);
    // Stored with the turn, so share links and widgets show it too: not a word about settings.
    expect(textOf(free.frames)).toBe(
      "I found nothing in the documents of this workspace that answers this.",
    );
    expect(wireFrames(free.frames).at(-1)).toMatchObject({
      metrics: { answer_kind: "nothing-found" },
    });
    const french = await chat.ask({ ...workspace, language: "fr" }, question);
    expect(textOf(french.frames)).toBe(
      "Je n’ai trouvé aucune réponse dans les documents de cet espace.",
    );
  });
});
