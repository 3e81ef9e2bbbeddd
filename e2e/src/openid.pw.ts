import { slowPages, startInstance, startOpenIdProvider } from "@carrel/testing";
import { expect, test as base, type Page } from "@playwright/test";
import { Api } from "./api.ts";

interface OpenIdInstance {
  /** Address of the instance. The provider is on 127.0.0.1: a different site than localhost. */
  url: string;
  providerUrl: string;
}

/** An instance that signs people in through an OpenID provider. */
const test = base.extend<object, { openId: OpenIdInstance }>({
  openId: [
    async ({ browserName: _ }, use) => {
      const provider = await startOpenIdProvider({
        people: {
          mia: { preferred_username: "mia", groups: ["staff"] },
          guest: { preferred_username: "guest", groups: ["guests"] },
        },
      });
      const instance = await startInstance({
        ...provider.environment,
        CARREL_OIDC_ROLE_CLAIM: "groups",
        CARREL_OIDC_ADMIN_VALUES: "boss",
        CARREL_OIDC_USER_VALUES: "staff",
        CARREL_OIDC_NAME: "Company login",
      });
      const url = instance.url.replace("127.0.0.1", "localhost");
      provider.redirectUris.add(`${url}/api/auth/openid/callback`);
      expect(
        await new Api(instance.url).json("POST", "/system/enable-multi-user", {
          username: "the-admin",
          password: "a password of the tests",
        }),
      ).toEqual({ success: true, error: null });
      await use({ url, providerUrl: provider.url });
      await instance.stop();
      await provider.stop();
    },
    { scope: "worker", timeout: 120_000 }, // starts PostgreSQL, Redis and every service
  ],
  context: async ({ context }, use) => {
    slowPages(context);
    await use(context);
  },
});

const signIn = async (
  page: Page,
  { url, providerUrl }: OpenIdInstance,
  choice: "Sign in" | "Cancel",
  name = "",
): Promise<void> => {
  await page.goto(`${url}/login`);
  await page.getByRole("link", { name: /Company login/ }).click();
  await page.waitForURL(`${providerUrl}/interaction/**`);
  if (name !== "") await page.getByLabel("Name").fill(name);
  await page.getByRole("button", { name: choice }).click();
};

test("explains that the person cancelled", async ({ page, openId }) => {
  await signIn(page, openId, "Cancel");
  await expect(page.getByText("Sign-in with Company login was canceled or denied.")).toBeVisible();
});

test("explains that the person has no access", async ({ page, openId }) => {
  await signIn(page, openId, "Sign in", "guest");
  await expect(page.getByText(/has no access to this instance/)).toBeVisible();
});

test("creates a session for a new account", async ({ page, openId }) => {
  const inTheApp = (address: URL): boolean =>
    address.origin === openId.url && !/^\/(sso|login)/.test(address.pathname);
  await signIn(page, openId, "Sign in", "mia");
  await page.waitForURL(inTheApp);
  await expect
    .poll(() => page.evaluate<unknown>(`JSON.parse(localStorage.getItem('anythingllm_user'))`))
    .toMatchObject({ username: "mia", role: "default", seen_recovery_codes: true });
  await page.reload();
  await page.waitForURL(inTheApp);
});

// Only a real browser shows which headers and cookies a cross-site redirect carries after a form
// post.
test.describe("the redirects", () => {
  /** The address that the redirects end at. The page that it loads replaces it immediately. */
  const requestOfCallback = async (page: Page, url: string): Promise<URL> => {
    const request = await page.waitForRequest((each) => each.url().startsWith(`${url}/sso/simple`));
    return new URL(request.url());
  };

  test("bring a token, and send the cookie of the sign-in across sites", async ({
    page,
    context,
    openId: { url },
  }) => {
    const sent: Record<string, string>[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/callback"))
        void request.allHeaders().then((headers) => sent.push(headers));
    });
    await page.goto(`${url}/api/auth/openid/start?redirectTo=/workspace/a`);
    await page.getByLabel("Name").fill("mia");
    const callback = requestOfCallback(page, url);
    await page.getByRole("button", { name: "Sign in" }).click();
    const { searchParams } = await callback;
    expect(searchParams.get("token")).toEqual(expect.any(String));
    expect(searchParams.get("redirectTo")).toBe("/workspace/a");
    await expect
      .poll(() => sent[0])
      .toMatchObject({
        "sec-fetch-site": "cross-site",
        "sec-fetch-mode": "navigate",
        "sec-fetch-dest": "document",
        cookie: expect.stringContaining("carrel_openid="),
      });
    await expect.poll(() => context.cookies(`${url}/api/auth/openid/callback`)).toEqual([]);
  });

  test("bring the error when the person cancels, also from a link on another site", async ({
    page,
    openId: { url, providerUrl },
  }) => {
    await page.goto(`${providerUrl}/.well-known/openid-configuration`);
    await page.evaluate(`location.href = '${url}/api/auth/openid/start'`);
    await page.waitForURL(`${providerUrl}/interaction/**`);
    const callback = requestOfCallback(page, url);
    await page.getByRole("button", { name: "Cancel" }).click();
    expect((await callback).searchParams.get("fault")).toContain("openid.access-denied");
  });
});
