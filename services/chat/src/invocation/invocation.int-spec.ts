import { randomUUID } from "node:crypto";
import {
  accessChanged,
  closeInvocation,
  createInvocation,
  instancePrincipal,
  keepInvocation,
  openInvocation,
  startGeneration,
  type RunStep,
  type WorkspaceScope,
} from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { DataSource } from "typeorm";
import { offerTools, stepsOf, toolOf } from "../../test/agent-tools.ts";
import { ChatInstance } from "../../test/chat-instance.ts";

let chat: ChatInstance;
let database: DataSource;
beforeAll(async () => {
  chat = await ChatInstance.start();
  await chat.startReplica();
  database = await new DataSource({ type: "postgres", url: chat.database.url }).initialize();
});
afterAll(async () => {
  await database?.destroy();
  await chat?.stop();
});

const person = (userId: number): WorkspaceScope["principal"] => ({
  kind: "user",
  userId,
  role: "admin",
});
const create = async (scope: WorkspaceScope, message = "@agent Hello"): Promise<string | null> =>
  (await chat.request(createInvocation, { threadSlug: null, message }, scope)).uuid;
const open = (
  uuid: string,
  { connection = randomUUID(), userId }: { connection?: string; userId?: number | null } = {},
) =>
  chat.request(
    openInvocation,
    { uuid, connection, person: userId === undefined ? null : { userId } },
    chat.addWorkspace(),
  );
const age = (column: "created_at" | "seen_at", seconds: number) =>
  database.query(`UPDATE chat.agent_invocation SET ${column} = now() - make_interval(secs => $1)`, [
    seconds,
  ]);

describe("whether an agent can be called", () => {
  it("needs a model if it is called by name, and an automatic workspace otherwise", async () => {
    const scope = chat.addWorkspace();
    expect(await create(scope)).not.toBeNull();
    expect(await create(scope, "Hello")).toBeNull();
    expect(await create(scope, "@Agent Hello")).toBeNull();
    expect(await create(chat.addWorkspace({ chatMode: "automatic" }), "Hello")).not.toBeNull();
    const without = chat.addWorkspace({ chatMode: "automatic", chatProvider: "extractive" });
    expect(await create(without)).toBeNull();
    expect(await create(without, "Hello")).toBeNull();
  });
});

