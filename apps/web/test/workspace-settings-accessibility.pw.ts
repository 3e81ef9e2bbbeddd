import { expect, phone, test } from "./fixtures.ts";
import { expectAccessible } from "./accessibility.ts";
import { workspaceScreens } from "./workspace-screens.ts";

// Colours do not depend on the width: every screen once in each theme, and once at each width.
for (const [colorScheme, size] of [
  ["dark", "wide"],
  ["light", "phone"],
] as const)
  test.describe(`accessible (${colorScheme}, ${size})`, () => {
    for (const name of Object.keys(workspaceScreens))
      test.describe(() => {
        test.use({
          colorScheme,
          ...(size === "phone" && { viewport: phone.viewport, hasTouch: true }),
        });
        test(`${name}`, async ({ page, gateway }) => {
          await workspaceScreens[name]!(page, gateway, size === "phone");
          await expectAccessible(page, { bestPractices: true });
          expect(
            await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
          ).toBeLessThanOrEqual(0);
        });
      });
  });
