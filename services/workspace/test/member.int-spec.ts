import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { listening } from "@carrel/testing";
import {
  addMember,
  createAdminWorkspace,
  createWorkspace,
  deleteAdminWorkspace,
  deleteWorkspace,
  findWorkspaces,
  getSettings,
  getWorkspaceSettings,
  inviteAccepted,
  listAdminWorkspacePage,
  listEvents,
  listMembers,
  listWorkspaces,
  manageMembers,
  membersChanged,
  multiUserEnabled,
  resolveWorkspace,
  servicePrincipal,
  updateMembers,
  updateWorkspace,
  userDeleted,
  type Principal,
  type Scope,
  type WorkspaceWire,
} from "@carrel/contracts";
import {
  apiKey,
  eventually,
  instance,
  person,
  scopeOf,
  service,
  startWorkspaceInstance,
  type WorkspaceInstance,
} from "./workspace-instance.ts";

const admin = person(1, "admin");
const manager = person(2, "manager");
const member = person(3);
const stranger = person(4);
let carrel: WorkspaceInstance;
let request: WorkspaceInstance["request"];
let workspace: WorkspaceWire;
const as = (principal: Principal): Scope => scopeOf(principal);
const within = (
  principal: Principal,
  { id, slug }: { id: number; slug: string } = workspace,
): Scope => scopeOf(principal, { id, slug });
const newestEvents = async (
  count: number,
): Promise<{ event: string; userId: number | null; metadata: unknown; username: string }[]> =>
  (await request(listEvents, { limit: count }, as(admin))).logs.map(
    ({ event, userId, metadata, user }) => ({
      event,
      userId,
      metadata: metadata === null ? null : JSON.parse(metadata),
      username: user.username,
    }),
  );

beforeAll(async () => {
  carrel = await startWorkspaceInstance();
  request = carrel.request;
  carrel.accounts.add(1, "ada", "admin");
  carrel.accounts.add(2, "max", "manager");
  carrel.accounts.add(3, "mia");
  carrel.accounts.add(4, "sam");
});
afterAll(() => carrel.stop());
beforeEach(async () => {
  workspace = (await request(createWorkspace, { name: `Room ${randomUUID()}` }, as(admin)))
    .workspace!;
  await request(updateMembers, { id: workspace.id, userIds: [3] }, as(admin));
});

