import {
  confirmSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
  startSecondFactor,
  updateProfile,
  type Scope,
} from "@carrel/contracts";
import { waitFor } from "@carrel/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { generate } from "otplib";
import { PasswordHasher } from "../src/password/password-hasher.ts";
import { AuthInstance } from "./auth-instance.ts";

const password = "correct horse";
const due = { valid: false, user: null, token: null, message: "[006] One-time code required." };
const wrong = {
  valid: false,
  user: null,
  token: null,
  message: "[006] The one-time code is incorrect.",
};
let auth: AuthInstance;
let passwordHash: string;
beforeAll(async () => {
  auth = await AuthInstance.start();
  passwordHash = await new PasswordHasher().hash(password);
  await auth.sql.query(`UPDATE auth.instance_access SET mode = 'multi'`);
});
afterAll(() => auth.stop());
beforeEach(() => auth.resetAttempts());

/** Code of the time step `steps` away from now. */
const codeAt = (secret: string, steps = 0): Promise<string> =>
  generate({ secret, epoch: Math.floor(Date.now() / 1000) + steps * 30 });
/** Codes change every thirty seconds: waits until enough of the current step is left. */
const earlyInStep = (): Promise<unknown> => waitFor(() => Date.now() % 30_000 < 15_000);
/** Forgets the last used step, as if time had passed. */
const forgetStep = (username: string): Promise<unknown> =>
  auth.sql.query('UPDATE auth."user" SET second_factor_step = NULL WHERE username = $1', [
    username,
  ]);
async function withSecondFactor(
  username: string,
  newcomer = false,
): Promise<{ scope: Scope; secret: string; codes: string[] }> {
  await auth.addUser(username, { passwordHash, seenRecoveryCodes: !newcomer });
  const { scope, answer } = await auth.signIn(username, password);
  const { secret } = await auth.request(startSecondFactor, { password }, scope);
  const confirmed = await auth.request(confirmSecondFactor, { code: await codeAt(secret) }, scope);
  await forgetStep(username);
  return { scope, secret, codes: confirmed.recoveryCodes ?? answer.recoveryCodes ?? [] };
}

