import { createHmac, randomUUID } from "node:crypto";
import { waitFor } from "@carrel/testing";
import { describe, expect, it } from "@jest/globals";
import type { Api } from "../api.ts";
import { password, type Access, type Login } from "./access.ts";

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
const forge = (header: unknown, payload: unknown, key: string): string =>
  `${part(header)}.${part(payload)}.${
    key === ""
      ? ""
      : createHmac("sha256", key)
          .update(`${part(header)}.${part(payload)}`)
          .digest("base64url")
  }`;

export function testSignIn(access: Access): void {
  describe("sign-in and modes", () => {
    const { api, login, makeUser } = access;
    let admin: Api;
    it("starts without a password, takes one and removes it", async () => {
      expect(await api().json("GET", "/system/multi-user-mode")).toEqual({ multiUserMode: false });
      expect(await api().json("GET", "/system/refresh-user")).toEqual({
        success: true,
        user: null,
        message: null,
      });
      expect(
        await api().json("POST", "/system/update-password", {
          usePassword: true,
          newPassword: "short",
        }),
      ).toMatchObject({ success: false, error: expect.stringMatching(/8/) });
      expect(
        await api().json("POST", "/system/update-password", {
          usePassword: true,
          newPassword: "ümläut ✓ and spaces",
        }),
      ).toEqual({ success: true, error: null });
      expect((await api().call("GET", "/system/check-token")).json()).toEqual({
        error: "No auth token found.",
      });
      const wrong = await api().call("POST", "/request-token", { password: "not it" });
      expect([wrong.status, wrong.json()]).toEqual([
        401,
        { valid: false, token: null, message: "[003] Invalid password provided" },
      ]);
      const { token, ...rest } = await api().json<Login>("POST", "/request-token", {
        password: "ümläut ✓ and spaces",
      });
      expect(rest).toEqual({ valid: true, message: null });
      expect(Buffer.from(token!.split(".")[1]!, "base64url").toString()).not.toContain("ümläut");
      for (const bad of [
        "",
        "x",
        "a.b.c",
        forge({ alg: "none", typ: "JWT" }, { sid: randomUUID(), epoch: 1, exp: 4_000_000_000 }, ""),
        forge(
          { alg: "HS256", typ: "JWT" },
          { sid: randomUUID(), epoch: 1, exp: 4_000_000_000 },
          "another key",
        ),
        `${token}x`,
        "ä".repeat(20),
        "x".repeat(20_000),
      ]) {
        const reply = await api(
          encodeURIComponent(bad) === bad ? bad : encodeURIComponent(bad),
        ).call("GET", "/system/check-token");
        expect({ bad: bad.slice(0, 40), status: reply.status, body: reply.json() }).toEqual({
          bad: bad.slice(0, 40),
          status: 401,
          body: { error: expect.any(String) },
        });
      }
      // Signing out revokes the session permanently.
      expect((await api(token).call("GET", "/system/check-token")).text).toBe("OK");
      expect(await api(token).json("POST", "/system/sign-out")).toEqual({ success: true });
      expect((await api(token).call("GET", "/system/check-token")).status).toBe(401);
      const next = await api().json<Login>("POST", "/request-token", {
        password: "ümläut ✓ and spaces",
      });
      expect(
        await api(next.token).json("POST", "/system/update-password", { usePassword: false }),
      ).toEqual({ success: true, error: null });
      expect(await api().json("GET", "/workspaces")).toEqual({ workspaces: [] });
    });

    it("switches to multi-user mode: the first admin owns all existing data", async () => {
      const { slug } = await api().makeWorkspace("Before accounts");
      await api().ask(slug, "Was this asked before there were accounts?");
      const bad = await api().call("POST", "/system/enable-multi-user", {
        username: "a",
        password,
      });
      expect([bad.status, bad.json()]).toEqual([
        400,
        { success: false, error: expect.any(String) },
      ]);
      expect(
        await api().json("POST", "/system/enable-multi-user", { username: "librarian", password }),
      ).toEqual({ success: true, error: null });
      expect((await api().call("GET", "/workspaces")).json()).toEqual({
        error: "No auth token found.",
      });
      const first = await login("librarian", password);
      expect(first).toMatchObject({
        valid: true,
        message: null,
        user: { username: "librarian", role: "admin", suspended: 0, pfpFilename: null, bio: "" },
        recoveryCodes: [
          expect.any(String),
          expect.any(String),
          expect.any(String),
          expect.any(String),
        ],
      });
      expect(JSON.stringify(first)).not.toMatch(/hash|sealed/i);
      admin = access.admin = api(first.token);
      expect(
        await admin.json("POST", "/system/enable-multi-user", { username: "usurper", password }),
      ).toEqual({ success: false, error: "Multi-user mode is already enabled." });
      const history = await waitFor(async () => {
        const { history: items } = await admin.json<{ history: { content: string }[] }>(
          "GET",
          `/workspace/${slug}/chats`,
        );
        return items.length > 0 && items;
      });
      expect(history[0]).toMatchObject({
        role: "user",
        content: "Was this asked before there were accounts?",
      });
      expect(await admin.json("GET", "/system/refresh-user")).toMatchObject({
        success: true,
        user: { username: "librarian" },
      });
      expect(
        (await api().json<{ results: Record<string, unknown> }>("GET", "/setup-complete")).results,
      ).toMatchObject({ MultiUserMode: true, RequiresAuth: true });
      expect((await login("librarian", password)).recoveryCodes).toBeUndefined();
    });

    it("answers a failed login with 200 and the wire's texts", async () => {
      expect(await login("nobody-here", password)).toEqual({
        valid: false,
        user: null,
        token: null,
        message: "[001] Invalid login credentials.",
      });
      expect(await login("librarian", "wrong password")).toEqual({
        valid: false,
        user: null,
        token: null,
        message: "[001] Invalid login credentials.",
      });
      expect(await login("\u0001\u202e", "\u0007")).toMatchObject({
        valid: false,
        message: "[001] Invalid login credentials.",
      });
      const id = await makeUser("suspended-one");
      expect(await admin.json("POST", `/admin/user/${id}`, { suspended: 1 })).toEqual({
        success: true,
        error: null,
      });
      expect(await login("suspended-one", password)).toMatchObject({
        valid: false,
        message: "[004] Account suspended by admin.",
      });
    });
  });
}
