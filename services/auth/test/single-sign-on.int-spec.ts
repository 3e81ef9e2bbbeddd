import {
  getAuthSettings,
  issueSignInToken,
  listSessions,
  requestTokenBySignInToken,
  servicePrincipal,
} from "@carrel/contracts";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { PasswordHasher } from "../src/password/password-hasher.ts";
import { AuthInstance, type UserRow } from "./auth-instance.ts";

const password = "correct horse";
const openId = {
  CARREL_OIDC_ISSUER: "https://id.example",
  CARREL_OIDC_CLIENT_ID: "carrel",
  CARREL_OIDC_NAME: "Example ID",
};
async function start(
  environment: Record<string, string>,
): Promise<{ auth: AuthInstance; ada: UserRow }> {
  const auth = await AuthInstance.start(environment);
  await auth.sql.query(`UPDATE auth.instance_access SET mode = 'multi'`);
  return {
    auth,
    ada: await auth.addUser("ada", { passwordHash: await new PasswordHasher().hash(password) }),
  };
}
const issue = (auth: AuthInstance, { id }: UserRow): Promise<string> =>
  auth.request(issueSignInToken, { userId: id }, servicePrincipal).then(({ token }) => token);
const redeem = (auth: AuthInstance, token: string) =>
  auth.request(requestTokenBySignInToken, { token, address: "203.0.113.4", userAgent: "jest" });
const refusal = (reason: string) => ({
  kind: "UNAUTHENTICATED",
  message: `[001] An error occurred while validating the token: ${reason}`,
});

describe("single sign-on with a one-time token", () => {
  let auth: AuthInstance;
  let ada: UserRow;
  beforeAll(async () => {
    ({ auth, ada } = await start({
      SIMPLE_SSO_ENABLED: "true",
      SIMPLE_SSO_NO_LOGIN: "true",
      SIMPLE_SSO_NO_LOGIN_REDIRECT: "https://intranet.example/carrel",
    }));
  });
  afterAll(() => auth.stop());

  it("creates a session, once", async () => {
    const token = await issue(auth, ada);
    const answers = await Promise.allSettled([1, 2, 3].map(() => redeem(auth, token)));
    const won = answers.filter((each) => each.status === "fulfilled");
    expect(won).toHaveLength(1);
    expect(won[0]!.value).toEqual({
      valid: true,
      user: expect.objectContaining({ id: ada.id, username: "ada" }),
      token: expect.any(String),
      message: null,
    });
    const principal = await auth.principal(won[0]!.value.token);
    expect(principal).toMatchObject({ kind: "user", userId: ada.id });
    expect((await auth.request(listSessions, {}, principal)).sessions[0]).toMatchObject({
      method: "sso",
      address: "203.0.113.4",
    });
    for (const lost of answers.filter((each) => each.status === "rejected"))
      expect(lost.reason).toMatchObject(refusal("Invalid token."));
    await auth.logged("login_event", ({ metadata }) => metadata.method === "sso");
    await auth.logged(
      "failed_login_invalid_temporary_auth_token",
      ({ metadata }) => metadata.reason === "Invalid token.",
    );
  });

  it("says why a token is refused", async () => {
    await expect(redeem(auth, "")).rejects.toMatchObject(refusal("No token provided."));
    for (const unknown of ["x", "\0", "allm-tat-0000000-0000000-0000000-0000000"])
      await expect(redeem(auth, unknown)).rejects.toMatchObject(refusal("Invalid token."));
    const late = await issue(auth, ada);
    await auth.sql.query("UPDATE auth.sign_in_token SET expires_at = now()");
    await expect(redeem(auth, late)).rejects.toMatchObject(refusal("Token expired."));
    await expect(redeem(auth, late)).rejects.toMatchObject(refusal("Invalid token."));
    const suspended = await issue(auth, ada);
    await auth.sql.query('UPDATE auth."user" SET suspended = true');
    await expect(redeem(auth, suspended)).rejects.toMatchObject(refusal("User account suspended."));
    await auth.sql.query('UPDATE auth."user" SET suspended = false');
    await expect(redeem(auth, suspended)).rejects.toMatchObject(refusal("Invalid token."));
  });

  it("accepts only the newest token of a user, and only for signing in", async () => {
    const [older, newer] = [await issue(auth, ada), await issue(auth, ada)];
    await expect(redeem(auth, older)).rejects.toMatchObject(refusal("Invalid token."));
    for (const altered of [`${newer} `, newer.toLowerCase(), newer.replace("allm-tat-", "")])
      await expect(redeem(auth, altered)).rejects.toMatchObject(refusal("Invalid token."));
    await expect(auth.principal(newer)).rejects.toMatchObject({ kind: "UNAUTHENTICATED" });
    const deleted = await auth.addUser("deleted");
    const orphan = await issue(auth, deleted);
    await auth.sql.query('DELETE FROM auth."user" WHERE id = $1', [deleted.id]);
    await expect(redeem(auth, orphan)).rejects.toMatchObject(refusal("Invalid token."));
    expect(await redeem(auth, newer)).toMatchObject({ valid: true, user: { username: "ada" } });
  });

  it("can be the only sign-in method", async () => {
    await expect(auth.login("ada", password)).rejects.toMatchObject({ kind: "DISABLED" });
    expect(await auth.request(getAuthSettings, {})).toMatchObject({
      SimpleSSOEnabled: true,
      SimpleSSONoLogin: true,
      SimpleSSONoLoginRedirect: "https://intranet.example/carrel",
      OpenIDName: null,
    });
  });
});

describe("sign-in through OpenID", () => {
  let auth: AuthInstance;
  let ada: UserRow;
  beforeAll(async () => {
    ({ auth, ada } = await start(openId));
  });
  afterAll(() => auth.stop());

  it("accepts its tokens without simple SSO, but no others", async () => {
    const { createHmac } = await import("node:crypto");
    const { deriveKey, instanceSecret } = await import("@carrel/config");
    const hash = (token: string): string =>
      createHmac("sha256", deriveKey(instanceSecret(auth.config), "secrets"))
        .update(`sign-in-token\0${token}`)
        .digest("base64url");
    for (const method of ["openid", "sso"])
      await auth.sql.query(
        `INSERT INTO auth.sign_in_token VALUES ($1, $2, $3, now() + interval '1 minute')`,
        [hash(`token-${method}`), ada.id, method],
      );
    expect(await redeem(auth, "token-openid")).toMatchObject({
      valid: true,
      user: { username: "ada" },
    });
    await expect(redeem(auth, "token-sso")).rejects.toMatchObject({ kind: "DISABLED" });
    await expect(redeem(auth, "x")).rejects.toMatchObject(refusal("Invalid token."));
    expect(await auth.request(getAuthSettings, {})).toMatchObject({
      SimpleSSOEnabled: false,
      OpenIDName: "Example ID",
    });
    expect(await auth.login("ada", password)).toMatchObject({ valid: true });
  });
});
