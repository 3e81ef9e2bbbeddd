import { randomUUID } from "node:crypto";
import { recoverAccount, renewRecoveryCodes, resetPassword } from "@carrel/contracts";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { PasswordHasher } from "../src/password/password-hasher.ts";
import { AuthInstance } from "./auth-instance.ts";
import { fastestOf } from "./equal-time.ts";

const password = "correct horse";
let auth: AuthInstance;
let passwordHash: string;
beforeAll(async () => {
  auth = await AuthInstance.start({ PASSWORDNUMERIC: "1" });
  passwordHash = await new PasswordHasher().hash(password);
  await auth.sql.query(`UPDATE auth.instance_access SET mode = 'multi'`);
});
afterAll(() => auth.stop());
beforeEach(() => auth.resetAttempts());

async function newcomer(username: string): Promise<{ id: number; token: string; codes: string[] }> {
  const { id } = await auth.addUser(username, { passwordHash, seenRecoveryCodes: false });
  const { token, answer } = await auth.signIn(username, password);
  return { id, token, codes: answer.recoveryCodes! };
}
const recover = (username: string, recoveryCodes: string[]) =>
  auth.request(recoverAccount, { username, recoveryCodes, address: "203.0.113.9" });
const reset = (token: string, newPassword: string, confirmPassword = newPassword) =>
  auth.request(resetPassword, { token, newPassword, confirmPassword, address: "203.0.113.9" });
const invalid = { kind: "BAD_INPUT", message: "Invalid recovery codes." };

