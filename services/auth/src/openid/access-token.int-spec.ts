import { createHmac } from "node:crypto";
import { authenticateAccessToken, type Principal } from "@carrel/contracts";
import { afterEach, beforeAll, describe, expect, it, jest } from "@jest/globals";
import {
  person,
  provider,
  request,
  scope,
  signIn,
  sql,
  start,
  useOpenIdInstance,
  userOf,
} from "../../test/openid-instance.ts";

const resource = "https://carrel.example/api/mcp";
const settings = { CARREL_MCP_OAUTH: "1", CARREL_PUBLIC_URL: "https://carrel.example/" };
let subject: string;

useOpenIdInstance();
beforeAll(async () => {
  await start(settings);
  subject = person({ preferred_username: "mia" });
  await signIn(subject);
});
afterEach(() => {
  jest.restoreAllMocks();
});

type Claims = Record<string, unknown>;
const now = (): number => Math.floor(Date.now() / 1000);
const claimsFor = (changes: Claims = {}): Claims => ({
  iss: provider.url,
  sub: subject,
  aud: resource,
  iat: now(),
  exp: now() + 300,
  scope: "openid carrel:read",
  ...changes,
});
const accessToken = (
  changes?: Claims,
  by: "own" | "other" | "none" = "own",
  header: Claims = {},
): string => provider.signToken(claimsFor(changes), by, { typ: "at+jwt", ...header });
const authenticate = async (token: string, slug: string | null = null): Promise<Principal> =>
  (await request(authenticateAccessToken, { token, slug }, { scope })).principal;
const invalid = expect.objectContaining({
  kind: "KEY_REFUSED",
  code: "access.access-token-invalid",
});

