import {
  confirmSecondFactor,
  confirmSession,
  isRecentlyProven,
  startSecondFactor,
  updateUser,
  type Args,
  type Scope,
} from "@carrel/contracts";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { generate } from "otplib";
import { PasswordHasher } from "../src/password/password-hasher.ts";
import { AuthInstance } from "./auth-instance.ts";

const password = "correct horse";
const due = "To confirm it's you, sign in again and retry within 10 minutes.";
let auth: AuthInstance;
let passwordHash: string;
beforeAll(async () => {
  auth = await AuthInstance.start();
  passwordHash = await new PasswordHasher().hash(password);
  await auth.sql.query(`UPDATE auth.instance_access SET mode = 'multi'`);
});
afterAll(() => auth.stop());
beforeEach(() => auth.resetAttempts());

/** Makes the session eleven minutes older and returns the scope of its next request. */
async function age({ principal }: Scope, token: string): Promise<Scope> {
  await auth.sql.query(
    `UPDATE auth.session
    SET created_at = created_at - interval '11 minutes',
      confirmed_at = confirmed_at - interval '11 minutes'
    WHERE id = $1`,
    [principal.sessionId],
  );
  return again(token);
}
const again = async (token: string): Promise<Scope> => ({
  principal: await auth.principal(token),
  workspace: null,
});
async function signInAs(
  username: string,
  role = "admin",
): Promise<{ token: string; scope: Scope; id: number }> {
  const { id } = await auth.addUser(username, { role, passwordHash });
  return { ...(await auth.signIn(username, password)), id };
}
const confirm = (scope: Scope, proof: Args<typeof confirmSession> = {}) =>
  auth.request(confirmSession, proof, scope);

describe("an old session", () => {
  it("changes nobody's access, but other fields", async () => {
    const { token, scope } = await signInAs("ada");
    const { id } = await auth.addUser("target", { role: "manager", passwordHash });
    const old = await age(scope, token);
    const update = (change: Omit<Args<typeof updateUser>, "id">, as = old) =>
      auth.request(updateUser, { id, ...change }, as);
    for (const change of [
      { password: "a stranger's own" },
      { role: "admin" },
      { role: "default" },
      { email: "stranger@example.com" },
      { username: "stranger" },
      { suspended: 1 as never },
      { bio: "Beside another field.", role: "admin" },
    ])
      expect({ change, ...(await update(change)) }).toEqual({ change, success: false, error: due });
    expect(await auth.sql.query(`SELECT role, bio FROM auth."user" WHERE id = $1`, [id])).toEqual([
      { role: "manager", bio: "" },
    ]);
    // Existing clients send forms like this, with the unchanged fields.
    expect(
      await update({ username: "target", role: "manager", bio: "Reads.", dailyMessageLimit: 5 }),
    ).toEqual({ success: true, error: null });
    expect(await update({ role: "admin" }, scope)).toEqual({ success: true, error: null });
  });

  it("counts as proven for ten minutes after its owner confirmed it", async () => {
    const { token, scope } = await signInAs("bob");
    const old = await age(scope, token);
    expect(isRecentlyProven(scope.principal)).toBe(true);
    expect(isRecentlyProven(old.principal)).toBe(false);
    await expect(confirm(old)).rejects.toMatchObject({ code: "password.confirmation-due" });
    await expect(confirm(old, { password: "a guess" })).rejects.toMatchObject({
      code: "password.wrong",
    });
    expect(isRecentlyProven((await again(token)).principal)).toBe(false);
    expect(await confirm(old, { password })).toEqual({ success: true, error: null });
    const confirmed = await again(token);
    expect(isRecentlyProven(confirmed.principal)).toBe(true);
    expect(isRecentlyProven((await age(confirmed, token)).principal)).toBe(false);
  });

  it("needs the second factor too, and nothing else for an account without a password", async () => {
    const { token, scope, id } = await signInAs("cal");
    const { secret } = await auth.request(startSecondFactor, {}, scope);
    await auth.request(confirmSecondFactor, { code: await generate({ secret }) }, scope);
    const forget = (columns = "second_factor_step = NULL") =>
      auth.sql.query(`UPDATE auth."user" SET ${columns} WHERE id = $1`, [id]);
    await forget();
    const old = await age(scope, token);
    await expect(confirm(old, { password })).rejects.toMatchObject({
      code: "second-factor.code-due",
    });
    await expect(confirm(old, { code: await generate({ secret }) })).rejects.toMatchObject({
      code: "password.confirmation-due",
    });
    expect(await confirm(old, { password, code: await generate({ secret }) })).toEqual({
      success: true,
      error: null,
    });
    await forget("second_factor_step = NULL, password_hash = NULL");
    await expect(confirm(old)).rejects.toMatchObject({ code: "second-factor.code-due" });
    expect(await confirm(old, { code: await generate({ secret }) })).toEqual({
      success: true,
      error: null,
    });
    await forget("second_factor_sealed = NULL, second_factor_since = NULL");
    await expect(confirm(old)).rejects.toMatchObject({ code: "password.sign-in-due" });
  });

  it("allows ten guesses", async () => {
    const { scope } = await signInAs("dan");
    await expect(confirm(scope, { password: "a guess" })).rejects.toMatchObject({
      kind: "PASSWORD_WRONG",
    });
    await auth.stopRefilling();
    for (let n = 1; n < 10; n += 1)
      await expect(confirm(scope, { password: "a guess" })).rejects.toMatchObject({
        kind: "PASSWORD_WRONG",
      });
    await expect(confirm(scope, { password })).rejects.toMatchObject({ kind: "TOO_MANY_ATTEMPTS" });
  });
});
