import {
  activateTurn,
  deleteChats,
  deleteEditedChats,
  hideChat,
  listTurns,
  openSpeech,
  rateChat,
  startGeneration,
  updateChat,
  type WorkspaceScope,
} from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { slugOf, startChat, user } from "../../test/chat-suite.ts";

const { chat, database } = await startChat("It is so.");

const page = async (scope: WorkspaceScope, thread?: string) =>
  (await chat.request(listTurns, { ...slugOf(scope), thread }, scope)).turns;
const questions = async (scope: WorkspaceScope): Promise<string[]> =>
  (await chat.history(scope)).filter((item) => item.role === "user").map((item) => item.content);
const askAll = async (scope: WorkspaceScope, ...texts: string[]): Promise<number[]> => {
  const ids = [];
  for (const text of texts) ids.push((await chat.ask(scope, text)).chatId);
  return ids;
};

describe("branches", () => {
  it("an edited question keeps the earlier path, and either can be activated", async () => {
    const scope = chat.addWorkspace();
    const [first, second, third] = await askAll(scope, "One?", "Two?", "Three?");
    const edited = (await chat.ask(scope, "Two, in other words?", { replaces: second! })).chatId;
    expect(await questions(scope)).toEqual(["One?", "Two, in other words?"]);
    expect(
      (await page(scope)).map(({ id, parentId, siblings }) => ({ id, parentId, siblings })),
    ).toEqual([
      { id: first, parentId: null, siblings: [] },
      { id: edited, parentId: first, siblings: [second, edited] },
    ]);
    const prompt = chat.llm.requests.at(-1)!.body as {
      messages: { role: string; content: string }[];
    };
    expect(
      prompt.messages.filter(({ role }) => role === "user").map(({ content }) => content),
    ).toEqual(["One?", "Two, in other words?"]);

    await chat.request(activateTurn, { ...slugOf(scope), chatId: second! }, scope);
    expect((await page(scope)).map(({ id }) => id)).toEqual([first, second, third]);
    await chat.request(activateTurn, { ...slugOf(scope), chatId: edited }, scope);
    expect((await page(scope)).map(({ id }) => id)).toEqual([first, edited]);
    const regenerated = (await chat.ask(scope, "Two, in other words?", { replaces: edited }))
      .chatId;
    expect(
      (await page(scope)).map(({ siblings, siblingQuestions }) => [siblings, siblingQuestions]),
    ).toEqual([
      [[], []],
      [
        [second, edited, regenerated],
        [0, 1, 1],
      ],
    ]);
    await chat.request(deleteChats, { ...slugOf(scope), chatIds: [regenerated] }, scope);
    await chat.request(activateTurn, { ...slugOf(scope), chatId: second! }, scope);
    // A parked turn can get another version too.
    const again = (await chat.ask(scope, "Three again?", { replaces: third! })).chatId;
    expect((await page(scope)).map(({ id, siblings }) => [id, siblings])).toEqual([
      [first, []],
      [second, [second, edited]],
      [again, [third, again]],
    ]);
  });

  it("delete-edited-chats parks, and the next question becomes a version of the parked one", async () => {
    const scope = chat.addWorkspace();
    const [first, second] = await askAll(scope, "One?", "Two?", "Three?");
    await chat.request(deleteEditedChats, { ...slugOf(scope), startingId: second! }, scope);
    expect(await questions(scope)).toEqual(["One?"]);
    const next = (await chat.ask(scope, "Two anew?")).chatId;
    expect((await page(scope)).map(({ id, siblings }) => [id, siblings])).toEqual([
      [first, []],
      [next, [second, next]],
    ]);
  });

  it("what delete-edited-chats removed only comes back when somebody switches to it", async () => {
    const scope = chat.addWorkspace();
    const [first, second, third] = await askAll(scope, "One?", "Two?", "Three?");
    const edit = (startingId: number): Promise<unknown> =>
      chat.request(deleteEditedChats, { ...slugOf(scope), startingId }, scope);
    await edit(second!);
    const [next] = await askAll(scope, "Two anew?");
    await chat.request(deleteChats, { ...slugOf(scope), chatIds: [next!] }, scope);
    expect(await questions(scope)).toEqual(["One?"]);
    const [hidden] = await askAll(scope, "Two once more?");
    await chat.request(hideChat, { id: hidden! }, scope);
    expect(await questions(scope)).toEqual(["One?"]);

    await chat.request(activateTurn, { ...slugOf(scope), chatId: second! }, scope);
    expect((await page(scope)).map(({ id }) => id)).toEqual([first, second, third]);
    // Now it is an ordinary version again.
    const edited = (await chat.ask(scope, "Two, edited?", { replaces: second! })).chatId;
    await edit(edited);
    await chat.request(activateTurn, { ...slugOf(scope), chatId: second! }, scope);
    await edit(third!);
    const other = (await chat.ask(scope, "Two, for the last time?", { replaces: second! })).chatId;
    await chat.request(deleteChats, { ...slugOf(scope), chatIds: [other] }, scope);
    // The version before is back, without what had been deleted after it.
    expect((await page(scope)).map(({ id }) => id)).toEqual([first, second]);
  });

  it("deletion relinks children, falls back to another version at the end of the path, and covers parked turns", async () => {
    const scope = chat.addWorkspace();
    const [first, second, third] = await askAll(scope, "One?", "Two?", "Three?");
    await chat.request(deleteChats, { ...slugOf(scope), chatIds: [second!] }, scope);
    expect((await page(scope)).map(({ id, parentId }) => [id, parentId])).toEqual([
      [first, null],
      [third, first],
    ]);
    const edited = (await chat.ask(scope, "Three anew?", { replaces: third! })).chatId;
    await chat.request(deleteChats, { ...slugOf(scope), chatIds: [edited] }, scope);
    expect((await page(scope)).map(({ id }) => id)).toEqual([first, third]);
    await chat.request(deleteEditedChats, { ...slugOf(scope), startingId: third! }, scope);
    await chat.request(deleteChats, { ...slugOf(scope), chatIds: [third!] }, scope);
    expect(await database.query("SELECT id FROM chat.turn WHERE id = $1", [third])).toEqual([]);
    expect((await page(scope)).map(({ id }) => id)).toEqual([first]);
  });

  it("/reset hides every branch", async () => {
    const scope = chat.addWorkspace();
    const [first] = await askAll(scope, "One?");
    await chat.ask(scope, "One anew?", { replaces: first! });
    await chat.request(startGeneration, { threadSlug: null, message: "/reset" }, scope);
    expect(await page(scope)).toEqual([]);
    await expect(
      chat.request(activateTurn, { ...slugOf(scope), chatId: first! }, scope),
    ).rejects.toMatchObject({ kind: "NOT_FOUND" });
    await expect(chat.start(scope, "x", { replaces: first! })).rejects.toMatchObject({
      kind: "NOT_FOUND",
    });
  });

  it("other users' and unknown turns can't be replaced, shown, rated, hidden or spoken", async () => {
    const scope = chat.addWorkspace();
    const [first] = await askAll(scope, "Mine?");
    const other = chat.as(scope, user(77));
    for (const [who, id] of [
      [other, first!],
      [scope, 2_000_000_000],
    ] as const) {
      await expect(chat.start(who, "x", { replaces: id })).rejects.toMatchObject({
        kind: "NOT_FOUND",
      });
      await expect(
        chat.request(activateTurn, { ...slugOf(who), chatId: id }, who),
      ).rejects.toMatchObject({ kind: "NOT_FOUND" });
      await expect(chat.request(openSpeech, { chatId: id }, who)).rejects.toMatchObject({
        kind: "NOT_FOUND",
      });
      await expect(
        chat.request(rateChat, { ...slugOf(who), chatId: id, feedback: 1 }, who),
      ).rejects.toMatchObject({ kind: "NOT_FOUND" });
      await expect(
        chat.request(updateChat, { ...slugOf(who), chatId: id, newText: "x" }, who),
      ).rejects.toMatchObject({ kind: "NOT_FOUND" });
      await expect(chat.request(hideChat, { id }, who)).rejects.toMatchObject({
        kind: "NOT_FOUND",
      });
    }
    await chat.request(deleteChats, { ...slugOf(other), chatIds: [first!] }, other);
    await chat.request(deleteEditedChats, { ...slugOf(other), startingId: 1 }, other);
    expect(await questions(scope)).toEqual(["Mine?"]);
  });

  it("two concurrent edits are two versions, one of them active; the parked one keeps its text while running", async () => {
    const scope = chat.addWorkspace();
    const [first] = await askAll(scope, "One?");
    chat.llm.behave({ reply: "word ".repeat(200).trim(), delayMs: 20 });
    const started = await Promise.all(
      ["A?", "B?"].map((text) => chat.start(scope, text, { replaces: first! })),
    );
    await poll(() => chat.llm.openStreams()).toBe(1);
    await Promise.all(started.map(({ generationId }) => chat.read(generationId)));
    const turns = await page(scope);
    expect(turns).toHaveLength(1);
    expect(turns[0]!.siblings).toEqual([
      first,
      ...started.map(({ chatId }) => chatId).sort((a, b) => a - b),
    ]);
    const states = (await database.query(
      "SELECT state FROM chat.turn WHERE id = ANY($1) ORDER BY id",
      [started.map(({ chatId }) => chatId)],
    )) as { state: string }[];
    expect(states.map(({ state }) => state)).toEqual(["cancelled", "done"]);
  });

  it("editing a running turn stops it and keeps its text; deleting it ends it; rewriting its text is refused", async () => {
    const scope = chat.addWorkspace();
    chat.llm.behave({ reply: "word ".repeat(300).trim(), delayMs: 20 });
    const running = await chat.start(scope, "Long?");
    await chat.read(running.generationId, {
      until: ({ frame }) => frame.type === "textResponseChunk",
    });
    await expect(
      chat.request(updateChat, { ...slugOf(scope), chatId: running.chatId, newText: "x" }, scope),
    ).rejects.toMatchObject({ kind: "CONFLICT" });
    chat.llm.behave({ reply: "Short.", delayMs: 0 });
    const edited = await chat.ask(scope, "Short?", { replaces: running.chatId });
    await chat.read(running.generationId);
    const [old] = (await database.query(
      "SELECT state, answer, active FROM chat.turn WHERE id = $1",
      [running.chatId],
    )) as { state: string; answer: string; active: boolean }[];
    expect(old).toMatchObject({
      state: "cancelled",
      active: false,
      answer: expect.stringMatching(/^word/),
    });
    expect((await page(scope)).map(({ id, answer }) => [id, answer])).toEqual([
      [edited.chatId, "Short."],
    ]);

    chat.llm.behave({ reply: "word ".repeat(300).trim(), delayMs: 20 });
    const second = await chat.start(scope, "Long again?");
    const third = await chat.start(scope, "Waits?");
    await chat.read(second.generationId, {
      until: ({ frame }) => frame.type === "textResponseChunk",
    });
    await chat.request(
      deleteChats,
      { ...slugOf(scope), chatIds: [second.chatId, third.chatId] },
      scope,
    );
    await poll(() => chat.llm.openStreams()).toBe(0);
    expect((await page(scope)).map(({ id }) => id)).toEqual([edited.chatId]);
    chat.llm.behave({ reply: "On.", delayMs: 0 });
    expect((await chat.ask(scope, "And on?")).queued).toBe(false);
  });

  it("many concurrent edits, deletions and switches leave one complete path", async () => {
    const scope = chat.addWorkspace();
    const ids = await askAll(scope, "One?", "Two?", "Three?");
    await Promise.allSettled(
      Array.from({ length: 24 }, (_, index) => {
        const chatId = ids[index % 3]!;
        if (index % 4 === 0) return chat.start(scope, `Edit ${index}?`, { replaces: chatId });
        if (index % 4 === 1) return chat.request(activateTurn, { ...slugOf(scope), chatId }, scope);
        if (index === 10)
          return chat.request(deleteChats, { ...slugOf(scope), chatIds: [chatId] }, scope);
        return chat.request(deleteEditedChats, { ...slugOf(scope), startingId: chatId }, scope);
      }),
    ).then((results) => {
      for (const result of results)
        if (result.status === "rejected")
          expect((result.reason as { kind: string }).kind).toBe("NOT_FOUND");
    });
    const rows = (await database.query(
      "SELECT id, parent_id, active FROM chat.turn WHERE workspace_id = $1 ORDER BY id",
      [scope.workspace.id],
    )) as { id: number; parent_id: number | null; active: boolean }[];
    const path = rows.filter(({ active }) => active);
    expect(path.map(({ parent_id }) => parent_id)).toEqual(
      [null, ...path.slice(0, -1).map(({ id }) => id)].slice(0, path.length),
    );
    for (const row of rows)
      if (row.parent_id !== null) {
        expect(rows.some(({ id }) => id === row.parent_id)).toBe(true);
        expect(row.parent_id).toBeLessThan(row.id);
      }
  });
});
