import { accessibilityViolations } from "@carrel/testing";
import type { Page } from "@playwright/test";
import { expect, phone, test } from "./fixtures.ts";

async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    // Animations in a shadow root can't be waited for.
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    expect(await accessibilityViolations(page, { bestPractices: true, minor: true })).toEqual([]);
  }
}

for (const screen of ["desktop", "phone"])
  test.describe(`on a ${screen}`, () => {
    if (screen === "phone") test.use(phone);
    test("breaks no rule of axe, closed, open or with messages", async ({
      page,
      gateway,
      site,
      widget,
    }) => {
      site.attributes = { "data-support-email": "a@example.org", "data-sponsor-text": "By us" };
      gateway.session = { suggestedMessages: ["Prices?"], greeting: null };
      gateway.parts = [
        "**Yes**, see [here](https://example.org):\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n- [x] done\n\n```\ncode\n```",
      ];
      gateway.sources = [{ title: "Guide.pdf", text: "Passage" }];
      await widget.visit();
      await expect(widget.button).toBeVisible();
      await expectAccessible(page);
      await widget.button.click();
      await expect(page.getByRole("button", { name: "Prices?" })).toBeVisible();
      await expectAccessible(page);
      await widget.ask("Hello");
      await page.getByText("Sources (1)").click();
      gateway.refused = { status: 500, body: "" };
      await widget.ask("Again");
      await expect(page.getByRole("button", { name: "Try again" })).toBeVisible();
      await expectAccessible(page);
    });
  });

test("works by keyboard alone, and gives the focus back", async ({ page, widget }) => {
  await widget.visit();
  await expect(widget.button).toHaveAttribute("aria-expanded", "false");
  await page.keyboard.press("Tab"); // the page's link
  await page.keyboard.press("Tab");
  await expect(widget.button).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(widget.dialog).toHaveAccessibleName("Assistant");
  await expect(widget.field).toBeFocused();
  await page.keyboard.type("Hello");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("there");
  await page.keyboard.press("Enter");
  await expect(page.locator(".user .bubble")).toHaveText("Hello\nthere");
  await expect(widget.answers.last()).toContainText("temperatures.");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Shift+Tab");
  await expect(widget.field).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(widget.dialog).toHaveCount(0);
  await expect(widget.button).toBeFocused();
});

test("reads answers out block by block, each once", async ({ page, gateway, widget }) => {
  let release = (): void => undefined;
  gateway.held = new Promise((resolve) => {
    release = resolve;
  });
  gateway.parts = ["First **paragraph**.\n\nSec", "ond one.\n\n- a\n- b"];
  await widget.open();
  await widget.ask("Hello");
  const said = page.locator("[role=status][aria-live=polite] p");
  await expect(said).toHaveText(["Thinking…", "First paragraph."]);
  release();
  await expect(said).toHaveText(["Thinking…", "First paragraph.", "Second one.", "a. b"]);
});

test("says that an answer came while it was closed", async ({ page, gateway, widget }) => {
  let release = (): void => undefined;
  gateway.held = new Promise((resolve) => {
    release = resolve;
  });
  await widget.open();
  await widget.ask("Hello");
  await expect(widget.answers.last()).toHaveText("Heat pumps");
  await page.keyboard.press("Escape");
  release();
  await expect(widget.button).toHaveAccessibleName("Open chat (New answer)");
  await widget.button.click();
  await expect(widget.button).toHaveAccessibleName("Close chat");
});

test("moves nothing where motion is reduced", async ({ page, gateway, widget }) => {
  gateway.held = new Promise(() => undefined);
  await page.emulateMedia({ reducedMotion: "reduce" });
  await widget.open();
  await widget.ask("Hello");
  await expect(widget.answers.last()).toBeVisible();
  await expect(widget.dialog).toHaveCSS("animation-name", "none");
  await expect(widget.button).toHaveCSS("transition-duration", "0s");
});
