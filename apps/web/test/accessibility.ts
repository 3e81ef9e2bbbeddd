import { accessibilityViolations, type Strictness } from "@carrel/testing";
import { expect, type Page } from "@playwright/test";
import { phone } from "./fixtures.ts";

/**
 * Fails on accessibility violations. All rules are checked in the theme the page is in, and the
 * colours in the other one, too.
 */
export async function expectAccessible(page: Page, strictness: Strictness = {}): Promise<void> {
  expect(await accessibilityViolations(page, strictness)).toEqual([]);
  const isDark = await page.evaluate(() => matchMedia("(prefers-color-scheme: dark)").matches);
  await page.emulateMedia({ colorScheme: isDark ? "light" : "dark" });
  expect(await accessibilityViolations(page, { ...strictness, rules: ["color-contrast"] })).toEqual(
    [],
  );
  await page.emulateMedia({ colorScheme: isDark ? "dark" : "light" });
}

/**
 * Fails on accessibility violations and sideways scrolling of the page as it is and on a phone. The
 * page is resized instead of loaded again, because the app adapts to its width through media
 * queries alone. All rules are checked in the dark theme on the desktop and in the light one on the
 * phone, and the colours in the other theme, too.
 */
export async function expectAccessibleOnAllScreens(
  page: Page,
  strictness: Strictness = {},
): Promise<void> {
  await expectAccessible(page, strictness);
  await expectNoSidewaysScroll(page);
  const layers = page.getByRole("dialog").or(page.getByRole("menu"));
  const layersOpen = await layers.count();
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setTouchEmulationEnabled", { enabled: true });
  await page.setViewportSize(phone.viewport);
  await page.emulateMedia({ colorScheme: "light" });
  await expectAccessible(page, strictness);
  await expect(layers).toHaveCount(layersOpen);
  await expectNoSidewaysScroll(page);
  await session.detach(); // ends touch emulation
}

/** Fails if the page scrolls sideways. */
async function expectNoSidewaysScroll(page: Page): Promise<void> {
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth))
    .toBeLessThanOrEqual(0);
}
