import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import {
  createUser,
  deleteUser,
  findUsers,
  listUsers,
  removeUserSecondFactor,
  updateUser,
  type Args,
  type Role,
  type Scope,
} from "@carrel/contracts";
import { eventually } from "@carrel/testing";
import { verify } from "@node-rs/argon2";
import { asKey, asNobody, asUser, startAuth, type RunningAuth } from "./running-auth.ts";

const untouchable = "Cannot perform that action on user.";
const roleNotYours = "Invalid role selection for user.";
const noAdminLeft = "No system admins will remain if you do this. Update failed.";
const password = "correct horse";
let auth: RunningAuth;
let admin: Scope;
let manager: Scope;
let adminId: number;
let managerId: number;
const key = asKey(1);

beforeAll(async () => {
  auth = await startAuth();
  adminId = await auth.addUser("the-admin", "admin");
  managerId = await auth.addUser("the-manager", "manager");
  admin = asUser(adminId, "admin", randomUUID());
  manager = asUser(managerId, "manager", randomUUID());
});
afterAll(() => auth.stop());

let numbered = 0;
const freeName = (): string => `user-${(numbered += 1)}`;
const row = async (id: number): Promise<Record<string, unknown> | undefined> =>
  (
    await auth.sql.query<Record<string, unknown>[]>('SELECT * FROM auth."user" WHERE id = $1', [id])
  )[0];
const update = (scope: Scope, input: Args<typeof updateUser>) =>
  auth.request(updateUser, input, { scope });
const actor = (role: "admin" | "manager" | "key"): Scope => ({ admin, manager, key })[role];

describe("making a user", () => {
  it("answers the account and never its hash; a retry makes no second", async () => {
    const idempotencyKey = randomUUID();
    const input = {
      username: "ada_l",
      password,
      role: "manager",
      bio: "Counts.",
      dailyMessageLimit: 5,
      email: " Ada@Example.org ",
    };
    const made = await Promise.all(
      [0, 1].map(() => auth.request(createUser, input, { scope: admin, idempotencyKey })),
    );
    expect(made[0]).toEqual(made[1]);
    expect(made[0]).toEqual({
      user: {
        id: expect.any(Number),
        username: "ada_l",
        role: "manager",
        suspended: 0,
        seen_recovery_codes: false,
        pfpFilename: null,
        bio: "Counts.",
        dailyMessageLimit: 5,
        email: "ada@example.org",
        theme: null,
        userLang: null,
        secondFactor: false,
        createdAt: expect.any(String),
        lastUpdatedAt: expect.any(String),
      },
      error: null,
    });
    const stored = await row(made[0]!.user!.id);
    expect(stored?.["password_hash"]).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await verify(String(stored?.["password_hash"]), password)).toBe(true);
    expect(await auth.entry("user_created", { username: "ada_l" })).toMatchObject({
      userId: adminId,
      metadata: { role: "manager", address: "203.0.113.9" },
    });
    expect(JSON.stringify(auth.logged())).not.toContain(password);
  });

  it.each<[string, Args<typeof createUser>, string]>([
    ["no name", { password }, "Username must be at least 2 characters"],
    [
      "a long name",
      { username: "a".repeat(65), password },
      "Username cannot be longer than 64 characters",
    ],
    [
      "control characters",
      { username: "a\u0000b\u0007", password },
      "Username must only contain lowercase letters, numbers, underscores, and hyphens with no spaces",
    ],
    [
      "a dot, which only OpenID brings",
      { username: "a.b", password },
      "Username must only contain lowercase letters, numbers, underscores, and hyphens with no spaces",
    ],
    ["no password", { username: "nobody" }, "Password must be at least 8 characters."],
    [
      "an unknown role",
      { username: "nobody", password, role: "root" },
      "Invalid role. Allowed roles are: default, admin, manager",
    ],
    [
      "a long bio",
      { username: "nobody", password, bio: "b".repeat(1001) },
      "Bio cannot be longer than 1,000 characters",
    ],
    [
      "a limit of nothing",
      { username: "nobody", password, dailyMessageLimit: 0 },
      "Daily message limit must be null or a number greater than or equal to 1",
    ],
    [
      "a limit that no column holds",
      { username: "nobody", password, dailyMessageLimit: 3_000_000_000 },
      "Daily message limit must be null or a number greater than or equal to 1",
    ],
    [
      "half a message",
      { username: "nobody", password, dailyMessageLimit: 1.5 },
      "Daily message limit must be null or a number greater than or equal to 1",
    ],
    [
      "no address",
      { username: "nobody", password, email: "not an address" },
      "Email address is not valid.",
    ],
  ])("refuses %s", async (_what, input, error) => {
    expect(await auth.request(createUser, input, { scope: admin })).toEqual({ user: null, error });
  });

  it.each<["admin" | "manager" | "key", Role, string | null]>([
    ["admin", "admin", null],
    ["admin", "manager", null],
    ["admin", "default", null],
    ["key", "admin", null],
    ["manager", "admin", roleNotYours],
    ["manager", "manager", null],
    ["manager", "default", null],
  ])("%s makes a %s", async (who, role, error) => {
    const made = await auth.request(
      createUser,
      { username: freeName(), password, role },
      { scope: actor(who) },
    );
    expect({ role: made.user?.role, error: made.error }).toEqual({
      role: error === null ? role : undefined,
      error,
    });
    if (made.user?.role === "admin")
      await auth.sql.query('DELETE FROM auth."user" WHERE id = $1', [made.user.id]);
  });

  it("gives a name once, also to two at once", async () => {
    const username = freeName();
    const made = await Promise.all(
      Array.from({ length: 6 }, () =>
        auth.request(
          createUser,
          { username, password },
          { scope: admin, idempotencyKey: randomUUID() },
        ),
      ),
    );
    expect(made.filter(({ user }) => user !== null)).toHaveLength(1);
    expect(
      made.filter(({ error }) => error === "A user with that username already exists"),
    ).toHaveLength(5);
    expect(
      await auth.sql.query('SELECT count(*)::int AS count FROM auth."user" WHERE username = $1', [
        username,
      ]),
    ).toEqual([{ count: 1 }]);
    const email = "once@example.org";
    await auth.request(createUser, { username: freeName(), password, email }, { scope: admin });
    expect(
      await auth.request(
        createUser,
        { username: freeName(), password, email: "ONCE@example.org" },
        { scope: admin },
      ),
    ).toEqual({ user: null, error: "A user with that email address already exists" });
  });

  it("is for managers and admins", async () => {
    for (const scope of [asUser(999, "default"), asNobody]) {
      await expect(auth.request(listUsers, {}, { scope })).rejects.toMatchObject({
        code: "FORBIDDEN",
      });
      expect(
        await auth.request(
          createUser,
          { username: freeName(), password, role: "admin" },
          { scope },
        ),
      ).toMatchObject({ user: null });
      await expect(
        auth.request(createUser, { username: freeName(), password }, { scope }),
      ).rejects.toMatchObject({ code: "FORBIDDEN" });
    }
  });
});

