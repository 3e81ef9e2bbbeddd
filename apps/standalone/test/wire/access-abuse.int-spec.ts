import { createHmac } from "node:crypto";
import { poll } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { answerEverything } from "./fixture-answers.ts";
import { startTestInstance, type TestInstance } from "./instance.ts";

const password = "correct horse battery";
let instance: TestInstance;
let admin: string;
const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });
const call = (
  method: string,
  path: string,
  body?: unknown,
  token?: string,
): ReturnType<TestInstance["call"]> =>
  instance.call(method, `/api${path}`, body, token === undefined ? {} : bearer(token));
const signIn = async (username: string): Promise<string> =>
  ((await call("POST", "/request-token", { username, password })).json as { token: string }).token;
const makeUser = async (username: string, role = "default"): Promise<number> =>
  (
    (await call("POST", "/admin/users/new", { username, password, role }, admin)).json as {
      user: { id: number };
    }
  ).user.id;

beforeAll(async () => {
  instance = await startTestInstance();
  answerEverything(instance);
  await call("POST", "/workspace/new", { name: "W" });
  await call("POST", "/system/enable-multi-user", { username: "firstadmin", password });
  admin = await signIn("firstadmin");
});
afterAll(() => instance?.stop());

describe("tokens of user accounts", () => {
  it("are rejected if forged, altered, unsigned or malformed", async () => {
    const [header, payload, signature] = admin.split(".") as [string, string, string];
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString()) as object;
    const encode = (part: object): string =>
      Buffer.from(JSON.stringify(part)).toString("base64url");
    const sign = (algorithm: string, content: object, secret: string): string => {
      const body = `${encode({ alg: algorithm, typ: "JWT" })}.${encode(content)}`;
      return `${body}.${createHmac("sha256", secret).update(body).digest("base64url")}`;
    };
    const forged = [
      "x",
      "a.b.c",
      "...",
      `${header}.${payload}.`,
      `${encode({ alg: "none", typ: "JWT" })}.${payload}.`,
      `${header}.${encode({ ...claims, exp: 9_999_999_999 })}.${signature}`,
      `${header}.${encode({ ...claims, sid: "0b7d2c7e-3c52-4b6a-9a53-000000000001" })}.${signature}`,
      sign("HS256", claims, "nobody knows"),
      sign("HS256", { id: 1, username: "firstadmin" }, ""),
      "y".repeat(20_000),
      "%00",
      "brx-",
      "null.null.null",
    ];
    for (const token of forged) {
      const answer = await call("GET", "/workspaces", undefined, token);
      expect({ token: token.slice(0, 20), status: answer.status, json: answer.json }).toEqual({
        token: token.slice(0, 20),
        status: 401,
        json: { error: "Invalid auth token." },
      });
      expect((await call("GET", "/v1/auth", undefined, token)).status).toBe(403);
      expect((await call("GET", "/browser-extension/check", undefined, token)).status).toBe(403);
    }
    expect((await call("GET", "/workspaces", undefined, admin)).status).toBe(200);
  });

  it("end at once on suspension and deletion, and so do keys", async () => {
    const id = await makeUser("shortlived", "manager");
    const token = await signIn("shortlived");
    const { apiKey } = (await call("POST", "/browser-extension/api-keys/new", undefined, token))
      .json as { apiKey: string };
    expect((await call("GET", "/browser-extension/check", undefined, apiKey)).status).toBe(200);
    await call("POST", `/admin/user/${id}`, { suspended: 1 }, admin);
    expect((await call("GET", "/workspaces", undefined, token)).status).toBe(401);
    expect([401, 403]).toContain(
      (await call("GET", "/browser-extension/check", undefined, apiKey)).status,
    );
    await call("POST", `/admin/user/${id}`, { suspended: 0 }, admin);
    const again = await signIn("shortlived");
    expect((await call("GET", "/workspaces", undefined, again)).status).toBe(200);
    await call("DELETE", `/admin/user/${id}`, undefined, admin);
    expect((await call("GET", "/workspaces", undefined, again)).status).toBe(401);
  });

  it("reflect a changed role at once, in both directions", async () => {
    const id = await makeUser("riser");
    const token = await signIn("riser");
    expect((await call("GET", "/workspaces", undefined, token)).json).toEqual({ workspaces: [] });
    expect((await call("GET", "/workspace/w", undefined, token)).json).toEqual({ workspace: null });
    await call("POST", `/admin/user/${id}`, { role: "manager" }, admin);
    expect((await call("GET", "/workspace/w", undefined, token)).json).toMatchObject({
      workspace: { slug: "w" },
    });
    await call("POST", `/admin/user/${id}`, { role: "default" }, admin);
    expect((await call("GET", "/workspace/w", undefined, token)).json).toEqual({ workspace: null });
    await call("POST", "/admin/workspaces/1/update-users", { userIds: [id] }, admin);
    await poll(
      async () => (await call("GET", "/workspace/w", undefined, token)).json,
    ).toMatchObject({
      workspace: { slug: "w" },
    });
    await call("POST", "/admin/workspaces/1/update-users", { userIds: [] }, admin);
    await poll(async () => (await call("GET", "/workspace/w", undefined, token)).json).toEqual({
      workspace: null,
    });
  });
});

describe("many logins at once", () => {
  it("with right and wrong passwords end in 200 or 429, and the instance keeps working", async () => {
    const started = Date.now();
    const answers = await Promise.all(
      Array.from({ length: 150 }, (_, index) =>
        call("POST", "/request-token", {
          username: index % 3 === 0 ? "firstadmin" : `nobody${index}`,
          password: index % 2 === 0 ? password : "wrong one",
        }),
      ),
    );
    const statuses = new Map<number, number>();
    for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    expect([...statuses.keys()].filter((status) => status !== 200 && status !== 429)).toEqual([]);
    expect(statuses.get(429) ?? 0).toBeGreaterThan(0);
    for (const answer of answers) {
      expect(answer.json).toMatchObject({ valid: expect.any(Boolean) });
      if (answer.status === 429)
        expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    }
    expect(Date.now() - started).toBeLessThan(55_000);
    expect((await call("GET", "/workspaces", undefined, admin)).status).toBe(200);
  });
});
