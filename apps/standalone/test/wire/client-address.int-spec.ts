import { accessChanged, getAuthSettings, requestToken } from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import {
  multiUser,
  noPassword,
  people,
  startGatewayInstance,
  type GatewayInstance,
} from "./gateway-instance.ts";

let instance: GatewayInstance;

let proxied: GatewayInstance;

beforeAll(async () => {
  [instance, proxied] = await Promise.all([
    startGatewayInstance(),
    startGatewayInstance({
      CARREL_TRUST_PROXY: "loopback",
      DISABLE_SWAGGER_DOCS: "true",
      DISABLE_VIEW_CHAT_HISTORY: "1",
    }),
  ]);
});

afterAll(() => Promise.all([instance?.stop(), proxied?.stop()]));

const publish = (userId?: number): Promise<void> =>
  instance.shared.messaging.broadcast.publishEvent(
    accessChanged,
    userId === undefined ? {} : { userId },
  );

const count = (name: string): number =>
  instance.auth.asked.filter(({ operation }) => operation === name).length;

beforeEach(async () => {
  instance.settings = multiUser;
  instance.principals = new Map(Object.entries(people));
  const before = count(getAuthSettings.name);
  await publish();
  await poll(async () => {
    await instance.call("GET", "/api/workspaces");
    return count(getAuthSettings.name);
  }).toBeGreaterThan(before);
  for (const fixture of [instance.auth, instance.workspace]) fixture.asked.length = 0;
});

describe("addresses", () => {
  const spoofed = {
    "x-forwarded-for": "203.0.113.9",
    "x-forwarded-proto": "https",
    "x-forwarded-host": "evil.example",
  };
  const answerLogin = (of: GatewayInstance): void => {
    of.auth.answer(requestToken, {
      valid: true,
      user: null,
      token: "a.b.c",
      message: null,
      device: "known-device",
    });
  };
  const addressOf = (of: GatewayInstance): string | undefined =>
    (of.auth.last(requestToken)!.input as { address?: string }).address;

  it("an address reported by the client is ignored without a trusted proxy", async () => {
    answerLogin(instance);
    const answer = await instance.call("POST", "/api/request-token", {
      body: { password: "x", address: "198.51.100.1", userAgent: "lie" },
      headers: { ...spoofed, "user-agent": "Firefox", forwarded: "for=203.0.113.9" },
    });
    expect(instance.auth.last(requestToken)!.input).toMatchObject({
      address: "127.0.0.1",
      userAgent: "Firefox",
    });
    expect(instance.auth.last(requestToken)!.context.scope.address).toBe("127.0.0.1");
    expect(String(answer.headers["set-cookie"])).not.toContain("Secure");
  });

  it.each([
    ["one address", "203.0.113.9", "203.0.113.9"],
    ["the last that no proxy of ours says", "198.51.100.7, 203.0.113.9", "203.0.113.9"],
    ["behind a second proxy of ours", "203.0.113.9, 127.0.0.5", "203.0.113.9"],
    ["IPv6", "2001:db8::7", "2001:db8::7"],
    ["IPv4 in IPv6", "::ffff:203.0.113.9", "203.0.113.9"],
    ["no address", "unknown", "127.0.0.1"],
    ["nonsense", `${"9".repeat(3_000)}'; drop table`, "127.0.0.1"],
    ["nothing", "", "127.0.0.1"],
  ])("behind a trusted proxy: %s", async (_name, header, address) => {
    answerLogin(proxied);
    expect(
      (
        await proxied.call("POST", "/api/request-token", {
          body: {},
          headers: { "x-forwarded-for": header },
        })
      ).status,
    ).toBe(200);
    expect(addressOf(proxied)).toBe(address);
  });

  it("a trusted proxy's scheme and host are used", async () => {
    answerLogin(proxied);
    const answer = await proxied.call("POST", "/api/request-token", {
      body: {},
      headers: { "x-forwarded-proto": "https" },
    });
    for (const cookie of answer.headers["set-cookie"]!) expect(cookie).toMatch(/; Secure$/);
    const own = {
      origin: "https://carrel.example",
      "x-forwarded-host": "carrel.example",
      "x-forwarded-proto": "https",
    };
    expect((await proxied.call("GET", "/api/ping", { headers: own })).status).toBe(200);
    expect((await instance.call("GET", "/api/ping", { headers: own })).status).toBe(403);
  });
});

