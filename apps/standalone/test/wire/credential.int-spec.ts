import {
  accessChanged,
  authenticate,
  CarrelError,
  createWorkspace,
  getMemberRights,
  getAuthSettings,
  instancePrincipal,
  listUsers,
  membersChanged,
  refreshUser,
  resolveWorkspace,
  updateProfile,
  updateUser,
  type Principal,
} from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import {
  multiUser,
  noPassword,
  people,
  startGatewayInstance,
  workspaceRow,
  type GatewayInstance,
} from "./gateway-instance.ts";

let instance: GatewayInstance;

beforeAll(async () => {
  instance = await startGatewayInstance();
});

afterAll(() => instance?.stop());

const publish = (userId?: number): Promise<void> =>
  instance.shared.messaging.broadcast.publishEvent(
    accessChanged,
    userId === undefined ? {} : { userId },
  );

const count = (name: string): number =>
  instance.auth.asked.filter(({ operation }) => operation === name).length;

const scopesOf = (name: string, of: GatewayInstance["auth"]): Principal[] =>
  of.asked
    .filter(({ operation }) => operation === name)
    .map(({ context }) => context.scope.principal);

beforeEach(async () => {
  instance.settings = multiUser;
  instance.principals = new Map(Object.entries(people));
  const before = count(getAuthSettings.name);
  await publish();
  await poll(async () => {
    await instance.call("GET", "/api/workspaces");
    return count(getAuthSettings.name);
  }).toBeGreaterThan(before);
  for (const fixture of [instance.auth, instance.workspace]) fixture.asked.length = 0;
});

describe("credentials", () => {
  it("only a session gives access to session routes", async () => {
    expect((await instance.call("GET", "/api/workspaces", { bearer: "anna" })).json).toEqual({
      workspaces: [workspaceRow(3)],
    });
    expect(await instance.call("GET", "/api/workspaces")).toMatchObject({
      status: 401,
      json: { error: "No auth token found." },
    });
    for (const bearer of ["key", "brx", "nonsense", "x".repeat(10_000)])
      expect(await instance.call("GET", "/api/workspaces", { bearer })).toMatchObject({
        status: 401,
        json: { error: "Invalid auth token." },
      });
    expect(
      (
        await instance.call("GET", "/api/workspaces", {
          headers: { cookie: "carrel_session=admin; carrel_device=admin" },
        })
      ).status,
    ).toBe(401);
  });

  it("only a key gives access to its routes", async () => {
    expect(await instance.call("GET", "/api/v1/auth", { bearer: "key" })).toMatchObject({
      status: 200,
      json: { authenticated: true },
    });
    for (const bearer of [undefined, "admin", "brx", "nonsense"])
      expect(
        await instance.call("GET", "/api/v1/auth", bearer === undefined ? {} : { bearer }),
      ).toMatchObject({ status: 403, json: { error: "No valid api key found." } });
    expect(
      await instance.call("GET", "/api/browser-extension/check", { bearer: "brx" }),
    ).toMatchObject({
      status: 200,
      json: { connected: true, apiKeyId: 8, workspaces: [workspaceRow(3)] },
    });
    for (const bearer of ["admin", "key", "nonsense"])
      expect(await instance.call("GET", "/api/browser-extension/check", { bearer })).toMatchObject({
        status: 403,
        json: { error: "No valid API key found." },
      });
    expect(
      (await instance.call("GET", "/api/v1/auth", { headers: { cookie: "carrel_session=key" } }))
        .status,
    ).toBe(403);
  });

  it("unknown addresses of the developer API are refused without a key, like known ones", async () => {
    const get = (bearer?: string): Promise<unknown> =>
      instance.call("GET", "/api/v1/no/such/address", bearer === undefined ? {} : { bearer });
    for (const bearer of [undefined, "admin", "brx", "nonsense"])
      expect(await get(bearer)).toMatchObject({
        status: 403,
        json: { error: "No valid api key found." },
      });
    expect(await get("key")).toMatchObject({ status: 404 });
  });

  it("the kind that auth returns is checked again here", async () => {
    instance.principals.set("odd", people.key!);
    instance.auth.answer(authenticate, { principal: people.key! });
    try {
      expect((await instance.call("GET", "/api/workspaces", { bearer: "odd" })).status).toBe(401);
      expect(
        (await instance.call("GET", "/api/browser-extension/check", { bearer: "odd" })).status,
      ).toBe(403);
    } finally {
      instance.auth.answer(authenticate, (({ bearer }: { bearer: string }) => {
        const principal = instance.principals.get(bearer);
        if (principal === undefined) throw new CarrelError("access.token-invalid");
        return { principal };
      }) as never);
    }
  });

  it("roles and modes are refused with a bare 401", async () => {
    instance.auth.answer(listUsers, { users: [] });
    const refused = { status: 401, text: "Unauthorized" };
    expect(await instance.call("GET", "/api/admin/users", { bearer: "anna" })).toMatchObject(
      refused,
    );
    expect((await instance.call("GET", "/api/admin/users", { bearer: "manager" })).json).toEqual({
      users: [],
    });
    expect(await instance.call("GET", "/api/admin/api-keys", { bearer: "manager" })).toMatchObject(
      refused,
    );
    expect(
      await instance.call("POST", "/api/system/update-password", {
        bearer: "admin",
        body: { usePassword: false },
      }),
    ).toMatchObject(refused);
    expect((await instance.call("GET", "/api/v1/admin/users", { bearer: "key" })).json).toEqual({
      users: [],
    });
    instance.settings = noPassword;
    await publish();
    await poll(() => instance.call("GET", "/api/v1/admin/users", { bearer: "key" })).toMatchObject(
      refused,
    );
    expect(await instance.call("GET", "/api/admin/users")).toMatchObject(refused);
    expect(
      await instance.call("GET", "/api/v1/admin/is-multi-user-mode", { bearer: "key" }),
    ).toMatchObject({ status: 200, json: { isMultiUser: false } });
    // A key must be valid, with or without a password.
    expect((await instance.call("GET", "/api/v1/auth")).status).toBe(403);
  });
});