describe("one-time codes", () => {
  it("take effect only once confirmed", async () => {
    const { id } = await auth.addUser("ada", { passwordHash, seenRecoveryCodes: false });
    const { scope, answer } = await auth.signIn("ada", password);
    await expect(
      auth.request(confirmSecondFactor, { code: "123456" }, scope),
    ).rejects.toMatchObject({ kind: "BAD_INPUT" });
    await expect(
      auth.request(startSecondFactor, { password: "wrong horse" }, scope),
    ).rejects.toMatchObject({ kind: "PASSWORD_WRONG" });
    const started = await auth.request(startSecondFactor, { password }, scope);
    expect(started.uri).toMatch(
      new RegExp(`^otpauth://totp/Carrel:ada\\?secret=${started.secret}`),
    );
    const [row] = await auth.sql.query<{ sealed: string }[]>(
      'SELECT second_factor_sealed AS sealed FROM auth."user" WHERE id = $1',
      [id],
    );
    expect(row!.sealed).toMatch(/^v1:/);
    expect(row!.sealed).not.toContain(started.secret);
    expect(await auth.login("ada", password)).toMatchObject({ valid: true });
    for (const code of [
      "",
      "x",
      "\0",
      "12345",
      "1234567",
      "०१२३४५",
      await codeAt(started.secret, -10),
    ])
      await expect(auth.request(confirmSecondFactor, { code }, scope)).rejects.toMatchObject({
        kind: "BAD_INPUT",
        message: "The code is incorrect.",
      });
    // Four codes remain from the first sign-in, so none are issued.
    expect(answer.recoveryCodes).toHaveLength(4);
    expect(
      await auth.request(confirmSecondFactor, { code: await codeAt(started.secret) }, scope),
    ).toEqual({ success: true, error: null });
    await auth.logged("second_factor_enabled", ({ userId }) => userId === id);
    expect(await auth.login("ada", password)).toEqual(due);
    await expect(auth.request(startSecondFactor, { password }, scope)).rejects.toMatchObject({
      kind: "BAD_INPUT",
    });
    await expect(
      auth.request(confirmSecondFactor, { code: await codeAt(started.secret, 1) }, scope),
    ).rejects.toMatchObject({ kind: "BAD_INPUT" });
  });

  it("are accepted in their field or after the password, a step early or late, and work once", async () => {
    const { secret } = await withSecondFactor("bob");
    expect(await auth.login("bob", password)).toEqual(due);
    expect(await auth.login("bob", password, { code: "" })).toEqual(due);
    expect((await auth.login("bob", "wrong horse", { code: await codeAt(secret) })).message).toBe(
      "[001] Invalid login credentials.",
    );
    for (const code of ["000000x", "x", "\0", await codeAt(secret, -5), await codeAt(secret, 5)])
      expect(await auth.login("bob", password, { code })).toEqual(wrong);
    await auth.logged("failed_login_invalid_code");
    const now = await codeAt(secret);
    const answers = await Promise.all(
      [1, 2, 3].map(() => auth.login("bob", password, { code: now })),
    );
    expect(answers.filter(({ valid }) => valid)).toHaveLength(1);
    expect(answers.filter(({ message }) => message === wrong.message)).toHaveLength(2);
    await forgetStep("bob");
    await auth.resetAttempts();
    await earlyInStep();
    expect(await auth.login("bob", `${password} ${await codeAt(secret, -1)}`)).toMatchObject({
      valid: true,
      user: { secondFactor: true },
    });
    expect(await auth.login("bob", `${password} ${await codeAt(secret, 1)}`)).toMatchObject({
      valid: true,
    });
    expect(await auth.login("bob", `${password} ${await codeAt(secret)}`)).toEqual(wrong);
    expect((await auth.login("bob", `wrong horse ${await codeAt(secret)}`)).message).toBe(
      "[001] Invalid login credentials.",
    );
  });

  it("can be replaced by a recovery code, once", async () => {
    const { codes } = await withSecondFactor("cal");
    expect(codes).toHaveLength(4);
    expect(
      await auth.login("cal", password, { code: codes[0]!.toUpperCase().replaceAll("-", " ") }),
    ).toMatchObject({ valid: true });
    expect(await auth.login("cal", password, { code: codes[0] })).toEqual(wrong);
    expect(await auth.login("cal", `${password} ${codes[1]}`)).toMatchObject({ valid: true });
    const both = await Promise.all(
      [1, 2].map(() => auth.login("cal", password, { code: codes[2] })),
    );
    expect(both.filter(({ valid }) => valid)).toHaveLength(1);
  });

  it("are not read from a password that merely looks like it contains one", async () => {
    const spaced = "correct horse 123456";
    await auth.addUser("dan", { passwordHash: await new PasswordHasher().hash(spaced) });
    expect(await auth.login("dan", spaced)).toMatchObject({ valid: true });
    expect((await auth.login("dan", `${spaced} 123456`)).message).toBe(
      "[001] Invalid login credentials.",
    );
    await auth.addUser("deb", { passwordHash });
    expect((await auth.login("deb", `${password} 123456`)).message).toBe(
      "[001] Invalid login credentials.",
    );
    expect(await auth.login("deb", password, { code: "123456" })).toMatchObject({ valid: true });
  });

  it("can be guessed at most ten times, even with the correct password and from anywhere", async () => {
    const { secret } = await withSecondFactor("eve");
    const messages: (string | null)[] = [];
    for (let index = 0; index < 14; index += 1) {
      messages.push(
        await auth
          .login("eve", password, {
            address: `192.0.2.${index}`,
            code: "000000" === (await codeAt(secret)) ? "111111" : "000000",
          })
          .then(
            ({ message }) => message,
            (error: { kind: string }) => error.kind,
          ),
      );
    }
    expect(messages.filter((message) => message === wrong.message)).toHaveLength(10);
    expect(messages.at(-1)).toBe("TOO_MANY_ATTEMPTS");
    expect(await auth.login("eve", password, { address: "192.0.2.200" })).toEqual(due);
  });

  it("can be turned off with the password", async () => {
    const { scope } = await withSecondFactor("fay");
    await expect(
      auth.request(removeSecondFactor, { password: "wrong horse" }, scope),
    ).rejects.toMatchObject({ kind: "PASSWORD_WRONG" });
    expect(await auth.login("fay", password)).toEqual(due);
    expect(await auth.request(removeSecondFactor, { password }, scope)).toEqual({
      success: true,
      error: null,
    });
    expect(await auth.request(removeSecondFactor, { password }, scope)).toEqual({
      success: true,
      error: null,
    });
    expect(await auth.login("fay", password)).toMatchObject({
      valid: true,
      user: { secondFactor: false },
    });
    await auth.logged("second_factor_disabled", ({ userId }) => userId === scope.principal.userId);
  });

  it("are asked for by everything that would weaken the account, once the sign-in is old", async () => {
    const { scope, secret } = await withSecondFactor("hal");
    const old = (): Promise<unknown> =>
      auth.sql.query(
        `UPDATE auth.session SET created_at = now() - interval '11 minutes' WHERE id = $1`,
        [scope.principal.sessionId],
      );
    await old();
    for (const operation of [renewRecoveryCodes, removeSecondFactor]) {
      await expect(auth.request(operation, {}, scope)).rejects.toMatchObject({
        code: "password.confirmation-due",
      });
      await expect(auth.request(operation, { password }, scope)).rejects.toMatchObject({
        code: "second-factor.code-due",
      });
      await expect(
        auth.request(operation, { password, code: "12345" }, scope),
      ).rejects.toMatchObject({ code: "second-factor.code-wrong" });
    }
    await expect(
      auth.request(updateProfile, { password: "a new password", currentPassword: password }, scope),
    ).rejects.toMatchObject({ code: "second-factor.code-due" });
    await earlyInStep();
    expect(
      await auth.request(renewRecoveryCodes, { password, code: await codeAt(secret) }, scope),
    ).toMatchObject({ success: true });
    // Each code works once.
    await expect(
      auth.request(removeSecondFactor, { password, code: await codeAt(secret) }, scope),
    ).rejects.toMatchObject({ code: "second-factor.code-wrong" });
    await forgetStep("hal");
    expect(
      await auth.request(removeSecondFactor, { password, code: await codeAt(secret) }, scope),
    ).toMatchObject({ success: true });
  });

  it("leave recovery codes usable when the secret cannot be opened", async () => {
    const { codes } = await withSecondFactor("gus", true);
    await auth.sql.query(
      `UPDATE auth."user" SET second_factor_sealed = 'v1:00000000:AA:AA:AA' WHERE username = 'gus'`,
    );
    expect(await auth.login("gus", password, { code: "123456" })).toEqual(wrong);
    expect(await auth.login("gus", password, { code: codes[0] })).toMatchObject({ valid: true });
  });
});
