import { createHmac, randomUUID } from "node:crypto";
import { deriveKey, instanceSecret } from "@carrel/config";
import {
  enableMultiUser,
  endSession,
  getAuthSettings,
  getMultiUserMode,
  instancePrincipal,
  listSessions,
  recoverAccount,
  refreshUser,
  requestTokenBySignInToken,
  resetPassword,
  signOut,
  updatePassword,
  type Principal,
  type Scope,
} from "@carrel/contracts";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { AuthInstance } from "./auth-instance.ts";

let auth: AuthInstance;
beforeAll(async () => {
  auth = await AuthInstance.start();
});
afterAll(() => auth.stop());

const base64 = (part: unknown): string => Buffer.from(JSON.stringify(part)).toString("base64url");
function forge(
  claims: Record<string, unknown>,
  options: { algorithm?: string; key?: Buffer } = {},
): string {
  const text = `${base64({ alg: options.algorithm ?? "HS256", typ: "JWT" })}.${base64(claims)}`;
  return `${text}.${options.key === undefined ? "" : createHmac("sha256", options.key).update(text).digest("base64url")}`;
}

describe("single-user mode", () => {
  it("admits everyone without a password", async () => {
    for (const bearer of [null, "null", "", "anything"])
      expect(await auth.principal(bearer)).toEqual(instancePrincipal);
    expect(await auth.request(getAuthSettings, {})).toEqual({
      RequiresAuth: false,
      AuthToken: false,
      JWTSecret: false,
      MultiUserMode: false,
      SimpleSSOEnabled: false,
      SimpleSSONoLogin: false,
      SimpleSSONoLoginRedirect: null,
      OpenIDName: null,
    });
    expect(await auth.request(getMultiUserMode, {})).toEqual({ multiUserMode: false });
    await expect(auth.login(undefined, "anything")).rejects.toMatchObject({
      kind: "PASSWORD_NOT_SET",
    });
    expect(await auth.request(refreshUser, {}, instancePrincipal)).toEqual({
      success: true,
      user: null,
      message: null,
    });
    expect(await auth.request(signOut, {}, instancePrincipal)).toEqual({ success: true });
    expect(await auth.request(listSessions, {}, instancePrincipal)).toEqual({ sessions: [] });
  });

  it("refuses operations that require accounts", async () => {
    await expect(
      auth.request(recoverAccount, { username: "ada", recoveryCodes: [] }),
    ).rejects.toMatchObject({ kind: "DISABLED" });
    await expect(
      auth.request(resetPassword, {
        token: "x",
        newPassword: "a new password",
        confirmPassword: "a new password",
      }),
    ).rejects.toMatchObject({ kind: "DISABLED" });
    await expect(auth.request(requestTokenBySignInToken, { token: "x" })).rejects.toMatchObject({
      kind: "DISABLED",
    });
  });

  it("says why a password is refused and changes nothing", async () => {
    expect(
      await auth.request(
        updatePassword,
        { usePassword: true, newPassword: "short" },
        instancePrincipal,
      ),
    ).toEqual({ success: false, error: "Password must be at least 8 characters." });
    expect(await auth.request(getAuthSettings, {})).toMatchObject({ RequiresAuth: false });
    await expect(
      auth.request(
        updatePassword,
        { usePassword: true, newPassword: "long enough" },
        { kind: "user", userId: 3, role: "admin" },
      ),
    ).rejects.toMatchObject({ kind: "FORBIDDEN" });
  });

  it("opens with the password, through a session that can be listed and ended", async () => {
    expect(
      await auth.request(
        updatePassword,
        { usePassword: true, newPassword: "Grüße 2026!" },
        instancePrincipal,
      ),
    ).toEqual({ success: true, error: null });
    await auth.logged("instance_password_changed");
    await expect(auth.login(undefined, "wrong")).rejects.toMatchObject({ kind: "PASSWORD_WRONG" });
    const first = await auth.signIn(undefined, "Gru\u0308ße 2026!");
    expect(first.answer).toEqual({
      valid: true,
      token: first.token,
      message: null,
      device: expect.stringMatching(/^0\./),
    });
    const claims = JSON.parse(atob(first.token.split(".")[1]!)) as object;
    expect(Object.keys(claims).sort().join()).toBe("epoch,exp,iat,sid");
    expect(first.scope.principal).toMatchObject({
      kind: "instance",
      userId: null,
      role: "admin",
      sessionId: expect.any(String),
    });
    expect((await auth.logged("login_event")).metadata).toEqual({ address: "203.0.113.1" });
    expect((await auth.logged("failed_login_invalid_password")).userId).toBeNull();
    const second = await auth.signIn(undefined, "Grüße 2026!", { userAgent: "other\0 browser" });
    const { sessions } = await auth.request(listSessions, {}, second.scope);
    expect(sessions.map(({ current, userAgent }) => [current, userAgent])).toEqual([
      [true, "other  browser"],
      [false, "jest"],
    ]);
    expect(await auth.request(endSession, { id: randomUUID() }, second.scope)).toEqual({
      success: false,
    });
    expect(await auth.request(endSession, { id: "others" }, second.scope)).toEqual({
      success: true,
    });
    await expect(auth.principal(first.token)).rejects.toMatchObject({
      kind: "UNAUTHENTICATED",
      message: "Token expired or failed validation.",
    });
    expect(await auth.request(signOut, {}, second.scope)).toEqual({ success: true });
    await expect(auth.principal(second.token)).rejects.toMatchObject({ kind: "UNAUTHENTICATED" });
    await auth.logged("sign_out");
  });

  it("refuses tokens it did not issue, with the wire's messages", async () => {
    const { token, scope } = await auth.signIn(undefined, "Grüße 2026!");
    const sid = scope.principal.sessionId!;
    const key = deriveKey(instanceSecret(auth.config), "tokens");
    const exp = Math.floor(Date.now() / 1000) + 60;
    const [{ epoch }] = await auth.sql.query<[{ epoch: number }]>(
      "SELECT epoch FROM auth.instance_access",
    );
    expect(await auth.principal(forge({ sid, epoch, exp }, { key }))).toMatchObject({
      kind: "instance",
    });
    await expect(auth.principal(null)).rejects.toMatchObject({
      kind: "UNAUTHENTICATED",
      message: "No auth token found.",
    });
    await expect(auth.principal("null")).rejects.toMatchObject({
      kind: "UNAUTHENTICATED",
      message: "No auth token found.",
    });
    const bad = [
      "x",
      "a.b.c",
      `${token}x`,
      token.slice(0, -2),
      "\0",
      "💥.💥.💥",
      "x".repeat(8192),
      `${token.split(".").slice(0, 2).join(".")}.`,
      forge({ sid, epoch, exp }, { algorithm: "none" }),
      forge({ sid, epoch, exp }, { algorithm: "none", key }),
      forge({ sid, epoch, exp }, { algorithm: "HS512", key }),
      forge({ sid, epoch, exp }, { key: Buffer.alloc(32) }),
      forge({ sid, epoch, exp: exp - 120 }, { key }),
      forge({ sid, epoch }, { key }),
      forge({ sid: randomUUID(), epoch, exp }, { key }),
      forge({ sid: "'; drop table", epoch, exp }, { key }),
      forge({ exp }, { key }),
    ];
    for (const bearer of bad)
      await expect(auth.principal(bearer)).rejects.toMatchObject({
        kind: "UNAUTHENTICATED",
        message: "Token expired or failed validation.",
      });
    for (const claims of [
      { sid, epoch: epoch + 1, exp },
      { sid, id: 1, exp },
    ])
      await expect(auth.principal(forge(claims, { key }))).rejects.toMatchObject({
        kind: "UNAUTHENTICATED",
        message: "Invalid auth credentials.",
      });
  });

  it("updates a session's last-seen time at most every five minutes, and ends it when it expires", async () => {
    const { token, scope } = await auth.signIn(undefined, "Grüße 2026!");
    const id = scope.principal.sessionId;
    const seen = async (): Promise<number> =>
      (
        await auth.sql.query<[{ at: Date }]>(
          "SELECT last_seen_at AS at FROM auth.session WHERE id = $1",
          [id],
        )
      )[0].at.getTime();
    const before = await seen();
    await auth.principal(token);
    expect(await seen()).toBe(before);
    await auth.sql.query(
      `UPDATE auth.session SET last_seen_at = now() - interval '11 minutes' WHERE id = $1`,
      [id],
    );
    await auth.principal(token);
    expect(await seen()).toBeGreaterThanOrEqual(before);
    await auth.sql.query("UPDATE auth.session SET expires_at = now() WHERE id = $1", [id]);
    await expect(auth.principal(token)).rejects.toMatchObject({
      message: "Token expired or failed validation.",
    });
  });

  it("ends every session when the password is changed or removed", async () => {
    const { token, scope } = await auth.signIn(undefined, "Grüße 2026!");
    await auth.request(
      updatePassword,
      { usePassword: true, newPassword: "another password" },
      scope,
    );
    await expect(auth.principal(token)).rejects.toMatchObject({
      message: "Invalid auth credentials.",
    });
    await expect(auth.login(undefined, "Grüße 2026!")).rejects.toMatchObject({
      kind: "PASSWORD_WRONG",
    });
    expect(await auth.sql.query("SELECT 1 FROM auth.session")).toEqual([]);
    const next = await auth.signIn(undefined, "another password");
    await auth.request(updatePassword, { usePassword: false }, next.scope);
    expect(await auth.principal(token)).toEqual(instancePrincipal);
  });

  it("asks for the current password before a change of access unless the sign-in was recent", async () => {
    const current = "harbour lights";
    await auth.request(
      updatePassword,
      { usePassword: true, newPassword: current },
      instancePrincipal,
    );
    const { token, scope } = await auth.signIn(undefined, current);
    await auth.sql.query("UPDATE auth.session SET created_at = now() - interval '11 minutes'");
    const remove = (currentPassword?: string, as: Scope | Principal = scope) =>
      auth.request(updatePassword, { usePassword: false, currentPassword }, as);
    const enable = (currentPassword?: string) =>
      auth.request(
        enableMultiUser,
        { username: "stranger", password: "a stranger's own", currentPassword },
        scope,
      );
    const due = "Enter your current password, or sign in again and retry within 10 minutes.";
    expect(await remove()).toEqual({ success: false, error: due });
    // A caller without a session hasn't signed in recently, either.
    expect(await remove("", instancePrincipal)).toEqual({ success: false, error: due });
    await expect(enable()).rejects.toMatchObject({ kind: "REFUSED", message: due });
    for (const guess of [remove, enable])
      await expect(guess("a guess")).rejects.toMatchObject({ kind: "PASSWORD_WRONG" });
    expect(await auth.request(getMultiUserMode, {})).toEqual({ multiUserMode: false });
    expect(await auth.principal(token)).toMatchObject({ kind: "instance" });
    expect(await remove(current)).toEqual({ success: true, error: null });
  });

  it("counts wrong guesses of the current password", async () => {
    const current = "harbour lights";
    await auth.request(
      updatePassword,
      { usePassword: true, newPassword: current },
      instancePrincipal,
    );
    const { scope } = await auth.signIn(undefined, current);
    const guess = (currentPassword: string) =>
      auth.request(updatePassword, { usePassword: false, currentPassword }, scope);
    await expect(guess("a guess")).rejects.toMatchObject({ kind: "PASSWORD_WRONG" });
    await auth.stopRefilling();
    for (let n = 1; n < 10; n += 1)
      await expect(guess("a guess")).rejects.toMatchObject({ kind: "PASSWORD_WRONG" });
    await expect(guess(current)).rejects.toMatchObject({ kind: "TOO_MANY_ATTEMPTS" });
    await auth.resetAttempts();
    expect(await guess(current)).toEqual({ success: true, error: null });
  });

  it("replaces only the password that was confirmed", async () => {
    const both = await Promise.all(
      ["harbour lights", "evening tides"].map((newPassword) =>
        auth.request(updatePassword, { usePassword: true, newPassword }, instancePrincipal),
      ),
    );
    expect(both.map(({ success }) => success).sort()).toEqual([false, true]);
  });
});
