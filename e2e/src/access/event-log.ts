import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { waitFor } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { root } from "../../../tools/checkout.ts";
import type { Api } from "../api.ts";
import { password, type Access } from "./access.ts";

/** Runs `./carrel audit verify` in a folder. */
const verify = (folder: string, ...parameters: string[]): Promise<[code: number, text: string]> =>
  new Promise((resolve) => {
    execFile(
      join(root, "carrel"),
      ["audit", "verify", ...parameters],
      { cwd: folder },
      (error, stdout, stderr) => resolve([Number(error?.code ?? 0), stdout + stderr]),
    );
  });

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

    describe("its export", () => {
      const folder = mkdtempSync(join(tmpdir(), "carrel-audit-"));
      afterAll(() => rmSync(folder, { recursive: true, force: true }));

      it("is proved offline, and neither a forged nor a shortened one is", async () => {
        const { text } = await admin.call("GET", "/system/event-logs/export");
        const { keys } = await admin.json<{ keys: { fingerprint: string }[] }>(
          "GET",
          "/system/event-logs/state",
        );
        const lines = text.trimEnd().split("\n");
        const at = lines.findIndex((line) => line.includes('"event":"login_event"'));
        const forged = lines.with(at, lines[at]!.replace("login_event", "sign_out"));
        const write = (name: string, some: string[]): void =>
          writeFileSync(join(folder, name), `${some.join("\n")}\n`);
        write("whole.jsonl", lines);
        write("forged.jsonl", forged);
        write("shortened.jsonl", lines.slice(0, -1));
        const key = keys.at(-1)!.fingerprint;
        const outcomes = await Promise.all([
          verify(folder, "whole.jsonl", "--key", key),
          verify(folder, "forged.jsonl"),
          verify(folder, "shortened.jsonl"),
          verify(folder, "whole.jsonl", "--key", "0".repeat(64)),
          verify(folder, "none.jsonl"),
        ]);
        const { sequence } = JSON.parse(lines[at]!) as { sequence: number };
        expect(outcomes).toEqual([
          [0, expect.stringMatching(/^Verified: [^]*Signed by: +SHA-256 [0-9a-f]{64}\n$/)],
          [1, expect.stringContaining(`entry ${sequence}): Entry ${sequence} was changed`)],
          [1, expect.stringContaining("its end is missing")],
          [1, expect.stringContaining("signed with another key")],
          [2, expect.stringContaining("no such file")],
        ]);
        expect(await admin.json("POST", "/system/event-logs/verify")).toMatchObject({
          verified: true,
        });
      });

      it("as a table has what the filters find", async () => {
        const query = "format=csv&event=login_event";
        const { text } = await admin.call("GET", `/system/event-logs/export?${query}`);
        const [head, ...rows] = text.trimEnd().split("\r\n");
        expect(head).toBe("Entry,Time (UTC),Event,User,User ID,Details,Hash");
        expect(rows).toContainEqual(
          expect.stringMatching(/^\d+,[^,]+Z,login_event,librarian,\d+,"\{""/),
        );
        expect(new Set(rows.map((row) => row.split(",")[2]))).toEqual(new Set(["login_event"]));
        const refused = await admin.call("GET", "/system/event-logs/export?event=login_event");
        expect(refused.status).toBe(400);
      });
    });
  });
}
