import {
  createThread,
  instancePrincipal,
  listThreads,
  settingsChanged,
  threadTitlesLabel,
  titleThread,
  updateThread,
  type Principal,
  type WorkspaceScope,
} from "@carrel/contracts";
import { jobMessage } from "@carrel/messaging";
import { poll } from "@carrel/testing";
import { DataSource } from "typeorm";
import { ChatInstance } from "../../test/chat-instance.ts";
import { TitleRepository } from "./title.module.ts";

let chat: ChatInstance;
let database: DataSource;
let titles: TitleRepository;
beforeAll(async () => {
  chat = await ChatInstance.start();
  await chat.startReplica();
  database = await new DataSource({
    type: "postgres",
    url: chat.database.url,
    extra: { options: "-c search_path=chat" },
  }).initialize();
  titles = new TitleRepository(database);
});
afterAll(async () => {
  await database?.destroy();
  await chat.stop();
});
beforeEach(async () => {
  chat.llm.behave({ reply: "It is so." });
  await letModelTitle(true);
});

const slugOf = (scope: WorkspaceScope): { slug: string } => ({ slug: scope.workspace.slug });
const person: Principal = { kind: "user", userId: 30, role: "default" };

async function letModelTitle(isOn: boolean): Promise<void> {
  chat.fixture.values = { ...chat.fixture.values, [threadTitlesLabel]: String(isOn) };
  await chat.shared.messaging.broadcast.publish(`event:${settingsChanged.name}`, {
    keys: [threadTitlesLabel],
  });
}

/** Starts a thread with its first question. */
async function begin(
  scope: WorkspaceScope,
  question: string,
): Promise<{ id: number; slug: string; turnId: number; frame: unknown }> {
  const { thread } = await chat.request(createThread, slugOf(scope), scope);
  const { chatId, frames } = await chat.ask(scope, question, { threadSlug: thread!.slug });
  return { id: thread!.id, slug: thread!.slug, turnId: chatId, frame: frames.at(-1)!.frame };
}
const namesOf = async (scope: WorkspaceScope): Promise<string[]> =>
  (await chat.request(listThreads, slugOf(scope), scope)).threads.map(({ name }) => name);
/** The latest threads of each owner that are due. */
const dueIn = async (scope: WorkspaceScope): Promise<number[]> => {
  const due = await titles.listDue(1_000);
  const rows = await database.query<{ id: number }[]>(
    "SELECT id FROM chat.thread WHERE workspace_id = $1",
    [scope.workspace.id],
  );
  return due.map(({ id }) => id).filter((id) => rows.some((row) => row.id === id));
};
const run = ({ id, turnId }: { id: number; turnId: number }): Promise<unknown> =>
  chat.shared.messaging.sender.send(
    jobMessage(titleThread, {
      rowId: id,
      version: turnId,
      payload: { threadId: id, turnId },
    }),
  );
const namedBy = async (id: number): Promise<string | null> =>
  (
    await database.query<{ named_by: string | null }[]>(
      "SELECT named_by FROM chat.thread WHERE id = $1",
      [id],
    )
  )[0]!.named_by;

