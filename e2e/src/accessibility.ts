import { AxeBuilder } from "@axe-core/playwright";
import { settled } from "@carrel/testing";
import { expect, type Page } from "@playwright/test";

/** Fails on the serious accessibility violations (WCAG) of the page once nothing on it moves. */
export async function expectAccessible(page: Page): Promise<void> {
  await settled(page); // colours are measured, and what fades in has not reached its own yet
  const { violations } = await new AxeBuilder({ page })
    .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"])
    .analyze();
  const found = violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => ({
      id,
      elements: nodes.slice(0, 3).map(({ html }) => html.slice(0, 160)),
    }));
  expect(found).toEqual([]);
}
