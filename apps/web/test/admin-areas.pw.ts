import type { Page } from "@playwright/test";
import { admin, go } from "./admin-page.ts";
import { expect, test, threadPath } from "./fixtures.ts";

test.describe("access to settings", () => {
  const links = (page: Page): Promise<string[]> =>
    page.getByRole("navigation", { name: "Settings" }).getByRole("link").allTextContents();
  test("admins see all, managers those for managers, and single-user mode none about accounts", async ({
    page,
    gateway,
  }) => {
    await page.goto("/settings/security");
    await expect(page.getByText("User accounts").first()).toBeVisible();
    await expect
      .poll(() => links(page))
      .toEqual([
        "Language model",
        "Embedding",
        "Vector database",
        "Text splitting",
        "Voice and speech",
        "Transcription",
        "Agents",
        "System prompt",
        "Personalization",
        "Shared links",
        "Scheduled work",
        "Security",
        "Privacy",
        "Recorded chats",
        "Visitor chats",
        "Usage",
        "Event log",
        "Appearance",
        "API keys",
        "Webhooks",
        "Chat widgets",
        "MCP servers",
        "Community hub",
        "Prompt variables",
        "Browser extension",
        "Beta features",
      ]);
    await page.goto("/settings/users");
    await page.waitForURL("**/settings/security");
    await go(page, gateway, admin, "/settings/users");
    await expect(page.getByText("jo-brandt")).toBeVisible();
    await expect
      .poll(() => links(page))
      .toEqual([
        "Language model",
        "Embedding",
        "Vector database",
        "Text splitting",
        "Voice and speech",
        "Transcription",
        "Agents",
        "Users",
        "Invites",
        "Workspaces",
        "System prompt",
        "Personalization",
        "Shared links",
        "Scheduled work",
        "Security",
        "Privacy",
        "Recorded chats",
        "Visitor chats",
        "Usage",
        "Event log",
        "Appearance",
        "API keys",
        "Webhooks",
        "Chat widgets",
        "MCP servers",
        "Community hub",
        "Prompt variables",
        "Browser extension",
        "Beta features",
      ]);
  });
  test("managers are redirected from admin pages", async ({ page, gateway }) => {
    await go(page, gateway, "olu", "/settings");
    await page.waitForURL("**/settings/users");
    await expect(page.getByText("jo-brandt")).toBeVisible();
    await expect
      .poll(() => links(page))
      .toEqual([
        "Users",
        "Invites",
        "Workspaces",
        "Security",
        "Recorded chats",
        "Usage",
        "Appearance",
        "Browser extension",
      ]);
    for (const path of [
      "llm-preference",
      "embedding-preference",
      "audio-preference",
      "transcription-preference",
      "vector-database",
      "event-logs",
      "embed-chat-widgets",
      "embed-chats",
      "api-keys",
    ]) {
      await page.goto(`/settings/${path}`);
      await page.waitForURL("**/workspace/heat-pump-retrofit");
    }
  });
  test("other users are redirected from all of them", async ({ page, gateway }) => {
    await go(page, gateway, "jo-brandt", "/settings");
    for (const path of [
      "users",
      "security",
      "appearance",
      "browser-extension",
      "llm-preference",
      "event-logs",
      "workspace-chats",
    ]) {
      await page.waitForURL("**/workspace/heat-pump-retrofit");
      await page.goto(`/settings/${path}`);
    }
    await page.waitForURL("**/workspace/heat-pump-retrofit");
    await expect(page.getByText("What would you like to know?")).toBeVisible();
    await expect
      .poll(() =>
        gateway.requests.filter((request) => /^\/(admin|browser-extension)\//.test(request.path)),
      )
      .toEqual([]);
  });
});

test.describe("instance branding", () => {
  const logo = (ink: string): string =>
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 10" width="40" height="10">' +
    `<rect width="40" height="10" fill="${ink}"/></svg>`;
  test("is shown from the cache, follows the theme, and updates when it changes", async ({
    page,
    gateway,
  }) => {
    gateway.admin.branding.appName = "Harbour Desk";
    gateway.admin.branding.logos = { light: logo("#222"), default: logo("#eee") };
    gateway.admin.branding.footer = [
      { icon: "Globe", url: "https://harbour.example/a" },
      { icon: "Envelope", url: "mailto:help@harbour.example" },
      { icon: "Unknown", url: "javascript:alert(1)" },
    ];
    await page.goto(threadPath);
    await expect(page.getByRole("img", { name: "Harbour Desk" })).toBeVisible();
    await expect(page).toHaveTitle("Flow temperature, blocks · Harbour Desk");
    const link = page.getByRole("link", { name: "harbour.example", exact: true });
    await expect
      .poll(async () => [
        await link.getAttribute("href"),
        await link.getAttribute("rel"),
        await link.getAttribute("target"),
      ])
      .toEqual(["https://harbour.example/a", "noopener noreferrer", "_blank"]);
    await expect(page.getByRole("list", { name: "Instance links" }).getByRole("link")).toHaveCount(
      2,
    );
    // Cached: shown at once although the instance does not answer, without a flash of the built-in
    // logo.
    let answer = (): void => undefined;
    gateway.admin.branding.held = new Promise((resolve) => {
      answer = resolve;
    });
    await page.addInitScript(() => {
      new MutationObserver(() => {
        if (document.querySelector("svg[data-slot=logo]"))
          document.documentElement.dataset.flashed = "1";
      }).observe(document, { childList: true, subtree: true });
    });
    await page.reload();
    await expect(page.getByRole("img", { name: "Harbour Desk" })).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.dataset.flashed)).toBeUndefined();
    answer();
    gateway.admin.branding.held = null;
    const dark = await page.locator("img[data-slot=logo]").first().getAttribute("src");
    await page.getByRole("button", { name: /^User menu/ }).click();
    await page.getByRole("menuitem", { name: /Light theme/i }).click();
    await page.waitForFunction(
      (before) => document.querySelector("img[data-slot=logo]")?.getAttribute("src") !== before,
      dark,
    );
    gateway.admin.branding.logos = {};
    gateway.admin.branding.appName = "Harbour Office";
    gateway.admin.branding.footer = [];
    gateway.change({ type: "branding.changed" });
    await page.waitForFunction(() => document.title.endsWith("Harbour Office"));
    await expect(page.locator("svg[data-slot=logo]").first()).toBeVisible();
    await expect(link).toHaveCount(0);
    // Both are cached for an hour: after a reload, only another theme needs its logo.
    const asked = (): Record<string, number> =>
      Object.fromEntries(
        ["/system/custom-app-name", "/system/logo"].map((path) => [
          path,
          gateway.requests.filter((request) => request.path === path).length,
        ]),
      );
    const before = asked();
    await page.reload();
    await expect(page.getByText("What would you like to know?")).toBeVisible();
    await page.getByRole("button", { name: /^User menu/ }).click();
    await page.getByRole("menuitem", { name: /Dark theme/i }).click();
    await expect.poll(asked).toEqual({ ...before, "/system/logo": before["/system/logo"]! + 1 });
  });
  test("blocks nothing: the page is shown before name and logo are requested", async ({
    page,
    gateway,
  }) => {
    gateway.admin.branding.held = new Promise(() => undefined);
    await page.goto(threadPath);
    await expect(page.getByText("What would you like to know?")).toBeVisible();
    await expect(page.locator("svg[data-slot=logo]")).toHaveCount(1);
    await expect(page).toHaveTitle("Flow temperature, blocks · Carrel");
  });
  test("is shown on the sign-in page", async ({ page, gateway }) => {
    gateway.admin.branding.appName = "Harbour Desk";
    gateway.admin.branding.logos = { light: logo("#222"), default: logo("#eee") };
    gateway.accounts.add(admin, "admin");
    await page.goto("/");
    await expect(page.getByRole("main").getByText("Harbour Desk")).toBeVisible();
    await expect(page.getByRole("img", { name: "Harbour Desk" })).toBeVisible();
    await expect(page).toHaveTitle("Sign in · Harbour Desk");
  });
});
