import {
  createExtensionKey,
  createInstanceApiKey,
  enableMultiUser,
  getAuthSettings,
  getMultiUserMode,
  instancePrincipal,
  updatePassword,
  type Principal,
} from "@carrel/contracts";
import { Throttle } from "@carrel/messaging";
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { EventLog } from "../src/event-log/event-log.ts";
import { PasswordHasher } from "../src/password/password-hasher.ts";
import { UserRepository } from "../src/user/user.repository.ts";
import { AuthInstance, type UserRow } from "./auth-instance.ts";

const password = "correct horse";
let auth: AuthInstance;
let passwordHash: string;
let instanceToken: string;
const instanceKeys = { developer: "", extension: "" };
let admin: Principal;

beforeAll(async () => {
  auth = await AuthInstance.start({ JWT_EXPIRY: "1h" }, { reconcileMs: 200 });
  passwordHash = await new PasswordHasher().hash(password);
});
afterAll(() => auth.stop());
beforeEach(() => auth.resetAttempts());

describe("enabling accounts", () => {
  it("refuses a bad name or password and changes nothing", async () => {
    for (const [username, secret, words] of [
      ["a", "admin password", "at least 2"],
      ["Admin-One", "admin password", "lowercase"],
      ["admin-one", "1234567", "at least 8"],
      ["ad min\0one", "admin password", "lowercase"],
    ] as const) {
      await expect(
        auth.request(enableMultiUser, { username, password: secret }, instancePrincipal),
      ).rejects.toMatchObject({ kind: "REFUSED", message: expect.stringContaining(words) });
    }
    expect(await auth.request(getMultiUserMode, {})).toEqual({ multiUserMode: false });
  });

  it("is won by one of several callers; the instance password becomes invalid and keys belong to the admin", async () => {
    await auth.request(
      updatePassword,
      { usePassword: true, newPassword: "instance password" },
      instancePrincipal,
    );
    const { token, scope } = await auth.signIn(undefined, "instance password");
    instanceToken = token;
    instanceKeys.developer = (
      await auth.request(createInstanceApiKey, {}, instancePrincipal)
    ).apiKey!.secret;
    instanceKeys.extension = (await auth.request(createExtensionKey, {}, instancePrincipal)).apiKey;
    expect(await auth.principal(instanceKeys.developer, "key")).toMatchObject({
      kind: "key",
      userId: null,
      role: "admin",
    });
    expect(await auth.principal(instanceKeys.extension, "extension")).toMatchObject({
      kind: "extension",
      userId: null,
      role: "admin",
    });
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        auth.request(
          enableMultiUser,
          { username: `admin-${index}`, password: "admin password" },
          scope,
        ),
      ),
    );
    expect(answers.filter(({ success }) => success)).toHaveLength(1);
    for (const answer of answers.filter(({ success }) => !success))
      expect(answer).toEqual({ success: false, error: "Multi-user mode is already enabled." });
    const users = await auth.sql.query<{ id: number; username: string; role: string }[]>(
      'SELECT id, username, role FROM auth."user"',
    );
    expect(users).toEqual([
      {
        id: expect.any(Number),
        username: `admin-${answers.findIndex(({ success }) => success)}`,
        role: "admin",
      },
    ]);
    await auth.logged("multi_user_mode_enabled", ({ userId }) => userId === users[0]!.id);
    // At least once: on a busy machine the event may be delivered again.
    expect(auth.told.enabled.length).toBeGreaterThan(0);
    for (const told of auth.told.enabled)
      expect(told).toEqual({ adminId: users[0]!.id, at: expect.stringMatching(/Z$/) });
    await expect(auth.principal(instanceToken)).rejects.toMatchObject({
      kind: "UNAUTHENTICATED",
      message: "Invalid auth token.",
    });
    expect((await auth.login(undefined, "instance password")).message).toBe(
      "[001] Invalid login credentials.",
    );
    expect(await auth.principal(instanceKeys.developer, "key")).toMatchObject({
      kind: "key",
      userId: null,
      role: "admin",
    });
    expect(await auth.principal(instanceKeys.extension, "extension")).toMatchObject({
      kind: "extension",
      userId: users[0]!.id,
      role: "admin",
    });
    expect(await auth.request(getAuthSettings, {})).toMatchObject({
      RequiresAuth: true,
      AuthToken: false,
      JWTSecret: true,
      MultiUserMode: true,
    });
    admin = (await auth.signIn(users[0]!.username, "admin password")).scope.principal;
    expect(
      await auth.request(enableMultiUser, { username: "someone", password: "a password" }, admin),
    ).toEqual({ success: false, error: "Multi-user mode is already enabled." });
    expect(
      await auth.request(
        updatePassword,
        { usePassword: true, newPassword: "another password" },
        instancePrincipal,
      ),
    ).toMatchObject({ success: false });
  });
});

