import {
  deleteUser,
  removeUserSecondFactor,
  updateUser,
  type Args,
  type Role,
} from "@carrel/contracts";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import {
  freeName,
  key,
  noAdminLeft,
  password,
  roleNotYours,
  untouchable,
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
let update: UserAccounts["update"];

beforeAll(async () => {
  ({ auth, admin, manager, adminId, managerId, actor, row, update } = await startWithAccounts());
});
afterAll(() => auth.stop());

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
  ])("%s creates a user %s", async (who, role, error) => {
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

  it("reserves email addresses for admins, because accounts are linked by them", async () => {
    const id = await auth.addUser(freeName(), "default");
    expect(await update(manager, { id, email: "mine@example.org" })).toEqual({
      success: false,
      error: "Only admins can change email addresses.",
    });
    expect(await update(admin, { id, email: "Theirs@Example.org" })).toEqual({
      success: true,
      error: null,
    });
    // A form that sends back the values it received changes nothing.
    expect(await update(manager, { id, email: "theirs@example.org", bio: "New" })).toEqual({
      success: true,
      error: null,
    });
    expect(await row(id)).toMatchObject({ email: "theirs@example.org", bio: "New" });
    expect(await update(admin, { id, email: "" })).toEqual({ success: true, error: null });
    expect((await row(id))?.["email"]).toBeNull();
  });
});

describe("one-time codes of another user", () => {
  it("can be turned off by anyone who manages the user", async () => {
    const id = await auth.addUser(freeName(), "default");
    await auth.sql.query(
      `UPDATE auth."user" SET second_factor_sealed = 'x', second_factor_since = now(),
        second_factor_step = 5
      WHERE id = ANY($1)`,
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
  it("is kept, whoever makes the request, and users can't suspend or delete themselves", async () => {
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
  ])("is kept when all are %s at once", async (_what, take) => {
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
      `INSERT INTO auth."user" (id, username, role)
      VALUES ($1, 'the-admin', 'admin')
      ON CONFLICT (id) DO UPDATE SET role = 'admin', suspended = false`,
      [adminId],
    );
  });
});
