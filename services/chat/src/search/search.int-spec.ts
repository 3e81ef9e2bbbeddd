import {
  activateTurn,
  createThread,
  deleteChats,
  deleteEditedThreadChats,
  listThreads,
  searchChats,
  updateThread,
  type WorkspaceScope,
} from "@carrel/contracts";
import { isThorough } from "@carrel/testing";
import { slugOf, startChat, user } from "../../test/chat-suite.ts";

const { chat, database } = await startChat("It is so.");

describe("search", () => {
  it("finds the user's visible messages with all words, and threads despite small typos", async () => {
    const scope = chat.as(chat.addWorkspace(), user(31));
    const { thread } = await chat.request(createThread, slugOf(scope), scope);
    await chat.request(
      updateThread,
      { ...slugOf(scope), threadSlug: thread!.slug, name: "Heating survey" },
      scope,
    );
    chat.llm.behave({ reply: "Die „Wärmepumpe“ läuft mit 48 °C. 熱ポンプの温度は高い。" });
    const { chatId } = await chat.ask(scope, "Wie läuft die Anlage?", { threadSlug: thread!.slug });
    const search = (term: string, who: WorkspaceScope = scope) =>
      chat.request(searchChats, { term }, { ...who });
    for (const term of [
      "wärmepumpe",
      "WÄRMEP",
      "anlage 48",
      "ポンプの温",
      "läuft pumpe".replace("pumpe", "wärme"),
    ])
      expect((await search(term)).messages.map((hit) => hit.chatId)).toEqual([chatId]);
    // Ignores accents, in both directions.
    for (const term of ["warmepumpe", "wármêpumpe", "WARMEP", "lauft anlage"])
      expect((await search(term)).messages).toMatchObject([
        { chatId, excerpt: expect.stringContaining("Wärmepumpe") },
      ]);
    chat.llm.behave({
      reply:
        "The oelwanne is not the Olwanne. Πού είναι ο ΔΡΌΜΟΣ; Ёлка, Łódź, straße, ガード, 한국어 검색.",
    });
    const folded = (await chat.ask(scope, "What of naive cafes?", { threadSlug: thread!.slug }))
      .chatId;
    for (const term of [
      "Ölwanne",
      "naïve cafés",
      "δρομος",
      "ΔΡΟΜΟΣ",
      "елка",
      "lodz",
      "STRASSE",
      "ガード",
      "한국어",
    ])
      expect((await search(term)).messages.map((hit) => hit.chatId)).toEqual([folded]);
    await chat.request(deleteChats, { ...slugOf(scope), chatIds: [folded] }, scope);
    for (const term of [
      "pumpenkessel",
      "wärmepumpe kessel",
      "'; DROP TABLE x --",
      "\\",
      "a' | 'b",
      ":*",
      "熱温度",
    ])
      expect((await search(term)).messages).toEqual([]);
    const [hit] = (await search("wärmepumpe")).messages;
    expect(hit).toMatchObject({
      threadSlug: thread!.slug,
      threadName: "Heating survey",
      workspaceId: scope.workspace.id,
      excerpt: expect.stringContaining("Wärmepumpe"),
    });
    for (const term of ["heating", "survey", "heatnig", "heating survay"])
      expect((await search(term)).threads).toMatchObject([{ name: "Heating survey" }]);
    expect((await search("lighting")).threads).toEqual([]);
    // Other users' messages, and parked, hidden or inaccessible ones.
    expect(await search("wärmepumpe", chat.as(scope, user(32)))).toEqual({
      threads: [],
      messages: [],
    });
    await chat.request(
      deleteEditedThreadChats,
      { ...slugOf(scope), threadSlug: thread!.slug, startingId: chatId },
      scope,
    );
    expect((await search("wärmepumpe")).messages).toEqual([]);
    await chat.request(activateTurn, { ...slugOf(scope), chatId }, scope);
    expect((await search("wärmepumpe")).messages).toHaveLength(1);
    chat.fixture.members.set(scope.workspace.id, new Set([99]));
    expect(await search("wärmepumpe")).toEqual({ threads: [], messages: [] });
  });

  /** A thorough run takes 100,000. */
  const turns = isThorough ? 100_000 : 20_000;
  it(`is fast over ${turns} turns of one user`, async () => {
    const scope = chat.as(chat.addWorkspace(), user(41));
    const { thread } = await chat.request(createThread, slugOf(scope), scope);
    await database.query(
      `INSERT INTO chat.thread (slug, workspace_id, user_id, name)
      SELECT gen_random_uuid()::text, $1, 41, 'Thread number ' || n
      FROM generate_series(1, 1000) n`,
      [scope.workspace.id],
    );
    await database.query(
      `INSERT INTO chat.turn (thread_id, workspace_id, user_id, question, answer, state)
      SELECT $1, $2, 41, 'What is the temperature of item' || n || '?',
        'The temperature of unit' || (n % 977) || ' in hall' || (n % 53) || ' is about ' || (n % 90)
          || ' degrees, as the survey of the building says.',
        'done'
      FROM generate_series(1, $3::int) n`,
      [thread!.id, scope.workspace.id, turns],
    );
    await database.query("ANALYZE chat.turn");
    await database.query("ANALYZE chat.turn_word");
    const took: Record<string, number> = {};
    /** The fastest of three runs, because other load only makes single ones slower. */
    const fastest = async (run: () => Promise<unknown>): Promise<number> => {
      const times: number[] = [];
      for (let round = 0; round < 3; round += 1) {
        const at = performance.now();
        await run();
        times.push(performance.now() - at);
      }
      return Math.round(Math.min(...times));
    };
    for (const term of [
      `item${turns - 7}`,
      "unit500 hall7",
      "temperature",
      "the temperature survey building",
      "nothing like this",
    ]) {
      const { messages } = await chat.request(searchChats, { term }, scope);
      took[term] = await fastest(() => chat.request(searchChats, { term }, scope));
      expect(messages.length).toBe(
        term === "nothing like this" ? 0 : term.startsWith("item") ? 1 : messages.length,
      );
    }
    expect((await chat.request(listThreads, slugOf(scope), scope)).threads).toHaveLength(1_001);
    took.listThreads = await fastest(() => chat.request(listThreads, slugOf(scope), scope));
    console.info(`search in ${turns} turns, ms:`, took);
    for (const milliseconds of Object.values(took))
      expect(milliseconds).toBeLessThan(isThorough ? 3_000 : 1_000);
  }, 120_000); // inserts all turns
});
