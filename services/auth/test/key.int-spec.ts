import {
  authenticate,
  createApiKey,
  createExtensionKey,
  createInstanceApiKey,
  deleteApiKey,
  deleteExtensionKey,
  deleteInstanceApiKey,
  disconnectExtension,
  issueSignInToken,
  listApiKeys,
  listExtensionKeys,
  listInstanceApiKeys,
  servicePrincipal,
  updateUser,
  type Scope,
} from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { testKeyLimits } from "./key-limits.ts";
import { asInstance, asKey, asUser, startAuth, type RunningAuth } from "./running-auth.ts";

const code = "[0-9A-HJKMNP-TV-Z]{7}(-[0-9A-HJKMNP-TV-Z]{7}){3}";
const masked = (key: string): string =>
  `${key.replaceAll(/[0-9A-Z](?=.{4})/g, "*")} (shown only when created)`;
const carrel: Scope = { principal: servicePrincipal, workspace: null };
let auth: RunningAuth;
let single: RunningAuth;
let admin: Scope;
let adminId: number;

beforeAll(async () => {
  [auth, single] = [
    await startAuth({ environment: { SIMPLE_SSO_ENABLED: "1" } }),
    await startAuth({ mode: "single", environment: { SIMPLE_SSO_ENABLED: "1" } }),
  ];
  adminId = await auth.addUser("the-admin", "admin");
  admin = asUser(adminId, "admin");
});
afterAll(() => Promise.all([auth.stop(), single.stop()]));

const opens = async (
  from: RunningAuth,
  bearer: string,
  credential: "key" | "extension" | "session",
) => (await from.request(authenticate, { bearer, credential }, { scope: carrel })).principal;
let numbered = 0;
const person = async (
  role: "admin" | "manager" | "default",
): Promise<{ id: number; scope: Scope }> => {
  const id = await auth.addUser(`person-${(numbered += 1)}`, role);
  return { id, scope: asUser(id, role) };
};

describe("developer keys", () => {
  it("are shown in full once, listed by their last characters, stored as a hash, and invalid once deleted", async () => {
    const { apiKey, error } = await auth.request(
      createApiKey,
      { name: " Scripts " },
      { scope: admin },
    );
    expect(error).toBeNull();
    expect(apiKey).toEqual({
      id: expect.any(Number),
      name: "Scripts",
      secret: expect.stringMatching(new RegExp(`^carrel-${code}$`)),
      createdBy: { id: adminId, username: "the-admin", role: "admin" },
      createdAt: expect.any(String),
      lastUpdatedAt: expect.any(String),
      lastUsedAt: null,
      scopes: ["admin"],
      workspaceIds: null,
      expiresAt: null,
      requestsPerMinute: null,
    });
    const { apiKeys } = await auth.request(listApiKeys, {}, { scope: admin });
    expect(apiKeys).toEqual([{ ...apiKey, secret: masked(apiKey!.secret) }]);
    expect(await opens(auth, apiKey!.secret, "key")).toMatchObject({
      kind: "key",
      role: "admin",
      keyId: apiKey!.id,
    });
    await expect(opens(auth, apiKeys[0]!.secret, "key")).rejects.toMatchObject({
      kind: "KEY_REFUSED",
    });
    expect(JSON.stringify(await auth.sql.query("SELECT * FROM auth.api_key"))).not.toContain(
      apiKey!.secret,
    );
    await auth.entry("api_key_created", { keyId: apiKey!.id, name: "Scripts" });

    await auth.request(deleteApiKey, { id: apiKey!.id }, { scope: admin });
    await auth.request(deleteApiKey, { id: apiKey!.id }, { scope: admin });
    await expect(opens(auth, apiKey!.secret, "key")).rejects.toMatchObject({ kind: "KEY_REFUSED" });
    await auth.entry("api_key_deleted", { keyId: apiKey!.id });
    await poll(() => auth.heard("access.changed")).toContainEqual({ userId: adminId });
    expect(auth.logged().filter(({ event }) => event === "api_key_deleted")).toHaveLength(1);
    expect(JSON.stringify(auth.logged())).not.toContain(apiKey!.secret);
  });

  it("are for admins only, even if the principal predates a demotion", async () => {
    const { scope } = await person("manager");
    await expect(auth.request(listApiKeys, {}, { scope })).rejects.toMatchObject({
      kind: "FORBIDDEN",
    });
    await expect(auth.request(createApiKey, {}, { scope })).rejects.toMatchObject({
      kind: "FORBIDDEN",
    });
    await expect(auth.request(deleteApiKey, { id: 1 }, { scope })).rejects.toMatchObject({
      kind: "FORBIDDEN",
    });
    const demoted = await person("manager");
    await expect(
      auth.request(createApiKey, {}, { scope: asUser(demoted.id, "admin") }),
    ).rejects.toMatchObject({ kind: "FORBIDDEN" });
    const suspended = await auth.addUser("suspended-admin", "admin", { suspended: true });
    await expect(
      auth.request(createApiKey, {}, { scope: asUser(suspended, "admin") }),
    ).rejects.toMatchObject({ kind: "FORBIDDEN" });
  });

  it("have no creator on an instance without accounts", async () => {
    const { apiKey } = await single.request(createInstanceApiKey, {}, { scope: asInstance });
    expect(apiKey).toMatchObject({ name: null, createdBy: null });
    expect(
      (await single.request(listInstanceApiKeys, {}, { scope: asInstance })).apiKeys,
    ).toMatchObject([{ id: apiKey!.id, createdBy: null }]);
    expect(await opens(single, apiKey!.secret, "key")).toMatchObject({ kind: "key" });
    await single.request(deleteInstanceApiKey, { id: apiKey!.id }, { scope: asInstance });
    expect((await single.request(listInstanceApiKeys, {}, { scope: asInstance })).apiKeys).toEqual(
      [],
    );
  });

  it("end when their creator is suspended, even one being created", async () => {
    const { id, scope } = await person("admin");
    const [, ...made] = await Promise.allSettled([
      auth.request(updateUser, { id, suspended: true }, { scope: admin }),
      ...Array.from({ length: 8 }, () => auth.request(createApiKey, {}, { scope })),
    ]);
    expect(await auth.sql.query("SELECT 1 FROM auth.api_key WHERE user_id = $1", [id])).toEqual([]);
    for (const each of made) {
      if (each.status === "rejected") expect(each.reason).toMatchObject({ kind: "FORBIDDEN" });
      else
        await expect(opens(auth, each.value.apiKey!.secret, "key")).rejects.toMatchObject({
          kind: "KEY_REFUSED",
        });
    }
    await auth.sql.query('DELETE FROM auth."user" WHERE id = $1', [id]);
  });
  testKeyLimits(() => ({ auth, single, admin }));
});

