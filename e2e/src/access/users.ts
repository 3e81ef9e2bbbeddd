import { waitFor } from "@carrel/testing";
import { beforeAll, describe, expect, it } from "@jest/globals";
import type { Api } from "../api.ts";
import { password, type Access, type Outcome } from "./access.ts";

export function testUsers(access: Access): void {
  describe("users", () => {
    const { api, login, signedIn, makeUser } = access;
    let admin: Api;
    beforeAll(() => {
      admin = access.admin;
    });

    it("enforces the rules for names, passwords and roles", async () => {
      const make = (body: unknown) =>
        admin.json<{ user: unknown; error: string | null }>("POST", "/admin/users/new", body);
      for (const username of [
        "",
        "a",
        "Upper",
        "with space",
        "dot.ted",
        "at@sign",
        "x".repeat(65),
        "ctrl\u0007",
        "../etc",
      ])
        expect({ username, ...(await make({ username, password })) }).toEqual({
          username,
          user: null,
          error: expect.any(String),
        });
      for (const secret of ["", "short", "        ", "tab\tinside"])
        expect({ secret, ...(await make({ username: "fine-name", password: secret })) }).toEqual({
          secret,
          user: null,
          error: expect.any(String),
        });
      expect((await make({ username: "fine-name", password, role: "owner" })).error).toContain(
        "Allowed roles are: default, admin, manager",
      );
      expect((await make({ username: "librarian", password })).error).toBe(
        "A user with that username already exists",
      );
      const users = (
        await admin.json<{ users: { id: number; username: string; role: string }[] }>(
          "GET",
          "/admin/users",
        )
      ).users;
      const self = users.find((user) => user.username === "librarian")!.id;
      expect(await admin.json("POST", `/admin/user/${self}`, { role: "default" })).toEqual({
        success: false,
        error: "No system admins will remain if you do this. Update failed.",
      });
      expect(await admin.json("DELETE", `/admin/user/${self}`)).toMatchObject({
        success: false,
        error: expect.any(String),
      });
      expect(await admin.json("POST", `/admin/user/${self}`, {})).toEqual({
        success: false,
        error: "No valid updates applied.",
      });
      expect(await admin.json("POST", "/admin/user/999999", { bio: "x" })).toEqual({
        success: false,
        error: "User not found",
      });
    });

    it("lets managers manage everyone except admins", async () => {
      await makeUser("manager-one", { role: "manager" });
      const adminId = await makeUser("second-admin", { role: "admin" });
      const manager = (access.manager = await signedIn("manager-one"));
      expect(
        (
          await manager.json<{ error: string }>("POST", "/admin/users/new", {
            username: "sneaky",
            password,
            role: "admin",
          })
        ).error,
      ).toBe("Invalid role selection for user.");
      for (const body of [{ password: "taken over 1" }, { suspended: 1 }, { role: "default" }])
        expect(await manager.json("POST", `/admin/user/${adminId}`, body)).toEqual({
          success: false,
          error: "Cannot perform that action on user.",
        });
      expect((await manager.json<Outcome>("DELETE", `/admin/user/${adminId}`)).success).toBe(false);
      expect((await manager.call("POST", "/system/event-logs", {})).status).toBe(401);
      expect(
        await manager.json(
          "GET",
          "/admin/system-preferences-for?labels=custom_app_name,agent_search_provider,support_email",
        ),
      ).toEqual({ settings: { custom_app_name: null, support_email: null } });
      expect(
        await manager.json("POST", "/admin/system-preferences", {
          custom_app_name: "Reading room",
          text_splitter_chunk_size: 7,
        }),
      ).toEqual({ success: true, error: null });
      expect(await api().json("GET", "/system/custom-app-name")).toEqual({
        customAppName: "Reading room",
      });
      expect(
        (
          await admin.json<{ settings: { text_splitter_chunk_size: unknown } }>(
            "GET",
            "/admin/system-preferences-for?labels=text_splitter_chunk_size",
          )
        ).settings.text_splitter_chunk_size,
      ).not.toBe("7");
    });

    it("applies a role change within seconds without ending sessions; suspension ends all of them", async () => {
      const id = await makeUser("promoted");
      const user = await signedIn("promoted");
      expect((await user.call("GET", "/admin/users")).status).toBe(401);
      await admin.json("POST", `/admin/user/${id}`, { role: "manager" });
      await waitFor(async () => (await user.call("GET", "/admin/users")).status === 200);
      const { apiKey } = await user.json<{ apiKey: string }>(
        "POST",
        "/browser-extension/api-keys/new",
      );
      expect(apiKey).toMatch(/^brx-/);
      expect((await api(apiKey).call("GET", "/browser-extension/check")).json()).toMatchObject({
        connected: true,
        apiKeyId: expect.any(Number),
      });
      expect((await user.call("GET", "/browser-extension/api-keys")).text).not.toContain(
        apiKey.slice(4, 25),
      );
      await admin.json("POST", `/admin/user/${id}`, { suspended: 1 });
      await waitFor(async () => (await user.call("GET", "/system/check-token")).status === 401);
      await waitFor(
        async () => (await api(apiKey).call("GET", "/browser-extension/check")).status >= 401,
      );
      await admin.json("POST", `/admin/user/${id}`, { suspended: 0 });
      expect((await user.call("GET", "/system/check-token")).status).toBe(401);
      expect((await api(apiKey).call("GET", "/browser-extension/check")).json()).toEqual({
        error: "No valid API key found.",
      });
    });

    it("ends all other sessions after a user changes their password; absent fields stay unchanged", async () => {
      await makeUser("reader");
      const [here, there] = [await signedIn("reader"), await signedIn("reader")];
      expect(
        (await here.json<{ sessions: unknown[] }>("GET", "/system/sessions")).sessions,
      ).toHaveLength(2);
      expect(
        await here.json("POST", "/system/user", {
          bio: "Reads at night.",
          userLang: "en",
          theme: "light",
        }),
      ).toEqual({ success: true, error: null });
      expect(await here.json("GET", "/system/refresh-user")).toMatchObject({
        user: { username: "reader", bio: "Reads at night.", theme: "light" },
      });
      const nothing = await here.call("POST", "/system/user", {});
      expect([nothing.status, nothing.json()]).toEqual([
        400,
        { success: false, error: "No updates provided" },
      ]);
      expect(await here.json("POST", "/system/user", { password: "A new card 43!" })).toEqual({
        success: true,
        error: null,
      });
      expect((await here.call("GET", "/system/check-token")).status).toBe(200);
      await waitFor(async () => (await there.call("GET", "/system/check-token")).status === 401);
      expect((await login("reader", password)).valid).toBe(false);
      expect((await login("reader", "A new card 43!")).valid).toBe(true);
      expect(
        (await here.json<{ user: { bio: string } }>("GET", "/system/refresh-user")).user.bio,
      ).toBe("Reads at night.");
    });
  });
}
