import {
  addMember,
  createWorkspace,
  inviteAccepted,
  listAdminWorkspacePage,
  listEvents,
  listMembers,
  listWorkspaces,
  manageMembers,
  resolveWorkspace,
  userDeleted,
  type WorkspaceWire,
} from "@carrel/contracts";
import { waitFor } from "@carrel/testing";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { UserReferenceRepository } from "../src/membership/membership.ts";
import { person, service, startWorkspaceInstance } from "./workspace-instance.ts";
import { admin, as, startWorkspaceSuite } from "./workspace-suite.ts";

const { carrel, current, newestEvents, request } = await startWorkspaceSuite();
let workspace: WorkspaceWire;

beforeEach(() => {
  workspace = current();
});

describe("auth's user events", () => {
  it("an accepted invite adds the user once to each existing workspace", async () => {
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
    await waitFor(
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
    // One for the new workspace and one for its member; nothing for the existing membership.
    expect((await request(listEvents, {}, as(admin))).totalLogs).toBe(totalLogs + 2);
  });

  it("an invite that arrives after its user was deleted adds no member", async () => {
    await carrel.tell(inviteAccepted, { userId: 888, workspaceIds: [workspace.id] });
    carrel.accounts.add(21, "ben");
    await carrel.tell(inviteAccepted, { userId: 21, workspaceIds: [workspace.id] });
    await waitFor(async () =>
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

  it("a deleted user loses all memberships, and their workspaces go to the instance", async () => {
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
    await waitFor(
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

it("compares users of variables and prompt histories with auth, too", async () => {
  await carrel.sql.query(
    "INSERT INTO workspace.variable (key, value, user_id) VALUES ('team', 'Blue', 100001)",
  );
  await carrel.sql.query(
    "INSERT INTO workspace.prompt_history (workspace_id, prompt, modified_by) VALUES ($1, 'Be kind.', 100002)",
    [workspace.id],
  );
  const references = new UserReferenceRepository(carrel.sql);
  expect(await references.listUserIds(service, 100_000, 10)).toEqual([100_001, 100_002]);
  expect(await references.listUserIds(service, 100_000, 1)).toEqual([100_001]);
});

it("detects deleted users without an event and keeps the others", async () => {
  const own = await startWorkspaceInstance();
  try {
    own.accounts.add(5, "kim");
    const made = (
      await own.request(createWorkspace, { name: "Made by somebody" }, as(person(555, "manager")))
    ).workspace!;
    await own.request(addMember, { userId: 5, workspaceIds: [made.id] }, service);
    await waitFor(
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
