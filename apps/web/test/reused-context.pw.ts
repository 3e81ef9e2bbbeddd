import { expect, test } from "./fixtures.ts";

// The tests of a worker share a browser context (playwright.config.ts), which Playwright empties
// before each test. The second test expects nothing of what the first one leaves behind.
test.describe("a test", () => {
  test("leaves data, routes, scripts, a page and settings behind", async ({
    page,
    context,
    gateway,
  }) => {
    await context.addCookies([{ name: "left", value: "1", url: gateway.url }]);
    await page.addInitScript(() => Object.assign(globalThis, { left: true }));
    await page.route("**/login", (route) => route.fulfill({ body: "left" }));
    await page.goto("/");
    await page.evaluate(async () => {
      localStorage.setItem("left", "1");
      sessionStorage.setItem("left", "1");
      const request = indexedDB.open("left");
      await new Promise((resolve) => (request.onsuccess = resolve));
      request.result.close();
    });
    await page.setViewportSize({ width: 390, height: 844 });
    await page.emulateMedia({ colorScheme: "light" });
    await context.newPage();
  });
  test("finds nothing of the previous one", async ({ page, context, gateway }) => {
    expect(context.pages()).toEqual([page]);
    expect(page.url()).toBe("about:blank");
    await expect.poll(() => gateway.requests).toEqual([]);
    await page.goto("/login");
    await expect(page.getByText("What would you like to know?")).toBeVisible();
    expect(await context.cookies()).toEqual([]);
    expect(
      await page.evaluate(async () => ({
        localStorage: localStorage.getItem("left"),
        sessionStorage: sessionStorage.getItem("left"),
        hasDatabase: (await indexedDB.databases()).some(({ name }) => name === "left"),
        script: "left" in globalThis,
        width: innerWidth,
        dark: matchMedia("(prefers-color-scheme: dark)").matches,
      })),
    ).toEqual({
      localStorage: null,
      sessionStorage: null,
      hasDatabase: false,
      script: false,
      width: 1440,
      dark: true,
    });
  });
});
