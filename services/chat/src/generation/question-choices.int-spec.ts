import {
  forkThread,
  listChatRecords,
  listTurns,
  servicePrincipal,
  settingsChanged,
  threadModelsLabel,
  type Principal,
} from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { key, slugOf, startChat, user } from "../../test/chat-suite.ts";
import { passageOf } from "../../test/factories/passage.ts";
import { wireFrames } from "../../test/received-frame.ts";

const { chat } = await startChat("It runs at 48 °C [1].");
const documentId = "6f1d5f0a-3c3e-4b52-9d1e-0a4f4a2f7f10";
const places = { documentIds: [documentId], folders: ["plans"] };
const mentions = [
  { kind: "document" as const, name: "Survey.pdf" },
  { kind: "folder" as const, name: "plans" },
  { kind: "model" as const, name: "Large" },
];
const modelChoice = { provider: "generic-openai", model: "large-model" };
const lastModel = (): unknown => (chat.llm.requests.at(-1)!.body as { model: unknown }).model;
let people = 900;
const asker = (role: "default" | "manager") =>
  chat.as(chat.addWorkspace({}, [passageOf()]), user(++people, { role }));

describe("what is chosen for one question", () => {
  it("restricts its search and replaces the model, for this question alone", async () => {
    const scope = asker("manager");
    await chat.ask(scope, "How warm is it?", { overrides: { places, modelChoice } });
    expect(chat.fixture.searches.at(-1)!.filter).toEqual({ places });
    expect(lastModel()).toBe("large-model");
    await chat.ask(scope, "How cold is it?");
    expect(chat.fixture.searches.at(-1)!.filter).toEqual({});
    expect(lastModel()).toBe("fake-model");
  });

  it("is kept when the question is asked again", async () => {
    const scope = asker("manager");
    const { chatId } = await chat.ask(scope, "How warm is it?", {
      overrides: { places, modelChoice },
    });
    await chat.ask(scope, "How warm is it?", { replaces: chatId });
    expect(chat.fixture.searches.at(-1)!.filter).toEqual({ places });
    expect(lastModel()).toBe("large-model");
  });

  it("is shown with the question, by the names it had, also when it is asked again", async () => {
    const scope = asker("manager");
    const shown = async () =>
      (await chat.request(listTurns, { ...slugOf(scope), limit: 50 }, scope)).turns.map((turn) => [
        turn.question,
        turn.mentions,
      ]);
    const overrides = { places, modelChoice, mentions };
    const { chatId } = await chat.ask(scope, "How warm is it?", {
      overrides: { places, mentions },
    });
    await chat.ask(scope, "And how cold?", { overrides });
    await chat.ask(scope, "How wet is it?");
    expect(await shown()).toEqual([
      ["How warm is it?", mentions],
      ["And how cold?", mentions],
      ["How wet is it?", undefined],
    ]);
    await chat.ask(scope, "How warm was it?", { replaces: chatId });
    expect(await shown()).toEqual([["How warm was it?", mentions]]);
  });

  it("is kept when the question is asked again in a fork", async () => {
    const scope = asker("manager");
    const { chatId } = await chat.ask(scope, "How warm is it?", {
      overrides: { places, modelChoice, mentions },
    });
    const { newThreadSlug } = await chat.request(forkThread, { ...slugOf(scope), chatId }, scope);
    const inFork = { ...slugOf(scope), thread: newThreadSlug, limit: 50 };
    const [copy] = (await chat.request(listTurns, inFork, scope)).turns;
    await chat.ask(scope, "How cold is it?");
    await chat.ask(scope, "How warm was it?", {
      threadSlug: newThreadSlug,
      replaces: copy!.id,
    });
    expect(chat.fixture.searches.at(-1)!.filter).toEqual({ places });
    expect(lastModel()).toBe("large-model");
    const [again] = (await chat.request(listTurns, inFork, scope)).turns;
    expect(again).toMatchObject({ question: "How warm was it?", mentions });
  });

  it("is recorded with the question", async () => {
    const scope = asker("manager");
    await chat.ask(scope, "How warm is it, on record?", { overrides: { places, mentions } });
    const recorded = async (principal: Principal) => {
      const { chats } = await chat.request(
        listChatRecords,
        { search: "on record", offset: 0, limit: 10 },
        { ...scope, principal },
      );
      return chats.map(({ response }) => JSON.parse(response).mentions);
    };
    for (const principal of [servicePrincipal, scope.principal])
      expect(await recorded(principal)).toEqual([mentions]);
    // Documents and folders may be the asker's alone.
    const admin = user(++people, { role: "admin" });
    for (const principal of [admin, { ...key, userId: scope.principal.userId }])
      expect(await recorded(principal)).toEqual([[mentions[2]]]);
  });

  it("restricts summaries too", async () => {
    const scope = asker("manager");
    await chat.ask(scope, "Summarize the documents", { overrides: { places } });
    expect(chat.fixture.leads.at(-1)!.filter).toEqual({ places });
  });

  it("is named when nothing in it answers", async () => {
    const scope = chat.as(chat.addWorkspace({ chatMode: "query" }, []), user(++people));
    chat.fixture.documentCounts.set(scope.workspace.id, 3);
    const restricted = await chat.ask(scope, "How warm is it?", { overrides: { places } });
    expect(wireFrames(restricted.frames)).toMatchObject([
      { type: "textResponse", textResponse: expect.stringContaining("in the documents you chose") },
    ]);
    const free = await chat.ask(scope, "How warm is it?");
    expect(wireFrames(free.frames)).toMatchObject([
      { type: "textResponse", textResponse: expect.stringContaining("in this workspace") },
    ]);
  });

  it("is no way around the admin's choice of who may choose models", async () => {
    chat.fixture.values = { ...chat.fixture.values, [threadModelsLabel]: "false" };
    await chat.shared.messaging.broadcast.publish(`event:${settingsChanged.name}`, {
      keys: [threadModelsLabel],
    });
    const scope = asker("default");
    await chat.ask(scope, "How warm is it?", { overrides: { modelChoice } });
    await poll(lastModel).toBe("fake-model");
  });
});