describe("who uses which workspace", () => {
  const all: [string, Principal, boolean][] = [
    ["the instance", instance.principal, true],
    ["an API key", apiKey, true],
    ["Carrel itself", servicePrincipal, true],
    ["an admin", admin, true],
    ["a manager", manager, true],
    ["a member", member, true],
    ["a stranger", stranger, false],
    ["the extension of an admin", person(9, "admin", "extension"), true],
    ["the extension of a manager", person(9, "manager", "extension"), true],
    ["the extension of a member", person(3, "default", "extension"), true],
    ["the extension of a stranger", person(4, "default", "extension"), false],
    ["nobody", { kind: "public", userId: null, role: "none" }, false],
    [
      "a forged admin without a kind that has one",
      { kind: "public", userId: null, role: "admin" },
      false,
    ],
  ];
  it.each(all)("%s", async (_name, principal, may) => {
    const listed = (await request(listWorkspaces, {}, as(principal))).workspaces.map(
      ({ id }) => id,
    );
    expect(listed.includes(workspace.id)).toBe(may);
    expect(
      (
        await request(
          findWorkspaces,
          { ids: [workspace.id, 9_000_000_000, -1, 999_999] },
          as(principal),
        )
      ).workspaces,
    ).toEqual(may ? [{ id: workspace.id, name: workspace.name, slug: workspace.slug }] : []);
    const unknown = await request(
      resolveWorkspace,
      { slug: "no-such-workspace" },
      as(principal),
    ).catch((error: unknown) => error);
    expect(unknown).toMatchObject({ code: "WORKSPACE_NOT_FOUND" });
    if (may) {
      expect(
        (await request(resolveWorkspace, { slug: workspace.slug }, as(principal))).scope.workspace,
      ).toEqual({ id: workspace.id, slug: workspace.slug });
      expect((await request(getWorkspaceSettings, {}, within(principal))).workspace.id).toBe(
        workspace.id,
      );
    } else {
      // Unknown and foreign cannot be told apart.
      const foreign = await request(
        resolveWorkspace,
        { slug: workspace.slug },
        as(principal),
      ).catch((error: unknown) => error);
      expect({ ...(foreign as object), message: (foreign as Error).message }).toEqual({
        ...(unknown as object),
        message: (unknown as Error).message,
      });
      await expect(request(getWorkspaceSettings, {}, within(principal))).rejects.toMatchObject({
        code: "WORKSPACE_NOT_FOUND",
      });
    }
  });

  it("a member gets the own membership with the workspace, nobody else gets any", async () => {
    await request(updateMembers, { id: workspace.id, userIds: [3, 4] }, as(admin));
    const { workspace_users: own } = (await request(getWorkspaceSettings, {}, within(member)))
      .workspace;
    expect(own).toEqual([
      {
        user_id: 3,
        workspace_id: workspace.id,
        createdAt: expect.any(String),
        lastUpdatedAt: expect.any(String),
      },
    ]);
    for (const principal of [admin, manager, apiKey])
      expect(
        (await request(getWorkspaceSettings, {}, within(principal))).workspace,
      ).not.toHaveProperty("workspace_users");
  });

  it.each([
    ["a member", member],
    ["a stranger", stranger],
    ["nobody", { kind: "public", userId: null, role: "none" } as Principal],
  ])("%s changes nothing", async (_name, principal) => {
    const refused = { code: "FORBIDDEN" };
    await expect(request(createWorkspace, { name: "Mine" }, as(principal))).rejects.toMatchObject(
      refused,
    );
    await expect(
      request(createAdminWorkspace, { name: "Mine" }, as(principal)),
    ).rejects.toMatchObject(refused);
    await expect(
      request(updateWorkspace, { slug: workspace.slug, name: "Mine" }, within(principal)),
    ).rejects.toMatchObject(refused);
    await expect(
      request(deleteWorkspace, { slug: workspace.slug }, within(principal)),
    ).rejects.toMatchObject(refused);
    await expect(
      request(deleteAdminWorkspace, { id: workspace.id }, as(principal)),
    ).rejects.toMatchObject(refused);
    await expect(request(listAdminWorkspacePage, {}, as(principal))).rejects.toMatchObject(refused);
    await expect(request(listMembers, { id: workspace.id }, as(principal))).rejects.toMatchObject(
      refused,
    );
    await expect(
      request(updateMembers, { id: workspace.id, userIds: [4] }, as(principal)),
    ).rejects.toMatchObject(refused);
    await expect(
      request(manageMembers, { slug: workspace.slug, userIds: [4] }, as(principal)),
    ).rejects.toMatchObject(refused);
    expect(
      (await request(listMembers, { id: workspace.id }, as(admin))).users.map(
        ({ userId }) => userId,
      ),
    ).toEqual([3]);
  });
});

