import { expectScreensAccessible } from "./accessibility.ts";
import { test } from "./fixtures.ts";
import { workspaceScreens } from "./workspace-screens.ts";

// A page scrolled to its end has the same elements.
const names = Object.keys(workspaceScreens).filter((name) => !/^ws-.*-end$/.test(name));
const needsAccounts = (name: string): boolean => /^(ws-members(-dialog)?|variables?.*)$/.test(name);

for (const [who, screens] of [
  ["one person", names.filter((name) => !needsAccounts(name))],
  ["accounts", names.filter(needsAccounts)],
] as const)
  test(`workspace settings are accessible and fit, with ${who}`, async ({ page, gateway }) => {
    await expectScreensAccessible(
      page,
      screens.map((name) => [name, () => workspaceScreens[name]!(page, gateway, false)] as const),
      { bestPractices: true },
    );
  });
