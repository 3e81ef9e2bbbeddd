import { createHmac } from "node:crypto";
import { deriveKey, instanceSecret } from "@carrel/config";
import {
  createExtensionKey,
  createApiKey,
  endSession,
  listSessions,
  refreshUser,
  requestTokenBySignInToken,
  signOut,
  type Principal,
} from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { PasswordHasher } from "../src/password/password-hasher.ts";
import { AuthInstance } from "./auth-instance.ts";

const password = "correct horse";
let auth: AuthInstance;
let passwordHash: string;
let admin: Principal;

beforeAll(async () => {
  auth = await AuthInstance.start({ JWT_EXPIRY: "1h" }, { reconcileMs: 200 });
  await auth.enableMultiUser();
  admin = (await auth.signIn("admin-one", "admin password")).scope.principal;
  passwordHash = await new PasswordHasher().hash(password);
  await auth.addUser("ada", { passwordHash });
});
afterAll(() => auth.stop());
beforeEach(() => auth.resetAttempts());

describe("a credential", () => {
  const base64 = (part: unknown): string => Buffer.from(JSON.stringify(part)).toString("base64url");
  const sign = (claims: Record<string, unknown>, algorithm = "HS256"): string => {
    const text = `${base64({ alg: algorithm, typ: "JWT" })}.${base64(claims)}`;
    return `${text}.${
      algorithm === "none"
        ? ""
        : createHmac("sha256", deriveKey(instanceSecret(auth.config), "tokens"))
            .update(text)
            .digest("base64url")
    }`;
  };

  it("follows role, limit, language and suspension of the row, and ends with the session", async () => {
    const bob = await auth.addUser("bob", { passwordHash, role: "manager", dailyMessageLimit: 3 });
    const { token, scope } = await auth.signIn("bob", password);
    expect(scope.principal).toEqual({
      kind: "user",
      userId: bob.id,
      role: "manager",
      sessionId: expect.any(String),
      provenAt: expect.any(Number),
      dailyMessageLimit: 3,
    });
    await auth.sql.query(
      `UPDATE auth."user" SET role = 'admin', language = 'zh-tw' WHERE id = $1`,
      [bob.id],
    );
    expect(await auth.principal(token)).toMatchObject({
      role: "admin",
      dailyMessageLimit: null,
      language: "zh-tw",
    });
    expect(await auth.request(refreshUser, {}, scope)).toMatchObject({
      success: true,
      user: { username: "bob", role: "admin" },
    });
    await auth.sql.query('UPDATE auth."user" SET suspended = true WHERE id = $1', [bob.id]);
    await expect(auth.principal(token)).rejects.toMatchObject({
      kind: "UNAUTHENTICATED",
      message: "User is suspended from system",
    });
    expect(await auth.request(refreshUser, {}, scope)).toEqual({
      success: false,
      user: null,
      message: "User is suspended.",
    });
    await auth.sql.query('UPDATE auth."user" SET suspended = false WHERE id = $1', [bob.id]);
    const other = await auth.signIn("bob", password);
    const stranger = await auth.signIn("ada", password);
    expect(
      await auth.request(endSession, { id: scope.principal.sessionId! }, stranger.scope),
    ).toEqual({ success: false });
    expect(await auth.request(endSession, { id: scope.principal.sessionId! }, other.scope)).toEqual(
      { success: true },
    );
    await expect(auth.principal(token)).rejects.toMatchObject({
      kind: "UNAUTHENTICATED",
      message: "Invalid auth token.",
    });
    expect((await auth.request(listSessions, {}, other.scope)).sessions).toEqual([
      expect.objectContaining({
        id: other.scope.principal.sessionId,
        current: true,
        address: "203.0.113.1",
        method: "password",
      }),
    ]);
    await auth.request(signOut, {}, other.scope);
    await expect(auth.principal(other.token)).rejects.toMatchObject({
      message: "Invalid auth token.",
    });
    const third = await auth.signIn("bob", password);
    await auth.sql.query('DELETE FROM auth."user" WHERE id = $1', [bob.id]);
    await expect(auth.principal(third.token)).rejects.toMatchObject({
      message: "Invalid auth for user.",
    });
    expect(await auth.request(refreshUser, {}, third.scope)).toEqual({
      success: false,
      user: null,
      message: "Session expired or invalid.",
    });
  });

  it("is refused if the token is malformed, expired, unsigned or for another session", async () => {
    const { scope, token } = await auth.signIn("ada", password);
    const { sessionId: sid, userId: id } = scope.principal;
    const exp = Math.floor(Date.now() / 1000) + 60;
    expect(await auth.principal(sign({ sid, id, exp }))).toMatchObject({ userId: id });
    // Another replica's clock may be a little ahead.
    expect(await auth.principal(sign({ sid, id, exp, iat: exp - 55 }))).toMatchObject({
      userId: id,
    });
    await expect(auth.principal(null)).rejects.toMatchObject({ message: "No auth token found." });
    const bad = [
      "x",
      `${token}x`,
      "a.b.c",
      sign({ sid, id, exp }, "none"),
      sign({ sid, id, exp: exp - 100 }),
      sign({ sid, id, exp: exp + 600, iat: exp + 60 }),
      sign({ sid, epoch: 1, exp }),
      sign({ sid, id: 1.5, exp }),
      sign({ sid, id: admin.userId ?? 0, exp }),
      sign({ sid, id: "1", exp }),
    ];
    for (const bearer of bad)
      await expect(auth.principal(bearer)).rejects.toMatchObject({
        kind: "UNAUTHENTICATED",
        message: "Invalid auth token.",
      });
    await expect(auth.principal(sign({ sid, id: 2_147_483_647, exp }))).rejects.toMatchObject({
      message: "Invalid auth for user.",
    });
    await expect(
      auth.principal(sign({ sid, id: 9_007_199_254_740_991, exp })),
    ).rejects.toMatchObject({ kind: "UNAUTHENTICATED" });
    for (const credential of ["key", "extension"] as const)
      for (const bearer of [null, token, "x", "\0"])
        await expect(auth.principal(bearer, credential)).rejects.toMatchObject({
          kind: "KEY_REFUSED",
        });
  });

  it("works as a key while its creator may have one", async () => {
    await auth.addUser("kim-admin", { passwordHash, role: "admin" });
    const kim = await auth.signIn("kim-admin", password);
    const key = (await auth.request(createApiKey, { name: "k" }, kim.scope)).apiKey!;
    const extension = (await auth.request(createExtensionKey, {}, kim.scope)).apiKey;
    expect(await auth.principal(key.secret, "key")).toEqual({
      kind: "key",
      userId: null,
      role: "admin",
      keyId: key.id,
      scopes: ["admin"],
    });
    expect(await auth.principal(extension, "extension")).toMatchObject({
      kind: "extension",
      userId: kim.scope.principal.userId,
      role: "admin",
      dailyMessageLimit: null,
    });
    for (const [secret, credential] of [
      [key.secret, "extension"],
      [extension, "key"],
      [key.secret.toLowerCase(), "key"],
    ] as const)
      await expect(auth.principal(secret, credential)).rejects.toMatchObject({
        kind: "KEY_REFUSED",
      });
    expect(
      await auth.sql.query(
        "SELECT 1 FROM auth.api_key WHERE id = $1 AND last_used_at IS NOT NULL AND updated_at = created_at",
        [key.id],
      ),
    ).toHaveLength(1);
    await auth.sql.query(
      `UPDATE auth."user" SET role = 'manager', daily_message_limit = 5 WHERE username = 'kim-admin'`,
    );
    await expect(auth.principal(key.secret, "key")).rejects.toMatchObject({ kind: "KEY_REFUSED" });
    expect(await auth.principal(extension, "extension")).toMatchObject({
      role: "manager",
      dailyMessageLimit: 5,
    });
    await auth.sql.query(
      `UPDATE auth."user" SET role = 'admin', suspended = true WHERE username = 'kim-admin'`,
    );
    await expect(auth.principal(key.secret, "key")).rejects.toMatchObject({ kind: "KEY_REFUSED" });
    await expect(auth.principal(extension, "extension")).rejects.toMatchObject({
      kind: "UNAUTHENTICATED",
      message: "User is suspended from system",
    });
    await auth.sql.query("UPDATE auth.api_key SET user_id = NULL WHERE id = $1", [key.id]);
    await auth.sql.query(`UPDATE auth.api_key SET user_id = NULL WHERE kind = 'extension'`);
    await expect(auth.principal(extension, "extension")).rejects.toMatchObject({
      kind: "KEY_REFUSED",
    });
    await expect(auth.principal(key.secret, "key")).rejects.toMatchObject({ kind: "KEY_REFUSED" });
  });

  it("is deleted soon after it expires", async () => {
    const { scope } = await auth.signIn("ada", password);
    await auth.sql.query("UPDATE auth.session SET expires_at = now() WHERE id = $1", [
      scope.principal.sessionId,
    ]);
    for (const [table, columns] of [
      ["reset_token", `'{}',`],
      ["sign_in_token", `'sso',`],
    ])
      await auth.sql.query(`INSERT INTO auth.${table} VALUES ('late', $1, ${columns} now())`, [
        scope.principal.userId,
      ]);
    const left = async (): Promise<unknown[]> =>
      auth.sql.query(
        `SELECT 1 FROM auth.session
        WHERE id = $1
        UNION ALL
        SELECT 1 FROM auth.reset_token
        WHERE hash = 'late'
        UNION ALL
        SELECT 1 FROM auth.sign_in_token
        WHERE hash = 'late'`,
        [scope.principal.sessionId],
      );
    await poll(left).toEqual([]);
  });

  it("cannot be a one-time sign-in token while those are disabled", async () => {
    await expect(auth.request(requestTokenBySignInToken, { token: "x" })).rejects.toMatchObject({
      kind: "DISABLED",
      message: expect.stringContaining("Simple SSO is not enabled"),
    });
  });
});
