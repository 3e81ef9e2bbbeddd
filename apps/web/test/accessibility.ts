import { AxeBuilder } from "@axe-core/playwright";
import { settled } from "@carrel/testing";
import { expect, type Page } from "@playwright/test";

const wcag = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

interface Strictness {
  /** Beyond WCAG: what axe recommends as best practice. */
  bestPractices?: boolean;
  /** Not only serious and critical violations. */
  minor?: boolean;
}

/** Lists the accessibility violations of the page once nothing on it moves. */
export async function expectAccessible(page: Page, strictness: Strictness = {}): Promise<void> {
  await settled(page); // colours are measured, and what fades in has not reached its own yet
  const axe = new AxeBuilder({ page });
  const { violations } = await (strictness.bestPractices ? axe : axe.withTags(wcag)).analyze();
  const found = violations
    .filter(({ impact }) => strictness.minor || impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => ({
      id,
      elements: nodes.slice(0, 3).map(({ html }) => html.slice(0, 160)),
    }));
  expect(found).toEqual([]);
}

/** Fails when the page can be scrolled sideways. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth))
    .toBeLessThanOrEqual(0);
}