describe("members", () => {
  it("whoever makes a workspace is a member of it, also after losing their role", async () => {
    const made = (await request(createWorkspace, { name: "Made by Max" }, as(manager))).workspace!;
    const other = (await request(createAdminWorkspace, { name: "Made by Max too" }, as(manager)))
      .workspace!;
    const byKey = (await request(createWorkspace, { name: "Made by a key" }, as(apiKey)))
      .workspace!;
    expect(
      (await request(listWorkspaces, {}, as(person(2)))).workspaces.map(({ id }) => id),
    ).toEqual([made.id, other.id]);
    const listed = (await request(listAdminWorkspacePage, {}, as(manager))).workspaces;
    expect(listed.find(({ id }) => id === made.id)).toEqual({ ...made, userIds: [2] });
    expect(listed.find(({ id }) => id === byKey.id)?.userIds).toEqual([]);
  });

  it("need a name for the workspace, and one key makes one", async () => {
    expect(await request(createAdminWorkspace, { name: "  " }, as(manager))).toEqual({
      workspace: null,
      error: "name cannot be null",
    });
    const key = randomUUID();
    const made = await Promise.all(
      [0, 1].map(() => request(createAdminWorkspace, { name: "Twice" }, as(manager), key)),
    );
    expect(made[0]).toEqual(made[1]);
    expect((await request(listMembers, { id: made[0]!.workspace!.id }, as(manager))).users).toEqual(
      [{ userId: 2, username: "max", role: "manager", lastUpdatedAt: expect.any(String) }],
    );
  });

  it("are replaced, users that do not exist are left out, and the change is told before it is answered", async () => {
    const told: unknown[] = [];
    const stop = carrel.shared.messaging.broadcast.on(`event:${membersChanged.name}`, (payload) =>
      told.push(payload),
    );
    await listening(carrel.shared.messaging, membersChanged);
    expect(
      await request(updateMembers, { id: workspace.id, userIds: [4, 4, 777] }, as(manager)),
    ).toEqual({ success: true, error: null });
    const first = { workspaceId: workspace.id, userIds: [4, 3] };
    expect(told).toContainEqual(first);
    expect(
      (await request(listMembers, { id: workspace.id }, as(manager))).users.map(
        ({ userId, username }) => [userId, username],
      ),
    ).toEqual([[4, "sam"]]);
    expect(await newestEvents(1)).toEqual([
      {
        event: "workspace_members_changed",
        userId: 2,
        username: "max",
        metadata: {
          workspaceId: workspace.id,
          workspaceName: workspace.name,
          added: [{ id: 4, username: "sam" }],
          removed: [{ id: 3, username: "mia" }],
          address: "192.0.2.7",
        },
      },
    ]);
    // The same again changes and tells nothing.
    const { totalLogs } = await request(listEvents, {}, as(admin));
    await request(updateMembers, { id: workspace.id, userIds: [4] }, as(manager));
    expect((await request(listEvents, {}, as(admin))).totalLogs).toBe(totalLogs);
    stop();
  });

  it("of an unknown workspace are none, and cannot be set", async () => {
    expect(await request(listMembers, { id: 999_999 }, as(admin))).toEqual({ users: [] });
    expect(await request(updateMembers, { id: 999_999, userIds: [3] }, as(admin))).toEqual({
      success: false,
      error: "Workspace not found.",
    });
    await request(deleteWorkspace, { slug: workspace.slug }, within(admin));
    expect(await request(listMembers, { id: workspace.id }, as(admin))).toEqual({ users: [] });
    expect(
      await request(updateMembers, { id: workspace.id, userIds: [3] }, as(admin)),
    ).toMatchObject({ success: false });
    expect(
      (await request(listWorkspaces, {}, as(member))).workspaces.map(({ id }) => id),
    ).not.toContain(workspace.id);
  });

  it("are added or replaced for the developer API", async () => {
    const named = async (): Promise<number[]> =>
      (await request(listMembers, { id: workspace.id }, as(apiKey))).users.map(
        ({ userId }) => userId,
      );
    expect(
      (
        await request(manageMembers, { slug: workspace.slug, userIds: [4, 777] }, as(apiKey))
      ).users.map(({ userId, username, role }) => [userId, username, role]),
    ).toEqual([
      [3, "mia", "default"],
      [4, "sam", "default"],
    ]);
    expect(await newestEvents(1)).toMatchObject([
      {
        event: "workspace_members_changed",
        userId: null,
        username: "unknown user",
        metadata: { apiKeyId: 5, added: [{ id: 4, username: "sam" }], removed: [] },
      },
    ]);
    await request(manageMembers, { slug: workspace.slug, userIds: [2], reset: true }, as(apiKey));
    expect(await named()).toEqual([2]);
    await expect(
      request(manageMembers, { slug: workspace.slug, userIds: [777], reset: true }, as(apiKey)),
    ).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(
      request(manageMembers, { slug: workspace.slug, userIds: [], reset: true }, as(apiKey)),
    ).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(
      request(manageMembers, { slug: "no-such", userIds: [2] }, as(apiKey)),
    ).rejects.toMatchObject({ code: "WORKSPACE_NOT_FOUND" });
    expect(await named()).toEqual([2]);
  });

  it("set by many at the same time end as one of the sets", async () => {
    for (let id = 100; id < 130; id += 1) carrel.accounts.add(id, `user-${id}`);
    const sets = Array.from({ length: 12 }, (_, index) =>
      Array.from({ length: 10 }, (_each, offset) => 100 + ((index * 3 + offset) % 30)).toSorted(
        (a, b) => a - b,
      ),
    );
    await Promise.all(
      sets.map((userIds) => request(updateMembers, { id: workspace.id, userIds }, as(admin))),
    );
    expect(sets).toContainEqual(
      (await request(listMembers, { id: workspace.id }, as(admin))).users.map(
        ({ userId }) => userId,
      ),
    );
  });

  it("many at once are named in part and counted in the event log", async () => {
    for (let id = 1_000; id < 6_000; id += 1)
      carrel.accounts.add(id, `user-with-a-long-name-${id}`);
    const userIds = Array.from({ length: 5_000 }, (_, index) => 1_000 + index);
    expect(await request(updateMembers, { id: workspace.id, userIds }, as(admin))).toEqual({
      success: true,
      error: null,
    });
    expect((await request(listMembers, { id: workspace.id }, as(admin))).users).toHaveLength(5_000);
    const [entry] = await newestEvents(1);
    expect(entry!.metadata).toMatchObject({
      addedCount: 5_000,
      removedCount: 1,
      removed: [{ id: 3, username: "mia" }],
    });
    expect((entry!.metadata as { added: unknown[] }).added).toHaveLength(20);
  });

  it("change while their users are deleted, and neither waits for the other for ever", async () => {
    for (let id = 200; id < 220; id += 1) carrel.accounts.add(id, `user-${id}`, "manager");
    const made = await Promise.all(
      Array.from(
        { length: 20 },
        async (_, index) =>
          (
            await request(
              createWorkspace,
              { name: `Busy ${index}` },
              as(person(200 + index, "manager")),
            )
          ).workspace!,
      ),
    );
    await Promise.all(
      made.flatMap(({ id }, index) => [
        request(updateMembers, { id, userIds: [200 + index, 3] }, as(admin)),
        carrel.tell(userDeleted, { userId: 200 + index }),
        request(updateMembers, { id, userIds: [3] }, as(admin)),
        request(
          addMember,
          { userId: 200 + index, workspaceIds: made.map((each) => each.id) },
          service,
        ),
      ]),
    );
    await eventually(
      async () =>
        Number(
          (
            await carrel.sql.query<{ n: string }[]>(
              "SELECT count(*) AS n FROM workspace.workspace WHERE user_id BETWEEN 200 AND 219",
            )
          )[0]!.n,
        ) === 0,
    );
  });
});

