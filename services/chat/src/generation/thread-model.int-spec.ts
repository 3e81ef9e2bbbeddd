import {
  allowedModelsLabel,
  chooseThreadModel,
  findThreadId,
  getContextWindow,
  getThreadModel,
  threadModelsLabel,
  settingsChanged,
  type WorkspaceScope,
} from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { slugOf, startChat, user } from "../../test/chat-suite.ts";
import { passageOf } from "../../test/factories/passage.ts";
import { wireFrames } from "../../test/received-frame.ts";

const { chat, makeThread } = await startChat("It runs at 48 °C [1].");

const lastModel = (): unknown => (chat.llm.requests.at(-1)!.body as { model: unknown }).model;
const vendor = "generic-openai";
let people = 500;

const announceSettings = () =>
  chat.shared.messaging.broadcast.publish(`event:${settingsChanged.name}`, {
    keys: [threadModelsLabel],
  });

async function letEveryoneChoose(isAllowed: boolean): Promise<void> {
  chat.fixture.values = { ...chat.fixture.values, [threadModelsLabel]: String(isAllowed) };
  await announceSettings();
  const probe = chat.as(chat.addWorkspace(), user(++people));
  await poll(async () => (await get(probe)).mayChoose).toBe(isAllowed);
}

const get = (scope: WorkspaceScope, thread: string | null = null) =>
  chat.request(getThreadModel, { ...slugOf(scope), thread }, scope);
const choose = (scope: WorkspaceScope, model: string | null, thread: string | null = null) =>
  chat.request(
    chooseThreadModel,
    { ...slugOf(scope), thread, choice: model === null ? null : { provider: vendor, model } },
    scope,
  );

