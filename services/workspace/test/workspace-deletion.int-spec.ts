import { randomUUID } from "node:crypto";
import {
  createWorkspace,
  deleteAdminWorkspace,
  deleteWorkspace,
  getSettings,
  listWorkspaces,
  multiUserEnabled,
  type WorkspaceWire,
} from "@carrel/contracts";
import { waitFor } from "@carrel/testing";
import { beforeEach, describe, expect, it } from "@jest/globals";
import {
  instance,
  person,
  scopeOf,
  service,
  startWorkspaceInstance,
} from "./workspace-instance.ts";
import { admin, as, manager, startWorkspaceSuite } from "./workspace-suite.ts";

const { current, newestEvents, request } = await startWorkspaceSuite();
let workspace: WorkspaceWire;

beforeEach(() => {
  workspace = current();
});

describe("deletion by an admin", () => {
  it("happens once and reports unknown workspaces as not found", async () => {
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
        kind: "WORKSPACE_NOT_FOUND",
      });
  });
});

it("enabling accounts transfers only the instance's workspaces to the first admin", async () => {
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
    // Added as a regular member rather than an admin, so that they keep access if they lose the
    // role.
    await waitFor(
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
    // A request of the instance still in flight during the switch.
    await own.request(createWorkspace, { name: "Late" }, instance);
    await waitFor(
      async () => (await own.request(listWorkspaces, {}, as(person(41)))).workspaces.length === 4,
    );
  } finally {
    await own.stop();
  }
});

it("a protected instance refuses to delete workspaces and says so in its settings", async () => {
  const closed = await startWorkspaceInstance({
    WORKSPACE_DELETION_PROTECTION: "1",
    DISABLE_VIEW_CHAT_HISTORY: "true",
  });
  try {
    const kept = (await closed.request(createWorkspace, { name: "Kept" }, instance)).workspace!;
    const refused = {
      kind: "DISABLED",
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