describe("extension keys", () => {
  it("are visible to the manager who owns them and to admins; foreign and unknown ones look the same", async () => {
    const [one, two] = [await person("manager"), await person("manager")];
    const { apiKey } = await auth.request(createExtensionKey, {}, { scope: one.scope });
    expect(apiKey).toMatch(new RegExp(`^brx-${code}$`));
    await auth.request(createExtensionKey, {}, { scope: two.scope });
    const owned = (await auth.request(listExtensionKeys, {}, { scope: one.scope })).apiKeys;
    expect(owned).toEqual([
      {
        id: expect.any(Number),
        key: masked(apiKey),
        user_id: one.id,
        user: { id: one.id, username: expect.any(String), role: "manager" },
        createdAt: expect.any(String),
        lastUpdatedAt: expect.any(String),
        lastUsedAt: null,
      },
    ]);
    expect(
      (await auth.request(listExtensionKeys, {}, { scope: admin })).apiKeys.map(
        ({ user_id }) => user_id,
      ),
    ).toEqual([one.id, two.id]);
    expect(await opens(auth, apiKey, "extension")).toMatchObject({
      kind: "extension",
      userId: one.id,
      role: "manager",
    });

    const unknown = await auth
      .request(deleteExtensionKey, { id: 2_000_000 }, { scope: two.scope })
      .catch((error: unknown) => error);
    const foreign = await auth
      .request(deleteExtensionKey, { id: owned[0]!.id }, { scope: two.scope })
      .catch((error: unknown) => error);
    expect(unknown).toMatchObject({ kind: "NOT_FOUND" });
    expect(foreign).toEqual(unknown);
    expect(await auth.request(deleteExtensionKey, { id: owned[0]!.id }, { scope: admin })).toEqual({
      success: true,
    });
    await expect(opens(auth, apiKey, "extension")).rejects.toMatchObject({ kind: "KEY_REFUSED" });
    await auth.entry("browser_extension_key_created", { keyId: owned[0]!.id });
    await auth.entry("browser_extension_key_deleted", { keyId: owned[0]!.id, ownerId: one.id });
    // A developer key is not accepted as an extension key, whoever asks.
    const { apiKey: developer } = await auth.request(createApiKey, {}, { scope: admin });
    await expect(
      auth.request(deleteExtensionKey, { id: developer!.id }, { scope: admin }),
    ).rejects.toMatchObject({ kind: "NOT_FOUND" });
    await expect(
      auth.request(createExtensionKey, {}, { scope: (await person("default")).scope }),
    ).rejects.toMatchObject({ kind: "FORBIDDEN" });
  });

  it("can disconnect themselves", async () => {
    const { id, scope } = await person("manager");
    const { apiKey } = await auth.request(createExtensionKey, {}, { scope });
    await auth.sql.query(`UPDATE auth."user" SET role = 'default' WHERE id = $1`, [id]);
    const principal = await opens(auth, apiKey, "extension");
    expect(
      await auth.request(disconnectExtension, {}, { scope: { principal, workspace: null } }),
    ).toEqual({ success: true });
    await expect(opens(auth, apiKey, "extension")).rejects.toMatchObject({ kind: "KEY_REFUSED" });
    await expect(auth.request(disconnectExtension, {}, { scope: admin })).rejects.toMatchObject({
      kind: "KEY_REFUSED",
    });
  });

  it("all belong to the single session on an instance without accounts", async () => {
    const { apiKey } = await single.request(createExtensionKey, {}, { scope: asInstance });
    const { apiKeys } = await single.request(listExtensionKeys, {}, { scope: asInstance });
    expect(apiKeys).toMatchObject([{ user_id: null, user: null }]);
    expect(
      await single.request(
        disconnectExtension,
        {},
        { scope: { principal: await opens(single, apiKey, "extension"), workspace: null } },
      ),
    ).toEqual({ success: true });
    await single.request(createExtensionKey, {}, { scope: asInstance });
    const [left] = (await single.request(listExtensionKeys, {}, { scope: asInstance })).apiKeys;
    expect(
      await single.request(deleteExtensionKey, { id: left!.id }, { scope: asInstance }),
    ).toEqual({ success: true });
    expect((await single.request(listExtensionKeys, {}, { scope: asInstance })).apiKeys).toEqual(
      [],
    );
  });
});

