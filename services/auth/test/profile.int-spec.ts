import { findPicture, setPicture, updateProfile, type Args, type Scope } from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { verify } from "@node-rs/argon2";
import { asInstance, asUser, startAuth, type RunningAuth } from "./running-auth.ts";

let auth: RunningAuth;
let id: number;
let session: string;
let scope: Scope;

beforeAll(async () => {
  auth = await startAuth();
  id = await auth.addUser("grace", "default");
  session = await auth.addAccess(id);
  await auth.addAccess(id);
  scope = asUser(id, "default", session);
});
afterAll(() => auth.stop());

const update = (input: Args<typeof updateProfile>, as: Scope = scope) =>
  auth.request(updateProfile, input, { scope: as });
const row = async (): Promise<Record<string, unknown>> =>
  (
    await auth.sql.query<Record<string, unknown>[]>('SELECT * FROM auth."user" WHERE id = $1', [id])
  )[0]!;

describe("the caller's profile", () => {
  it("leaves absent, null and empty fields unchanged; a biography can be cleared", async () => {
    expect(
      await update({ username: "grace_h", bio: "Compiles.", theme: "light", userLang: "de" }),
    ).toEqual({ success: true, error: null });
    expect(
      await update({
        username: "",
        password: "",
        bio: null,
        theme: null,
        userLang: null,
        ...{ role: "admin", suspended: 1, email: "x@y.zz", dailyMessageLimit: null },
      }).catch((error: unknown) => error),
    ).toMatchObject({ kind: "BAD_INPUT", message: "No updates provided" });
    await expect(update({})).rejects.toMatchObject({
      kind: "BAD_INPUT",
      message: "No updates provided",
    });
    expect(await row()).toMatchObject({
      username: "grace_h",
      bio: "Compiles.",
      theme: "light",
      language: "de",
      role: "default",
      suspended: false,
      email: null,
    });
    expect(await update({ bio: "", theme: "system" })).toEqual({ success: true, error: null });
    expect(await row()).toMatchObject({
      username: "grace_h",
      bio: "",
      theme: null,
      language: "de",
    });
    await auth.entry("user_updated", { changes: { username: { from: "grace", to: "grace_h" } } });
  });

  it.each<[string, Args<typeof updateProfile>, string]>([
    ["a short name", { username: "g" }, "Username must be at least 2 characters"],
    [
      "a name with a space",
      { username: "grace h" },
      "Username must only contain lowercase letters, numbers, underscores, and hyphens with no spaces",
    ],
    ["a short password", { password: "1234567" }, "Password must be at least 8 characters."],
    ["a long biography", { bio: "b".repeat(1001) }, "Bio cannot be longer than 1,000 characters"],
    ["a language of nobody", { userLang: "tlh" }, "This language is not available."],
  ])("refuses %s with a message", async (_what, input, message) => {
    const before = await row();
    await expect(update({ ...input, theme: "default" })).rejects.toMatchObject({
      kind: expect.stringMatching(/^(BAD_INPUT|REFUSED)$/),
      message,
    });
    expect(await row()).toEqual(before);
  });

  it("refuses a taken name, even in concurrent requests", async () => {
    await auth.addUser("taken", "default");
    await expect(update({ username: "taken" })).rejects.toMatchObject({
      kind: "REFUSED",
      message: "A user with that username already exists",
    });
    const others = await Promise.all(
      ["one", "two", "three"].map((name) => auth.addUser(name, "default")),
    );
    const outcomes = await Promise.allSettled(
      others.map((other) => update({ username: "wanted" }, asUser(other, "default"))),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const each of outcomes)
      if (each.status === "rejected")
        expect(each.reason).toMatchObject({
          kind: "REFUSED",
          message: "A user with that username already exists",
        });
  });

  it("keeps an older name that the rules would now refuse", async () => {
    const other = await auth.addUser("a.b@example.org", "default");
    expect(
      await update({ username: "a.b@example.org", bio: "x" }, asUser(other, "default")),
    ).toEqual({ success: true, error: null });
  });

  it("accepts a new password, which ends other sessions, tokens and extension keys but keeps developer keys and codes", async () => {
    expect(await update({ password: " längeres Wort " })).toEqual({ success: true, error: null });
    expect(await auth.accessOf(id)).toEqual({
      session: 1,
      api_key: 2,
      reset_token: 0,
      sign_in_token: 0,
      recovery_code: 2,
    });
    expect(await auth.sql.query("SELECT id FROM auth.session WHERE user_id = $1", [id])).toEqual([
      { id: session },
    ]);
    expect(
      await verify(String((await row())["password_hash"]), " längeres Wort ".normalize("NFC")),
    ).toBe(true);
    expect((await row())["seen_recovery_codes"]).toBe(true);
    expect(await auth.entry("password_changed", { username: "grace_h" })).toMatchObject({
      userId: id,
      metadata: { address: "203.0.113.9" },
    });
    await poll(() => auth.heard("access.changed")).toContainEqual({ userId: id });
    expect(JSON.stringify(auth.logged())).not.toContain("Wort");
  });

  it("asks for the current password unless the sign-in was recent", async () => {
    const before = await row();
    await auth.sql.query(
      "UPDATE auth.session SET created_at = now() - interval '11 minutes' WHERE id = $1",
      [session],
    );
    const password = "a stranger's own";
    await expect(update({ password })).rejects.toMatchObject({
      kind: "REFUSED",
      message: "Enter your current password, or sign in again and retry within 10 minutes.",
    });
    await expect(update({ password, currentPassword: "a guess" })).rejects.toMatchObject({
      kind: "PASSWORD_WRONG",
    });
    await expect(update({ password }, asUser(id, "default"))).rejects.toMatchObject({
      kind: "REFUSED",
    });
    expect(await row()).toEqual(before);
    expect(await update({ bio: "Still compiles." })).toEqual({ success: true, error: null });
    expect(
      await update({ password: "another long one", currentPassword: " längeres Wort " }),
    ).toEqual({ success: true, error: null });
  });

  it("is refused without an account or if it was deleted", async () => {
    await expect(update({ bio: "x" }, asUser(2_000_000, "admin"))).rejects.toMatchObject({
      kind: "BAD_INPUT",
      message: "Invalid user ID",
    });
    await expect(update({ bio: "x" }, asInstance)).rejects.toMatchObject({
      kind: "BAD_INPUT",
      message: "Invalid user ID",
    });
  });
});

describe("the caller's picture", () => {
  it("is visible only to its owner, and a new one releases the previous key", async () => {
    expect(await auth.request(setPicture, { key: "pictures/1" }, { scope })).toEqual({
      previous: null,
    });
    expect(await auth.request(setPicture, { key: "pictures/2" }, { scope })).toEqual({
      previous: "pictures/1",
    });
    expect(await auth.request(setPicture, { key: "pictures/2" }, { scope })).toEqual({
      previous: null,
    });
    expect(await auth.request(findPicture, { id }, { scope })).toEqual({ key: "pictures/2" });
    expect(await auth.request(findPicture, { id }, { scope: asUser(id + 1, "admin") })).toEqual({
      key: null,
    });
    expect(await auth.request(findPicture, { id }, { scope: asInstance })).toEqual({ key: null });
    expect(await auth.request(setPicture, { key: null }, { scope })).toEqual({
      previous: "pictures/2",
    });
    await expect(
      auth.request(setPicture, { key: "x" }, { scope: asInstance }),
    ).rejects.toMatchObject({ kind: "FORBIDDEN" });
  });
});