describe("lists", () => {
  it("have all users, oldest first, and names for ids that exist", async () => {
    const { users } = await auth.request(listUsers, {}, { scope: manager });
    expect(users.slice(0, 2).map(({ username }) => username)).toEqual(["the-admin", "the-manager"]);
    expect(JSON.stringify(users)).not.toMatch(/argon2|sealed|hash/);
    expect(
      await auth.request(
        findUsers,
        { ids: [managerId, 2_000_000, 9_000_000_000, -1, adminId, adminId] },
        { scope: manager },
      ),
    ).toEqual({
      users: [
        { id: adminId, username: "the-admin", role: "admin" },
        { id: managerId, username: "the-manager", role: "manager" },
      ],
    });
  });

  it("name a picture, never where it is kept", async () => {
    const id = await auth.addUser(freeName(), "default");
    await auth.sql.query(
      `UPDATE auth."user" SET picture_key = 'pictures/secret-place' WHERE id = $1`,
      [id],
    );
    const { users } = await auth.request(listUsers, {}, { scope: admin });
    expect(users.find((user) => user.id === id)?.pfpFilename).toMatch(
      new RegExp(`^${id}-[0-9a-f]{8}\\.webp$`),
    );
    expect(JSON.stringify(users)).not.toContain("secret-place");
  });
});

