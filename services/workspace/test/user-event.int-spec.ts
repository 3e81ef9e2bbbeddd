import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
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
  updateMembers,
  userDeleted,
  type Principal,
  type Scope,
  type WorkspaceWire,
} from "@carrel/contracts";
import { waitFor } from "@carrel/testing";
import {
  person,
  scopeOf,
  service,
  startWorkspaceInstance,
  type WorkspaceInstance,
} from "./workspace-instance.ts";
import { UserReferenceRepository } from "../src/membership/user-reference.repository.ts";

const admin = person(1, "admin");
let carrel: WorkspaceInstance;
let request: WorkspaceInstance["request"];
let workspace: WorkspaceWire;
const as = (principal: Principal): Scope => scopeOf(principal);
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