describe("recovery", () => {
  it("accepts two different correct codes however they are typed, and nothing less", async () => {
    const { id, token, codes } = await newcomer("ada");
    const [first, second] = codes as [string, string];
    for (const [username, typed] of [
      ["ada", []],
      ["ada", [first]],
      ["ada", [first, first]],
      ["ada", [first, first.toUpperCase()]],
      ["ada", [first, "x"]],
      ["ada", ["", "\0"]],
      ["nobody", [first, second]],
      ["ada\0", [first, second]],
      ["", [first, second]],
    ] as const)
      await expect(recover(username, [...typed])).rejects.toMatchObject(invalid);
    await auth.logged("recovery_failed", ({ userId }) => userId === id);
    const answer = await recover(" ADA ", [
      ` ${first.toUpperCase()} `,
      second.replaceAll("-", " "),
    ]);
    expect(answer).toMatchObject({
      success: true,
      resetToken: expect.stringMatching(/^[\w-]{30,}$/),
    });
    expect(
      await auth.sql.query("SELECT 1 FROM auth.reset_token WHERE hash = $1", [answer.resetToken]),
    ).toEqual([]);

    await expect(
      reset(answer.resetToken, "a new password 1", "another password 1"),
    ).rejects.toMatchObject({ kind: "BAD_INPUT", message: "Passwords do not match" });
    await expect(reset(answer.resetToken, "short")).rejects.toMatchObject({
      kind: "REFUSED",
      message: "Password must be at least 8 characters.",
    });
    await expect(reset(answer.resetToken, "without digits")).rejects.toMatchObject({
      kind: "REFUSED",
      message: "Password must contain at least 1 digit.",
    });
    for (const wrong of ["", "x", "\0", codes[0]!])
      await expect(reset(wrong, "a new password 1")).rejects.toMatchObject({
        kind: "BAD_INPUT",
        message: "Invalid reset token",
      });
    expect(await auth.principal(token)).toMatchObject({ userId: id });

    const both = await Promise.allSettled([
      reset(answer.resetToken, "a new password 1"),
      reset(answer.resetToken, "a new password 2"),
    ]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(both.find((each) => each.status === "fulfilled")).toMatchObject({
      value: { success: true, message: "Password reset successful" },
    });
    expect(both.find((each) => each.status === "rejected")).toMatchObject({
      reason: { kind: "BAD_INPUT", message: "Invalid reset token" },
    });
    await auth.logged("password_reset", ({ userId }) => userId === id);

    await expect(auth.principal(token)).rejects.toMatchObject({ kind: "UNAUTHENTICATED" });
    expect((await auth.login("ada", password)).message).toBe("[001] Invalid login credentials.");
    await expect(recover("ada", codes)).rejects.toMatchObject(invalid);
    const winner = both[0]!.status === "fulfilled" ? "a new password 1" : "a new password 2";
    const next = await auth.login("ada", winner);
    expect(next.recoveryCodes).toHaveLength(4);
    expect(next.recoveryCodes!.filter((code) => codes.includes(code))).toEqual([]);
  });

  it("issues tokens that expire after ten minutes, one per user", async () => {
    const { id, codes } = await newcomer("bob");
    const [older, newer] = [await recover("bob", codes), await recover("bob", codes)];
    await expect(reset(older.resetToken, "a new password 1")).rejects.toMatchObject({
      message: "Invalid reset token",
    });
    const [{ left }] = await auth.sql.query<[{ left: string }]>(
      "SELECT extract(epoch FROM expires_at - now()) AS left FROM auth.reset_token WHERE user_id = $1",
      [id],
    );
    expect(Number(left)).toBeGreaterThan(590);
    expect(Number(left)).toBeLessThanOrEqual(600);
    await auth.sql.query("UPDATE auth.reset_token SET expires_at = now() WHERE user_id = $1", [id]);
    await expect(reset(newer.resetToken, "a new password 1")).rejects.toMatchObject({
      message: "Invalid reset token",
    });
  });

  it("keeps users apart", async () => {
    const [cal, dan] = [await newcomer("cal"), await newcomer("dan")];
    await expect(recover("cal", dan.codes)).rejects.toMatchObject(invalid);
    await expect(recover("cal", [cal.codes[0]!, dan.codes[0]!])).rejects.toMatchObject(invalid);
    const { resetToken } = await recover("cal", cal.codes);
    await reset(resetToken, "a new password 1");
    expect(await auth.principal(dan.token)).toMatchObject({ userId: dan.id });
  });

  it("issues new codes for the password and invalidates the old ones", async () => {
    const { token, codes } = await newcomer("eve");
    const scope = { principal: await auth.principal(token), workspace: null };
    await expect(
      auth.request(renewRecoveryCodes, { password: "wrong horse" }, scope),
    ).rejects.toMatchObject({ kind: "PASSWORD_WRONG" });
    const renewed = await auth.request(renewRecoveryCodes, { password }, scope);
    expect(renewed).toMatchObject({ success: true, error: null });
    await expect(recover("eve", codes)).rejects.toMatchObject(invalid);
    expect(await recover("eve", renewed.recoveryCodes.slice(2))).toMatchObject({ success: true });
    expect((await auth.login("eve", password)).recoveryCodes).toBeUndefined();
    await auth.logged(
      "recovery_codes_issued",
      ({ userId, metadata }) =>
        userId === scope.principal.userId && metadata.username === undefined,
    );
    // The first refusal comes when the attempts are used up, long before one is regained.
    const wrong = Array.from({ length: 20 }, () =>
      expect(
        auth.request(renewRecoveryCodes, { password: "wrong horse" }, scope),
      ).rejects.toMatchObject({ kind: "TOO_MANY_ATTEMPTS" }),
    );
    await Promise.any(wrong);
    await expect(auth.request(renewRecoveryCodes, { password }, scope)).rejects.toMatchObject({
      kind: "TOO_MANY_ATTEMPTS",
    });
    await Promise.allSettled(wrong);
  });

  it("takes as long for an unknown user as for wrong codes", async () => {
    const { codes } = await newcomer("fay");
    const attempt = (username: string) => async () => {
      await auth.resetAttempts();
      await recover(username, [codes[0]!, randomUUID()]).catch(() => undefined);
    };
    expect(await fastestOf(attempt("fay"), attempt("nobody"))).toMatchObject({ alike: true });
  });
});
