import { beforeAll, describe, expect, it } from "@jest/globals";
import { waitFor } from "@carrel/testing";
import type { Api } from "../api.ts";
import { password, type Access } from "./access.ts";

export function testEventLog(access: Access): void {
  describe("event log", () => {
    let admin: Api;
    const events = async (): Promise<
      { event: string; metadata: string; user: { username: string } }[]
    > =>
      (
        await admin.json<{
          logs: { event: string; metadata: string; user: { username: string } }[];
        }>("POST", "/system/event-logs", { limit: 100 })
      ).logs;
    beforeAll(() => {
      admin = access.admin;
    });

    it("records who did what, and from where, but no secrets", async () => {
      const log = await waitFor(async () => {
        const all = await events();
        return all.some((entry) => entry.event === "api_key_deleted") && all;
      });
      const text = JSON.stringify(log);
      expect(text).not.toContain(password);
      expect(log.find((entry) => entry.event === "api_key_deleted")).toMatchObject({
        user: { username: "librarian" },
        metadata: expect.stringContaining("127.0.0.1"),
      });
      const all = new Set<string>();
      for (let page = 0; page < 20; page += 1)
        for (const entry of (
          await admin.json<{ logs: { event: string }[] }>("POST", "/system/event-logs", {
            offset: page,
            limit: 100,
          })
        ).logs)
          all.add(entry.event);
      expect([...all]).toEqual(
        expect.arrayContaining([
          "login_event",
          "failed_login_invalid_username",
          "failed_login_invalid_password",
          "failed_login_account_suspended",
          "failed_login_invalid_temporary_auth_token",
          "multi_user_mode_enabled",
          "user_created",
          "user_updated",
          "user_suspended",
          "password_changed",
          "password_reset",
          "second_factor_enabled",
          "invite_created",
          "invite_accepted",
          "invite_deleted",
          "api_key_created",
          "workspace_members_changed",
        ]),
      );
    });
  });
}
