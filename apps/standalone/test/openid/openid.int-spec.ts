import { startOpenIdProvider, TestBrowser, type TestOpenIdProvider } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { startTestInstance, type TestInstance } from "../wire/instance.ts";
import { faultText, fromElsewhere } from "./landing.ts";

const callbackPath = "/api/auth/openid/callback";
let provider: TestOpenIdProvider;
let instance: TestInstance;

beforeAll(async () => {
  provider = await startOpenIdProvider({
    people: { mia: { preferred_username: "mia", email: "mia@example.org", email_verified: true } },
  });
  instance = await startTestInstance({
    ...provider.environment,
    CARREL_OIDC_NAME: "Company login",
  });
  provider.redirectUris.add(`${instance.url}${callbackPath}`);
});
afterAll(async () => {
  await instance.stop();
  await provider.stop();
});

const start = (browser: TestBrowser, query = ""): Promise<Response> =>
  browser.get(`${instance.url}/api/auth/openid/start${query}`);
const leadsTo = (response: Response): string => {
  expect(response.status).toBe(302);
  return response.headers.get("location")!;
};
const wordsOf = (response: Response): string => {
  const { pathname, searchParams } = new URL(leadsTo(response), instance.url);
  expect(pathname).toBe("/sso/simple");
  expect(searchParams.has("token")).toBe(false);
  return faultText(searchParams);
};

describe("an instance without accounts", () => {
  it("tells the user so, when starting and when returning", async () => {
    expect(wordsOf(await start(new TestBrowser()))).toContain("needs user accounts");
    const browser = new TestBrowser();
    browser.setCookie(instance.url, {
      name: "carrel_openid",
      value: "v1:a:b:c:d",
      path: "/api/auth/openid",
    });
    expect(
      wordsOf(await browser.get(`${instance.url}${callbackPath}?code=a&state=b`, fromElsewhere)),
    ).toContain("needs user accounts");
  });
});

