import { waitFor } from "@carrel/testing";
import { beforeAll, describe, expect, it } from "@jest/globals";
import type { Api } from "../api.ts";
import { password, type Access, type Outcome } from "./access.ts";

export function testInvites(access: Access): void {
  describe("invites and limits", () => {
    const { api, signedIn, makeUser } = access;
    let admin: Api;
    beforeAll(() => {
      admin = access.admin;
    });

    it("invites people into workspaces, once per invite", async () => {
      const { id } = await admin.makeWorkspace("Invited to");
      await admin.makeWorkspace("Not invited to");
      const { invite } = await admin.json<{
        invite: { id: number; code: string; status: string; workspaceIds: string };
      }>("POST", "/admin/invite/new", { workspaceIds: [id] });
      expect(invite).toMatchObject({ status: "pending", workspaceIds: JSON.stringify([id]) });
      expect((await admin.call("GET", "/admin/invites")).text).toContain(invite.code);
      expect(await api().json("GET", `/invite/${invite.code}`)).toEqual({
        invite: { code: invite.code, status: "pending" },
        error: null,
      });
      expect(await api().json("GET", "/invite/nothing")).toEqual({
        invite: null,
        error: "Invite not found.",
      });
      expect(
        await api().json("POST", `/invite/${invite.code}`, { username: "librarian", password }),
      ).toEqual({ success: false, error: "A user with that username already exists" });
      const both = await Promise.all(
        ["guest-a", "guest-b"].map((username) =>
          api().json<Outcome>("POST", `/invite/${invite.code}`, { username, password }),
        ),
      );
      expect(both.map((reply) => reply.success).sort()).toEqual([false, true]);
      expect(Object.keys(both[0]!).sort()).toEqual(["error", "success"]);
      const guest = await signedIn(both[0]!.success ? "guest-a" : "guest-b");
      expect(
        (await guest.json<{ workspaces: { name: string }[] }>("GET", "/workspaces")).workspaces.map(
          (one) => one.name,
        ),
      ).toEqual(["Invited to"]);
      expect(await api().json("GET", `/invite/${invite.code}`)).toEqual({
        invite: null,
        error: "Invite is no longer valid.",
      });
      expect(
        (
          await admin.json<{ invites: { claimedBy: { username: string } }[] }>(
            "GET",
            "/admin/invites",
          )
        ).invites[0]!.claimedBy.username,
      ).toMatch(/^guest-[ab]$/);
      const other = await admin.json<{ invite: { id: number; code: string } }>(
        "POST",
        "/admin/invite/new",
        {},
      );
      expect(await admin.json("DELETE", `/admin/invite/${other.invite.id}`)).toEqual({
        success: true,
        error: null,
      });
      expect(
        (await api().json<{ error: string }>("GET", `/invite/${other.invite.code}`)).error,
      ).toBe("Invite is no longer valid.");
    });

    it("enforces the daily message limit", async () => {
      const workspace = await admin.makeWorkspace("Limited");
      const id = await makeUser("limited", { dailyMessageLimit: 2 });
      await admin.json("POST", `/admin/workspaces/${workspace.id}/update-users`, { userIds: [id] });
      const user = await signedIn("limited");
      for (const question of ["One?", "Two?"])
        expect((await user.ask(workspace.slug, question)).frames.at(-1)).not.toMatchObject({
          type: "abort",
        });
      const { frames } = await user.ask(workspace.slug, "Three?");
      expect(frames).toEqual([
        expect.objectContaining({
          type: "abort",
          close: true,
          error: "You have met your maximum 24 hour chat quota of 2 chats. Try again later.",
        }),
      ]);
      await admin.json("POST", `/admin/user/${id}`, { dailyMessageLimit: null });
      await waitFor(
        async () => (await user.ask(workspace.slug, "Four?")).frames.at(-1)?.type !== "abort",
      );
    });
  });
}