describe("sign-in tokens", () => {
  it("are issued for a user, invalidate earlier ones and live six minutes", async () => {
    const { id } = await person("default");
    const first = await auth.request(issueSignInToken, { userId: id }, { scope: asKey(1) });
    expect(first.token).toMatch(new RegExp(`^allm-tat-${code}$`));
    expect(first.loginPath).toBe(`/sso/simple?token=${first.token}`);
    await auth.sql.query(
      `INSERT INTO auth.sign_in_token (hash, user_id, method, expires_at)
      VALUES ('by-openid', $1, 'openid', now() + interval '1 minute')`,
      [id],
    );
    const second = await auth.request(issueSignInToken, { userId: id }, { scope: asKey(1) });
    expect(second.token).not.toBe(first.token);
    const rows = await auth.sql.query<{ hash: string; method: string; seconds: number }[]>(
      `SELECT hash, method, extract(epoch FROM expires_at - now())::int AS seconds
      FROM auth.sign_in_token
      WHERE user_id = $1
      ORDER BY method`,
      [id],
    );
    expect(rows.map(({ method }) => method)).toEqual(["openid", "sso"]);
    expect(rows[1]!.seconds).toBeGreaterThan(350);
    expect(rows[1]!.seconds).toBeLessThanOrEqual(360);
    expect(JSON.stringify(rows)).not.toContain(second.token);
    expect(await auth.entry("sign_in_token_issued", { userId: id })).toMatchObject({
      userId: null,
      metadata: { apiKeyId: 1 },
    });
    expect(JSON.stringify(auth.logged())).not.toContain("allm-tat-");
  });

  it("are refused for unknown and suspended users, without accounts, while disabled and without permission", async () => {
    const { id } = await person("default");
    await expect(
      auth.request(issueSignInToken, { userId: 2_000_000 }, { scope: asKey(1) }),
    ).rejects.toMatchObject({ kind: "NOT_FOUND", message: "User not found" });
    await expect(
      auth.request(issueSignInToken, { userId: id }, { scope: asUser(id, "manager") }),
    ).rejects.toMatchObject({ kind: "FORBIDDEN" });
    const suspended = await auth.addUser("suspended", "default", { suspended: true });
    await expect(
      auth.request(issueSignInToken, { userId: suspended }, { scope: asKey(1) }),
    ).rejects.toMatchObject({ kind: "DISABLED" });
    await expect(
      single.request(issueSignInToken, { userId: 1 }, { scope: asKey(1) }),
    ).rejects.toMatchObject({
      kind: "DISABLED",
      message: "Multi-User mode is not enabled. It must be enabled to use Simple SSO.",
    });
    const off = await startAuth();
    await expect(
      off.request(issueSignInToken, { userId: 1 }, { scope: asKey(1) }),
    ).rejects.toMatchObject({
      kind: "DISABLED",
      message: expect.stringMatching(/^Simple SSO is not enabled/),
    });
    await off.stop();
  });
});
