import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import {
  accessChanged,
  acceptInvite,
  addMember,
  authenticate,
  CarrelError,
  createWorkspace,
  getAuthSettings,
  instancePrincipal,
  listUsers,
  listWorkspacePage,
  membersChanged,
  recoverAccount,
  refreshUser,
  requestToken,
  requestTokenBySignInToken,
  resetPassword,
  resolveWorkspace,
  signOut,
  updatePreferences,
  updateProfile,
  updateUser,
  type Principal,
} from "@carrel/contracts";
import { eventually } from "@carrel/testing";
import {
  multiUser,
  noPassword,
  people,
  startGatewayInstance,
  workspaceRow,
  type GatewayInstance,
} from "./gateway-instance.ts";

let instance: GatewayInstance;
let proxied: GatewayInstance;
beforeAll(async () => {
  [instance, proxied] = await Promise.all([
    startGatewayInstance(),
    startGatewayInstance({
      CARREL_TRUST_PROXY: "loopback",
      DISABLE_SWAGGER_DOCS: "true",
      DISABLE_VIEW_CHAT_HISTORY: "1",
    }),
  ]);
});
afterAll(() => Promise.all([instance?.stop(), proxied?.stop()]));
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
  await eventually(async () => {
    await instance.call("GET", "/api/workspaces");
    expect(count(getAuthSettings.name)).toBeGreaterThan(before);
  });
  for (const fixture of [instance.auth, instance.workspace]) fixture.asked.length = 0;
});

