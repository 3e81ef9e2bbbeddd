import { deleteUser, updateUser } from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { verify } from "@node-rs/argon2";
import { asUser } from "./running-auth.ts";
import {
  freeName,
  key,
  roleNotYours,
  startWithAccounts,
  type UserAccounts,
} from "./user-accounts.ts";

let auth: UserAccounts["auth"];
let admin: UserAccounts["admin"];
let manager: UserAccounts["manager"];
let adminId: UserAccounts["adminId"];
let row: UserAccounts["row"];
let update: UserAccounts["update"];

beforeAll(async () => {
  ({ auth, admin, manager, adminId, row, update } = await startWithAccounts());
});
afterAll(() => auth.stop());

describe("changing a user", () => {
  it("leaves absent and null fields unchanged, and removes the limit with null", async () => {
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

  it("refuses unknown users, taken values and missing permissions", async () => {
    const id = await auth.addUser(freeName(), "default");
    expect(await update(admin, { id: 2_000_000, bio: "x" })).toEqual({
      success: false,
      error: "User not found",
    });
    await expect(
      auth.request(deleteUser, { id: 2_000_000 }, { scope: admin }),
    ).rejects.toMatchObject({ kind: "NOT_FOUND", message: "User not found" });
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
      kind: "BAD_INPUT",
    });
  });

  it("applies the naming rule only to a name that changes", async () => {
    const id = await auth.addUser("jane.doe@example.org", "default");
    expect(
      await update(admin, { id, username: "jane.doe@example.org", bio: "From elsewhere" }),
    ).toEqual({ success: true, error: null });
    expect(await update(admin, { id, username: "john.doe@example.org" })).toMatchObject({
      success: false,
    });
  });

  it("by a new password ends all access of the user and invalidates the recovery codes", async () => {
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

  it("by suspension ends all access except the recovery codes, once; a role change ends nothing", async () => {
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
    await poll(() => auth.heard("access.changed")).toContainEqual({ userId: id });
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

  it("by deletion removes all related data and notifies the other services", async () => {
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
    await poll(() => auth.heard("user.deleted")).toContainEqual({ userId: id });
    await auth.entry("user_deleted", { userId: id });
  });

  it("by a new password for oneself ends only the other sessions and extension keys", async () => {
    const id = await auth.addUser(freeName(), "manager");
    const [own] = [await auth.addAccess(id), await auth.addAccess(id)];
    expect(await update(asUser(id, "manager", own), { id, password: "my new password" })).toEqual({
      success: true,
      error: null,
    });
    expect(await auth.accessOf(id)).toEqual({
      session: 1,
      api_key: 2,
      reset_token: 0,
      sign_in_token: 0,
      recovery_code: 2,
    });
    expect(await auth.sql.query("SELECT id FROM auth.session WHERE user_id = $1", [id])).toEqual([
      { id: own },
    ]);
  });

  it("asks for the own current password unless the sign-in was recent", async () => {
    const id = await auth.addUser(freeName(), "manager");
    const own = await auth.addAccess(id);
    await auth.sql.query(
      "UPDATE auth.session SET created_at = now() - interval '11 minutes' WHERE id = $1",
      [own],
    );
    expect(await update(asUser(id, "manager", own), { id, password: "my new password" })).toEqual({
      success: false,
      error: "Sign in again and retry within 10 minutes.",
    });
  });
});