describe("rights over users", () => {
  const actions: [string, (id: number) => Args<typeof updateUser>][] = [
    ["names", (id) => ({ id, username: freeName() })],
    ["suspends", (id) => ({ id, suspended: true })],
    ["resets the password of", (id) => ({ id, password })],
    ["limits", (id) => ({ id, dailyMessageLimit: 3 })],
    ["demotes", (id) => ({ id, role: "default" })],
  ];
  const cases = (["admin", "key", "manager"] as const).flatMap((who) =>
    (["admin", "manager", "default"] as const).flatMap((target) =>
      actions.map(([verb, input]) => ({
        who,
        verb,
        target,
        input,
        error: who === "manager" && target === "admin" ? untouchable : null,
      })),
    ),
  );

  it.each(cases)("$who $verb a $target: $error", async ({ who, target, input, error }) => {
    const id = await auth.addUser(freeName(), target);
    const before = await row(id);
    expect(await update(actor(who), input(id))).toEqual({ success: error === null, error });
    if (error !== null) expect(await row(id)).toEqual(before);
    await auth.sql.query('DELETE FROM auth."user" WHERE id = $1', [id]);
  });

  it.each<["admin" | "key" | "manager", Role, string | null]>([
    ["admin", "admin", null],
    ["key", "admin", null],
    ["admin", "default", null],
    ["admin", "manager", null],
    ["manager", "manager", null],
    ["manager", "default", null],
    ["manager", "admin", roleNotYours],
  ])("%s makes a user %s", async (who, role, error) => {
    const id = await auth.addUser(freeName(), role === "default" ? "manager" : "default");
    expect(await update(actor(who), { id, role })).toEqual({ success: error === null, error });
    await auth.sql.query('DELETE FROM auth."user" WHERE id = $1', [id]);
  });

  it.each<["admin" | "key" | "manager", Role, string | null]>([
    ["admin", "admin", null],
    ["key", "admin", null],
    ["manager", "admin", untouchable],
    ["manager", "manager", null],
    ["manager", "default", null],
  ])("%s deletes a %s", async (who, role, error) => {
    const id = await auth.addUser(freeName(), role);
    expect(await auth.request(deleteUser, { id }, { scope: actor(who) })).toMatchObject({
      success: error === null,
      error,
    });
    expect((await row(id)) === undefined).toBe(error === null);
    await auth.sql.query('DELETE FROM auth."user" WHERE id = $1', [id]);
  });

  it("keeps e-mail addresses for admins, as accounts are linked by them", async () => {
    const id = await auth.addUser(freeName(), "default");
    expect(await update(manager, { id, email: "mine@example.org" })).toEqual({
      success: false,
      error: "Only admins change email addresses.",
    });
    expect(await update(admin, { id, email: "Theirs@Example.org" })).toEqual({
      success: true,
      error: null,
    });
    // A form that sends back what it was given changes nothing.
    expect(await update(manager, { id, email: "theirs@example.org", bio: "New" })).toEqual({
      success: true,
      error: null,
    });
    expect(await row(id)).toMatchObject({ email: "theirs@example.org", bio: "New" });
    expect(await update(admin, { id, email: "" })).toEqual({ success: true, error: null });
    expect((await row(id))?.["email"]).toBeNull();
  });
});

