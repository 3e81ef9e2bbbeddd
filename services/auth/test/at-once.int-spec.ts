import {
  confirmSecondFactor,
  endSession,
  issueSignInToken,
  recoverAccount,
  renewRecoveryCodes,
  requestTokenBySignInToken,
  resetPassword,
  servicePrincipal,
  startSecondFactor,
  updateUser,
  type CarrelError,
  type Scope,
} from "@carrel/contracts";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { PasswordHasher } from "../src/password/password-hasher.ts";
import { AuthInstance } from "./auth-instance.ts";

const password = "correct horse";
let auth: AuthInstance;
let admin: Scope;
beforeAll(async () => {
  auth = await AuthInstance.start({ SIMPLE_SSO_ENABLED: "1" }, { replicas: 2, reconcileMs: 50 });
  await auth.enableMultiUser();
  admin = (await auth.signIn("admin-one", "admin password")).scope;
});
afterAll(() => auth.stop());

/** Expected refusals; any other error is a bug. */
const refusals = [
  "BAD_INPUT",
  "UNAUTHENTICATED",
  "FORBIDDEN",
  "PASSWORD_WRONG",
  "TOO_MANY_ATTEMPTS",
  "BUSY",
  "NOT_FOUND",
  "DISABLED",
];

describe("concurrent operations on one account", () => {
  it("all get a reply, without deadlocks or crashes", async () => {
    const passwordHash = await new PasswordHasher().hash(password);
    const ada = await auth.addUser("ada", { passwordHash, seenRecoveryCodes: false });
    const { scope, answer } = await auth.signIn("ada", password);
    const codes = answer.recoveryCodes!;
    const address = () => ({ address: `10.0.${Math.floor(Math.random() * 250)}.1` });
    const works: (() => Promise<unknown>)[] = [
      () => auth.login("ada", password, address()),
      () =>
        auth
          .request(recoverAccount, { username: "ada", recoveryCodes: codes, ...address() })
          .then(({ resetToken }) =>
            auth.request(resetPassword, {
              token: resetToken,
              newPassword: password,
              confirmPassword: password,
              ...address(),
            }),
          ),
      () => auth.request(renewRecoveryCodes, { password }, scope),
      () => auth.request(startSecondFactor, { password }, scope),
      () => auth.request(confirmSecondFactor, { code: "123456" }, scope),
      () => auth.request(endSession, { id: "others" }, scope),
      () => auth.request(updateUser, { id: ada.id, password }, admin),
      () =>
        auth
          .request(updateUser, { id: ada.id, suspended: 1 }, admin)
          .then(() => auth.request(updateUser, { id: ada.id, suspended: 0 }, admin)),
      () =>
        auth
          .request(issueSignInToken, { userId: ada.id }, servicePrincipal)
          .then(({ token }) => auth.request(requestTokenBySignInToken, { token, ...address() })),
    ];
    const endings = await Promise.all(
      Array.from({ length: 270 }, (_, index) =>
        works[index % works.length]!().then(
          () => "answered",
          (error: CarrelError) => error.kind,
        ),
      ),
    );
    expect(
      [...new Set(endings)].filter((ending) => ending !== "answered" && !refusals.includes(ending)),
    ).toEqual([]);
    expect(endings.filter((ending) => ending === "answered").length).toBeGreaterThan(20);
  });

  it("do not accept a password that changes while it is being verified", async () => {
    const old = await new PasswordHasher().hash(password);
    for (let round = 0; round < 15; round += 1) {
      await auth.resetAttempts();
      const bob = await auth.addUser(`bob-${round}`, { passwordHash: old });
      const logins = Array.from({ length: 6 }, () => auth.login(bob.username, password));
      await new Promise((resolve) => setTimeout(resolve, round));
      await auth.request(updateUser, { id: bob.id, password: "an entirely new one" }, admin);
      const tokens = (await Promise.all(logins)).flatMap(({ token }) => token ?? []);
      for (const token of tokens)
        await expect(auth.principal(token)).rejects.toMatchObject({ kind: "UNAUTHENTICATED" });
    }
  });
});
