import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import {
  poll,
  slowPages,
  startInstance,
  startOpenIdProvider,
  type Instance,
  type TestOpenIdProvider,
} from "@carrel/testing";
import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";
import { Api } from "./api.ts";

const executablePath = process.env.CARREL_CHROMIUM ?? "/usr/bin/chromium";

describe("signing in through an OpenID provider, in the browser", () => {
  let provider: TestOpenIdProvider;
  let instance: Instance;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let url: string;

  beforeAll(async () => {
    provider = await startOpenIdProvider({
      people: {
        mia: { preferred_username: "mia", groups: ["staff"] },
        guest: { preferred_username: "guest", groups: ["guests"] },
      },
    });
    const roles = {
      CARREL_OIDC_ROLE_CLAIM: "groups",
      CARREL_OIDC_ADMIN_VALUES: "boss",
      CARREL_OIDC_USER_VALUES: "staff",
    };
    [instance, browser] = await Promise.all([
      startInstance({ ...provider.environment, ...roles, CARREL_OIDC_NAME: "Company login" }),
      chromium.launch({ executablePath, args: ["--no-sandbox"] }),
    ]);
    // The provider is on 127.0.0.1: a different site than localhost.
    url = instance.url.replace("127.0.0.1", "localhost");
    provider.redirectUris.add(`${url}/api/auth/openid/callback`);
    expect(
      await new Api(instance.url).json("POST", "/system/enable-multi-user", {
        username: "the-admin",
        password: "a password of the tests",
      }),
    ).toEqual({ success: true, error: null });
    context = await browser.newContext();
    context.setDefaultTimeout(60_000);
    slowPages(context);
    page = await context.newPage();
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await instance?.stop();
    await provider?.stop();
  });

  const signIn = async (choice: "Sign in" | "Cancel", name = ""): Promise<void> => {
    await page.goto(`${url}/login`);
    await page.getByRole("link", { name: /Company login/ }).click();
    await page.waitForURL(`${provider.url}/interaction/**`);
    if (name !== "") await page.getByLabel("Name").fill(name);
    await page.getByRole("button", { name: choice }).click();
  };

  it("explains that the person cancelled, or has no access", async () => {
    await signIn("Cancel");
    await page.getByText("The sign-in with Company login was cancelled or refused.").waitFor();
    await signIn("Sign in", "guest");
    await page.getByText(/has no access to this instance/).waitFor();
    // The provider remembers its login; another person uses another browser.
    await context.clearCookies();
  });

  it("creates a session for a new account", async () => {
    await signIn("Sign in", "mia");
    await page.waitForURL(
      (address) => address.origin === url && !/^\/(sso|login)/.test(address.pathname),
    );
    await poll(() =>
      page.evaluate<unknown>(`JSON.parse(localStorage.getItem('anythingllm_user'))`),
    ).toMatchObject({ username: "mia", role: "default", seen_recovery_codes: true });
    await page.reload();
    await page.waitForURL(
      (address) => address.origin === url && !/^\/(sso|login)/.test(address.pathname),
    );
  });
});
