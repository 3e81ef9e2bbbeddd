import {
  CarrelError,
  createInvite,
  createUser,
  deleteUser,
  disableInvite,
  disconnectExtension,
  issueSignInToken,
  listInvites,
  listMembers,
  listUsers,
  readWorkspacePage,
  manageMembers,
  updateMembers,
  updatePreferences,
  updateUser,
  type In,
  type UserWire,
} from "@carrel/contracts";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import {
  people,
  startGatewayInstance,
  workspaceRow,
  type GatewayInstance,
} from "./gateway-instance.ts";
import { recordedChats } from "./recorded-chats.ts";

let instance: GatewayInstance;

let hidden: GatewayInstance;

beforeAll(async () => {
  [instance, hidden] = await Promise.all([
    startGatewayInstance(),
    startGatewayInstance({ DISABLE_VIEW_CHAT_HISTORY: "true" }),
  ]);
});

afterAll(() => Promise.all([instance?.stop(), hidden?.stop()]));

const at = "2026-11-21T00:00:00.000Z";

const user: UserWire = {
  id: 5,
  username: "eva",
  pfpFilename: null,
  role: "default",
  suspended: 0,
  seen_recovery_codes: false,
  createdAt: at,
  lastUpdatedAt: at,
  dailyMessageLimit: null,
  bio: "",
  email: null,
  theme: null,
  userLang: null,
  secondFactor: false,
};

const invite = {
  id: 2,
  code: "abcd…",
  status: "pending" as const,
  claimedBy: null,
  workspaceIds: "[]",
  createdAt: at,
  createdBy: 0,
  lastUpdatedAt: at,
};

const member = { userId: 5, username: "eva", role: "default", lastUpdatedAt: at };

const done = { success: true, error: null };

const ask = (method: string, path: string, body?: unknown): ReturnType<GatewayInstance["call"]> =>
  instance.call(method, `/api/v1${path}`, {
    bearer: "key",
    ...(body === undefined ? {} : { body }),
  });