describe("what auth tells", () => {
  it("an accepted invite makes a member, once, of what exists", async () => {
    carrel.accounts.add(20, "ivy");
    await request(
      addMember,
      { userId: 20, workspaceIds: [workspace.id, 999_999, 9_000_000_000] },
      service,
    );
    expect(
      (await request(listWorkspaces, {}, as(person(20)))).workspaces.map(({ id }) => id),
    ).toEqual([workspace.id]);
    const { totalLogs } = await request(listEvents, {}, as(admin));
    const second = (await request(createWorkspace, { name: "Second" }, as(admin))).workspace!;
    await carrel.tell(inviteAccepted, { userId: 20, workspaceIds: [workspace.id, second.id] });
    await eventually(
      async () => (await request(listWorkspaces, {}, as(person(20)))).workspaces.length === 2,
    );
    expect(await newestEvents(1)).toMatchObject([
      {
        event: "workspace_members_changed",
        userId: 20,
        username: "ivy",
        metadata: { workspaceId: second.id, via: "invite" },
      },
    ]);
    // One for the new workspace, one for the member of it; nothing for what was there.
    expect((await request(listEvents, {}, as(admin))).totalLogs).toBe(totalLogs + 2);
  });

  it("an invite told after its user was deleted makes nobody a member", async () => {
    await carrel.tell(inviteAccepted, { userId: 888, workspaceIds: [workspace.id] });
    carrel.accounts.add(21, "ben");
    await carrel.tell(inviteAccepted, { userId: 21, workspaceIds: [workspace.id] });
    await eventually(async () =>
      (await request(listAdminWorkspacePage, {}, as(admin))).workspaces
        .find(({ id }) => id === workspace.id)!
        .userIds.includes(21),
    );
    expect(
      (await request(listAdminWorkspacePage, {}, as(admin))).workspaces.find(
        ({ id }) => id === workspace.id,
      )!.userIds,
    ).toEqual([3, 21]);
  });

  it("a deleted user is a member of nothing, and what they made belongs to the instance", async () => {
    carrel.accounts.add(30, "tim", "manager");
    const made = (
      await request(createWorkspace, { name: "Made by Tim" }, as(person(30, "manager")))
    ).workspace!;
    await request(manageMembers, { slug: workspace.slug, userIds: [30] }, as(admin));
    carrel.accounts.users.delete(30);
    expect(
      (await request(listMembers, { id: workspace.id }, as(admin))).users.map(
        ({ userId }) => userId,
      ),
    ).toEqual([3]);
    await carrel.tell(userDeleted, { userId: 30 });
    await eventually(
      async () =>
        Number(
          (
            await carrel.sql.query<{ n: string }[]>(
              "SELECT count(*) AS n FROM workspace.workspace_member WHERE user_id = 30",
            )
          )[0]!.n,
        ) === 0,
    );
    expect(
      await carrel.sql.query("SELECT user_id FROM workspace.workspace WHERE id = $1", [made.id]),
    ).toEqual([{ user_id: null }]);
    expect(
      (await request(resolveWorkspace, { slug: made.slug }, as(admin))).scope.workspace?.id,
    ).toBe(made.id);
  });
});