describe("cached access", () => {
  it("a credential is looked up once, and again as soon as its user has changed", async () => {
    await Promise.all(
      Array.from({ length: 5 }, () => instance.call("GET", "/api/workspaces", { bearer: "anna" })),
    );
    for (const bearer of ["anna", "bela", "anna", "bela"])
      await instance.call("GET", "/api/workspaces", { bearer });
    const asked = count(authenticate.name);
    await instance.call("GET", "/api/workspaces", { bearer: "anna" });
    expect(count(authenticate.name)).toBe(asked);
    instance.principals.delete("anna");
    await publish(3);
    await poll(
      async () => (await instance.call("GET", "/api/workspaces", { bearer: "anna" })).status,
    ).toBe(401);
    const after = count(authenticate.name);
    await instance.call("GET", "/api/workspaces", { bearer: "bela" });
    expect(count(authenticate.name)).toBe(after);
  });

  it("a changed role applies at once, also to workspaces resolved before", async () => {
    instance.workspace.answer(getMemberRights, {
      rights: [],
      choosesModels: false,
      ownWorkspaces: [],
    });
    expect((await instance.call("GET", "/api/workspace/w4", { bearer: "anna" })).json).toEqual({
      workspace: null,
    });
    expect(
      await instance.call("POST", "/api/workspace/new", { bearer: "anna", body: { name: "N" } }),
    ).toMatchObject({ status: 401, text: "Unauthorized" });
    instance.workspace.answer(createWorkspace, { workspace: workspaceRow(9), message: null });
    instance.principals.set("anna", { ...people.anna!, role: "manager" });
    await publish(3);
    await poll(
      async () =>
        (await instance.call("POST", "/api/workspace/new", { bearer: "anna", body: { name: "N" } }))
          .status,
    ).toBe(200);
    await instance.call("GET", "/api/workspace/w4", { bearer: "anna" });
    expect(instance.workspace.last(resolveWorkspace)).toMatchObject({
      input: { slug: "w4" },
      context: { scope: { principal: { userId: 3, role: "manager" } } },
    });
  });

  it("a changed membership is looked up again", async () => {
    await instance.call("GET", "/api/workspace/w3", { bearer: "anna" });
    await instance.call("GET", "/api/workspace/w3", { bearer: "anna" });
    const resolved = (): number =>
      instance.workspace.asked.filter(({ operation }) => operation === resolveWorkspace.name)
        .length;
    expect(resolved()).toBe(1);
    await instance.shared.messaging.broadcast.publishEvent(membersChanged, {
      workspaceId: 3,
      userIds: [3],
    });
    await poll(async () => {
      await instance.call("GET", "/api/workspace/w3", { bearer: "anna" });
      return resolved();
    }).toBeGreaterThan(1);
  });

  it("a write to auth invalidates this gateway's cache before it is answered", async () => {
    instance.auth
      .answer(updateUser, { success: true, error: null })
      .answer(updateProfile, { success: true, error: null });
    await instance.call("GET", "/api/workspaces", { bearer: "anna" });
    instance.principals.delete("anna");
    await instance.call("POST", "/api/admin/user/3", { bearer: "admin", body: { suspended: 1 } });
    expect((await instance.call("GET", "/api/workspaces", { bearer: "anna" })).status).toBe(401);
    // A user's own write refreshes only that user's credentials.
    await instance.call("GET", "/api/workspaces", { bearer: "bela" });
    await instance.call("GET", "/api/workspaces", { bearer: "manager" });
    await instance.call("POST", "/api/system/user", { bearer: "bela", body: { username: "bela" } });
    const asked = count(authenticate.name);
    await instance.call("GET", "/api/workspaces", { bearer: "manager" });
    expect(count(authenticate.name)).toBe(asked);
    await instance.call("GET", "/api/workspaces", { bearer: "bela" });
    expect(count(authenticate.name)).toBe(asked + 1);
  });

  it("a session of the other mode is invalid after the switch", async () => {
    instance.settings = { ...noPassword, RequiresAuth: true };
    instance.principals.set("old", instancePrincipal);
    await publish();
    await poll(
      async () => (await instance.call("GET", "/api/workspaces", { bearer: "old" })).status,
    ).toBe(200);
    instance.principals.delete("old");
    instance.settings = multiUser;
    // Only one user's entries: the old mode's principal isn't theirs.
    await publish(1);
    await poll(
      async () => (await instance.call("GET", "/api/workspaces", { bearer: "old" })).status,
    ).toBe(401);
  });

  it("identical reads of different users are never shared", async () => {
    instance.auth.answer(refreshUser, (async (
      _input: unknown,
      { scope }: { scope: { principal: Principal } },
    ) => {
      await new Promise((resolve) => setTimeout(resolve, 200));
      return { success: true, user: null, message: `${scope.principal.userId}` };
    }) as never);
    const asked = await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        const [bearer, id] = index % 2 === 0 ? ["anna", "3"] : ["bela", "4"];
        return {
          id,
          message: (
            (await instance.call("GET", "/api/system/refresh-user", { bearer })).json as {
              message: string;
            }
          ).message,
        };
      }),
    );
    for (const { id, message } of asked) expect(message).toBe(id);
    expect(scopesOf(refreshUser.name, instance.auth).length).toBeLessThan(40);
  });
});