describe("the developer API", () => {
  it("lists and changes users as its key", async () => {
    instance.auth
      .answer(listUsers, { users: [user] })
      .answer(updateUser, done)
      .answer(deleteUser, () => {
        throw new CarrelError("user.unknown");
      })
      .answer(createUser, (({ username }: In<typeof createUser>) => {
        if (username !== "eva") throw new CarrelError("user.name-too-short", { limit: 2 });
        return { user, error: null };
      }) as never);
    expect((await ask("GET", "/users")).json).toEqual({
      users: [{ id: 5, username: "eva", role: "default" }],
    });
    expect((await ask("GET", "/admin/users")).json).toEqual({ users: [user] });
    expect(
      (
        await ask("POST", "/admin/users/new", {
          username: "eva",
          password: "x",
          dailyMessageLimit: "",
        })
      ).json,
    ).toEqual({ user, error: null });
    expect(instance.auth.last(createUser)).toMatchObject({
      input: { username: "eva", dailyMessageLimit: null },
      context: { scope: { principal: people.key, address: "127.0.0.1" } },
    });
    expect(await ask("POST", "/admin/users/new", { username: "e" })).toMatchObject({
      status: 400,
      json: { user: null, error: "Username must be at least 2 characters" },
      headers: { "carrel-error": '{"code":"user.name-too-short","params":{"limit":2}}' },
    });
    expect((await ask("POST", "/admin/users/5", { suspended: 1 })).json).toEqual(done);
    expect(instance.auth.last(updateUser)!.input).toMatchObject({ id: 5, suspended: true });
    expect(await ask("DELETE", "/admin/users/99")).toMatchObject({
      status: 404,
      json: { success: false, error: "User not found" },
      headers: { "carrel-error": '{"code":"user.unknown"}' },
    });
    expect((await ask("DELETE", "/admin/users/x")).status).toBe(400);
  });

  it("issues sign-in tokens", async () => {
    instance.auth.answer(issueSignInToken, {
      token: "allm-tat-x",
      loginPath: "/sso/simple?token=allm-tat-x",
    });
    expect((await ask("GET", "/users/5/issue-auth-token")).json).toEqual({
      token: "allm-tat-x",
      loginPath: "/sso/simple?token=allm-tat-x",
    });
    expect(instance.auth.last(issueSignInToken)).toMatchObject({
      input: { userId: 5 },
      context: { scope: { address: "127.0.0.1" } },
    });
    instance.auth.answer(issueSignInToken, () => {
      throw new CarrelError("user.unknown");
    });
    expect(await ask("GET", "/users/6/issue-auth-token")).toMatchObject({
      status: 404,
      json: { error: "User not found" },
    });
    instance.auth.answer(issueSignInToken, () => {
      throw new CarrelError("sign-in.sso-disabled");
    });
    expect(await ask("GET", "/users/6/issue-auth-token")).toMatchObject({
      status: 403,
      text: "Simple SSO is not enabled. It must be enabled to validate or issue temporary auth tokens.",
    });
  });

  it("creates and revokes invites", async () => {
    instance.auth
      .answer(listInvites, { invites: [invite] })
      .answer(createInvite, { invite, error: null })
      .answer(disableInvite, (({ id }: { id: number }) => {
        if (id === 2) return done;
        throw new CarrelError("invite.not-found");
      }) as never);
    expect((await ask("GET", "/admin/invites")).json).toEqual({ invites: [invite] });
    expect((await ask("POST", "/admin/invite/new", { workspaceIds: [3, "4"] })).json).toEqual({
      invite,
      error: null,
    });
    expect(instance.auth.last(createInvite)!.input).toEqual({ workspaceIds: [3, 4] });
    expect((await ask("DELETE", "/admin/invite/2")).json).toEqual(done);
    expect(await ask("DELETE", "/admin/invite/3")).toMatchObject({
      status: 404,
      json: { success: false, error: "Invite not found or already disabled" },
    });
    expect((await ask("DELETE", "/admin/invite/x")).status).toBe(400);
  });

  it("manages members, with this route's specific bodies", async () => {
    instance.workspace
      .answer(listMembers, { users: [member] })
      .answer(updateMembers, done)
      .answer(manageMembers, (({ slug, userIds }: In<typeof manageMembers>) => {
        if (slug !== "w3") throw new CarrelError("workspace.not-found");
        if (userIds.length === 0) throw new CarrelError("workspace.members-invalid");
        return { users: [member] };
      }) as never);
    expect((await ask("GET", "/admin/workspaces/3/users")).json).toEqual({ users: [member] });
    expect((await ask("POST", "/admin/workspaces/3/update-users", { userIds: [5] })).json).toEqual(
      done,
    );
    expect((await ask("POST", "/admin/workspaces/w3/manage-users", { userIds: [5] })).json).toEqual(
      { ...done, users: [member] },
    );
    expect(await ask("POST", "/admin/workspaces/w3/manage-users", { userIds: [] })).toMatchObject({
      status: 404,
      json: { success: false, error: "No valid user IDs provided.", users: [] },
    });
    expect(
      await ask("POST", "/admin/workspaces/nothing/manage-users", { userIds: [5] }),
    ).toMatchObject({
      status: 404,
      json: { success: false, error: "Workspace not found", users: [] },
    });
    expect(
      (await ask("POST", "/admin/workspaces/w3/manage-users", { userIds: "all" })).status,
    ).toBe(400);
  });

  it("sets preferences from a flat map", async () => {
    instance.workspace.answer(updatePreferences, done);
    expect(
      (await ask("POST", "/admin/preferences", { custom_app_name: "Ours", footer_data: "[]" }))
        .json,
    ).toEqual(done);
    expect(instance.workspace.last(updatePreferences)).toMatchObject({
      input: { preferences: { custom_app_name: "Ours", footer_data: "[]" } },
      context: { scope: { principal: people.key } },
    });
  });
});

recordedChats(() => ({ instance, hidden }));

describe("the browser extension", () => {
  it("sees the workspaces that its key's owner may use", async () => {
    expect(
      (await instance.call("GET", "/api/browser-extension/workspaces", { bearer: "brx" })).json,
    ).toEqual({ workspaces: [workspaceRow(3)] });
    expect(instance.workspace.last(readWorkspacePage)!.context.scope.principal).toEqual(people.brx);
    instance.auth.answer(disconnectExtension, { success: true });
    expect(
      (await instance.call("DELETE", "/api/browser-extension/disconnect", { bearer: "brx" })).json,
    ).toEqual({ success: true });
    expect(instance.auth.last(disconnectExtension)!.context.scope.principal).toMatchObject({
      kind: "extension",
      keyId: 8,
    });
  });
});