describe("the model of a thread", () => {
  const manager = () =>
    chat.as(chat.addWorkspace({}, [passageOf()]), user(++people, { role: "manager" }));

  it("is the workspace's, until its owner chooses another", async () => {
    const scope = manager();
    const thread = await makeThread(scope);
    expect(await get(scope, thread)).toEqual({
      provider: vendor,
      providerName: expect.any(String),
      model: "fake-model",
      isOwnChoice: false,
      seesImages: null,
      mayChoose: true,
    });
    expect(await choose(scope, "large-model", thread)).toMatchObject({
      model: "large-model",
      isOwnChoice: true,
    });
    expect(await get(scope, thread)).toMatchObject({ model: "large-model", isOwnChoice: true });

    await chat.ask(scope, "How warm is it?", { threadSlug: thread });
    expect(lastModel()).toBe("large-model");
    // Starting in steps, as an edited question does, uses it too.
    const [asked] = await chat.history(scope, thread);
    await chat.ask(scope, "How cold is it?", { threadSlug: thread, replaces: asked!.chatId! });
    expect(lastModel()).toBe("large-model");
    // Other threads don't.
    await chat.ask(scope, "And in the default thread?");
    expect(lastModel()).toBe("fake-model");

    await choose(scope, null, thread);
    await chat.ask(scope, "How warm is it now?", { threadSlug: thread });
    expect(lastModel()).toBe("fake-model");
    expect(await get(scope, thread)).toMatchObject({ isOwnChoice: false });
  });

  it("tells whether it sees images, and its context window", async () => {
    const scope = manager();
    const thread = await makeThread(scope);
    const { threadId } = await chat.request(findThreadId, { threadSlug: thread }, scope);
    const windowOf = async (id: number | null) =>
      (await chat.request(getContextWindow, { threadId: id }, scope)).contextWindow;
    const chosen = async (provider: string, model: string | null) =>
      (
        await chat.request(
          chooseThreadModel,
          { ...slugOf(scope), thread, choice: { provider, model } },
          scope,
        )
      ).seesImages;
    expect(await windowOf(threadId)).toBe(8_192);
    Object.assign(chat.fixture.values, { OllamaLLMBasePath: chat.llm.url });
    chat.fixture.secrets.OllamaLLMAuthToken = chat.shared.secretBox.seal("fake-key");
    await announceSettings();
    chat.llm.behave({ capabilities: ["completion"] });
    await poll(() => chosen("ollama", "reads-only")).toBe(false);
    chat.llm.behave({ capabilities: ["completion", "vision"] });
    expect(await chosen("ollama", "sees-too")).toBe(true);
    expect(await chosen("extractive", null)).toBe(false);
    expect(await windowOf(threadId)).toBeNull();
    expect(await windowOf(null)).toBe(8_192);
  });

  it("can be chosen in the default thread before its first question", async () => {
    const scope = manager();
    await choose(scope, "first-model");
    expect(await get(scope)).toMatchObject({ model: "first-model", isOwnChoice: true });
    await chat.ask(scope, "How warm is it?");
    expect(lastModel()).toBe("first-model");
  });

  it("is chosen by everyone only if the admin allows it", async () => {
    const scope = chat.as(chat.addWorkspace({}, [passageOf()]), user(++people));
    const thread = await makeThread(scope);
    expect(await get(scope, thread)).toMatchObject({ model: "fake-model", mayChoose: false });
    await expect(choose(scope, "large-model", thread)).rejects.toMatchObject({
      kind: "FORBIDDEN",
    });
    await letEveryoneChoose(true);
    await choose(scope, "large-model", thread);
    await chat.ask(scope, "How warm is it?", { threadSlug: thread });
    expect(lastModel()).toBe("large-model");
    // A choice counts only while it is allowed.
    await letEveryoneChoose(false);
    expect(await get(scope, thread)).toMatchObject({ model: "fake-model", isOwnChoice: false });
    await chat.ask(scope, "How warm is it?", { threadSlug: thread });
    expect(lastModel()).toBe("fake-model");
    expect(await choose(scope, null, thread)).toMatchObject({ isOwnChoice: false });
  });

  it("is one of those that the admin allows; threads with another use the workspace's and say so", async () => {
    const scope = manager();
    const thread = await makeThread(scope);
    const limit = async (models: string[] | null) => {
      const { [allowedModelsLabel]: _limit, ...values } = chat.fixture.values;
      chat.fixture.values =
        models === null
          ? values
          : { ...values, [allowedModelsLabel]: JSON.stringify({ [vendor]: models }) };
      await announceSettings();
    };
    await choose(scope, "large-model", thread);
    await limit(["small-model"]);
    await poll(() => get(scope, thread)).toMatchObject({ model: "fake-model", isOwnChoice: false });
    await expect(choose(scope, "other-model", thread)).rejects.toMatchObject({
      kind: "SETTING_REFUSED",
    });
    const { frames } = await chat.ask(scope, "How warm is it?", { threadSlug: thread });
    expect(lastModel()).toBe("fake-model");
    expect(JSON.stringify(wireFrames(frames))).toContain(
      "large-model can no longer be chosen, so the workspace's model answered.",
    );
    await choose(scope, "small-model", thread);
    await chat.ask(scope, "How warm is it now?", { threadSlug: thread });
    expect(lastModel()).toBe("small-model");
    await limit(null);
  });

  it("isn't changed by others, nor to a provider without settings", async () => {
    const scope = manager();
    const thread = await makeThread(scope);
    const other = chat.as(scope, user(++people, { role: "manager" }));
    for (const slug of [thread, "nobody's", "with\u0000NUL"]) {
      await expect(choose(other, "large-model", slug)).rejects.toMatchObject({
        kind: "THREAD_NOT_FOUND",
      });
      await expect(get(other, slug)).rejects.toMatchObject({ kind: "THREAD_NOT_FOUND" });
    }
    for (const provider of ["openai", "no-such-provider"])
      await expect(
        chat.request(
          chooseThreadModel,
          { ...slugOf(scope), thread, choice: { provider, model: "m" } },
          scope,
        ),
      ).rejects.toMatchObject({ kind: "SETTING_REFUSED" });
    expect(await get(scope, thread)).toMatchObject({ model: "fake-model" });
  });
});