describe("changing a user", () => {
  it("leaves alone what is absent or null, and takes the limit away with null", async () => {
    const id = await auth.addUser(freeName(), "default");
    await update(admin, { id, bio: "Words", dailyMessageLimit: 7 });
    const before = await row(id);
    expect(
      await update(admin, { id, username: null, password: "", role: null, bio: null, email: null }),
    ).toEqual({ success: false, error: "No valid updates applied." });
    expect(await row(id)).toEqual(before);
    expect(await update(admin, { id, dailyMessageLimit: null })).toEqual({
      success: true,
      error: null,
    });
    expect(await row(id)).toMatchObject({
      bio: "Words",
      daily_message_limit: null,
      role: "default",
    });
    expect(await update(admin, { id, bio: "" })).toEqual({ success: true, error: null });
    expect((await row(id))?.["bio"]).toBe("");
  });

  it("refuses what is not there, not free or not allowed", async () => {
    const id = await auth.addUser(freeName(), "default");
    expect(await update(admin, { id: 2_000_000, bio: "x" })).toEqual({
      success: false,
      error: "User not found",
    });
    expect(await auth.request(deleteUser, { id: 2_000_000 }, { scope: admin })).toEqual({
      success: false,
      error: "User not found",
    });
    expect(await update(admin, { id, username: "the-admin" })).toEqual({
      success: false,
      error: "A user with that username already exists",
    });
    expect(await update(admin, { id, username: "The Admin" })).toMatchObject({ success: false });
    expect(await update(admin, { id, password: "short" })).toEqual({
      success: false,
      error: "Password must be at least 8 characters.",
    });
    expect(await update(manager, { id, role: "root" })).toEqual({
      success: false,
      error: roleNotYours,
    });
    expect(await update(admin, { id, role: "root" })).toEqual({
      success: false,
      error: "Invalid role. Allowed roles are: default, admin, manager",
    });
    await expect(auth.request(updateUser, { id: "x" }, { scope: admin })).rejects.toMatchObject({
      code: "BAD_INPUT",
    });
  });

  it("asks the rule of names only of a name that changes", async () => {
    const id = await auth.addUser("jane.doe@example.org", "default");
    expect(
      await update(admin, { id, username: "jane.doe@example.org", bio: "From elsewhere" }),
    ).toEqual({ success: true, error: null });
    expect(await update(admin, { id, username: "john.doe@example.org" })).toMatchObject({
      success: false,
    });
  });

  it("by a new password ends everything of the user and voids the recovery codes", async () => {
    const id = await auth.addUser(freeName(), "manager");
    await auth.addAccess(id);
    expect(await update(admin, { id, password: "another horse" })).toEqual({
      success: true,
      error: null,
    });
    expect(await auth.accessOf(id)).toEqual({
      session: 0,
      api_key: 0,
      reset_token: 0,
      sign_in_token: 0,
      recovery_code: 0,
    });
    const stored = await row(id);
    expect(stored?.["seen_recovery_codes"]).toBe(false);
    expect(await verify(String(stored?.["password_hash"]), "another horse")).toBe(true);
    await auth.entry("password_reset", { userId: id });
    expect(JSON.stringify(auth.logged())).not.toMatch(/another horse|argon2/);
  });

  it("by suspension ends everything but the recovery codes, once; a role ends nothing", async () => {
    const id = await auth.addUser(freeName(), "manager");
    await auth.addAccess(id);
    await update(admin, { id, role: "default", dailyMessageLimit: 4 });
    expect(await auth.accessOf(id)).toEqual({
      session: 1,
      api_key: 2,
      reset_token: 1,
      sign_in_token: 1,
      recovery_code: 1,
    });
    expect(await auth.entry("user_updated", { userId: id })).toMatchObject({
      userId: adminId,
      metadata: {
        changes: {
          role: { from: "manager", to: "default" },
          dailyMessageLimit: { from: null, to: 4 },
        },
      },
    });
    await eventually(() => expect(auth.heard("access.changed")).toContainEqual({ userId: id }));
    expect(await update(key, { id, suspended: "1" as never })).toEqual({
      success: true,
      error: null,
    });
    expect(await auth.accessOf(id)).toEqual({
      session: 0,
      api_key: 0,
      reset_token: 0,
      sign_in_token: 0,
      recovery_code: 1,
    });
    expect(await auth.entry("user_suspended", { userId: id })).toMatchObject({
      userId: null,
      metadata: { apiKeyId: 1 },
    });
    expect(await update(admin, { id, suspended: 0 as never })).toEqual({
      success: true,
      error: null,
    });
    expect((await row(id))?.["suspended"]).toBe(false);
    await auth.entry("user_updated", {
      userId: id,
      changes: { suspended: { from: true, to: false } },
    });
  });

  it("by deletion takes everything along and tells the other services", async () => {
    const id = await auth.addUser(freeName(), "manager");
    await auth.addAccess(id);
    await auth.sql.query(`UPDATE auth."user" SET picture_key = 'picture/of-nobody' WHERE id = $1`, [
      id,
    ]);
    expect(await auth.request(deleteUser, { id }, { scope: manager })).toEqual({
      success: true,
      error: null,
      pictureKey: "picture/of-nobody",
    });
    expect(await auth.accessOf(id)).toEqual({
      session: 0,
      api_key: 0,
      reset_token: 0,
      sign_in_token: 0,
      recovery_code: 0,
    });
    await eventually(() => expect(auth.heard("user.deleted")).toContainEqual({ userId: id }));
    await auth.entry("user_deleted", { userId: id });
  });

  it("of oneself by this way ends the other sessions only", async () => {
    const id = await auth.addUser(freeName(), "manager");
    const [own] = [await auth.addAccess(id), await auth.addAccess(id)];
    expect(await update(asUser(id, "manager", own), { id, password: "my new password" })).toEqual({
      success: true,
      error: null,
    });
    expect(await auth.accessOf(id)).toEqual({
      session: 1,
      api_key: 4,
      reset_token: 0,
      sign_in_token: 0,
      recovery_code: 2,
    });
    expect(await auth.sql.query("SELECT id FROM auth.session WHERE user_id = $1", [id])).toEqual([
      { id: own },
    ]);
  });
});