describe("an access token", () => {
  it("stands for the account that a sign-in has linked, within its scopes", async () => {
    const { id } = (await userOf(subject))!;
    const principal = { kind: "user", userId: id, role: "default", dailyMessageLimit: null };
    expect(await authenticate(accessToken())).toEqual({ ...principal, scopes: ["read"] });
    for (const [granted, scopes] of [
      ["carrel:chat carrel:read", ["read", "chat"]],
      ["admin documents openid", []],
      [["carrel:read"], []],
      [undefined, []],
    ])
      expect(await authenticate(accessToken({ scope: granted }))).toEqual({ ...principal, scopes });
    const typed = accessToken({ aud: ["x", resource] }, "own", { typ: "application/at+jwt" });
    expect(await authenticate(typed)).toMatchObject({ userId: id });
  });

  it("for one workspace is valid at its address only", async () => {
    const token = accessToken({ aud: `${resource}/papers` });
    expect(await authenticate(token, "papers")).toMatchObject({ kind: "user" });
    for (const slug of [null, "other", "papers/"])
      await expect(authenticate(token, slug)).rejects.toEqual(invalid);
    expect(await authenticate(accessToken(), "papers")).toMatchObject({ kind: "user" });
  });

  it.each<[string, Claims]>([
    ["for another audience", { aud: "https://other.example/api/mcp" }],
    ["for the client, like an id token", { aud: "carrel-test" }],
    ["without an audience", { aud: undefined }],
    ["of another issuer", { iss: "https://evil.example" }],
    ["without an issuer", { iss: undefined }],
    ["that has expired", { exp: now() - 60 }],
    ["that never expires", { exp: undefined }],
    ["that isn't valid yet", { nbf: now() + 3_600 }],
    ["from the future", { iat: now() + 3_600 }],
    ["without a subject", { sub: undefined }],
    ["whose subject isn't text", { sub: 7 }],
    ["that only the holder of a key may use", { cnf: { jkt: "x" } }],
  ])("%s is refused", async (_what, changes) => {
    await expect(authenticate(accessToken(changes))).rejects.toEqual(invalid);
  });

  it("that isn't signed by the provider, or isn't an access token, is refused", async () => {
    const [head, body] = accessToken({}, "own", { alg: "HS256" }).split(".");
    const secret = provider.environment.CARREL_OIDC_CLIENT_SECRET!;
    const mac = createHmac("sha256", secret).update(`${head}.${body}`).digest("base64url");
    for (const token of [
      accessToken({}, "other"),
      accessToken({}, "none"),
      accessToken({}, "own", { kid: "unknown" }),
      accessToken({}, "own", { typ: "JWT" }),
      accessToken({}, "own", { typ: undefined }),
      accessToken({}, "own", { crit: ["x"], x: 1 }),
      accessToken({}, "own", { alg: "ES256" }),
      `${head}.${body}.${mac}`,
      `${accessToken()}x`,
      accessToken().replace(/[^.]+$/, ""),
      "a.b.c",
      "..",
      "",
    ])
      await expect(authenticate(token)).rejects.toEqual(invalid);
  });

  it("for somebody else causes no request to the provider", async () => {
    await start(settings);
    const asked = provider.requests.length;
    await expect(authenticate(accessToken({ aud: "x" }))).rejects.toEqual(invalid);
    expect(provider.requests.length).toBe(asked);
  });

  it("creates no account, and is refused with the reason if there is none", async () => {
    const count = async (): Promise<unknown> =>
      sql.query(`SELECT count(*) FROM auth."user" UNION ALL SELECT count(*) FROM auth.identity`);
    const before = await count();
    const stranger = person({ email: "the-admin@example.org", email_verified: true });
    await expect(authenticate(accessToken({ sub: stranger }))).rejects.toMatchObject({
      kind: "UNAUTHENTICATED",
      code: "openid.not-linked",
    });
    expect(await count()).toEqual(before);
  });

  it("of a suspended account, or of one that a sign-in would refuse, is refused", async () => {
    const { id } = (await userOf(subject))!;
    await sql.query(`UPDATE auth."user" SET suspended = true WHERE id = $1`, [id]);
    await expect(authenticate(accessToken())).rejects.toMatchObject({
      kind: "UNAUTHENTICATED",
      code: "openid.account-suspended",
    });
    await sql.query(`UPDATE auth."user" SET suspended = false WHERE id = $1`, [id]);
    await start({
      ...settings,
      CARREL_OIDC_ROLE_CLAIM: "groups",
      CARREL_OIDC_USER_VALUES: "staff",
    });
    for (const groups of [undefined, ["guests"]])
      await expect(authenticate(accessToken({ groups }))).rejects.toMatchObject({
        code: "openid.role-refused",
      });
    expect(await authenticate(accessToken({ groups: ["staff"] }))).toMatchObject({ userId: id });
    await start(settings);
  });

  it("is refused unless access tokens are on and the instance has accounts", async () => {
    await start();
    await expect(authenticate(accessToken())).rejects.toEqual(invalid);
    await start(settings);
    await sql.query(`UPDATE auth.instance_access SET mode = 'single'`);
    await expect(authenticate(accessToken())).rejects.toEqual(invalid);
    await sql.query(`UPDATE auth.instance_access SET mode = 'multi'`);
  });
});

describe("the provider's keys", () => {
  const jwksRequests = (): number =>
    provider.requests.filter((each) => each === "GET /jwks").length;

  it("are cached, and read again for a new key, but not for each unknown one", async () => {
    await start(settings);
    await authenticate(accessToken());
    const asked = jwksRequests();
    const rotated = accessToken({}, "other", { kid: "new-key" });
    for (const token of [accessToken(), rotated, rotated])
      await authenticate(token).catch(() => undefined);
    expect(jwksRequests()).toBe(asked);
    provider.onKeys = ({ keys }) => ({
      keys: [...keys, { ...provider.otherKey, kid: "new-key", alg: "RS256", use: "sig" }],
    });
    const later = Date.now() + 31_000;
    jest.spyOn(Date, "now").mockReturnValue(later);
    expect(await authenticate(rotated)).toMatchObject({ kind: "user" });
    expect(jwksRequests()).toBe(asked + 1);
  });

  it("that can't be read are the provider's fault, not the token's", async () => {
    const answers = [{ keys: "none" }, "no JSON"];
    for (const answer of answers) {
      await start(settings);
      provider.onKeys = () => answer;
      await expect(authenticate(accessToken())).rejects.toMatchObject({
        kind: "UNAVAILABLE",
        code: "openid.provider-unreachable",
      });
    }
    provider.onKeys = null;
    expect(await authenticate(accessToken())).toMatchObject({ kind: "user" });
  });
});
