import {
  forkThread,
  getAnswerParameters,
  setThreadParameters,
  type ThreadParameters,
  type WorkspaceScope,
} from "@carrel/contracts";
import { slugOf, startChat, user } from "../../test/chat-suite.ts";
import { passageOf } from "../../test/factories/passage.ts";

const { chat, makeThread } = await startChat("It runs at 48 °C [1].");

interface Sent {
  messages: { role: string; content: string }[];
  max_tokens?: number;
  temperature?: number;
  top_p?: number;
}
const lastSent = (): Sent => chat.llm.requests.at(-1)!.body as unknown as Sent;
let people = 700;
const member = () => chat.as(chat.addWorkspace({}, [passageOf()]), user(++people));
const get = (scope: WorkspaceScope, thread: string | null = null) =>
  chat.request(getAnswerParameters, { ...slugOf(scope), thread }, scope);
const set = (scope: WorkspaceScope, parameters: ThreadParameters, thread: string | null = null) =>
  chat.request(setThreadParameters, { ...slugOf(scope), thread, parameters }, scope);

describe("how answers in a thread are written", () => {
  it("is the workspace's choice, until its owner makes another", async () => {
    const scope = member();
    chat.fixture.parameters.set(scope.workspace.id, { maxTokens: 300, topP: 0.8 });
    const thread = await makeThread(scope);
    expect(await get(scope, thread)).toEqual({
      thread: {},
      workspace: { maxTokens: 300, topP: 0.8, temperature: 0.7 },
      workspaceSupports: expect.objectContaining({ topP: true, effort: false }),
      supports: {
        maxTokens: true,
        systemPrompt: true,
        temperature: true,
        topP: true,
        effort: false,
      },
    });
    await chat.ask(scope, "How warm is it?", { threadSlug: thread });
    expect(lastSent()).toMatchObject({ max_tokens: 300, top_p: 0.8, temperature: 0.7 });

    const own = { maxTokens: 50, temperature: 0.1, systemPrompt: "Answer like a pirate." };
    await set(scope, own, thread);
    expect((await get(scope, thread)).thread).toMatchObject(own);
    await chat.ask(scope, "How cold is it?", { threadSlug: thread });
    expect(lastSent()).toMatchObject({ max_tokens: 50, top_p: 0.8, temperature: 0.1 });
    expect(lastSent().messages[0]!.content).toContain("Answer like a pirate.");
    // Starting in steps, as an edited question does, uses them too.
    const [asked] = await chat.history(scope, thread);
    await chat.ask(scope, "How wet is it?", { threadSlug: thread, replaces: asked!.chatId! });
    expect(lastSent()).toMatchObject({ max_tokens: 50, temperature: 0.1 });
    // Other threads don't.
    await chat.ask(scope, "And in the default thread?");
    expect(lastSent()).toMatchObject({ max_tokens: 300, temperature: 0.7 });
    expect(lastSent().messages[0]!.content).not.toContain("pirate");

    await set(scope, {}, thread);
    await chat.ask(scope, "How warm is it now?", { threadSlug: thread });
    expect(lastSent()).toMatchObject({ max_tokens: 300, temperature: 0.7 });
  });

  it("can be chosen in the default thread, and is copied to a fork", async () => {
    const scope = member();
    await set(scope, { maxTokens: 60, systemPrompt: "Be\u0000 brief. " });
    expect((await get(scope)).thread).toEqual({ maxTokens: 60, systemPrompt: "Be brief." });
    await chat.ask(scope, "How warm is it?");
    expect(lastSent()).toMatchObject({ max_tokens: 60 });
    const [asked] = await chat.history(scope, null);
    const { newThreadSlug } = await chat.request(
      forkThread,
      { ...slugOf(scope), chatId: asked!.chatId!, threadSlug: null },
      scope,
    );
    expect((await get(scope, newThreadSlug)).thread).toMatchObject({ maxTokens: 60 });
  });

  it("is nobody else's to see or change", async () => {
    const scope = member();
    const thread = await makeThread(scope);
    const stranger = { ...scope, principal: user(++people) };
    await expect(get(stranger, thread)).rejects.toMatchObject({ kind: "THREAD_NOT_FOUND" });
    await expect(set(stranger, { maxTokens: 50 }, thread)).rejects.toMatchObject({
      kind: "THREAD_NOT_FOUND",
    });
  });
});