it("who is no user any more is found although nobody told of it, and those who are stay", async () => {
  const own = await startWorkspaceInstance();
  try {
    own.accounts.add(5, "kim");
    const made = (
      await own.request(createWorkspace, { name: "Made by somebody" }, as(person(555, "manager")))
    ).workspace!;
    await own.request(addMember, { userId: 5, workspaceIds: [made.id] }, service);
    await eventually(
      async () =>
        JSON.stringify(
          (await own.request(listAdminWorkspacePage, {}, as(admin))).workspaces.map(
            ({ userIds }) => userIds,
          ),
        ) === "[[5]]",
    );
    expect(await own.sql.query("SELECT user_id FROM workspace.workspace")).toEqual([
      { user_id: null },
    ]);
  } finally {
    await own.stop();
  }
});

describe("deletion by an admin", () => {
  it("is done once; unknown is not found", async () => {
    const key = randomUUID();
    const done = await Promise.all(
      [0, 1].map(() => request(deleteAdminWorkspace, { id: workspace.id }, as(manager), key)),
    );
    expect(done).toEqual([0, 1].map(() => ({ success: true, error: null, pictureKey: null })));
    expect((await newestEvents(1))[0]).toMatchObject({
      event: "workspace_deleted",
      userId: 2,
      metadata: { workspaceId: workspace.id, workspaceName: workspace.name },
    });
    for (const id of [workspace.id, 999_999])
      await expect(request(deleteAdminWorkspace, { id }, as(manager))).rejects.toMatchObject({
        code: "WORKSPACE_NOT_FOUND",
      });
  });
});

it("switching to accounts gives the first admin the workspaces of the instance, and nobody else's", async () => {
  const own = await startWorkspaceInstance();
  try {
    own.accounts.add(9, "tom", "manager");
    own.accounts.add(41, "eve", "admin");
    const made = await Promise.all(
      ["One", "Two", "Three"].map(
        async (name) => (await own.request(createWorkspace, { name }, instance)).workspace!,
      ),
    );
    const theirs = (
      await own.request(createWorkspace, { name: "Theirs" }, as(person(9, "manager")))
    ).workspace!;
    await own.tell(multiUserEnabled, { adminId: 41, at: new Date().toISOString() });
    await own.tell(multiUserEnabled, { adminId: 41, at: new Date().toISOString() });
    // As a member, not as the admin that they are: they stay one if their role goes.
    await eventually(
      async () => (await own.request(listWorkspaces, {}, as(person(41)))).workspaces.length === 3,
    );
    expect(
      (await own.request(listWorkspaces, {}, as(person(41)))).workspaces.map(({ id }) => id),
    ).toEqual(made.map(({ id }) => id).toSorted((a, b) => a - b));
    expect(
      await own.sql.query("SELECT DISTINCT user_id FROM workspace.workspace WHERE id = ANY($1)", [
        made.map(({ id }) => id),
      ]),
    ).toEqual([{ user_id: 41 }]);
    expect(
      await own.sql.query("SELECT user_id FROM workspace.workspace WHERE id = $1", [theirs.id]),
    ).toEqual([{ user_id: 9 }]);
    // A request of the instance that was under way during the switch.
    await own.request(createWorkspace, { name: "Late" }, instance);
    await eventually(
      async () => (await own.request(listWorkspaces, {}, as(person(41)))).workspaces.length === 4,
    );
  } finally {
    await own.stop();
  }
});

it("a protected instance keeps its workspaces, and settings say so", async () => {
  const closed = await startWorkspaceInstance({
    WORKSPACE_DELETION_PROTECTION: "1",
    DISABLE_VIEW_CHAT_HISTORY: "true",
  });
  try {
    const kept = (await closed.request(createWorkspace, { name: "Kept" }, instance)).workspace!;
    const refused = {
      code: "DISABLED",
      message: "Workspace deletion is blocked by the system administrator.",
    };
    await expect(
      closed.request(
        deleteWorkspace,
        { slug: kept.slug },
        scopeOf(instance.principal, { id: kept.id, slug: kept.slug }),
      ),
    ).rejects.toMatchObject(refused);
    await expect(
      closed.request(deleteAdminWorkspace, { id: kept.id }, as(admin)),
    ).rejects.toMatchObject(refused);
    expect((await closed.request(listWorkspaces, {}, instance)).workspaces).toHaveLength(1);
    expect((await closed.request(getSettings, {}, service)).settings).toMatchObject({
      DisableViewChatHistory: true,
      WorkspaceDeletionProtection: true,
    });
    expect((await request(getSettings, {}, service)).settings).toMatchObject({
      DisableViewChatHistory: false,
      WorkspaceDeletionProtection: false,
    });
  } finally {
    await closed.stop();
  }
});
