import {
  CarrelError,
  checkApiKey,
  createApiKey,
  createWorkspace,
  deleteApiKey,
  disconnectExtension,
  endpoints,
  instancePrincipal,
  keyScopes,
  listApiKeys,
  listPresets,
  listUsers,
  listWorkspaces,
  ping,
  proofLifetimeMs,
  publicPrincipal,
  serveMcp,
  servicePrincipal,
  startGeneration,
  updatePassword,
  uploadAndEmbed,
  type Endpoint,
  type KeyScope,
  type MemberRight,
  type Operation,
  type Principal,
} from "@carrel/contracts";
import { describe, expect, it } from "@jest/globals";
import type { Authenticator } from "./authenticator.ts";
import { Guard, checkPolicy, type Asker, type KeyRates, type MemberRights } from "./guard.ts";
import type { WorkspaceScopes } from "./workspace-scopes.ts";

const user = (role: Principal["role"], provenAt = Date.now()): Principal => ({
  kind: "user",
  userId: 1,
  role,
  provenAt,
});
const keyWith = (scopes: KeyScope[], workspaceIds?: number[]): Principal => ({
  kind: "key",
  userId: null,
  role: "admin",
  keyId: 1,
  scopes,
  ...(workspaceIds === undefined ? {} : { workspaceIds }),
});
const key = keyWith(["admin"]);
const extension: Principal = { kind: "extension", userId: 1, role: "admin", keyId: 2 };
const endpointOf = ({ name }: Operation): Endpoint =>
  endpoints.find((endpoint) => endpoint.name === name)!;
const lets = (operation: Operation, principal: Principal): boolean => {
  try {
    checkPolicy(operation, principal);
    return true;
  } catch (error) {
    expect(error).toMatchObject({ kind: "FORBIDDEN" });
    return false;
  }
};
const all = [
  publicPrincipal,
  user("default"),
  user("manager"),
  user("admin"),
  instancePrincipal,
  key,
  extension,
  servicePrincipal,
];

describe("checkPolicy", () => {
  it.each<[string, Operation, boolean[]]>([
    ["public", ping, [true, true, true, true, true, true, true, true]],
    ["session", listWorkspaces, [false, true, true, true, true, false, false, false]],
    ["manager", listUsers, [false, false, true, true, true, false, false, false]],
    ["admin", listApiKeys, [false, false, false, true, true, false, false, false]],
    ["key", checkApiKey, [false, false, false, false, false, true, false, false]],
    ["extension", disconnectExtension, [false, false, false, false, false, false, true, false]],
    ["internal", startGeneration, [false, false, false, false, false, false, false, false]],
  ])("%s", (_who, operation, expected) => {
    expect(all.map((principal) => lets(operation, principal))).toEqual(expected);
  });

  it.each<[KeyScope, KeyScope[]]>([
    ["read", ["read"]],
    ["chat", ["read", "chat"]],
    ["documents", ["read", "documents"]],
    ["admin", ["read", "chat", "documents", "admin"]],
  ])("a key with the scope %s has those it includes", (scope, included) => {
    for (const needed of keyScopes) {
      const check = (): void =>
        checkPolicy({ access: { who: "key", scope: needed } }, keyWith([scope]));
      if (included.includes(needed)) check();
      else
        expect(check).toThrow(
          expect.objectContaining({
            kind: "KEY_FORBIDDEN",
            message: expect.stringContaining(`scope “${needed}”`),
          }),
        );
    }
  });

  it("admits members only to what they are allowed, and tells the others why", () => {
    const member = (...may: MemberRight[]): Principal => ({ ...user("default"), may });
    const refusalOf = (operation: Operation, principal: Principal): string | null => {
      try {
        checkPolicy(operation, principal);
        return null;
      } catch (error) {
        return (error as CarrelError).code;
      }
    };
    expect(
      [member(), member("createWorkspaces"), member("uploadDocuments")].map((principal) =>
        [createWorkspace, uploadAndEmbed, listUsers].map((each) => refusalOf(each, principal)),
      ),
    ).toEqual([
      ["access.workspaces-by-managers", "access.documents-by-managers", "access.forbidden"],
      // The workspace may be one of theirs.
      [null, null, "access.forbidden"],
      ["access.workspaces-by-managers", null, "access.forbidden"],
    ]);
  });

  it("admits access tokens within their scopes, and no session, where they are taken", () => {
    const operation = { access: { who: "key", scope: "read", accessTokens: true } as const };
    const token = (...scopes: KeyScope[]): Principal => ({ ...user("admin"), scopes });
    checkPolicy(operation, token("read"));
    checkPolicy(operation, keyWith(["read"]));
    for (const refused of [user("admin"), instancePrincipal, extension, publicPrincipal])
      expect(lets(operation as never, refused)).toBe(false);
    expect(lets(checkApiKey, token("read"))).toBe(false);
    expect(() => checkPolicy(operation, token())).toThrow(
      expect.objectContaining({
        code: "access.access-token-scope-missing",
        message: expect.stringContaining("“carrel:read”"),
      }),
    );
  });

  it("refuses a key without scopes", () => {
    expect(() => checkPolicy(checkApiKey, keyWith([]))).toThrow(
      expect.objectContaining({ code: "access.key-scope-missing" }),
    );
  });

  it("admits a restricted key only where its restriction applies", () => {
    const restricted = keyWith(["admin"], [1]);
    const refusal = expect.objectContaining({ code: "access.key-restricted" });
    expect(() => checkPolicy({ access: { who: "key", scope: "read" } }, restricted)).toThrow(
      refusal,
    );
    checkPolicy({ access: { who: "key", scope: "read", workspace: true } }, restricted);
    checkPolicy({ access: { who: "key", scope: "read", restrictedKeys: true } }, restricted);
  });
});

