import { accessibilityViolations, type Strictness } from "@carrel/testing";
import { expect, type Page } from "@playwright/test";

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

/** Fails if the page scrolls sideways. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth))
    .toBeLessThanOrEqual(0);
}
