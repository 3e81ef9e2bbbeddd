import { expect, phone, test } from "./fixtures.ts";
import { expectAccessible } from "./accessibility.ts";
import { workspaceScreens } from "./workspace-screens.ts";

// A page scrolled to its end has the same elements.
const names = Object.keys(workspaceScreens).filter((name) => !/^ws-.*-end$/.test(name));

for (const [colorScheme, size] of [
  ["dark", "wide"],
  ["light", "phone"],
] as const)
  test.describe(`accessible (${colorScheme}, ${size})`, () => {
    for (const name of names)
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
