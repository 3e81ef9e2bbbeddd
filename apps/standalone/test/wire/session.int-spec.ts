import {
  accessChanged,
  acceptInvite,
  addMember,
  CarrelError,
  getAuthSettings,
  readWorkspacePage,
  recoverAccount,
  requestToken,
  requestTokenBySignInToken,
  resetPassword,
  signOut,
  updatePreferences,
} from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import {
  multiUser,
  people,
  startGatewayInstance,
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

describe("sessions", () => {
  it("login sets path-limited cookies, and keeps the device out of the body", async () => {
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
      "carrel_agent=a.b.c; Path=/api/agent-invocation; Max-Age=2592000; HttpOnly; SameSite=Strict",
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

  it("throttling is 429 with Retry-After and the form's message, however many arrive at once", async () => {
    instance.auth.answer(requestToken, () => {
      throw new CarrelError(
        "access.too-many-attempts",
        { seconds: 60, wait: "60 seconds" },
        { retryAfter: 60 },
      );
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
          message: "Too many attempts. Try again in 60 seconds.",
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
  ])("%s is a client error", async (_name, body) => {
    expect((await instance.call("POST", "/api/request-token", { body })).status).toBe(400);
  });

  it("single sign-on sets the cookie too and receives the client address", async () => {
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
      throw new CarrelError("sign-in.sso-disabled");
    });
    expect(await instance.call("GET", "/api/request-token/sso/simple?token=x")).toMatchObject({
      status: 403,
      text: "Simple SSO is not enabled. It must be enabled to validate or issue temporary auth tokens.",
    });
  });

  it("signing out clears the cookies and the cache", async () => {
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
      expect(cookie).toMatch(/^carrel_(session|agent|device)=; .*Max-Age=0/);
    expect(instance.auth.last(signOut)!.context.scope).toMatchObject({
      principal: people.anna,
      address: "127.0.0.1",
    });
    expect((await instance.call("GET", "/api/system/check-token", { bearer: "anna" })).status).toBe(
      401,
    );
  });

  it("recovery receives the client address, and refusals keep their shape", async () => {
    instance.auth
      .answer(recoverAccount, { success: true, resetToken: "t" })
      .answer(resetPassword, () => {
        throw new CarrelError("password.recovery-without-accounts");
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

  it("a user who accepts an invite is a member before the reply, which contains only the wire's fields", async () => {
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
      throw new CarrelError("document.processing-unavailable");
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

  it("client addresses are sent with writes and not with plain reads", async () => {
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
    expect(instance.workspace.last(readWorkspacePage)!.context.scope.address).toBeUndefined();
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
