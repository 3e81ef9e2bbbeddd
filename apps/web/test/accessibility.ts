import { AxeBuilder } from "@axe-core/playwright";
import { settled } from "@carrel/testing";
import { expect, type Page } from "@playwright/test";

const wcag = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

interface Strictness {
  /** axe's best practices in addition to WCAG. */
  bestPractices?: boolean;
  /** Include minor and moderate violations, not only serious and critical ones. */
  minor?: boolean;
}

/**
 * Fails on accessibility violations, once the page has stopped moving. All rules are checked in the
 * theme the page is in, and the colours in the other one, too.
 */
export async function expectAccessible(page: Page, strictness: Strictness = {}): Promise<void> {
  const axe = new AxeBuilder({ page });
  await expectNoViolations(page, strictness.bestPractices ? axe : axe.withTags(wcag), strictness);
  const isDark = await page.evaluate(() => matchMedia("(prefers-color-scheme: dark)").matches);
  await page.emulateMedia({ colorScheme: isDark ? "light" : "dark" });
  const colors = new AxeBuilder({ page }).withRules("color-contrast");
  await expectNoViolations(page, colors, strictness);
  await page.emulateMedia({ colorScheme: isDark ? "dark" : "light" });
}

async function expectNoViolations(
  page: Page,
  axe: AxeBuilder,
  strictness: Strictness,
): Promise<void> {
  await settled(page); // colours are measured, and those of elements fading in are not final yet
  const { violations } = await axe.analyze();
  const found = violations
    .filter(({ impact }) => strictness.minor || impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => ({
      id,
      elements: nodes.slice(0, 3).map(({ html }) => html.slice(0, 160)),
    }));
  expect(found).toEqual([]);
}

/** Fails if the page scrolls sideways. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth))
    .toBeLessThanOrEqual(0);
}
