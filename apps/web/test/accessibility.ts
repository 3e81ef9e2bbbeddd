import { accessibilityViolations, isThorough, type Strictness } from "@carrel/testing";
import { expect, test, type Page } from "@playwright/test";
import { phone } from "./fixtures.ts";

/** All rules in the theme the page is in. */
const expectAllRules = async (page: Page, strictness: Strictness): Promise<void> =>
  expect(await accessibilityViolations(page, strictness)).toEqual([]);

/** The colours, in the other theme than the page is in. */
async function expectOtherColours(page: Page, strictness: Strictness): Promise<void> {
  const isDark = await page.evaluate(() => matchMedia("(prefers-color-scheme: dark)").matches);
  await page.emulateMedia({ colorScheme: isDark ? "light" : "dark" });
  expect(await accessibilityViolations(page, { ...strictness, rules: ["color-contrast"] })).toEqual(
    [],
  );
  await page.emulateMedia({ colorScheme: isDark ? "dark" : "light" });
}

/**
 * Fails on accessibility violations. All rules are checked in the theme the page is in, and the
 * colours in the other one, too.
 */
export async function expectAccessible(page: Page, strictness: Strictness = {}): Promise<void> {
  await expectAllRules(page, strictness);
  await expectOtherColours(page, strictness);
}

/**
 * Fails on accessibility violations and sideways scrolling of the page as it is and on a phone. The
 * page is resized instead of loaded again, because the app adapts to its width through media
 * queries alone. All rules are checked in the dark theme on the desktop and in the light one on the
 * phone; a thorough run also checks the colours of both in the other theme.
 */
export async function expectAccessibleOnAllScreens(
  page: Page,
  strictness: Strictness = {},
): Promise<void> {
  await expectAllRules(page, strictness);
  if (isThorough) await expectOtherColours(page, strictness);
  await expectNoSidewaysScroll(page);
  const layers = page.getByRole("dialog").or(page.getByRole("menu"));
  const layersOpen = await layers.count();
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setTouchEmulationEnabled", { enabled: true });
  await page.setViewportSize(phone.viewport);
  await page.emulateMedia({ colorScheme: "light" });
  await expectAllRules(page, strictness);
  if (isThorough) await expectOtherColours(page, strictness);
  await expect(layers).toHaveCount(layersOpen);
  await expectNoSidewaysScroll(page);
  await session.detach(); // ends touch emulation
}

/** A screen and what shows it, starting with a page load. */
type Screen = readonly [name: string, open: () => Promise<void>];

/**
 * Checks several screens in turn, in one page: preparing another one takes as long as a check. Goes
 * on after a screen that fails.
 */
export async function expectScreensAccessible(
  page: Page,
  screens: readonly Screen[],
  strictness: Strictness = {},
  check = expectAccessibleOnAllScreens,
): Promise<void> {
  test.setTimeout(test.info().timeout * Math.max(1, screens.length / 4));
  const desktop = page.viewportSize()!;
  const faults: Record<string, unknown> = {};
  for (const [name, open] of screens)
    await test.step(name, async () => {
      await page.setViewportSize(desktop);
      await page.emulateMedia({ colorScheme: "dark" });
      try {
        await open();
        await check(page, strictness);
      } catch (error) {
        faults[name] = error instanceof Error ? error.message : error;
      }
    });
  expect(faults).toEqual({});
}

/** Fails if the page scrolls sideways. */
async function expectNoSidewaysScroll(page: Page): Promise<void> {
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth))
    .toBeLessThanOrEqual(0);
}