describe("credentials", () => {
  it("a session opens session routes, and nothing else does", async () => {
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

  it("a key opens its own routes, and nothing else does", async () => {
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

  it("what auth says of the kind is checked again here", async () => {
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
        if (principal === undefined)
          throw new CarrelError("UNAUTHENTICATED", "Invalid auth token.");
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
    await eventually(async () =>
      expect(await instance.call("GET", "/api/v1/admin/users", { bearer: "key" })).toMatchObject(
        refused,
      ),
    );
    expect(await instance.call("GET", "/api/admin/users")).toMatchObject(refused);
    expect(
      await instance.call("GET", "/api/v1/admin/is-multi-user-mode", { bearer: "key" }),
    ).toMatchObject({ status: 200, json: { isMultiUser: false } });
    // A key has to be one, password or not.
    expect((await instance.call("GET", "/api/v1/auth")).status).toBe(403);
  });
});

describe("what is remembered", () => {
  it("a credential is asked for once, and again as soon as its user has changed", async () => {
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
    await eventually(async () =>
      expect((await instance.call("GET", "/api/workspaces", { bearer: "anna" })).status).toBe(401),
    );
    const after = count(authenticate.name);
    await instance.call("GET", "/api/workspaces", { bearer: "bela" });
    expect(count(authenticate.name)).toBe(after);
  });

  it("a changed role holds at once, also for workspaces that were resolved before", async () => {
    expect((await instance.call("GET", "/api/workspace/w4", { bearer: "anna" })).json).toEqual({
      workspace: null,
    });
    expect(
      await instance.call("POST", "/api/workspace/new", { bearer: "anna", body: { name: "N" } }),
    ).toMatchObject({ status: 401, text: "Unauthorized" });
    instance.workspace.answer(createWorkspace, { workspace: workspaceRow(9), message: null });
    instance.principals.set("anna", { ...people.anna!, role: "manager" });
    await publish(3);
    await eventually(async () =>
      expect(
        (await instance.call("POST", "/api/workspace/new", { bearer: "anna", body: { name: "N" } }))
          .status,
      ).toBe(200),
    );
    await instance.call("GET", "/api/workspace/w4", { bearer: "anna" });
    expect(instance.workspace.last(resolveWorkspace)).toMatchObject({
      input: { slug: "w4" },
      context: { scope: { principal: { userId: 3, role: "manager" } } },
    });
  });

  it("a changed membership is asked for again", async () => {
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
    await eventually(async () => {
      await instance.call("GET", "/api/workspace/w3", { bearer: "anna" });
      expect(resolved()).toBeGreaterThan(1);
    });
  });

  it("a write to auth drops what this gateway knows before it is answered", async () => {
    instance.auth
      .answer(updateUser, { success: true, error: null })
      .answer(updateProfile, { success: true, error: null });
    await instance.call("GET", "/api/workspaces", { bearer: "anna" });
    instance.principals.delete("anna");
    await instance.call("POST", "/api/admin/user/3", { bearer: "admin", body: { suspended: 1 } });
    expect((await instance.call("GET", "/api/workspaces", { bearer: "anna" })).status).toBe(401);
    // A user's own write asks again for that user and for nobody else.
    await instance.call("GET", "/api/workspaces", { bearer: "bela" });
    await instance.call("GET", "/api/workspaces", { bearer: "manager" });
    await instance.call("POST", "/api/system/user", { bearer: "bela", body: { username: "bela" } });
    const asked = count(authenticate.name);
    await instance.call("GET", "/api/workspaces", { bearer: "manager" });
    expect(count(authenticate.name)).toBe(asked);
    await instance.call("GET", "/api/workspaces", { bearer: "bela" });
    expect(count(authenticate.name)).toBe(asked + 1);
  });

  it("a session of the other mode proves nothing after the switch", async () => {
    instance.settings = { ...noPassword, RequiresAuth: true };
    instance.principals.set("old", instancePrincipal);
    await publish();
    await eventually(async () =>
      expect((await instance.call("GET", "/api/workspaces", { bearer: "old" })).status).toBe(200),
    );
    instance.principals.delete("old");
    instance.settings = multiUser;
    // One user only: the principal of the old mode is not his.
    await publish(1);
    await eventually(async () =>
      expect((await instance.call("GET", "/api/workspaces", { bearer: "old" })).status).toBe(401),
    );
  });

  it("equal reads of different people are never joined", async () => {
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

describe("addresses", () => {
  const spoofed = {
    "x-forwarded-for": "203.0.113.9",
    "x-forwarded-proto": "https",
    "x-forwarded-host": "evil.example",
  };
  const answerLogin = (of: GatewayInstance): void => {
    of.auth.answer(requestToken, {
      valid: true,
      user: null,
      token: "a.b.c",
      message: null,
      device: "known-device",
    });
  };
  const addressOf = (of: GatewayInstance): string | undefined =>
    (of.auth.last(requestToken)!.input as { address?: string }).address;

  it("what a client says of its address counts for nothing without a proxy", async () => {
    answerLogin(instance);
    const answer = await instance.call("POST", "/api/request-token", {
      body: { password: "x", address: "198.51.100.1", userAgent: "lie" },
      headers: { ...spoofed, "user-agent": "Firefox", forwarded: "for=203.0.113.9" },
    });
    expect(instance.auth.last(requestToken)!.input).toMatchObject({
      address: "127.0.0.1",
      userAgent: "Firefox",
    });
    expect(instance.auth.last(requestToken)!.context.scope.address).toBe("127.0.0.1");
    expect(String(answer.headers["set-cookie"])).not.toContain("Secure");
  });

  it.each([
    ["one address", "203.0.113.9", "203.0.113.9"],
    ["the last that no proxy of ours says", "198.51.100.7, 203.0.113.9", "203.0.113.9"],
    ["behind a second proxy of ours", "203.0.113.9, 127.0.0.5", "203.0.113.9"],
    ["IPv6", "2001:db8::7", "2001:db8::7"],
    ["IPv4 in IPv6", "::ffff:203.0.113.9", "203.0.113.9"],
    ["no address", "unknown", "127.0.0.1"],
    ["nonsense", `${"9".repeat(3_000)}'; drop table`, "127.0.0.1"],
    ["nothing", "", "127.0.0.1"],
  ])("behind a proxy that is trusted: %s", async (_name, header, address) => {
    answerLogin(proxied);
    expect(
      (
        await proxied.call("POST", "/api/request-token", {
          body: {},
          headers: { "x-forwarded-for": header },
        })
      ).status,
    ).toBe(200);
    expect(addressOf(proxied)).toBe(address);
  });

  it("the scheme and the host that a trusted proxy says hold", async () => {
    answerLogin(proxied);
    const answer = await proxied.call("POST", "/api/request-token", {
      body: {},
      headers: { "x-forwarded-proto": "https" },
    });
    for (const cookie of answer.headers["set-cookie"]!) expect(cookie).toMatch(/; Secure$/);
    const own = {
      origin: "https://carrel.example",
      "x-forwarded-host": "carrel.example",
      "x-forwarded-proto": "https",
    };
    expect((await proxied.call("GET", "/api/ping", { headers: own })).status).toBe(200);
    expect((await instance.call("GET", "/api/ping", { headers: own })).status).toBe(403);
  });
});

describe("sessions", () => {
  it("login sets two cookies that only their addresses see, and keeps the device out of the body", async () => {
    instance.auth.answer(requestToken, {
      valid: true,
      user: null,
      token: "a.b.c",
      message: null,
      device: "dev/ice+1==",
    });
    const answer = await instance.call("POST", "/api/request-token", {
      body: { username: "anna", password: "x", device: "forged" },
    });
    expect(answer.json).toEqual({ valid: true, user: null, token: "a.b.c", message: null });
    expect(answer.headers["set-cookie"]).toEqual([
      "carrel_session=a.b.c; Path=/api/setup-complete; Max-Age=2592000; HttpOnly; SameSite=Strict",
      "carrel_device=dev/ice+1==; Path=/api/request-token; Max-Age=31536000; HttpOnly; SameSite=Strict",
    ]);
    expect((instance.auth.last(requestToken)!.input as { device?: string }).device).toBeUndefined();
    await instance.call("POST", "/api/request-token", {
      body: { device: "forged" },
      headers: { cookie: "a=b; carrel_device=dev/ice+1==" },
    });
    expect((instance.auth.last(requestToken)!.input as { device?: string }).device).toBe(
      "dev/ice+1==",
    );
    await instance.call("POST", "/api/request-token", {
      body: {},
      headers: { cookie: `carrel_device=${"x".repeat(2_000)}` },
    });
    expect((instance.auth.last(requestToken)!.input as { device?: string }).device).toBeUndefined();
  });

  it("a refused login sets none", async () => {
    instance.auth.answer(requestToken, {
      valid: false,
      user: null,
      token: null,
      message: "[001] Invalid login credentials.",
    });
    const answer = await instance.call("POST", "/api/request-token", {
      body: { username: "anna", password: "x" },
    });
    expect(answer).toMatchObject({ status: 200, json: { valid: false, token: null } });
    expect(answer.headers["set-cookie"]).toBeUndefined();
  });

  it("throttling is 429 with Retry-After in the words of the form, however many come at once", async () => {
    instance.auth.answer(requestToken, () => {
      throw new CarrelError("TOO_MANY_ATTEMPTS", "Too many attempts. Try again in a minute.", {
        details: { retryAfter: 60 },
      });
    });
    const answers = await Promise.all(
      Array.from({ length: 300 }, (_, index) =>
        instance.call("POST", "/api/request-token", {
          body: { username: `u${index}`, password: "x" },
        }),
      ),
    );
    for (const answer of answers)
      expect(answer).toMatchObject({
        status: 429,
        json: {
          valid: false,
          user: null,
          token: null,
          message: "Too many attempts. Try again in a minute.",
        },
      });
    expect(answers[0]!.headers["retry-after"]).toBe("60");
  });

  it.each([
    ["a list as password", { username: "a", password: ["x"] }],
    ["an object as name", { username: {} }],
    ["a number as device", { device: 7 }],
    ["a long password", { password: "x".repeat(2_000) }],
    ["a long name", { username: "x".repeat(300) }],
    ["no object", "[]"],
    ["no JSON", '{"a"'],
    ["NUL", { username: "a\u0000b" }],
  ])("%s is a fault of the client", async (_name, body) => {
    expect((await instance.call("POST", "/api/request-token", { body })).status).toBe(400);
  });

  it("single sign-on sets the cookie too and is told from where", async () => {
    instance.auth.answer(requestTokenBySignInToken, {
      valid: true,
      user: null,
      token: "a.b.c",
      message: null,
    });
    const answer = await instance.call(
      "GET",
      "/api/request-token/sso/simple?token=allm-tat-x&address=1.2.3.4",
      { headers: { "user-agent": "Firefox" } },
    );
    expect(answer).toMatchObject({ status: 200, json: { valid: true, token: "a.b.c" } });
    expect(String(answer.headers["set-cookie"])).toContain("carrel_session=a.b.c");
    expect(instance.auth.last(requestTokenBySignInToken)).toMatchObject({
      input: { token: "allm-tat-x", address: "127.0.0.1", userAgent: "Firefox" },
      context: { scope: { address: "127.0.0.1" } },
    });
    instance.auth.answer(requestTokenBySignInToken, () => {
      throw new CarrelError("DISABLED", "Simple SSO is off.");
    });
    expect(await instance.call("GET", "/api/request-token/sso/simple?token=x")).toMatchObject({
      status: 403,
      text: "Simple SSO is off.",
    });
  });

  it("signing out clears the cookies and what is remembered", async () => {
    await instance.call("GET", "/api/workspaces", { bearer: "anna" });
    instance.auth.answer(signOut, () => {
      instance.principals.delete("anna");
      return { success: true };
    });
    const answer = await instance.call("POST", "/api/system/sign-out", {
      bearer: "anna",
      body: {},
    });
    expect(answer).toMatchObject({ status: 200, json: { success: true } });
    for (const cookie of answer.headers["set-cookie"]!)
      expect(cookie).toMatch(/^carrel_(session|device)=; .*Max-Age=0/);
    expect(instance.auth.last(signOut)!.context.scope).toMatchObject({
      principal: people.anna,
      address: "127.0.0.1",
    });
    expect((await instance.call("GET", "/api/system/check-token", { bearer: "anna" })).status).toBe(
      401,
    );
  });

  it("recovery is told the address, and refusals keep their shape", async () => {
    instance.auth
      .answer(recoverAccount, { success: true, resetToken: "t" })
      .answer(resetPassword, () => {
        throw new CarrelError("DISABLED", "Not here.");
      });
    expect(
      (
        await instance.call("POST", "/api/system/recover-account", {
          body: { username: "anna", recoveryCodes: ["a", "b"], address: "x" },
        })
      ).json,
    ).toEqual({ success: true, resetToken: "t" });
    expect(instance.auth.last(recoverAccount)!.input).toEqual({
      username: "anna",
      recoveryCodes: ["a", "b"],
      address: "127.0.0.1",
    });
    expect(
      await instance.call("POST", "/api/system/reset-password", {
        body: { token: "t", newPassword: "a", confirmPassword: "a" },
      }),
    ).toMatchObject({ status: 403, json: { error: "Invalid request" } });
    expect(
      await instance.call("POST", "/api/system/recover-account", { body: { recoveryCodes: "ab" } }),
    ).toMatchObject({ status: 400, json: { success: false } });
  });

  it("who accepts an invite is a member before the answer, which says no more than the wire does", async () => {
    instance.auth.answer(acceptInvite, {
      success: true,
      error: null,
      userId: 12,
      workspaceIds: [3, 4],
    });
    instance.workspace.answer(addMember, {});
    expect(
      (
        await instance.call("POST", "/api/invite/code", {
          body: { username: "new", password: "x" },
        })
      ).text,
    ).toBe('{"success":true,"error":null}');
    expect(instance.workspace.last(addMember)).toMatchObject({
      input: { userId: 12, workspaceIds: [3, 4] },
      context: { scope: { principal: { kind: "service" } } },
    });
    expect(instance.auth.last(acceptInvite)!.input).toEqual({
      code: "code",
      username: "new",
      password: "x",
      address: "127.0.0.1",
    });
    instance.workspace.answer(addMember, () => {
      throw new CarrelError("UNAVAILABLE", "Away.");
    });
    expect(
      (
        await instance.call("POST", "/api/invite/code", {
          body: { username: "new", password: "x" },
        })
      ).json,
    ).toEqual({ success: true, error: null });
    const before = instance.workspace.asked.length;
    instance.auth.answer(acceptInvite, {
      success: false,
      error: "Invite not found or is invalid.",
    });
    expect((await instance.call("POST", "/api/invite/code", { body: {} })).json).toEqual({
      success: false,
      error: "Invite not found or is invalid.",
    });
    expect(instance.workspace.asked.length).toBe(before);
  });

  it("addresses go with writes and not with plain reads", async () => {
    instance.workspace.answer(updatePreferences, { success: true, error: null });
    await instance.call("POST", "/api/admin/system-preferences", {
      bearer: "admin",
      body: { support_email: "a@b.c", custom_app_name: null },
    });
    expect(instance.workspace.last(updatePreferences)).toMatchObject({
      input: { preferences: { support_email: "a@b.c", custom_app_name: null } },
      context: { scope: { address: "127.0.0.1" } },
    });
    await instance.call("GET", "/api/workspaces", { bearer: "admin" });
    expect(instance.workspace.last(listWorkspacePage)!.context.scope.address).toBeUndefined();
    expect(
      (
        await instance.call("POST", "/api/admin/system-preferences", {
          bearer: "admin",
          body: "[1]",
        })
      ).status,
    ).toBe(400);
  });
});

describe("the map of the instance", () => {
  const short = {
    RequiresAuth: true,
    MultiUserMode: true,
    LLMProvider: "openai",
    SimpleSSOEnabled: true,
    SimpleSSONoLogin: false,
    SimpleSSONoLoginRedirect: null,
    OpenIDName: "Keycloak",
    DisableViewChatHistory: false,
  };
  it.each([
    ["nobody", {}],
    ["a default user", { bearer: "anna" }],
    ["a manager", { bearer: "manager" }],
    ["a key", { bearer: "key" }],
    ["the cookie of a default user", { headers: { cookie: "carrel_session=anna" } }],
    ["nonsense", { bearer: "x" }],
  ])("is short for %s", async (_name, options) => {
    expect((await instance.call("GET", "/api/setup-complete", options)).json).toEqual({
      results: short,
    });
  });

  it("is whole for admins, by header and by cookie", async () => {
    for (const options of [{ bearer: "admin" }, { headers: { cookie: "carrel_session=admin" } }]) {
      expect((await instance.call("GET", "/api/setup-complete", options)).json).toMatchObject({
        results: {
          ...short,
          OpenAiKey: true,
          JWTSecret: true,
          WorkspaceDeletionProtection: false,
          HasExistingEmbeddings: false,
        },
      });
    }
    expect((await proxied.call("GET", "/api/setup-complete")).json).toMatchObject({
      results: { DisableViewChatHistory: true },
    });
  });
});

describe("other sites and other spellings", () => {
  const foreign = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
  it("may call what takes a key, and only that", async () => {
    const answer = await instance.call("GET", "/api/v1/auth", { bearer: "key", headers: foreign });
    expect(answer).toMatchObject({
      status: 200,
      headers: { "access-control-allow-origin": "https://evil.example" },
    });
    expect((await instance.call("OPTIONS", "/api/v1/auth", { headers: foreign })).status).toBe(204);
    instance.settings = noPassword;
    await publish();
    await eventually(async () =>
      expect((await instance.call("GET", "/api/workspaces")).status).toBe(200),
    );
    for (const [method, path] of [
      ["POST", "/api/browser-extension/api-keys/new"],
      ["GET", "/api/browser-extension/api-keys"],
      ["GET", "/%61pi/workspaces"],
      ["POST", "/%61pi/workspace/new"],
      ["GET", "/api/workspaces"],
      ["GET", "/api/system/remove-logo"],
      ["GET", "/%61%70%69/system/remove-logo"],
    ] as const) {
      const refused = await instance.call(method, path, { headers: foreign });
      expect({ path, status: refused.status }).toEqual({ path, status: 403 });
      expect(refused.headers["access-control-allow-origin"]).toBeUndefined();
    }
  });

  it("the documentation can be switched off", async () => {
    expect((await instance.call("GET", "/api/docs")).status).toBe(200);
    const { components } = (await instance.call("GET", "/api/docs/openapi.json")).json as {
      components: { securitySchemes: object };
    };
    expect(Object.keys(components.securitySchemes)).toEqual([
      "session",
      "developerKey",
      "extensionKey",
    ]);
    for (const path of ["/api/docs", "/api/docs/openapi.json", "/api/docs/assets/swagger-ui.css"])
      expect((await proxied.call("GET", path)).status).toBe(404);
  });

  it("robots stay out, and the app can be installed", async () => {
    expect((await instance.call("GET", "/robots.txt")).text).toBe("User-agent: *\nDisallow: /\n");
    const manifest = await instance.call("GET", "/manifest.json");
    expect(manifest.headers["content-type"]).toContain("application/manifest+json");
    expect(JSON.parse(manifest.text)).toMatchObject({
      name: "Carrel",
      display: "standalone",
      start_url: "/",
    });
  });
});
