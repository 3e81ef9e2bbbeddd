import {
  createMemory,
  deleteMemory,
  demoteMemory,
  listMemories,
  memoryLimits,
  multiUserEnabled,
  promoteMemory,
  settingsChanged,
  updateMemory,
  userDeleted,
  type MemoryWire,
  type Principal,
  type WorkspaceScope,
} from "@carrel/contracts";
import { createDataSource } from "@carrel/database";
import { poll } from "@carrel/testing";
import type { DataSource } from "typeorm";
import { ChatInstance } from "../../test/chat-instance.ts";

let chat: ChatInstance;
let source: DataSource;
beforeAll(async () => {
  chat = await ChatInstance.start();
  await chat.startReplica();
  source = await createDataSource(
    chat.database.url,
    { schema: "chat", entities: [], migrations: [] },
    { poolSize: 1 },
  ).initialize();
  await set("true");
});
afterAll(async () => {
  await source?.destroy();
  await chat.stop();
});

/**
 * Simulates a settings change announced by the workspace service; the replica reloads its settings
 * on the broadcast.
 */
async function set(memory_enabled: string): Promise<void> {
  chat.fixture.values = { ...chat.fixture.values, memory_enabled };
  await chat.shared.messaging.broadcast.publish(`event:${settingsChanged.name}`, {
    keys: ["memory_enabled"],
  });
  const probe = chat.addWorkspace();
  await poll(() => codeOf(list(probe))).toBe(memory_enabled === "true" ? null : "memory.disabled");
}
const person = (userId: number, role: Principal["role"] = "default"): Principal => ({
  kind: "user",
  userId,
  role,
});
const codeOf = (reply: Promise<unknown>): Promise<string | null> =>
  reply.then(
    () => null,
    ({ code }: { code: string }) => code,
  );
const list = async (
  scope: WorkspaceScope,
): Promise<{ global: MemoryWire[]; workspace: MemoryWire[] }> =>
  (await chat.request(listMemories, { slug: scope.workspace.slug }, scope)).memories;
const add = async (
  scope: WorkspaceScope,
  content: string,
  place: "global" | "workspace" = "workspace",
  key?: string,
): Promise<MemoryWire> =>
  (
    await chat.request(
      createMemory,
      { slug: scope.workspace.slug, content, scope: place },
      scope,
      key,
    )
  ).memory;
const demote = (scope: WorkspaceScope, id: number): Promise<{ memory: MemoryWire }> =>
  chat.request(demoteMemory, { id, slug: scope.workspace.slug }, scope);
const contents = ({
  global,
  workspace,
}: {
  global: MemoryWire[];
  workspace: MemoryWire[];
}): string[][] => [global, workspace].map((some) => some.map(({ content }) => content));