describe("the map of the instance", () => {
  const short = {
    RequiresAuth: true,
    MultiUserMode: true,
    LLMProvider: "openai",
    SimpleSSOEnabled: true,
    SimpleSSONoLogin: false,
    SimpleSSONoLoginRedirect: null,
    OpenIDName: "Keycloak",
    DisableViewChatHistory: false,
  };
  it.each([
    ["nobody", {}],
    ["a default user", { bearer: "anna" }],
    ["a manager", { bearer: "manager" }],
    ["a key", { bearer: "key" }],
    ["the cookie of a default user", { headers: { cookie: "carrel_session=anna" } }],
    ["nonsense", { bearer: "x" }],
  ])("is reduced for %s", async (_name, options) => {
    expect((await instance.call("GET", "/api/setup-complete", options)).json).toEqual({
      results: short,
    });
  });

  it("is complete for admins, by header and by cookie", async () => {
    for (const options of [{ bearer: "admin" }, { headers: { cookie: "carrel_session=admin" } }]) {
      expect((await instance.call("GET", "/api/setup-complete", options)).json).toMatchObject({
        results: {
          ...short,
          OpenAiKey: true,
          JWTSecret: true,
          WorkspaceDeletionProtection: false,
          HasExistingEmbeddings: false,
        },
      });
    }
    expect((await proxied.call("GET", "/api/setup-complete")).json).toMatchObject({
      results: { DisableViewChatHistory: true },
    });
  });
});

describe("other sites and other spellings", () => {
  const foreign = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
  it("may call routes that take a key, and only those", async () => {
    const answer = await instance.call("GET", "/api/v1/auth", { bearer: "key", headers: foreign });
    expect(answer).toMatchObject({
      status: 200,
      headers: { "access-control-allow-origin": "https://evil.example" },
    });
    expect((await instance.call("OPTIONS", "/api/v1/auth", { headers: foreign })).status).toBe(204);
    instance.settings = noPassword;
    await publish();
    await poll(async () => (await instance.call("GET", "/api/workspaces")).status).toBe(200);
    for (const [method, path] of [
      ["POST", "/api/browser-extension/api-keys/new"],
      ["GET", "/api/browser-extension/api-keys"],
      ["GET", "/%61pi/workspaces"],
      ["POST", "/%61pi/workspace/new"],
      ["GET", "/api/workspaces"],
      ["GET", "/api/system/remove-logo"],
      ["GET", "/%61%70%69/system/remove-logo"],
    ] as const) {
      const refused = await instance.call(method, path, { headers: foreign });
      expect({ path, status: refused.status }).toEqual({ path, status: 403 });
      expect(refused.headers["access-control-allow-origin"]).toBeUndefined();
    }
  });

  it("the documentation can be disabled", async () => {
    expect((await instance.call("GET", "/api/docs")).status).toBe(200);
    const { components } = (await instance.call("GET", "/api/docs/openapi.json")).json as {
      components: { securitySchemes: object };
    };
    expect(Object.keys(components.securitySchemes)).toEqual([
      "developerKey",
      "accessToken",
      "session",
      "extensionKey",
    ]);
    for (const path of ["/api/docs", "/api/docs/openapi.json", "/api/docs/assets/swagger-ui.css"])
      expect((await proxied.call("GET", path)).status).toBe(404);
  });

  it("robots are kept out, and the app can be installed", async () => {
    expect((await instance.call("GET", "/robots.txt")).text).toBe("User-agent: *\nDisallow: /\n");
    const manifest = await instance.call("GET", "/manifest.json");
    expect(manifest.headers["content-type"]).toContain("application/manifest+json");
    expect(JSON.parse(manifest.text)).toMatchObject({
      name: "Carrel",
      display: "standalone",
      start_url: "/",
    });
  });
});