/** A gateway in the given mode where every credential resolves to `principal`. */
function guardOf(principal: Principal, MultiUserMode: boolean): { guard: Guard; asked: unknown[] } {
  const asked: unknown[] = [];
  const authenticator = {
    principal: (bearer: unknown, kind: unknown) => {
      asked.push([bearer, kind]);
      return Promise.resolve(principal);
    },
    mode: () => Promise.resolve({ MultiUserMode }),
  } as unknown as Authenticator;
  return {
    guard: new Guard(
      authenticator,
      {
        resolve: () => Promise.reject(new CarrelError("workspace.not-found")),
      } as unknown as WorkspaceScopes,
      { count: () => Promise.resolve() } as unknown as KeyRates,
      { addTo: (known: Principal) => Promise.resolve(known) } as unknown as MemberRights,
    ),
    asked,
  };
}
const asker = { bearer: "b", slug: "w", address: () => "192.0.2.1", headers: {} };

describe("Guard", () => {
  it("checks the kind of credential the route accepts, and none on public routes", async () => {
    for (const [operation, principal, kind] of [
      [listWorkspaces, user("default"), "session"],
      [checkApiKey, key, "key"],
      [disconnectExtension, extension, "extension"],
      [serveMcp, key, "key"],
    ] as const) {
      const { guard, asked } = guardOf(principal, true);
      await guard.scope(endpointOf(operation), asker);
      expect(asked).toEqual([["b", kind]]);
    }
    for (const [operation, principal, kind] of [
      [serveMcp, { ...user("default"), scopes: ["read"] }, "access-token"],
      [checkApiKey, key, "key"],
    ] as const) {
      const { guard, asked } = guardOf(principal as Principal, true);
      await guard.scope(endpointOf(operation), { ...asker, bearer: "a.b.c" });
      expect(asked).toEqual([["a.b.c", kind]]);
    }
    const { guard, asked } = guardOf(user("admin"), true);
    expect((await guard.scope(endpointOf(ping), asker)).principal).toEqual(publicPrincipal);
    expect(asked).toEqual([]);
  });

  it("refuses every route of the other mode, for any caller", async () => {
    for (const endpoint of endpoints) {
      const { who, mode } = endpoint.access;
      if (mode === undefined) continue;
      const principal = who === "key" ? key : who === "extension" ? extension : user("admin");
      for (const isMulti of [true, false]) {
        const answer = guardOf(principal, isMulti).guard.scope(endpoint, asker);
        if (isMulti === (mode === "multi")) await expect(answer).resolves.toBeDefined();
        else await expect(answer).rejects.toMatchObject({ kind: "FORBIDDEN" });
      }
    }
    expect(updatePassword.access.mode).toBe("single");
  });

  it("asks an old session, but no key, for a proof where the route's policy says so", async () => {
    const ask = (principal: Principal, operation: Operation) =>
      guardOf(principal, true).guard.scope(endpointOf(operation), asker);
    const old = user("admin", Date.now() - proofLifetimeMs);
    await expect(ask(old, createApiKey)).rejects.toMatchObject({ code: "access.proof-due" });
    await expect(ask(user("admin"), createApiKey)).resolves.toBeDefined();
    await expect(ask(old, deleteApiKey)).resolves.toBeDefined();
    // Callers who may not use the route at all learn nothing about it.
    await expect(ask(user("default", 0), createApiKey)).rejects.toMatchObject({
      kind: "FORBIDDEN",
    });
    const byKey = endpoints.find(({ name }) => name === "gateway.developer.create-user")!;
    await expect(guardOf(key, true).guard.scope(byKey, asker)).resolves.toBeDefined();
  });

  it("passes the client address on for writes but not for plain reads", async () => {
    const { guard } = guardOf(user("admin"), false);
    expect((await guard.scope(endpointOf(updatePassword), asker)).address).toBe("192.0.2.1");
    expect((await guard.scope(endpointOf(listPresets), asker)).address).toBeUndefined();
  });

  it("adds the language if the request or the profile names one", async () => {
    const languageOf = async (
      principal: Principal,
      headers: Asker["headers"],
    ): Promise<unknown> => {
      const { guard } = guardOf(principal, false);
      return (await guard.scope(endpointOf(listPresets), { ...asker, headers })).language;
    };
    const person = { ...user("default"), language: "fr" } as const;
    expect(await languageOf(person, {})).toBe("fr");
    expect(await languageOf(person, { "x-language": "ko-KR" })).toBe("ko");
    expect(await languageOf(user("default"), {})).toBeUndefined();
  });
});