describe("a session", () => {
  it("is opened with what was asked, and stored without its uuid", async () => {
    const scope = chat.addWorkspace();
    const uuid = (await create(scope, "@agent When is high tide?"))!;
    expect(JSON.stringify(await database.query("SELECT * FROM chat.agent_invocation"))).not.toMatch(
      uuid,
    );
    expect(await open(uuid)).toMatchObject({
      state: "open",
      invocation: {
        scope,
        threadSlug: null,
        prompt: "@agent When is high tide?",
        generationId: null,
        turns: 0,
        toolSwitches: {},
      },
    });
    expect(await open(randomUUID())).toEqual({ state: "missing" });
  });

  it("waits a minute for its first connection", async () => {
    const uuid = (await create(chat.addWorkspace()))!;
    await age("created_at", 61);
    expect(await open(uuid)).toEqual({ state: "closed" });
  });

  it("looks missing to browsers of other people", async () => {
    const scope = chat.as(chat.addWorkspace(), person(7));
    const uuid = (await create(scope))!;
    expect(await open(uuid, { userId: 8 })).toEqual({ state: "missing" });
    expect(await open(uuid, { userId: null })).toEqual({ state: "missing" });
    expect(await open(uuid, { userId: 7 })).toMatchObject({ state: "open" });
  });

  it("has one connection, and can be taken up again for five minutes", async () => {
    const scope = chat.addWorkspace();
    const uuid = (await create(scope))!;
    const connection = randomUUID();
    const opened = await open(uuid, { connection });
    if (opened.state !== "open") throw new Error(opened.state);
    const { id } = opened.invocation;
    expect(await open(uuid)).toEqual({ state: "in-use" });
    const asked = { generationId: randomUUID(), turns: 1 };
    const keep = (change: object) =>
      chat.request(keepInvocation, { id, connection, ...change }, scope);
    expect(await keep({ asked })).toEqual({ isOwner: true });
    expect(await keep({ hasLeft: true })).toEqual({ isOwner: true });
    expect(await keep({})).toEqual({ isOwner: false });
    expect(await open(uuid)).toMatchObject({ state: "open", invocation: asked });
    // A gateway that stopped at once hasn't said so.
    await age("seen_at", 31);
    expect(await open(uuid)).toMatchObject({ state: "open" });
    await age("seen_at", 301);
    expect(await open(uuid)).toEqual({ state: "closed" });
  });

  it("keeps which skills and tools were switched, for its next connection", async () => {
    const scope = chat.addWorkspace();
    const uuid = (await create(scope))!;
    const connection = randomUUID();
    const opened = await open(uuid, { connection });
    if (opened.state !== "open") throw new Error(opened.state);
    const { id } = opened.invocation;
    const keep = (change: object, by = connection) =>
      chat.request(keepInvocation, { id, connection: by, ...change }, scope);
    const toggle = (name: string, isOn: boolean) => keep({ toolSwitch: { name, isOn } });
    await toggle("create-chart", true);
    await toggle("rag-memory", false);
    await toggle("create-chart", false);
    // Not of a connection that the session doesn't belong to.
    await keep({ toolSwitch: { name: "sql-agent", isOn: true } }, randomUUID());
    await keep({ hasLeft: true });
    expect(await open(uuid)).toMatchObject({
      invocation: { toolSwitches: { "create-chart": false, "rag-memory": false } },
    });
  });

  it("forgets what was asked once it is closed, also because its person's access changed", async () => {
    const scope = chat.as(chat.addWorkspace(), person(9));
    const [ended, lost] = [(await create(scope))!, (await create(scope))!];
    const opened = await open(ended);
    if (opened.state !== "open") throw new Error(opened.state);
    await chat.request(closeInvocation, { id: opened.invocation.id }, scope);
    expect(await open(ended)).toEqual({ state: "closed" });
    const { broadcast } = chat.shared.messaging;
    await broadcast.publish(`event:${accessChanged.name}`, { userId: 9 });
    await poll(
      async () =>
        (await database.query(
          `SELECT prompt, closed FROM chat.agent_invocation
          WHERE (scope->'principal'->>'userId')::int = 9`,
        )) as unknown[],
    ).toEqual([
      { prompt: "", closed: true },
      { prompt: "", closed: true },
    ]);
    expect(await open(lost)).toEqual({ state: "closed" });
  });
});

describe("questions of clients that can or can't show approvals", () => {
  const start = async (overrides: { asksPerson: boolean; waitSeconds?: number }) => {
    const tools = offerTools(
      toolOf("mail", () => ({ text: "Sent." }), { effect: "send", approval: "always" }),
    );
    const scope = { ...chat.addWorkspace(), principal: instancePrincipal };
    chat.llm.next({ toolCalls: [{ name: "mail", input: {} }] }, { reply: "Done." });
    const { generationId } = await chat.request(
      startGeneration,
      { threadSlug: null, message: "Do it.", mode: "automatic", overrides },
      scope,
    );
    const frames = await chat.read(generationId!);
    tools.restore();
    return stepsOf(frames).at(-1) as RunStep;
  };

  it("wait as long as the client says", async () => {
    expect(await start({ asksPerson: true, waitSeconds: 1 })).toMatchObject({
      state: "denied",
      fault: { code: "tool.approval-timed-out" },
    });
  });

  it("don't wait if nobody can be asked", async () => {
    expect(await start({ asksPerson: false })).toMatchObject({
      state: "denied",
      fault: { code: "tool.needs-approval" },
    });
  });
});
