import { expectAccessibleOnAllScreens } from "./accessibility.ts";
import { test } from "./fixtures.ts";
import { workspaceScreens } from "./workspace-screens.ts";

// A page scrolled to its end has the same elements.
const names = Object.keys(workspaceScreens).filter((name) => !/^ws-.*-end$/.test(name));

test.describe("is accessible and fits", () => {
  for (const name of names)
    test(`${name}`, async ({ page, gateway }) => {
      await workspaceScreens[name]!(page, gateway, false);
      await expectAccessibleOnAllScreens(page, { bestPractices: true });
    });
});