describe("signing in as a user", () => {
  let ada: UserRow;
  beforeAll(async () => {
    ada = await auth.addUser("ada", {
      passwordHash,
      seenRecoveryCodes: false,
      dailyMessageLimit: 7,
    });
  });

  it("replies as the wire specifies", async () => {
    const first = await auth.login(" Ada ", password);
    expect(first).toMatchObject({
      valid: true,
      message: null,
      user: {
        id: ada.id,
        username: "ada",
        role: "default",
        suspended: 0,
        seen_recovery_codes: true,
        dailyMessageLimit: 7,
        pfpFilename: null,
      },
    });
    expect(JSON.stringify(first)).not.toMatch(/argon|hash|sealed/i);
    expect(new Set(first.recoveryCodes).size).toBe(4);
    for (const code of first.recoveryCodes!)
      expect(code).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(
      await auth.sql.query("SELECT 1 FROM auth.recovery_code WHERE hash = ANY($1)", [
        first.recoveryCodes,
      ]),
    ).toEqual([]);
    const second = await auth.login("ada", password);
    expect(second).toMatchObject({ valid: true });
    expect(second.recoveryCodes).toBeUndefined();
    const none = { valid: false, user: null, token: null };
    expect(await auth.login("ada", "wrong horse")).toEqual({
      ...none,
      message: "[001] Invalid login credentials.",
    });
    for (const nobody of ["nobody", "ada\0", "a\u0007da", "", undefined, "\ud800", "' or 1=1 --"])
      expect(await auth.login(nobody, password)).toEqual({
        ...none,
        message: "[001] Invalid login credentials.",
      });
    for (const wrong of ["", "\0", "x".repeat(1024), undefined])
      expect(await auth.login("ada", wrong!)).toEqual({
        ...none,
        message: "[001] Invalid login credentials.",
      });
    await auth.logged("failed_login_invalid_password", ({ userId }) => userId === ada.id);
    await auth.logged(
      "failed_login_invalid_username",
      ({ metadata }) => metadata.username === "nobody" && metadata.address === "203.0.113.1",
    );
    await auth.logged("login_event", ({ userId }) => userId === ada.id);
    await auth.logged("recovery_codes_issued", ({ userId }) => userId === ada.id);
  });

  it("reveals a suspension only after the correct password", async () => {
    await auth.addUser("sue", { passwordHash, suspended: true });
    expect((await auth.login("sue", "wrong horse")).message).toBe(
      "[001] Invalid login credentials.",
    );
    expect(await auth.login("sue", password)).toEqual({
      valid: false,
      user: null,
      token: null,
      message: "[004] Account suspended by admin.",
    });
    await auth.logged("failed_login_account_suspended");
  });

  it("refuses an account without a password like a wrong password", async () => {
    await auth.addUser("oidc-only");
    expect((await auth.login("oidc-only", "")).message).toBe("[001] Invalid login credentials.");
  });

  it("answers an unknown name and a wrong password alike, after the same work", async () => {
    await auth.addUser("known", { passwordHash });
    const steps = [
      jest.spyOn(UserRepository.prototype, "findByUsername"),
      jest.spyOn(Throttle.prototype, "take"),
      jest.spyOn(PasswordHasher.prototype, "verify"),
      jest.spyOn(EventLog.prototype, "record"),
      jest.spyOn(Throttle.prototype, "refund"),
    ];
    const attempt = async (username: string, typed: string) => {
      for (const step of steps) step.mockClear();
      const { message } = await auth.login(username, typed);
      return { message, work: steps.map(({ mock }) => mock.calls.length) };
    };
    // The second could be a password followed by a one-time code.
    for (const [typed, hashes] of [
      ["wrong horse", 1],
      ["wrong horse 123456", 2],
      ["", 1],
    ] as const)
      for (const username of ["known", "unknown"])
        expect({ username, typed, ...(await attempt(username, typed)) }).toEqual({
          username,
          typed,
          message: "[001] Invalid login credentials.",
          work: [1, 1, hashes, 1, 0],
        });
    for (const step of steps) step.mockRestore();
  });

  it("issues recovery codes to one of two concurrent first sign-ins", async () => {
    const eve = await auth.addUser("eve", { passwordHash, seenRecoveryCodes: false });
    const answers = await Promise.all([1, 2, 3].map(() => auth.login("eve", password)));
    expect(answers.filter(({ recoveryCodes }) => recoveryCodes !== undefined)).toHaveLength(1);
    expect(
      await auth.sql.query("SELECT count(*)::int AS n FROM auth.recovery_code WHERE user_id = $1", [
        eve.id,
      ]),
    ).toEqual([{ n: 4 }]);
  });
});
