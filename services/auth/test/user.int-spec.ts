import { randomUUID } from "node:crypto";
import {
  createUser,
  findMissingUsers,
  findUsers,
  listUsers,
  type Args,
  type Role,
} from "@carrel/contracts";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { verify } from "@node-rs/argon2";
import { asNobody, asUser } from "./running-auth.ts";
import {
  freeName,
  password,
  roleNotYours,
  startWithAccounts,
  type UserAccounts,
} from "./user-accounts.ts";

let auth: UserAccounts["auth"];
let admin: UserAccounts["admin"];
let manager: UserAccounts["manager"];
let adminId: UserAccounts["adminId"];
let managerId: UserAccounts["managerId"];
let actor: UserAccounts["actor"];
let row: UserAccounts["row"];

beforeAll(async () => {
  ({ auth, admin, manager, adminId, managerId, actor, row } = await startWithAccounts());
});
afterAll(() => auth.stop());

describe("creating a user", () => {
  it("returns the account but never its hash; a retry creates no second one", async () => {
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
  ])("%s creates a %s", async (who, role, error) => {
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

  it("assigns a name once, even in concurrent requests", async () => {
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

  it("requires a manager or an admin", async () => {
    for (const scope of [asUser(999, "default"), asNobody]) {
      await expect(auth.request(listUsers, {}, { scope })).rejects.toMatchObject({
        kind: "FORBIDDEN",
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
      ).rejects.toMatchObject({ kind: "FORBIDDEN" });
    }
  });
});

describe("lists", () => {
  it("include all users, oldest first, and names for existing ids", async () => {
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
      ].map((user) => ({ ...user, suspended: false, dailyMessageLimit: null, language: null })),
    });
    expect(
      await auth.request(
        findMissingUsers,
        { ids: [managerId, 2_000_000, 9_000_000_000] },
        { scope: manager },
      ),
    ).toEqual({ ids: [2_000_000, 9_000_000_000] });
  });

  it("include a picture's name, but never where it is stored", async () => {
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
