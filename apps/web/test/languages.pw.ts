import type { Page } from "@playwright/test";
import { openAccount, signedIn } from "./account-screens.ts";
import { expect, test, threadPath } from "./fixtures.ts";

const html = (page: Page) => page.locator("html");
const files = /\/assets\/languages-[0-9a-f]{8}\//;
/** The languages' files that the page asks for. */
function noteFiles(page: Page): string[] {
  const asked: string[] = [];
  page.on("request", (request) => {
    if (files.test(request.url())) asked.push(request.url().replace(/.*languages-\w+\//, ""));
  });
  return asked;
}
const composer = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });

test("the language and its direction are set before the first paint", async ({ page }) => {
  // The app's code doesn't arrive.
  await page.route("**/assets/*.js", () => undefined);
  await page.goto("/?lng=ar", { waitUntil: "commit" });
  await expect(html(page)).toHaveAttribute("lang", "ar");
  await expect(html(page)).toHaveAttribute("dir", "rtl");
  await expect(page.locator("[data-shell-frame]")).toBeVisible();
});

test("the first page loads one file of one language", async ({ page }) => {
  const asked = noteFiles(page);
  await page.goto(`${threadPath}?lng=de`);
  await expect(composer(page, "Nachricht")).toBeVisible();
  await expect(html(page)).toHaveAttribute("lang", "de");
  expect([...new Set(asked)]).toEqual(["de/first.json"]);
});

test("a choice takes effect at once, keeps what is typed, and follows the account", async ({
  page,
  gateway,
}) => {
  gateway.accounts.add("mira", "admin");
  await signedIn(page, gateway, "mira");
  await page.goto("/workspace/heat-pump-retrofit");
  await composer(page, "Message").fill("Half a question");
  await openAccount(page, gateway, false);
  await page.getByRole("tab", { name: "Preferences" }).click();
  const readAgain = page.waitForRequest(
    (request) =>
      request.url().endsWith("/api/workspaces") && request.headers()["x-language"] === "de",
  );
  await page.getByLabel("Language").selectOption("Deutsch");
  await readAgain;
  await expect(page.getByLabel("Sprache")).toHaveValue("de");
  await expect.poll(() => gateway.accounts.accounts[0]!.user.userLang).toBe("de");
  await page.keyboard.press("Escape");
  await expect(composer(page, "Nachricht")).toHaveValue("Half a question");
  // In another browser, which prefers English.
  await page.evaluate(() => localStorage.removeItem("i18nextLng"));
  await page.reload();
  await expect(composer(page, "Nachricht")).toBeVisible();
  await page.goto(`${threadPath}?lng=zh`);
  await expect(html(page)).toHaveAttribute("lang", "zh");
});

test("a choice before signing in stays in the browser", async ({ page, gateway }) => {
  gateway.accounts.add("mira", "admin");
  await page.goto("/login");
  await page.getByLabel("Language").selectOption("العربية");
  await expect(html(page)).toHaveAttribute("dir", "rtl");
  await page.reload();
  await expect(html(page)).toHaveAttribute("lang", "ar");
  await page.getByRole("combobox").selectOption("English");
  await expect(page.getByLabel("Username")).toBeVisible();
});

test("the page is English until a slow language arrives, and if there is none", async ({
  page,
}) => {
  let release = (): void => undefined;
  const late = new Promise<void>((done) => (release = done));
  await page.route(files, async (route) => {
    await late;
    await route.continue();
  });
  await page.goto(`${threadPath}?lng=de`);
  await composer(page, "Message").fill("Half a question");
  release();
  await expect(composer(page, "Nachricht")).toHaveValue("Half a question");
  await page.unrouteAll();
  await page.route(files, (route) => route.fulfill({ status: 404 }));
  await page.goto(`${threadPath}?lng=fr`);
  await expect(composer(page, "Message")).toBeVisible();
});
