import { beforeAll, describe, expect, it } from "@jest/globals";
import { waitFor } from "@carrel/testing";
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
      expect(apiKey.secret).toMatch(/^\w{7}-\w{7}-\w{7}-\w{7}$/);
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
      expect((await key.call("GET", "/workspaces")).status).toBe(401);
      await admin.call("DELETE", `/admin/delete-api-key/${apiKey.id}`);
      await waitFor(async () => (await key.call("GET", "/v1/auth")).status === 403);
    });
  });
}