describe("memories", () => {
  it("are created, read, changed, moved and deleted by their owner", async () => {
    const scope = chat.as(chat.addWorkspace(), person(10));
    const anyDate = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    const made = await add(scope, "  Works as a plumber.\n");
    expect(made).toEqual({
      id: expect.any(Number),
      userId: 10,
      workspaceId: scope.workspace.id,
      scope: "workspace",
      content: "Works as a plumber.",
      lastUsedAt: null,
      createdAt: anyDate,
      updatedAt: anyDate,
    });
    const everywhere = await add(scope, "Likes short answers.", "global");
    expect(everywhere).toMatchObject({ workspaceId: null, scope: "global" });
    await add(scope, "Has a boat.");
    expect(contents(await list(scope))).toEqual([
      ["Likes short answers."],
      ["Works as a plumber.", "Has a boat."],
    ]);
    expect(contents(await list(chat.as(chat.addWorkspace(), person(10))))).toEqual([
      ["Likes short answers."],
      [],
    ]);
    const changed = (
      await chat.request(updateMemory, { id: made.id, content: "Works as a cook." }, scope)
    ).memory;
    expect(changed).toMatchObject({
      id: made.id,
      content: "Works as a cook.",
      createdAt: made.createdAt,
    });
    expect(Date.parse(changed.updatedAt)).toBeGreaterThan(Date.parse(made.updatedAt));
    const promoted = (await chat.request(promoteMemory, { id: made.id }, scope)).memory;
    expect(promoted).toMatchObject({ id: made.id, workspaceId: null, scope: "global" });
    // Promoting it twice has no further effect.
    expect((await chat.request(promoteMemory, { id: made.id }, scope)).memory).toEqual(promoted);
    const other = chat.as(chat.addWorkspace(), person(10));
    expect((await demote(other, made.id)).memory).toMatchObject({
      workspaceId: other.workspace.id,
      scope: "workspace",
    });
    expect(await codeOf(demote(other, made.id))).toBeNull();
    await expect(demote(scope, made.id)).rejects.toMatchObject({
      kind: "CONFLICT",
      message: "This memory belongs to another workspace. Make it global first.",
    });
    expect(await chat.request(deleteMemory, { id: made.id }, scope)).toEqual({ success: true });
    await expect(chat.request(deleteMemory, { id: made.id }, scope)).rejects.toMatchObject({
      kind: "NOT_FOUND",
      message: "Memory not found.",
    });
    expect(contents(await list(other))).toEqual([["Likes short answers."], []]);
  });

  it("have a limit per scope, also under concurrency", async () => {
    const scope = chat.as(chat.addWorkspace(), person(11));
    for (const [place, limit, message] of [
      ["global", memoryLimits.global, "At most 5 global memories can be kept. Delete one first."],
      [
        "workspace",
        memoryLimits.workspace,
        "At most 20 memories can be kept in a workspace. Delete one first.",
      ],
    ] as const) {
      const replies = await Promise.all(
        Array.from({ length: limit + 4 }, (_, index) =>
          codeOf(add(scope, `Number ${index}`, place)),
        ),
      );
      expect(replies.filter((code) => code === null)).toHaveLength(limit);
      await expect(add(scope, "One more", place)).rejects.toMatchObject({
        kind: "CONFLICT",
        message,
      });
    }
    const { global, workspace } = await list(scope);
    expect([global.length, workspace.length]).toEqual([5, 20]);
    await expect(
      chat.request(promoteMemory, { id: workspace[0]!.id }, scope),
    ).rejects.toMatchObject({ kind: "CONFLICT", message: /^At most 5 global/ });
    await expect(demote(scope, global[0]!.id)).rejects.toMatchObject({
      kind: "CONFLICT",
      message: /^At most 20/,
    });
    // Other workspaces and other users have their own limits.
    expect(await codeOf(add(chat.as(chat.addWorkspace(), person(11)), "Elsewhere"))).toBeNull();
    expect(await codeOf(add(chat.as(scope, person(12)), "Somebody else", "global"))).toBeNull();
    await chat.request(deleteMemory, { id: global[0]!.id }, scope);
    expect(await codeOf(chat.request(promoteMemory, { id: workspace[0]!.id }, scope))).toBeNull();
  });

  it("are created once per idempotency key", async () => {
    const scope = chat.as(chat.addWorkspace(), person(13));
    const [first, second] = [
      await add(scope, "Once.", "workspace", "same-key"),
      await add(scope, "Once.", "workspace", "same-key"),
    ];
    expect(second).toEqual(first);
    expect((await list(scope)).workspace).toHaveLength(1);
  });

  it("of another user look nonexistent, for every role", async () => {
    const base = chat.addWorkspace();
    const owner = chat.as(base, person(20));
    const [mine, everywhere] = [
      await add(owner, "Of one alone."),
      await add(owner, "Everywhere of one alone.", "global"),
    ];
    for (const principal of [
      person(21),
      person(22, "manager"),
      person(23, "admin"),
      base.principal,
    ]) {
      const other = chat.as(base, principal);
      expect(await list(other)).toEqual({ global: [], workspace: [] });
      for (const id of [mine.id, everywhere.id, 2_000_000_000]) {
        for (const attempt of [
          () => chat.request(updateMemory, { id, content: "Mine now." }, other),
          () => chat.request(promoteMemory, { id }, other),
          () => demote(other, id),
          () => chat.request(deleteMemory, { id }, other),
        ]) {
          await expect(attempt()).rejects.toMatchObject({
            kind: "NOT_FOUND",
            message: "Memory not found.",
          });
        }
      }
    }
    expect(contents(await list(owner))).toEqual([["Everywhere of one alone."], ["Of one alone."]]);
  });

  it("are inaccessible while switched off, and none is lost", async () => {
    const scope = chat.as(chat.addWorkspace(), person(30));
    const { id } = await add(scope, "Stays.");
    await set("false");
    for (const reply of [
      list(scope),
      add(scope, "New."),
      chat.request(updateMemory, { id, content: "Other." }, scope),
      chat.request(promoteMemory, { id }, scope),
      demote(scope, id),
      chat.request(deleteMemory, { id }, scope),
      chat.request(deleteMemory, { id: 2_000_000_000 }, scope),
    ]) {
      await expect(reply).rejects.toMatchObject({
        kind: "DISABLED",
        message: "Personalization is disabled.",
      });
    }
    await set("true");
    expect(contents(await list(scope))).toEqual([[], ["Stays."]]);
  });

  it("are deleted with their account and with their workspace", async () => {
    const [first, second] = [chat.addWorkspace(), chat.addWorkspace()];
    for (const scope of [first, second].flatMap((base) => [
      chat.as(base, person(40)),
      chat.as(base, person(41)),
    ]))
      await add(scope, "Kept.");
    await add(chat.as(first, person(40)), "Kept.", "global");
    const left = async (where: string): Promise<number> =>
      (
        await source.query<{ n: number }[]>(
          `SELECT count(*)::int AS n FROM chat.memory WHERE ${where}`,
        )
      )[0]!.n;
    await chat.tell(userDeleted, { userId: 40 });
    await poll(() => left("user_id = 40")).toBe(0);
    expect(await left("user_id = 41")).toBe(2);
    await chat.deleteWorkspace(second);
    await poll(() => left(`workspace_id = ${second.workspace.id}`)).toBe(0);
    expect(contents(await list(chat.as(first, person(41))))).toEqual([[], ["Kept."]]);
  });

  // Last, because the transfer happens only once per instance.
  it("of single-user mode become the first admin's", async () => {
    const scope = chat.addWorkspace();
    expect(await add(scope, "Of the instance.")).toMatchObject({ userId: null });
    await add(scope, "Everywhere.", "global");
    await add(chat.as(scope, person(51)), "Of somebody.");
    await chat.tell(multiUserEnabled, { adminId: 50, at: new Date().toISOString() });
    await poll(async () => contents(await list(chat.as(scope, person(50, "admin"))))).toEqual([
      ["Everywhere."],
      ["Of the instance."],
    ]);
    expect((await list(chat.as(scope, person(50, "admin")))).workspace).toMatchObject([
      { userId: 50 },
    ]);
    expect(contents(await list(scope))).toEqual([[], []]);
    expect(contents(await list(chat.as(scope, person(51))))).toEqual([[], ["Of somebody."]]);
  });
});