describe("one-time codes of another user", () => {
  it("are turned off by who manages them", async () => {
    const id = await auth.addUser(freeName(), "default");
    await auth.sql.query(
      `UPDATE auth."user" SET second_factor_sealed = 'x', second_factor_since = now(), second_factor_step = 5 WHERE id = ANY($1)`,
      [[id, adminId, managerId]],
    );
    expect(await auth.request(removeUserSecondFactor, { id: adminId }, { scope: manager })).toEqual(
      { success: false, error: untouchable },
    );
    expect(
      await auth.request(removeUserSecondFactor, { id: managerId }, { scope: manager }),
    ).toMatchObject({ success: false });
    expect(
      await auth.request(removeUserSecondFactor, { id: 2_000_000 }, { scope: manager }),
    ).toEqual({ success: false, error: "User not found" });
    expect(await auth.request(removeUserSecondFactor, { id }, { scope: manager })).toEqual({
      success: true,
      error: null,
    });
    expect(await auth.request(removeUserSecondFactor, { id }, { scope: manager })).toEqual({
      success: true,
      error: null,
    });
    expect(await row(id)).toMatchObject({
      second_factor_sealed: null,
      second_factor_since: null,
      second_factor_step: null,
    });
    expect((await row(adminId))?.["second_factor_sealed"]).toBe("x");
    await auth.entry("second_factor_disabled", { userId: id });
    expect(
      auth
        .logged()
        .filter(
          ({ event, metadata }) => event === "second_factor_disabled" && metadata["userId"] === id,
        ),
    ).toHaveLength(1);
  });
});

describe("the last admin", () => {
  it("stays, whoever asks, and nobody suspends or deletes himself", async () => {
    for (const scope of [admin, key]) {
      expect(await update(scope, { id: adminId, role: "default" })).toEqual({
        success: false,
        error: noAdminLeft,
      });
      expect(await update(scope, { id: adminId, suspended: true })).toEqual({
        success: false,
        error: noAdminLeft,
      });
      expect(await auth.request(deleteUser, { id: adminId }, { scope })).toEqual({
        success: false,
        error: noAdminLeft,
      });
    }
    const suspended = await auth.addUser(freeName(), "admin", { suspended: true });
    expect(await update(admin, { id: adminId, role: "manager" })).toEqual({
      success: false,
      error: noAdminLeft,
    });
    const other = await auth.addUser(freeName(), "admin");
    expect(await update(admin, { id: adminId, suspended: true })).toEqual({
      success: false,
      error: "You cannot suspend your own account.",
    });
    expect(await auth.request(deleteUser, { id: adminId }, { scope: admin })).toEqual({
      success: false,
      error: "You cannot delete your own account.",
    });
    expect(await auth.request(deleteUser, { id: managerId }, { scope: manager })).toMatchObject({
      success: false,
    });
    expect(await update(admin, { id: adminId, role: "admin", bio: "Still" })).toEqual({
      success: true,
      error: null,
    });
    for (const id of [other, suspended])
      expect(await auth.request(deleteUser, { id }, { scope: admin })).toMatchObject({
        success: true,
        error: null,
      });
    expect(await row(adminId)).toMatchObject({ role: "admin", suspended: false });
  });

  it.each<[string, (id: number) => Promise<{ success: boolean; error: string | null }>]>([
    ["demoted", (id) => update(key, { id, role: "default" })],
    ["suspended", (id) => update(key, { id, suspended: true })],
    ["deleted", (id) => auth.request(deleteUser, { id }, { scope: key })],
  ])("stays when all are %s at once", async (_what, take) => {
    const others = await Promise.all([0, 1, 2].map(() => auth.addUser(freeName(), "admin")));
    const all = [adminId, ...others];
    const outcomes = await Promise.all(all.map((id) => take(id)));
    expect(outcomes.filter(({ success }) => success)).toHaveLength(all.length - 1);
    expect(outcomes.filter(({ error }) => error === noAdminLeft)).toHaveLength(1);
    expect(
      await auth.sql.query(
        `SELECT count(*)::int AS count FROM auth."user" WHERE role = 'admin' AND NOT suspended`,
      ),
    ).toEqual([{ count: 1 }]);
    await auth.sql.query('DELETE FROM auth."user" WHERE id = ANY($1)', [others]);
    await auth.sql.query(
      `INSERT INTO auth."user" (id, username, role) VALUES ($1, 'the-admin', 'admin') ON CONFLICT (id) DO UPDATE SET role = 'admin', suspended = false`,
      [adminId],
    );
  });
});
