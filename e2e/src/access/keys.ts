import { waitFor } from "@carrel/testing";
import { beforeAll, describe, expect, it } from "@jest/globals";
import type { Api } from "../api.ts";
import { password, type Access } from "./access.ts";

export function testKeys(access: Access): void {
  describe("API keys", () => {
    const { api } = access;
    let admin: Api;
    beforeAll(() => {
      admin = access.admin;
    });

    it("gives API keys full access to the developer API, and to nothing else", async () => {
      const { apiKey } = await admin.json<{
        apiKey: { id: number; secret: string; createdBy: unknown };
      }>("POST", "/admin/generate-api-key", { name: "scripts" });
      const key = api(apiKey.secret);
      expect(apiKey.secret).toMatch(/^carrel-\w{7}-\w{7}-\w{7}-\w{7}$/);
      expect((await admin.call("GET", "/admin/api-keys")).text).not.toContain(apiKey.secret);
      expect(await key.json("GET", "/v1/auth")).toEqual({ authenticated: true });
      expect(await key.json("GET", "/v1/admin/is-multi-user-mode")).toEqual({ isMultiUser: true });
      const { user } = await key.json<{ user: { id: number } }>("POST", "/v1/admin/users/new", {
        username: "by-script",
        password,
      });
      expect(
        (await key.call("POST", "/v1/admin/users/new", { username: "X", password })).status,
      ).toBe(400);
      expect((await key.json<{ users: object[] }>("GET", "/v1/users")).users).toContainEqual({
        id: user.id,
        username: "by-script",
        role: "default",
      });
      const workspace = await admin.makeWorkspace("Scripted");
      expect(
        await key.json("POST", `/v1/admin/workspaces/${workspace.slug}/manage-users`, {
          userIds: [user.id],
          reset: true,
        }),
      ).toMatchObject({
        success: true,
        users: [{ userId: user.id, username: "by-script", role: "default" }],
      });
      expect(
        (
          await key.call("POST", `/v1/admin/workspaces/${workspace.slug}/manage-users`, {
            userIds: [999_999],
          })
        ).status,
      ).toBe(404);
      const { token, loginPath } = await key.json<{ token: string; loginPath: string }>(
        "GET",
        `/v1/users/${user.id}/issue-auth-token`,
      );
      expect(loginPath).toBe(`/sso/simple?token=${token}`);
      expect(await api().json("GET", `/request-token/sso/simple?token=${token}`)).toMatchObject({
        valid: true,
        user: { username: "by-script" },
        token: expect.any(String),
        message: null,
      });
      const again = await api().call("GET", `/request-token/sso/simple?token=${token}`);
      expect([again.status, again.json()]).toEqual([
        401,
        {
          valid: false,
          token: null,
          message: expect.stringMatching(/^\[001\] An error occurred while validating the token: /),
        },
      ]);
      expect((await key.call("GET", "/v1/users/999999/issue-auth-token")).json()).toEqual({
        error: "User not found",
      });
      expect(await key.json("POST", "/v1/admin/workspace-chats", { offset: 0 })).toMatchObject({
        chats: expect.arrayContaining([
          expect.objectContaining({
            workspace: expect.objectContaining({ name: "Limited" }),
            user: { username: "limited" },
          }),
        ]),
        hasPages: expect.any(Boolean),
      });
      const exported = await key.call("GET", "/v1/system/export-chats?type=csv&search=limited");
      expect([exported.status, exported.text.split("\n")[0]]).toEqual([
        200,
        "id,workspace,prompt,response,sent_at,username,rating",
      ]);
      expect((await key.call("GET", "/workspaces")).status).toBe(401);
      await admin.call("DELETE", `/admin/delete-api-key/${apiKey.id}`);
      await waitFor(async () => (await key.call("GET", "/v1/auth")).status === 403);
    });

    it("keeps a key to its scopes, workspaces, rate and time", async () => {
      const [own, other] = [await admin.makeWorkspace("Own"), await admin.makeWorkspace("Other")];
      const { apiKey } = await admin.json<{ apiKey: { id: number; secret: string } }>(
        "POST",
        "/admin/generate-api-key",
        { name: "limited", scopes: ["documents"], workspaceIds: [own.id] },
      );
      const key = api(apiKey.secret);
      const answer = async (method: string, path: string, body?: unknown) => {
        const reply = await key.call(method, path, body);
        return [reply.status, reply.status === 200 ? "" : reply.json<object>()];
      };
      expect(await answer("GET", "/v1/users")).toEqual([
        403,
        {
          error: "This API key doesn't have the scope “admin”, which this request requires.",
        },
      ]);
      expect(await answer("POST", "/v1/document/create-folder", { name: "New" })).toEqual([
        403,
        { error: expect.stringMatching(/^This API key is restricted to some workspaces/) },
      ]);
      const text = { textContent: "The kiln is cold.", metadata: { title: "kiln" } };
      expect(await answer("POST", "/v1/document/raw-text", text)).toEqual([
        403,
        {
          success: false,
          error: expect.stringContaining("Name at least one of them in addToWorkspaces."),
          documents: [],
        },
      ]);
      const [status] = await answer("POST", "/v1/document/raw-text", {
        ...text,
        addToWorkspaces: `${other.slug},${own.slug}`,
      });
      expect(status).toBe(200);
      const list = async ({ slug }: { slug: string }): Promise<number> =>
        (await admin.json<{ total: number }>("GET", `/workspace/${slug}/documents`)).total;
      expect([await list(own), await list(other)]).toEqual([1, 0]);
      const search = (slug: string) =>
        answer("POST", `/v1/workspace/${slug}/vector-search`, { query: "kiln" });
      expect(await search(own.slug)).toEqual([200, ""]);
      expect(await search(other.slug)).toEqual(await search("no-such-workspace"));
      const { vectorCount } = await key.json<{ vectorCount: number }>(
        "GET",
        "/v1/system/vector-count",
      );
      expect(vectorCount).toBe(1);

      const change = (limits: object) => admin.json("PUT", `/admin/api-keys/${apiKey.id}`, limits);
      await change({ requestsPerMinute: 1 });
      expect(await answer("GET", "/v1/auth")).toEqual([200, ""]);
      const limited = await key.call("GET", "/v1/auth");
      expect([limited.status, limited.json()]).toEqual([
        429,
        { error: "This API key has reached its rate limit of 1 per minute." },
      ]);
      expect(Number(limited.headers.get("retry-after"))).toBeGreaterThan(50);
      await change({
        requestsPerMinute: null,
        expiresAt: new Date(Date.now() + 1_000).toISOString(),
      });
      await waitFor(async () => (await key.call("GET", "/v1/auth")).status === 403);
      expect((await key.call("GET", "/v1/auth")).json()).toEqual({
        error: "This API key has expired.",
      });
    });
  });
}
