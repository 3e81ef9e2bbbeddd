import {
  attachGeneration,
  cancelGeneration,
  deleteChats,
  deleteThread,
  deleteThreads,
  getThreadGeneration,
  listThreads,
  listTurns,
  updateThread,
  type CarrelError,
  type Principal,
  type WorkspaceScope,
} from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { key, startChat, user } from "../test/chat-suite.ts";

const { chat, makeThread } = await startChat("An answer.");

describe("another user's data", () => {
  const principals: Principal[] = [
    user(11),
    user(12, { role: "manager" }),
    user(13, { role: "admin" }),
    key,
    { ...user(14), kind: "extension", keyId: 3 },
  ];

  it("looks nonexistent to every role", async () => {
    const base = chat.addWorkspace();
    const owner = chat.as(base, user(10));
    const slug = base.workspace.slug;
    const threadSlug = await makeThread(owner);
    const asked = await chat.ask(owner, "In a thread?", { threadSlug });
    await chat.ask(owner, "In the default thread?");
    chat.llm.behave({ reply: Array.from({ length: 1_000 }, () => "word "), delayMs: 50 });
    const running = await chat.start(owner, "Still running?", { threadSlug });
    for (const principal of principals) {
      const other = chat.as(base, principal);
      const [missing, foreign] = await Promise.all(
        ["no-such-thread", threadSlug].map((name) =>
          Promise.all(
            [
              chat.history(other, name),
              chat.request(listTurns, { slug, thread: name }, other),
              chat.request(updateThread, { slug, threadSlug: name, name: "Mine" }, other),
              chat.request(deleteThread, { slug, threadSlug: name }, other),
              chat.request(getThreadGeneration, { slug, threadSlug: name }, other),
              chat.start(other, "Hi", { threadSlug: name }),
            ].map((reply) =>
              reply.then(
                (value: unknown) => ({ value }),
                ({ kind, code, params }: CarrelError) => ({ kind, code, params }),
              ),
            ),
          ),
        ),
      );
      expect(missing!.every((reply) => "kind" in reply && reply.kind === "THREAD_NOT_FOUND")).toBe(
        true,
      );
      expect(foreign).toEqual(missing);
      for (const id of [running.generationId, asked.generationId]) {
        await expect(
          chat.request(attachGeneration, { generationId: id }, other),
        ).rejects.toMatchObject({ kind: "GENERATION_NOT_FOUND" });
        await expect(chat.request(cancelGeneration, { id }, other)).rejects.toMatchObject({
          kind: "GENERATION_NOT_FOUND",
        });
      }
      await chat.request(deleteThreads, { slug, slugs: [threadSlug] }, other);
      await chat.request(deleteChats, { slug, chatIds: [asked.chatId, running.chatId] }, other);
      expect(await chat.request(listThreads, { slug }, other)).toEqual({
        threads: [],
        defaultThreadChatCount: 0,
      });
      expect(await chat.history(other)).toEqual([]);
      expect((await chat.request(listTurns, { slug }, other)).turns).toEqual([]);
      expect(
        (await chat.request(getThreadGeneration, { slug, threadSlug: "default" }, other))
          .generation,
      ).toBeNull();
    }
    expect(
      (await chat.request(getThreadGeneration, { slug, threadSlug }, owner)).generation,
    ).toMatchObject({ id: running.generationId, state: "running" });
    const received: unknown[] = [];
    const stop = chat.shared.messaging.broadcast.on("event:generation.changed", (payload) =>
      received.push(payload),
    );
    expect(await chat.request(cancelGeneration, { id: running.generationId }, owner)).toEqual({
      success: true,
    });
    await poll(() => received).toContainEqual(
      expect.objectContaining({
        userId: 10,
        generationId: running.generationId,
        state: "cancelled",
      }),
    );
    stop();
    expect(await chat.request(listThreads, { slug }, owner)).toMatchObject({
      threads: [{ slug: threadSlug }],
      defaultThreadChatCount: 1,
    });
  });

  it("in a thread without an owner, users see only their own turns, and only its creator can change it", async () => {
    const base = chat.addWorkspace();
    const [maker, member] = [chat.as(base, key), chat.as(base, user(20))];
    const slug = base.workspace.slug;
    const threadSlug = await makeThread(maker);
    await chat.ask(maker, "A question of the key?", { threadSlug });
    expect(await chat.history(member, threadSlug)).toEqual([]);
    await chat.ask(member, "A question of the member?", { threadSlug });
    const contents = async (scope: WorkspaceScope) =>
      (await chat.history(scope, threadSlug))
        .filter(({ role }) => role === "user")
        .map(({ content }) => content);
    expect(await contents(member)).toEqual(["A question of the member?"]);
    expect(await contents(maker)).toEqual(["A question of the key?"]);
    expect((await chat.request(listThreads, { slug }, member)).threads).toEqual([]);
    await expect(chat.request(deleteThread, { slug, threadSlug }, member)).rejects.toMatchObject({
      kind: "THREAD_NOT_FOUND",
    });
    await expect(
      chat.request(updateThread, { slug, threadSlug, name: "Mine" }, member),
    ).rejects.toMatchObject({ kind: "THREAD_NOT_FOUND" });
    const body = chat.llm.requests.at(-1)!.body as { messages: { content: string }[] };
    expect(JSON.stringify(body.messages)).not.toContain("A question of the key?");
  });

  it("former members can neither attach to nor stop answers in a workspace", async () => {
    const base = chat.addWorkspace();
    const member = chat.as(base, user(30));
    const { generationId } = await chat.ask(member, "While I was a member?");
    const request = () =>
      chat.request(attachGeneration, { generationId }, { ...member, workspace: null } as never);
    expect(await request()).toMatchObject({ state: "done" });
    chat.fixture.members.set(base.workspace.id, new Set([31]));
    await expect(request()).rejects.toMatchObject({ kind: "GENERATION_NOT_FOUND" });
    await expect(
      chat.request(cancelGeneration, { id: generationId }, member),
    ).rejects.toMatchObject({ kind: "GENERATION_NOT_FOUND" });
    chat.fixture.members.get(base.workspace.id)!.add(30);
    expect(await request()).toMatchObject({ state: "done" });
  });
});
