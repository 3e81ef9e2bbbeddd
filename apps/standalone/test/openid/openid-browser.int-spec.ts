import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { poll, slowPages, startOpenIdProvider, type TestOpenIdProvider } from "@carrel/testing";
import { chromium, type Browser } from "playwright-core";
import { startTestInstance, type TestInstance } from "../wire/instance.ts";

const executablePath = process.env.CARREL_CHROMIUM ?? "/usr/bin/chromium";
// What a browser really says of a redirect from another site after a form was sent there, no client
// of ours could tell.
describe("OpenID sign-in in Chromium, with the provider on another site", () => {
  let provider: TestOpenIdProvider;
  let instance: TestInstance;
  let browser: Browser;
  let url: string;

  beforeAll(async () => {
    [provider, browser] = await Promise.all([
      startOpenIdProvider({ people: { mia: { preferred_username: "mia" } } }),
      chromium.launch({ executablePath, args: ["--no-sandbox"] }),
    ]);
    instance = await startTestInstance(provider.environment);
    // The provider is 127.0.0.1: another site than localhost.
    url = instance.url.replace("127.0.0.1", "localhost");
    provider.redirectUris.add(`${url}/api/auth/openid/callback`);
    await instance.call("POST", "/api/system/enable-multi-user", {
      username: "the-admin",
      password: "a password of the tests",
    });
  });
  afterAll(async () => {
    await browser.close();
    await instance.stop();
    await provider.stop();
  });

  it("comes back with a token, with an error where the person cancels, and by a link on another site", async () => {
    const context = await browser.newContext();
    context.setDefaultTimeout(60_000);
    slowPages(context);
    const page = await context.newPage();
    const sent: Record<string, string>[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/callback"))
        void request.allHeaders().then((headers) => sent.push(headers));
    });
    await page.goto(`${url}/api/auth/openid/start?redirectTo=/workspace/a`);
    await page.getByLabel("Name").fill("mia");
    await Promise.all([
      page.waitForURL(`${url}/sso/simple**`),
      page.getByRole("button", { name: "Sign in" }).click(),
    ]);
    expect(new URL(page.url()).searchParams.get("token")).toEqual(expect.any(String));
    expect(new URL(page.url()).searchParams.get("redirectTo")).toBe("/workspace/a");
    await poll(() => sent[0]).toMatchObject({
      "sec-fetch-site": "cross-site",
      "sec-fetch-mode": "navigate",
      "sec-fetch-dest": "document",
      cookie: expect.stringContaining("carrel_openid="),
    });
    await poll(() => context.cookies(`${url}/api/auth/openid/callback`)).toEqual([]);

    await context.clearCookies();
    await page.goto(`${provider.url}/.well-known/openid-configuration`);
    await page.evaluate(`location.href = '${url}/api/auth/openid/start'`);
    await page.waitForURL(`${provider.url}/interaction/**`);
    await Promise.all([
      page.waitForURL(`${url}/sso/simple**`),
      page.getByRole("button", { name: "Cancel" }).click(),
    ]);
    expect(new URL(page.url()).searchParams.get("error")).toContain("cancelled");
  });
});
