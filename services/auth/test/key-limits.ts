import {
  authenticate,
  createApiKey,
  createInstanceApiKey,
  deleteApiKey,
  deleteInstanceApiKey,
  updateApiKey,
  updateInstanceApiKey,
  type Args,
  type Scope,
} from "@carrel/contracts";
import { expect, it } from "@jest/globals";
import { asInstance, asNobody, asUser, type RunningAuth } from "./running-auth.ts";

export function testKeyLimits(
  given: () => { auth: RunningAuth; single: RunningAuth; admin: Scope },
): void {
  it("are created once by a repeated request, whose stored result is encrypted", async () => {
    const { auth, admin } = given();
    const create = () =>
      auth.request(createApiKey, { name: "Once" }, { scope: admin, idempotencyKey: "client/once" });
    const [first, again] = [await create(), await create()];
    expect(again).toEqual(first);
    const stored = JSON.stringify(await auth.sql.query("SELECT * FROM auth.request_result"));
    expect(stored).toContain("client/once");
    expect(stored).not.toContain(first.apiKey!.secret.slice(-8));
  });

  it("have the limits they were given, until these change or they expire", async () => {
    const { auth, admin } = given();
    const opens = async (bearer: string) =>
      (await auth.request(authenticate, { bearer, credential: "key" }, { scope: asNobody }))
        .principal;
    const soon = new Date(Date.now() + 60_000).toISOString();
    const { apiKey } = await auth.request(
      createApiKey,
      {
        name: "Nightly",
        scopes: ["documents", "chat", "documents"],
        workspaceIds: [9, 4, 9],
        expiresAt: soon,
        requestsPerMinute: 30,
      },
      { scope: admin },
    );
    const limits = {
      scopes: ["chat", "documents"],
      workspaceIds: [4, 9],
      requestsPerMinute: 30,
    };
    expect(apiKey).toMatchObject({ ...limits, expiresAt: soon });
    expect(await opens(apiKey!.secret)).toMatchObject(limits);
    const { id } = apiKey!;
    const change = (input: Omit<Args<typeof updateApiKey>, "id">) =>
      auth.request(updateApiKey, { id, ...input }, { scope: admin });
    const masked = `carrel-*******-*******-*******-***${apiKey!.secret.slice(-4)} (shown only when created)`;
    expect((await change({ name: "Weekly" })).apiKey).toMatchObject({
      ...limits,
      name: "Weekly",
      secret: masked,
      expiresAt: soon,
    });
    await auth.entry("api_key_updated", { keyId: id, name: "Weekly", scopes: limits.scopes });
    await change({ scopes: ["read"], workspaceIds: null, requestsPerMinute: null });
    expect(await opens(apiKey!.secret)).toEqual({
      kind: "key",
      userId: null,
      role: "admin",
      keyId: id,
      scopes: ["read"],
    });

    const past = new Date(Date.now() - 1_000).toISOString();
    const inThePast = { kind: "BAD_INPUT", message: "The expiration date must be in the future." };
    await expect(change({ expiresAt: past })).rejects.toMatchObject(inThePast);
    await expect(
      auth.request(createApiKey, { expiresAt: past }, { scope: admin }),
    ).rejects.toMatchObject(inThePast);
    await auth.sql.query("UPDATE auth.api_key SET expires_at = $2 WHERE id = $1", [id, past]);
    await expect(opens(apiKey!.secret)).rejects.toMatchObject({
      kind: "KEY_FORBIDDEN",
      message: "This API key has expired.",
    });
    expect((await change({ name: "Old", expiresAt: past })).apiKey).toMatchObject({ name: "Old" });
    await change({ expiresAt: null });
    expect(await opens(apiKey!.secret)).toMatchObject({ keyId: id });
    await auth.request(deleteApiKey, { id }, { scope: admin });
    await expect(change({ name: "Gone" })).rejects.toMatchObject({ kind: "NOT_FOUND" });
  });

  it("are changed by admins only, and by the session of an instance without accounts", async () => {
    const { auth, single, admin } = given();
    const { id } = (await auth.request(createApiKey, {}, { scope: admin })).apiKey!;
    const manager = asUser(await auth.addUser("limited-manager", "manager"), "manager");
    await expect(auth.request(updateApiKey, { id }, { scope: manager })).rejects.toMatchObject({
      kind: "FORBIDDEN",
    });
    await auth.request(deleteApiKey, { id }, { scope: admin });
    const scope = asInstance;
    const { apiKey } = await single.request(createInstanceApiKey, {}, { scope });
    expect(
      await single.request(updateInstanceApiKey, { id: apiKey!.id, name: "One" }, { scope }),
    ).toMatchObject({ apiKey: { name: "One", scopes: ["admin"] }, error: null });
    await single.request(deleteInstanceApiKey, { id: apiKey!.id }, { scope });
  });
}
