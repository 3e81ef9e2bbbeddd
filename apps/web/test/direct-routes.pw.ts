import { readFileSync } from "node:fs";
import { join } from "node:path";
import { languages } from "@carrel/contracts/languages";
import { accessibilityViolations } from "@carrel/testing";
import type { Page } from "@playwright/test";
import { signedIn } from "./account-screens.ts";
import { expect, isThorough, phone, settled, test } from "./fixtures.ts";
import { misfits, showIn, textsOf } from "./text-fit.ts";

/** Every route, from the generated tree, so that new routes are tested too. */
const routes = [
  ...new Set(
    [
      ...readFileSync(join(import.meta.dirname, "../src/routeTree.gen.ts"), "utf8").matchAll(
        /fullPath: '([^']+)'/g,
      ),
    ].map(([, path]) => path!),
  ),
];
const values: Record<string, string> = {
  $workspaceSlug: "heat-pump-retrofit",
  $threadSlug: "flow",
  $tab: "chat-settings",
  $code: "no-such-code",
  $token: "no-such-token",
};
/** Without a session; signed in, they redirect. */
const signedOut = ["/login", "/accept-invite/$code", "/share/$token", "/sso/simple"];

/** Grouped, because preparing a browser context takes as long as loading a page. */
const groupSize = 8;
const groups: { isSignedIn: boolean; routes: string[] }[] = [
  { isSignedIn: false, routes: routes.filter((route) => signedOut.includes(route)) },
];
for (const [index, route] of routes.filter((each) => !signedOut.includes(each)).entries()) {
  if (index % groupSize === 0) groups.push({ isSignedIn: true, routes: [] });
  groups.at(-1)!.routes.push(route);
}

/** Long words, words without spaces, and another direction; of the others in a thorough run. */
const fitted = isThorough ? languages : (["en", "de", "zh", "ar"] as const);
/** In English, each area's own tests audit its screens. */
const audited: readonly string[] = isThorough ? ["de", "zh", "ar"] : [];
const wide = { width: 1440, height: 900 };

/** Texts that don't fit in these languages. */
async function findMisfits(page: Page): Promise<string[]> {
  const english = await textsOf(page);
  const faults: string[] = [];
  for (const language of fitted) {
    await showIn(page, language);
    const data = (await textsOf(page)).filter((text) => english.includes(text));
    for (const [name, viewport] of Object.entries({ wide, phone: phone.viewport })) {
      await page.setViewportSize(viewport);
      await settled(page);
      for (const fault of await misfits(page, data)) faults.push(`${language}, ${name}: ${fault}`);
    }
    await page.setViewportSize(wide);
    if (audited.includes(language))
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        for (const { id, elements } of await accessibilityViolations(page))
          faults.push(`${language}, ${colorScheme}: ${id} ${JSON.stringify(elements)}`);
      }
  }
  await showIn(page, "en");
  return faults;
}

// Which chunk is evaluated first depends on the route. A circular import between chunks fails only
// on routes that start with the wrong one.
test.describe("opened directly", () => {
  for (const group of groups)
    test(`${group.routes.join(", ")} show their pages, in each language`, async ({
      page,
      gateway,
    }) => {
      // On a busy machine, a single page may take half of the usual limit.
      test.setTimeout(test.info().timeout * (2 + fitted.length));
      gateway.accounts.add("mira", "admin");
      if (group.isSignedIn) await signedIn(page, gateway, "mira");
      for (const route of group.routes)
        await test.step(route, async () => {
          // Without what a route doesn't need.
          const named = route.replace(/\/\{-\$\w+\}/, "").replace(/\$$/, "beta-features");
          await page.goto(named.replaceAll(/\$\w+/g, (name) => values[name]!));
          await expect
            .soft(page.getByRole("main").getByRole("heading").first(), route)
            .toBeVisible();
          await settled(page);
          await expect.soft(page.getByText("Something went wrong"), route).toHaveCount(0);
          expect.soft(await findMisfits(page), route).toEqual([]);
        });
    });
});
