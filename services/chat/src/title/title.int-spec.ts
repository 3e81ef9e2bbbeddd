import { createThread, listThreads, updateThread, type WorkspaceScope } from "@carrel/contracts";
import { eventually } from "@carrel/testing";
import { DataSource } from "typeorm";
import { ChatInstance } from "../../test/chat-instance.ts";

let chat: ChatInstance;
let database: DataSource;
beforeAll(async () => {
  chat = await ChatInstance.start();
  await chat.startReplica();
  database = await new DataSource({ type: "postgres", url: chat.database.url }).initialize();
});
afterAll(async () => {
  await database.destroy();
  await chat.stop();
});
beforeEach(() => chat.llm.behave({ reply: "It is so.", delayMs: 0 }));

const slugOf = (scope: WorkspaceScope): { slug: string } => ({ slug: scope.workspace.slug });

describe("titles", () => {
  it("come from the model and never replace a name given by the user", async () => {
    const scope = chat.addWorkspace();
    const renamed: unknown[] = [];
    const stop = chat.shared.messaging.broadcast.on("event:thread.renamed", (payload) =>
      renamed.push(payload),
    );
    chat.llm.behave({ reply: "It is so.", title: { reply: '"Flow of the heat pump."\nMore' } });
    const { thread } = await chat.request(createThread, slugOf(scope), scope);
    const { frames } = await chat.ask(scope, "What is the flow temperature of the pump?", {
      threadSlug: thread!.slug,
    });
    expect(frames.at(-1)!.frame).toEqual({
      action: "rename_thread",
      thread: { slug: thread!.slug, name: "What is the flow tempe" },
    });
    const names = async (): Promise<string[]> =>
      (await chat.request(listThreads, slugOf(scope), scope)).threads.map(({ name }) => name);
    await eventually(async () => expect(await names()).toEqual(["Flow of the heat pump"]));
    await eventually(() =>
      expect(renamed).toMatchObject(
        ["What is the flow tempe", "Flow of the heat pump"].map((name) => ({
          threadId: thread!.id,
          slug: thread!.slug,
          name,
          workspaceId: scope.workspace.id,
          userId: null,
        })),
      ),
    );
    stop();

    chat.llm.behave({ reply: "It is so.", title: { reply: "From the model", firstDelayMs: 700 } });
    const second = (await chat.request(createThread, slugOf(scope), scope)).thread!;
    const before = chat.llm.titleRequests.length;
    await chat.ask(scope, "Another question?", { threadSlug: second.slug });
    await eventually(() => expect(chat.llm.titleRequests.length).toBe(before + 1));
    await chat.request(
      updateThread,
      { ...slugOf(scope), threadSlug: second.slug, name: "My own" },
      scope,
    );
    await new Promise((resolve) => {
      setTimeout(resolve, 1_200);
    });
    expect(await names()).toEqual(["Flow of the heat pump", "My own"]);

    chat.llm.behave({ reply: "It is so.", title: { status: 400 } });
    const third = (await chat.request(createThread, slugOf(scope), scope)).thread!;
    await chat.ask(scope, "A third question?", { threadSlug: third.slug });
    await new Promise((resolve) => {
      setTimeout(resolve, 500);
    });
    expect((await names()).at(-1)).toBe("A third question?");
  });
});
