import type { UserWire } from "@carrel/contracts";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { faultHeaders } from "../../../../test/fault-of.ts";
import { readCurrentUser, readRights, storeCurrentUser } from "../../../lib/current-user.ts";
import { keys, needsCheck, readToken, writeStored } from "../../../lib/session-storage.ts";
import "../../../../testing/texts.ts";
import { authMode, checkSession, inspectSession } from "./auth-state.ts";
import { requestSession, requestSessionByToken, signIn, signOut } from "./sign-in.ts";

type Reply = { status: number; body: unknown };
let calls: string[] = [];
function serve(replies: Record<string, Reply>): void {
  calls = [];
  globalThis.fetch = (async (url: string) => {
    calls.push(url);
    const { status, body } = replies[url] ?? { status: 404, body: {} };
    return {
      ok: status < 400,
      status,
      headers: new Headers(faultHeaders(body, status)),
      json: async () => body,
      text: async () => JSON.stringify(body),
    } as unknown as Response;
  }) as typeof fetch;
}
const setup = (RequiresAuth: boolean, MultiUserMode = false): Reply => ({
  status: 200,
  body: { results: { RequiresAuth, MultiUserMode, VectorDB: "lancedb" } },
});
const user = (role: UserWire["role"]): UserWire => ({
  id: 1,
  username: "mira",
  pfpFilename: null,
  role,
  suspended: 0,
  seen_recovery_codes: true,
  createdAt: "",
  lastUpdatedAt: "",
  dailyMessageLimit: null,
  bio: "",
  email: null,
  theme: null,
  userLang: null,
  secondFactor: false,
});
const original = globalThis.fetch;
beforeEach(() => localStorage.clear());
afterEach(() => {
  globalThis.fetch = original;
});

