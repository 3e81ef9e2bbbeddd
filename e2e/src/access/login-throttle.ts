import { beforeAll, describe, expect, it } from "@jest/globals";
import type { Api } from "../api.ts";
import { password, type Access, type Login } from "./access.ts";

export function testLoginThrottle(access: Access): void {
  describe("login throttling", () => {
    const { api, makeUser } = access;
    let admin: Api;
    beforeAll(() => {
      admin = access.admin;
    });

    it("slows down guessing on every login route, without locking out known owners", async () => {
      await makeUser("guessed");
      const browser = await fetch(`${access.url}/api/request-token`, {
        method: "POST",
        body: JSON.stringify({ username: "guessed", password }),
      });
      const device = browser.headers
        .getSetCookie()
        .map((cookie) => cookie.split(";")[0])
        .find((cookie) => cookie?.startsWith("carrel_device="));
      expect(device).toBeDefined();
      const session = api(((await browser.json()) as Login).token);
      const statuses: number[] = [];
      for (let n = 0; n < 60 && statuses.at(-1) !== 429; n += 1)
        statuses.push(
          (
            await api().call("POST", "/request-token", {
              username: "guessed",
              password: `guess ${n}`,
            })
          ).status,
        );
      expect(statuses.at(-1)).toBe(429);
      const refused = await api().call("POST", "/request-token", { username: "guessed", password });
      expect([refused.status, refused.json()]).toEqual([
        429,
        expect.objectContaining({ valid: false, token: null, message: expect.any(String) }),
      ]);
      // The owner's own browser can still sign in, and existing sessions stay valid.
      const owner = await api().call(
        "POST",
        "/request-token",
        { username: "guessed", password },
        { cookie: device! },
      );
      expect([owner.status, owner.json<Login>().valid]).toEqual([200, true]);
      expect((await session.call("GET", "/system/check-token")).status).toBe(200);
    });

    it("answers each of hundreds of simultaneous logins", async () => {
      const replies = await Promise.all(
        Array.from({ length: 300 }, (_, n) =>
          api().call("POST", "/request-token", {
            username: `nobody-${n}`,
            password: "wrong password",
          }),
        ),
      );
      const counts = new Map<number, number>();
      for (const reply of replies) counts.set(reply.status, (counts.get(reply.status) ?? 0) + 1);
      expect([...counts.keys()].filter((status) => status !== 200 && status !== 429)).toEqual([]);
      expect((await admin.call("GET", "/system/check-token")).status).toBe(200);
    });
  });
}
