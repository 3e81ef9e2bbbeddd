import {
  createAdminWorkspace,
  createWorkspace,
  deleteAdminWorkspace,
  deleteWorkspace,
  findWorkspaces,
  getWorkspaceSettings,
  listAdminWorkspacePage,
  listMembers,
  listWorkspaceIds,
  listWorkspaces,
  manageMembers,
  readWorkspace,
  readWorkspacePage,
  resolveWorkspace,
  servicePrincipal,
  updateMembers,
  updateWorkspace,
  type Principal,
  type WorkspaceDetailWire,
  type WorkspaceWire,
} from "@carrel/contracts";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { apiKey, instance, person, scopeOf } from "./workspace-instance.ts";
import { admin, as, manager, member, stranger, startWorkspaceSuite } from "./workspace-suite.ts";

const { current, request, within } = await startWorkspaceSuite();
let workspace: WorkspaceWire;
const read = async (
  principal: Principal,
): Promise<WorkspaceWire & Pick<WorkspaceDetailWire, "workspace_users">> =>
  JSON.parse((await request(readWorkspace, {}, within(principal))).workspace) as WorkspaceWire;

beforeEach(() => {
  workspace = current();
});

describe("workspace access", () => {
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
    expect(unknown).toMatchObject({ kind: "WORKSPACE_NOT_FOUND" });
    if (may) {
      expect(
        (await request(resolveWorkspace, { slug: workspace.slug }, as(principal))).scope.workspace,
      ).toEqual({ id: workspace.id, slug: workspace.slug });
      expect((await request(getWorkspaceSettings, {}, within(principal))).workspace.id).toBe(
        workspace.id,
      );
      expect(await read(principal)).toMatchObject({ id: workspace.id });
    } else {
      // Unknown and inaccessible workspaces are indistinguishable.
      const foreign = await request(
        resolveWorkspace,
        { slug: workspace.slug },
        as(principal),
      ).catch((error: unknown) => error);
      expect({ ...(foreign as object), message: (foreign as Error).message }).toEqual({
        ...(unknown as object),
        message: (unknown as Error).message,
      });
      for (const operation of [getWorkspaceSettings, readWorkspace])
        await expect(request(operation, {}, within(principal))).rejects.toMatchObject({
          kind: "WORKSPACE_NOT_FOUND",
        });
    }
  });

  it("shows a restricted API key its own workspaces only", async () => {
    const other = (await request(createWorkspace, { name: "Other" }, as(admin))).workspace!;
    const restricted: Principal = { ...apiKey, workspaceIds: [workspace.id, 999_999] };
    const refused = { kind: "WORKSPACE_NOT_FOUND" };
    const idsOf = (all: { id: number }[]): number[] => all.map(({ id }) => id);
    expect(idsOf((await request(listWorkspaces, {}, as(restricted))).workspaces)).toEqual([
      workspace.id,
    ]);
    const { page } = await request(readWorkspacePage, {}, as(restricted));
    expect(idsOf(JSON.parse(`[${page!.items}]`) as WorkspaceWire[])).toEqual([workspace.id]);
    expect((await request(listWorkspaceIds, {}, as(restricted))).ids).toEqual([workspace.id]);
    expect(idsOf((await request(listAdminWorkspacePage, {}, as(restricted))).workspaces)).toEqual([
      workspace.id,
    ]);
    expect((await read(restricted)).id).toBe(workspace.id);
    await request(resolveWorkspace, { slug: workspace.slug }, as(restricted));
    await expect(
      request(resolveWorkspace, { slug: other.slug }, as(restricted)),
    ).rejects.toMatchObject(refused);
    const inOther = scopeOf(restricted, { id: other.id, slug: other.slug });
    for (const operation of [getWorkspaceSettings, readWorkspace])
      await expect(request(operation, {}, inOther)).rejects.toMatchObject(refused);
    await request(deleteWorkspace, { slug: other.slug }, scopeOf(admin, other));
  });

  it("returns a member's own membership with the workspace, and none to anyone else", async () => {
    await request(updateMembers, { id: workspace.id, userIds: [3, 4] }, as(admin));
    expect((await read(member)).workspace_users).toEqual([
      {
        user_id: 3,
        workspace_id: workspace.id,
        createdAt: expect.any(String),
        lastUpdatedAt: expect.any(String),
      },
    ]);
    for (const principal of [admin, manager, apiKey])
      expect(await read(principal)).not.toHaveProperty("workspace_users");
  });

  it.each([
    ["a member", member],
    ["a stranger", stranger],
    ["nobody", { kind: "public", userId: null, role: "none" } as Principal],
  ])("%s can't change anything", async (_name, principal) => {
    const refused = { kind: "FORBIDDEN" };
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