describe("titles", () => {
  it("come from the question at once, without asking the model", async () => {
    const scope = chat.addWorkspace();
    const [before, answered] = [chat.llm.titleRequests.length, chat.llm.requests.length];
    const { frame, slug } = await begin(scope, "**What** is the flow temperature? And in winter?");
    expect(frame).toEqual({
      action: "rename_thread",
      thread: { slug, name: "What is the flow temperature?" },
    });
    expect(await namesOf(scope)).toEqual(["What is the flow temperature?"]);
    expect(chat.llm.requests).toHaveLength(answered + 1);
    expect(chat.llm.titleRequests).toHaveLength(before);
  });

  it("come from the model in one request per owner, and never replace a name given by the user", async () => {
    const scope = chat.addWorkspace();
    const other = chat.as(scope, person);
    const renamed: unknown[] = [];
    const stop = chat.shared.messaging.broadcast.on("event:thread.renamed", (payload) =>
      renamed.push(payload),
    );
    const first = await begin(scope, "What is the flow temperature of the pump?");
    const own = await begin(scope, "Which name is my own?");
    const theirs = await begin(other, "What is the secret of the harbour?");
    const last = await begin(scope, "How much does a wash cost?");
    expect(await dueIn(scope)).toEqual([]);
    await database.query(
      "UPDATE chat.thread SET last_updated_at = last_updated_at - interval '5 minutes' WHERE workspace_id = $1",
      [scope.workspace.id],
    );
    expect(await dueIn(scope)).toEqual([theirs.id, last.id]);
    await chat.request(
      updateThread,
      { ...slugOf(scope), threadSlug: own.slug, name: "My own" },
      scope,
    );
    renamed.length = 0;
    const before = chat.llm.titleRequests.length;
    chat.llm.behave({
      reply: "It is so.",
      title: { reply: '1. "Flow of the heat pump."\n2. Price of a wash' },
    });
    await run(last);
    await poll(() => namesOf(scope)).toEqual([
      "Flow of the heat pump",
      "My own",
      "Price of a wash",
    ]);
    expect(chat.llm.titleRequests).toHaveLength(before + 1);
    expect(JSON.stringify(chat.llm.titleRequests.at(-1)!.body)).not.toContain("harbour");
    await poll(() => renamed).toMatchObject(
      [
        { threadId: first.id, slug: first.slug, name: "Flow of the heat pump" },
        { threadId: last.id, slug: last.slug, name: "Price of a wash" },
      ].map((name) => ({ ...name, workspaceId: scope.workspace.id, userId: null })),
    );
    stop();
    expect(await namedBy(theirs.id)).toBeNull();
    expect(await dueIn(scope)).toEqual([theirs.id]);
  });

  it("never replace a name the user gives while the model writes", async () => {
    const scope = chat.addWorkspace();
    const thread = await begin(scope, "Another question?");
    const before = chat.llm.titleRequests.length;
    const { promise: after, resolve: answer } = Promise.withResolvers<void>();
    chat.llm.behave({ reply: "It is so.", title: { reply: "From the model", after } });
    await run(thread);
    await poll(() => chat.llm.titleRequests.length).toBe(before + 1);
    await chat.request(
      updateThread,
      { ...slugOf(scope), threadSlug: thread.slug, name: "My own" },
      scope,
    );
    answer();
    // The next thread's title is written after this one's.
    const next = await begin(scope, "The next question?");
    await run(next);
    await poll(() => namesOf(scope)).toEqual(["My own", "From the model"]);
  });

  it("stay as they are when the model fails or isn't asked anymore", async () => {
    const scope = chat.addWorkspace();
    chat.llm.behave({ reply: "It is so.", title: { status: 400 } });
    const failed = await begin(scope, "A third question?");
    await run(failed);
    await poll(() => namedBy(failed.id)).toBe("question");
    const asked = chat.llm.titleRequests.length;
    await letModelTitle(false);
    const off = await begin(scope, "A fourth question?");
    await run(off);
    await poll(() => namedBy(off.id)).toBe("question");
    expect(await namesOf(scope)).toEqual(["A third question?", "A fourth question?"]);
    expect(chat.llm.titleRequests).toHaveLength(asked);
  });

  it("of conversations with an API client's users are written one by one", async () => {
    const scope = chat.as(chat.addWorkspace(), {
      kind: "key",
      userId: null,
      role: "admin",
      keyId: 1,
    });
    const [first, second] = [
      await begin(scope, "What does Ines pay?"),
      await begin(scope, "What does Otto pay?"),
    ];
    chat.llm.behave({ reply: "It is so.", title: { reply: "Written by the model" } });
    await run(second);
    await poll(() => namedBy(second.id)).toBe("model");
    expect(JSON.stringify(chat.llm.titleRequests.at(-1)!.body)).not.toContain("Ines");
    expect(await namedBy(first.id)).toBeNull();
    const own = chat.as(scope, instancePrincipal);
    const mine = await begin(own, "Is this mine?");
    await run(mine);
    await poll(() => namedBy(mine.id)).toBe("model");
    expect(JSON.stringify(chat.llm.titleRequests.at(-1)!.body)).not.toContain("Ines");
  });
});