describe("session", () => {
  it("is open without a password, and is checked again only after five minutes", async () => {
    serve({ "/api/setup-complete": setup(false) });
    expect(await checkSession({ now: 1_000_000 })).toBe("authenticated");
    expect(await checkSession({ now: 1_000_000 + 299_000 })).toBe("authenticated");
    expect(calls).toHaveLength(1);
    await checkSession({ now: 1_000_000 + 301_000 });
    expect(calls).toHaveLength(2);
    await checkSession({ now: 1_000_000 + 302_000, force: true });
    expect(calls).toHaveLength(3);
  });
  it("of a new instance is open, and is checked until somebody has set it up", async () => {
    const results = { RequiresAuth: false, MultiUserMode: false };
    serve({ "/api/setup-complete": { status: 200, body: { results } } });
    for (const now of [1_000, 2_000])
      expect(await inspectSession({ now })).toMatchObject({
        state: "authenticated",
        signInOptions: { isNew: true },
      });
    for (const [key, value] of Object.entries({ LLMProvider: "openai", RequiresAuth: true })) {
      const body = { results: { ...results, [key]: value } };
      serve({ "/api/setup-complete": { status: 200, body } });
      expect((await inspectSession({ now: 3_000, force: true })).signInOptions?.isNew).toBe(false);
    }
  });
  it("needs a valid token if there is a password, and clears an invalid one", async () => {
    serve({
      "/api/setup-complete": setup(true),
      "/api/system/check-token": { status: 401, body: { error: "Invalid auth credentials." } },
    });
    expect(await checkSession()).toBe("unauthenticated");
    writeStored(keys.token, "stale");
    expect(authMode()).toBe("single");
    expect(await checkSession()).toBe("unauthenticated");
    expect(readToken()).toBeNull();
    writeStored(keys.token, "good");
    serve({
      "/api/setup-complete": setup(true),
      "/api/system/check-token": { status: 200, body: "OK" },
    });
    expect(await checkSession()).toBe("authenticated");
    expect(needsCheck()).toBe(false);
  });
  it("needs both user and token in multi-user mode", async () => {
    writeStored(keys.token, "good");
    serve({
      "/api/setup-complete": setup(false, true),
      "/api/system/check-token": { status: 200, body: "OK" },
    });
    expect(await checkSession()).toBe("unauthenticated");
  });
  it("survives a failing instance", async () => {
    writeStored(keys.token, "good");
    serve({
      "/api/setup-complete": setup(true),
      "/api/system/check-token": { status: 503, body: {} },
    });
    await expect(checkSession()).rejects.toThrow();
    expect(readToken()).toBe("good");
    serve({ "/api/setup-complete": { status: 500, body: { message: "PostgreSQL is away" } } });
    await expect(checkSession({ force: true })).rejects.toThrow(
      "Couldn't load the instance's settings.",
    );
    expect(readToken()).toBe("good");
  });
  it("stores the token for a correct password, and rejects a wrong one", async () => {
    serve({
      "/api/request-token": { status: 200, body: { valid: true, token: "new", message: null } },
    });
    await signIn("longenough");
    expect(readToken()).toBe("new");
    expect(authMode()).toBe("single");
    serve({
      "/api/request-token": {
        status: 401,
        body: { valid: false, token: null, message: "[003] Invalid password provided" },
      },
    });
    await expect(signIn("wrong")).rejects.toThrow("The password is incorrect.");
  });
  it("updates the stored user and their permissions at a check", async () => {
    writeStored(keys.token, "good");
    storeCurrentUser(user("admin"));
    expect(readRights()).toEqual({ multiUser: true, manager: true, admin: true });
    serve({
      "/api/setup-complete": setup(false, true),
      "/api/system/check-token": { status: 200, body: "OK" },
      "/api/system/refresh-user": {
        status: 200,
        body: { success: true, user: user("default"), message: null },
      },
    });
    expect(await checkSession()).toBe("authenticated");
    expect(readCurrentUser()?.role).toBe("default");
    expect(readRights()).toEqual({ multiUser: true, manager: false, admin: false });
  });
  it("ends when the user is suspended, which clears user, token and time of the check", async () => {
    writeStored(keys.token, "good");
    writeStored(keys.timestamp, "1");
    storeCurrentUser(user("admin"));
    serve({
      "/api/setup-complete": setup(false, true),
      "/api/system/check-token": { status: 200, body: "OK" },
      "/api/system/refresh-user": {
        status: 200,
        body: { success: false, user: null, message: "User is suspended." },
      },
    });
    expect(await checkSession()).toBe("unauthenticated");
    expect([keys.user, keys.token, keys.timestamp].map((key) => localStorage.getItem(key))).toEqual(
      [null, null, null],
    );
    expect(readRights()).toEqual({ multiUser: false, manager: true, admin: true });
  });
  it("ignores a malformed stored user", () => {
    for (const raw of ["{", "7", "null", '{"id":"1"}', "[]"]) {
      localStorage.setItem(keys.user, raw);
      expect(readCurrentUser()).toBeNull();
    }
    localStorage.setItem(keys.user, '{"id":7,"username":"mira","role":"owner"}');
    expect(readCurrentUser()).toMatchObject({
      id: 7,
      username: "mira",
      role: "default",
      suspended: 0,
    });
  });
  it("tells how long to wait when rate limited, and shows the server's refusal", async () => {
    serve({
      "/api/request-token": {
        status: 429,
        body: { valid: false, message: "Too many attempts. Try again in 20 seconds." },
      },
    });
    await expect(requestSession({ username: "a", password: "b" })).rejects.toThrow(
      "Too many attempts. Try again in 20 seconds.",
    );
    serve({
      "/api/request-token": {
        status: 200,
        body: {
          valid: false,
          user: null,
          token: null,
          message: "[001] Invalid login credentials.",
        },
      },
    });
    await expect(requestSession({ username: "a", password: "b" })).rejects.toThrow(
      "Wrong username or password",
    );
    serve({ "/api/request-token": { status: 500, body: "oops" } });
    await expect(requestSession({ username: "a", password: "b" })).rejects.toThrow(
      "Couldn't sign you in.",
    );
    serve({
      "/api/request-token/sso/simple?token=x": {
        status: 401,
        body: {
          valid: false,
          token: null,
          message: "[001] An error occurred while validating the token: Token expired.",
        },
      },
    });
    expect(await requestSessionByToken("x")).toEqual({
      message: "This sign-in link has expired.",
    });
  });
  it("signs out locally even if the server does not answer", async () => {
    for (const fetching of [
      async () => {
        throw new Error("down");
      },
      async () => ({ ok: false, status: 401, statusText: "", text: async () => "" }),
    ]) {
      writeStored(keys.token, "good");
      storeCurrentUser(user("admin"));
      globalThis.fetch = fetching as unknown as typeof fetch;
      await signOut(async () => {
        expect(authMode()).toBe("none");
      });
      expect(authMode()).toBe("none");
      expect(readCurrentUser()).toBeNull();
    }
  });
});