describe("an instance with accounts", () => {
  beforeAll(async () => {
    expect(
      (
        await instance.call("POST", "/api/system/enable-multi-user", {
          username: "the-admin",
          password: "a password of the tests",
        })
      ).json,
    ).toEqual({ success: true, error: null });
  });

  it("signs a user in: to the provider, back, and into a session with the one-time token", async () => {
    const browser = new TestBrowser();
    const begun = await start(
      browser,
      `?redirectTo=${encodeURIComponent("/workspace/papers?x=1#end")}`,
    );
    const authorization = new URL(leadsTo(begun));
    expect(authorization.origin).toBe(provider.url);
    expect(authorization.searchParams.get("code_challenge_method")).toBe("S256");
    expect(authorization.searchParams.get("redirect_uri")).toBe(`${instance.url}${callbackPath}`);
    const cookie = begun.headers.getSetCookie();
    expect(cookie).toEqual([
      expect.stringMatching(
        /^carrel_openid=v1:[\w:-]+; Path=\/api\/auth\/openid; Max-Age=600; HttpOnly; SameSite=Lax$/,
      ),
    ]);

    const back = await browser.get(
      await browser.signInAtProvider(authorization.href, "mia"),
      fromElsewhere,
    );
    expect(back.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^carrel_openid=; Path=\/api\/auth\/openid; Max-Age=0;/),
    ]);
    expect(back.headers.get("cache-control")).toBe("no-store");
    expect(back.headers.get("referrer-policy")).toBe("no-referrer");
    const landing = new URL(leadsTo(back), instance.url);
    expect(landing.pathname).toBe("/sso/simple");
    expect(landing.searchParams.get("redirectTo")).toBe("/workspace/papers?x=1#end");

    const exchange = () =>
      instance.call(
        "GET",
        `/api/request-token/sso/simple?token=${encodeURIComponent(landing.searchParams.get("token")!)}`,
      );
    const { status, json } = await exchange();
    expect(status).toBe(200);
    expect(json).toMatchObject({
      valid: true,
      user: {
        username: "mia",
        role: "default",
        seen_recovery_codes: true,
        email: "mia@example.org",
      },
      message: null,
    });
    const authorizationHeader = { authorization: `Bearer ${(json as { token: string }).token}` };
    expect(
      (await instance.call("GET", "/api/system/check-token", undefined, authorizationHeader))
        .status,
    ).toBe(200);
    expect(
      (await instance.call("GET", "/api/system/refresh-user", undefined, authorizationHeader)).json,
    ).toMatchObject({ success: true, user: { username: "mia" } });
    expect(
      (await instance.call("GET", "/api/system/sessions", undefined, authorizationHeader)).json,
    ).toMatchObject({ sessions: [{ current: true, method: "openid" }] });
    expect((await exchange()).status).toBe(401);
  });

  it("rejects a callback used twice, without the cookie, or in another browser", async () => {
    const browser = new TestBrowser();
    const callback = await browser.signInAtProvider(leadsTo(await start(browser)), "mia");
    const sealed = browser.cookie(instance.url, "carrel_openid")!;
    expect(wordsOf(await new TestBrowser().get(callback))).toContain("didn't start a sign-in");
    const other = new TestBrowser();
    await start(other);
    expect(wordsOf(await other.get(callback))).toContain("belongs to another sign-in");
    expect(leadsTo(await browser.get(callback))).toContain("token=");
    expect(wordsOf(await browser.get(callback))).toContain("didn't start a sign-in");
    browser.setCookie(instance.url, {
      name: "carrel_openid",
      value: sealed,
      path: "/api/auth/openid",
    });
    expect(wordsOf(await browser.get(callback))).toContain("already been used");
  });

  it("tells a user who cancels", async () => {
    const browser = new TestBrowser();
    const callback = await browser.signInAtProvider(leadsTo(await start(browser)), null);
    expect(new URL(callback).searchParams.get("error")).toBe("access_denied");
    expect(wordsOf(await browser.get(callback, fromElsewhere))).toBe(
      "Sign-in with Company login was canceled or denied.",
    );
  });

  it.each([
    "//evil.example/",
    "/\\evil.example",
    "https://evil.example/",
    "/..//evil.example",
    "/\t/evil.example",
    "javascript:alert(1)",
    "/sso/simple?token=of-somebody-else",
  ])("never redirects elsewhere: %j", async (redirectTo) => {
    const browser = new TestBrowser();
    const callback = await browser.signInAtProvider(
      leadsTo(await start(browser, `?redirectTo=${encodeURIComponent(redirectTo)}`)),
      "mia",
    );
    const landing = new URL(leadsTo(await browser.get(callback)), instance.url);
    expect(landing.origin).toBe(instance.url);
    expect(landing.searchParams.has("redirectTo")).toBe(false);
  });

  it("keeps other sites from using these routes otherwise, and never replies with 500", async () => {
    const browser = new TestBrowser();
    for (const headers of [
      { ...fromElsewhere, "sec-fetch-dest": "iframe" },
      { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image" },
    ]) {
      expect(
        (
          await browser.get(
            `${instance.url}${callbackPath}?code=a&state=b`,
            headers as Record<string, string>,
          )
        ).status,
      ).toBe(403);
    }
    const cookies = ["", "x", "v1:a:b:c:d", "%00", "v1:" + "a".repeat(9_000), '"quoted"'];
    const queries = [
      "",
      "?",
      "?code=a",
      "?code=a&state=b",
      "?code=a&code=b&state=c&state=d",
      "?%",
      "?state=%F0%28",
      "?error=x&error_description=%0d%0aSet-Cookie:%20a=b",
      `?code=${"x".repeat(12_000)}`,
      "?code[]=a&__proto__=b&constructor[prototype]=c",
      "?a=%00",
    ];
    for (const value of cookies)
      for (const query of queries) {
        const response = await fetch(`${instance.url}${callbackPath}${query}`, {
          redirect: "manual",
          headers: value === "" ? {} : { cookie: `carrel_openid=${value}` },
        });
        expect([302, 400]).toContain(response.status);
        if (response.status === 302) expect(wordsOf(response)).toMatch(/^[A-Z]/);
        expect(
          response.headers.getSetCookie().every((line) => line.startsWith("carrel_openid=;")),
        ).toBe(true);
      }
    for (const query of [
      "?redirectTo=a&redirectTo=b",
      `?redirectTo=${"/a".repeat(2_000)}`,
      "?redirectTo[]=x",
      "?redirectTo=%00",
      "?x=%F0%28",
    ]) {
      expect([302, 400]).toContain((await start(new TestBrowser(), query)).status);
    }
    expect((await fetch(`${instance.url}${callbackPath}`, { method: "POST" })).status).toBe(405);
  });

  it("shows the button to everyone, but only if a provider is configured", async () => {
    expect((await instance.call("GET", "/api/setup-complete")).json).toMatchObject({
      results: { OpenIDName: "Company login" },
    });
  });

  it("sets a Secure cookie over https", async () => {
    const secure = await startTestInstance({
      ...provider.environment,
      CARREL_PUBLIC_URL: "https://carrel.example.org",
    });
    await secure.call("POST", "/api/system/enable-multi-user", {
      username: "the-admin",
      password: "a password of the tests",
    });
    const begun = await fetch(`${secure.url}/api/auth/openid/start`, { redirect: "manual" });
    expect(new URL(begun.headers.get("location")!).searchParams.get("redirect_uri")).toBe(
      "https://carrel.example.org/api/auth/openid/callback",
    );
    expect(begun.headers.getSetCookie()[0]).toMatch(/; Secure$/);
    await secure.stop();
  });

  it("accepts scheme and host only from a trusted proxy", async () => {
    const trusting = await startTestInstance({
      ...provider.environment,
      CARREL_TRUST_PROXY: "loopback",
    });
    await trusting.call("POST", "/api/system/enable-multi-user", {
      username: "the-admin",
      password: "a password of the tests",
    });
    const told = { "x-forwarded-proto": "https", "x-forwarded-host": "carrel.example.org" };
    for (const [base, redirectUri, isSecure] of [
      [trusting.url, "https://carrel.example.org/api/auth/openid/callback", true],
      [instance.url, `${instance.url}${callbackPath}`, false],
    ] as const) {
      const begun = await new TestBrowser().get(`${base}/api/auth/openid/start`, told);
      expect(new URL(leadsTo(begun)).searchParams.get("redirect_uri")).toBe(redirectUri);
      expect(begun.headers.getSetCookie()[0]!.endsWith("; Secure")).toBe(isSecure);
    }
    for (const host of ["evil.example/path", "a b", "", "[", "x:99999999"]) {
      const response = await new TestBrowser().get(`${trusting.url}/api/auth/openid/start`, {
        ...told,
        "x-forwarded-host": host,
      });
      expect([302, 400, 403]).toContain(response.status);
    }
    await trusting.stop();
  });

  it("tells the user when the provider is down", async () => {
    const down = await startTestInstance({
      ...provider.environment,
      CARREL_OIDC_ISSUER: "http://127.0.0.1:9",
      CARREL_OIDC_NAME: "Company login",
    });
    await down.call("POST", "/api/system/enable-multi-user", {
      username: "the-admin",
      password: "a password of the tests",
    });
    const begun = await fetch(`${down.url}/api/auth/openid/start`, { redirect: "manual" });
    expect(begun.status).toBe(302);
    expect(faultText(new URL(begun.headers.get("location")!, down.url).searchParams)).toBe(
      "Company login isn't responding. Try again later.",
    );
    await down.stop();
  });
});
