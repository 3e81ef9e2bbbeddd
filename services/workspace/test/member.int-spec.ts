import { randomUUID } from "node:crypto";
import {
  addMember,
  createAdminWorkspace,
  createWorkspace,
  deleteWorkspace,
  listAdminWorkspacePage,
  listEvents,
  listMembers,
  listWorkspaces,
  manageMembers,
  membersChanged,
  updateMembers,
  userDeleted,
  type WorkspaceWire,
} from "@carrel/contracts";
import { listening, waitFor, poll } from "@carrel/testing";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { apiKey, person, service } from "./workspace-instance.ts";
import { admin, as, manager, member, startWorkspaceSuite } from "./workspace-suite.ts";

const { carrel, current, newestEvents, request, within } = await startWorkspaceSuite();
let workspace: WorkspaceWire;

beforeEach(() => {
  workspace = current();
});

describe("members", () => {
  it("include the creator of a workspace, even after losing their role", async () => {
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

  it("creating a workspace requires a name and is idempotent", async () => {
    await expect(request(createAdminWorkspace, { name: "  " }, as(manager))).rejects.toMatchObject({
      code: "workspace.name-missing",
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

  it("are replaced, ignoring unknown users, and the change is broadcast before the reply", async () => {
    const received: unknown[] = [];
    const stop = carrel.shared.messaging.broadcast.on(`event:${membersChanged.name}`, (payload) =>
      received.push(payload),
    );
    await listening(carrel.shared.messaging, membersChanged);
    expect(
      await request(updateMembers, { id: workspace.id, userIds: [4, 4, 777] }, as(manager)),
    ).toEqual({ success: true, error: null });
    const first = { workspaceId: workspace.id, userIds: [4, 3] };
    expect(received).toContainEqual(first);
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
    // Setting the same members again changes nothing and sends no event.
    const { totalLogs } = await request(listEvents, {}, as(admin));
    await request(updateMembers, { id: workspace.id, userIds: [4] }, as(manager));
    expect((await request(listEvents, {}, as(admin))).totalLogs).toBe(totalLogs);
    stop();
  });

  it("lose access when removed, unless they are managers or admins", async () => {
    const made = await request(createAdminWorkspace, { name: "Left" }, as(manager));
    const { id } = made.workspace!;
    await request(updateMembers, { id, userIds: [2, 3, 4] }, as(manager));
    const received: unknown[] = [];
    const stop = carrel.shared.messaging.broadcast.on(`event:${membersChanged.name}`, (payload) =>
      received.push(payload),
    );
    await listening(carrel.shared.messaging, membersChanged);
    await request(updateMembers, { id, userIds: [4] }, as(manager));
    await poll(() => received).toContainEqual({
      workspaceId: id,
      userIds: [2, 3],
      excludedUserIds: [3],
    });
    stop();
  });

  it("of an unknown workspace are empty and can't be set", async () => {
    expect(await request(listMembers, { id: 999_999 }, as(admin))).toEqual({ users: [] });
    await expect(
      request(updateMembers, { id: 999_999, userIds: [3] }, as(admin)),
    ).rejects.toMatchObject({ kind: "REFUSED", message: "Workspace not found." });
    await request(deleteWorkspace, { slug: workspace.slug }, within(admin));
    expect(await request(listMembers, { id: workspace.id }, as(admin))).toEqual({ users: [] });
    await expect(
      request(updateMembers, { id: workspace.id, userIds: [3] }, as(admin)),
    ).rejects.toMatchObject({ kind: "REFUSED" });
    expect(
      (await request(listWorkspaces, {}, as(member))).workspaces.map(({ id }) => id),
    ).not.toContain(workspace.id);
  });

  it("are added or replaced through the developer API", async () => {
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
    ).rejects.toMatchObject({ kind: "NOT_FOUND" });
    await expect(
      request(manageMembers, { slug: workspace.slug, userIds: [], reset: true }, as(apiKey)),
    ).rejects.toMatchObject({ kind: "NOT_FOUND" });
    await expect(
      request(manageMembers, { slug: "no-such", userIds: [2] }, as(apiKey)),
    ).rejects.toMatchObject({ kind: "WORKSPACE_NOT_FOUND" });
    expect(await named()).toEqual([2]);
  });

  it("set concurrently end up as one of the sets", async () => {
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

  it("are partly listed and counted in the event log if many change at once", async () => {
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

  it("can change while their users are deleted, without a deadlock", async () => {
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
    await waitFor(
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
