import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import pg from "pg";
import { answerEverything } from "./fixture-answers.ts";
import { startTestInstance, type TestInstance } from "./instance.ts";

const password = "correct horse battery";
let instance: TestInstance;
beforeAll(async () => {
  instance = await startTestInstance({ CARREL_CORS_ORIGINS: "https://intranet.example.org" });
  answerEverything(instance);
});
afterAll(() => instance.stop());

const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });
async function signIn(given = password): Promise<{ token: string; cookie: string }> {
  const answer = await instance.call("POST", "/api/request-token", { password: given });
  expect(answer).toMatchObject({
    status: 200,
    json: { valid: true, token: expect.any(String), message: null },
  });
  return {
    token: (answer.json as { token: string }).token,
    cookie: answer.headers.get("set-cookie")!,
  };
}
const jwt = (header: object, payload: object, key = "nobody knows"): string => {
  const body = [header, payload]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".");
  return `${body}.${createHmac("sha256", key).update(body).digest("base64url")}`;
};

describe("the instance password", () => {
  it("is refused with an accurate status when it is too weak", async () => {
    expect(
      await instance.call("POST", "/api/system/update-password", {
        usePassword: true,
        newPassword: "short",
      }),
    ).toMatchObject({
      status: 200,
      json: { success: false, error: "Password must be at least 8 characters." },
    });
    expect((await instance.call("GET", "/api/workspaces")).status).toBe(200);
  });

  it("protects the instance at once", async () => {
    expect(
      await instance.call("POST", "/api/system/update-password", {
        usePassword: true,
        newPassword: password,
      }),
    ).toMatchObject({ status: 200, json: { success: true, error: null } });
    expect(await instance.call("GET", "/api/workspaces")).toMatchObject({
      status: 401,
      json: { error: "No auth token found." },
    });
    expect(
      await instance.call("GET", "/api/system/check-token", undefined, bearer("null")),
    ).toMatchObject({ status: 401, json: { error: "No auth token found." } });
    expect((await instance.call("GET", "/api/ping")).status).toBe(200);
  });

  it("admits only the right password", async () => {
    expect(await instance.call("POST", "/api/request-token", { password: "wrong" })).toMatchObject({
      status: 401,
      json: { valid: false, token: null, message: "[003] Invalid password provided" },
    });
    expect((await instance.call("POST", "/api/request-token", {})).status).toBe(401);
    const { token } = await signIn();
    expect(
      await instance.call("GET", "/api/system/check-token", undefined, bearer(token)),
    ).toMatchObject({ status: 200, text: "OK" });
    expect((await instance.call("GET", "/api/workspaces", undefined, bearer(token))).status).toBe(
      200,
    );
    const [, payload] = token.split(".");
    expect(
      Object.keys(
        JSON.parse(Buffer.from(payload!, "base64url").toString("utf8")) as object,
      ).toSorted(),
    ).toEqual(["epoch", "exp", "iat", "sid"]);
    expect(Buffer.from(payload!, "base64url").toString("utf8")).not.toContain(password);
  });

  it("rejects forged, altered and unsigned tokens", async () => {
    const { token } = await signIn();
    const [header, payload, signature] = token.split(".");
    const claims = JSON.parse(Buffer.from(payload!, "base64url").toString("utf8")) as object;
    const none = `${Buffer.from('{"alg":"none","typ":"JWT"}').toString("base64url")}.${payload}.`;
    const forged = [
      "x",
      "a.b.c",
      none,
      `${header}.${payload}.`,
      `${header}.${Buffer.from(JSON.stringify({ ...claims, exp: 9_999_999_999 })).toString("base64url")}.${signature}`,
      jwt({ alg: "HS256", typ: "JWT" }, claims),
      jwt({ alg: "HS384", typ: "JWT" }, claims),
      "y".repeat(10_000),
    ];
    for (const each of forged)
      expect(await instance.call("GET", "/api/workspaces", undefined, bearer(each))).toMatchObject({
        status: 401,
        json: { error: "Token expired or failed validation." },
      });
  });

  it("shows the settings only with a valid token, by header or by the cookie for this one route", async () => {
    const short = await instance.call("GET", "/api/setup-complete");
    expect(short.json).toEqual({
      results: {
        RequiresAuth: true,
        MultiUserMode: false,
        VectorDB: "lancedb",
        EmbeddingEngine: "native",
        TextToSpeechProvider: "native",
        SpeechToTextProvider: "native",
        SimpleSSOEnabled: false,
        SimpleSSONoLogin: false,
        SimpleSSONoLoginRedirect: null,
        OpenIDName: null,
        DisableViewChatHistory: false,
        DisableTelemetry: "true",
        MemoryEnabled: false,
      },
    });
    const { token, cookie } = await signIn();
    expect(cookie).toMatch(
      /; Path=\/api\/setup-complete; Max-Age=2592000; HttpOnly; SameSite=Strict(,|$)/,
    );
    const pair = cookie.split(";")[0]!;
    const origin = "https://intranet.example.org"; // of CARREL_CORS_ORIGINS
    for (const headers of [
      bearer(token),
      { cookie: pair },
      { ...bearer("expired"), cookie: pair },
      { ...bearer(token), cookie: "carrel_session=expired" },
      { ...bearer(token), origin, "sec-fetch-site": "cross-site" },
    ]) {
      const { results } = (await instance.call("GET", "/api/setup-complete", undefined, headers))
        .json as { results: Record<string, unknown> };
      expect(results).toMatchObject({
        RequiresAuth: true,
        AuthToken: true,
        JWTSecret: true,
        EmbeddingEngine: "native",
        OpenAiKey: false,
        HasExistingEmbeddings: false,
      });
      expect(Object.keys(results)).not.toContain("LLMProvider");
      expect(JSON.stringify(results)).not.toContain(instance.config.CARREL_HOME);
    }
    expect(
      (await instance.call("GET", "/api/workspaces", undefined, { cookie: pair })).status,
    ).toBe(401);
  });

  it("admits another site only with a valid token, and sends CORS headers only to configured origins", async () => {
    const { token } = await signIn();
    const foreign = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
    expect((await instance.call("GET", "/api/workspaces", undefined, foreign)).status).toBe(403);
    const allowed = await instance.call("GET", "/api/workspaces", undefined, {
      ...foreign,
      ...bearer(token),
    });
    expect(allowed.status).toBe(200);
    expect(allowed.headers.get("access-control-allow-origin")).toBeNull();
    const named = await instance.call("GET", "/api/workspaces", undefined, {
      origin: "https://intranet.example.org",
      ...bearer(token),
    });
    expect(named.headers.get("access-control-allow-origin")).toBe("https://intranet.example.org");
    const preflight = await instance.call("OPTIONS", "/api/workspaces", undefined, {
      origin: "https://intranet.example.org",
      "access-control-request-method": "POST",
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-headers")).toMatch(
      /^Authorization, .*Idempotency-Key/,
    );
  });

  it("ends every session when it changes, and requires no sign-in once it is removed", async () => {
    const { token } = await signIn();
    const changed = await instance.call(
      "POST",
      "/api/system/update-password",
      { usePassword: true, newPassword: "another password" },
      bearer(token),
    );
    expect(changed.json).toEqual({ success: true, error: null });
    expect(
      await instance.call("GET", "/api/system/check-token", undefined, bearer(token)),
    ).toMatchObject({ status: 401, json: { error: "Invalid auth credentials." } });
    const { token: fresh } = await signIn("another password");
    expect(
      (await instance.call("POST", "/api/system/update-password", { usePassword: false })).status,
    ).toBe(401);
    expect(
      (
        await instance.call(
          "POST",
          "/api/system/update-password",
          { usePassword: false },
          bearer(fresh),
        )
      ).json,
    ).toEqual({ success: true, error: null });
    expect((await instance.call("GET", "/api/workspaces")).status).toBe(200);
    expect(
      (await instance.call("GET", "/api/system/check-token", undefined, bearer(fresh))).status,
    ).toBe(200);
  });

  it("is asked for again before access changes, once the last proof is older than ten minutes", async () => {
    await instance.call("POST", "/api/system/update-password", {
      usePassword: true,
      newPassword: password,
    });
    const { token } = await signIn();
    const sql = new pg.Client({ connectionString: instance.config.DATABASE_URL });
    await sql.connect();
    await sql.query("UPDATE auth.session SET created_at = now() - interval '11 minutes'");
    await sql.end();
    const change = (path: string, body: object) =>
      instance.call("POST", `/api/system/${path}`, body, bearer(token));
    const remove = { usePassword: false };
    const accounts = { username: "stranger", password: "a stranger's own" };
    const due = {
      success: false,
      error: "Enter your current password, or sign in again and retry within 10 minutes.",
    };
    const wrong = { success: false, error: "The password is incorrect." };
    expect(await change("update-password", remove)).toMatchObject({ status: 200, json: due });
    expect(await change("enable-multi-user", accounts)).toMatchObject({ status: 400, json: due });
    const guess = { currentPassword: "a guess" };
    expect(await change("update-password", { ...remove, ...guess })).toMatchObject({
      status: 200,
      json: wrong,
    });
    expect(await change("enable-multi-user", { ...accounts, ...guess })).toMatchObject({
      status: 400,
      json: wrong,
    });
    const proof = { currentPassword: password };
    expect((await change("update-password", { ...remove, ...proof })).json).toEqual({
      success: true,
      error: null,
    });
  });

  it("slows down guessing", async () => {
    await instance.call("POST", "/api/system/update-password", {
      usePassword: true,
      newPassword: password,
    });
    const guess = async (n: number): Promise<number> =>
      (
        await instance.call("POST", "/api/request-token", {
          password: `guess ${n}`,
          address: `10.0.0.${n}`,
        })
      ).status;
    const statuses: number[] = [];
    // On a slow machine an attempt is regained every six seconds.
    while (statuses.at(-1) !== 429 && statuses.length < 30)
      statuses.push(await guess(statuses.length));
    // Earlier wrong attempts count too.
    expect(statuses.length).toBeGreaterThan(5);
    expect(statuses).toEqual([...Array<number>(statuses.length - 1).fill(401), 429]);
    const late = await instance.call("POST", "/api/request-token", { password });
    expect(late.status).toBe(429);
    expect(Number(late.headers.get("retry-after"))).toBeGreaterThan(0);
  });
});
