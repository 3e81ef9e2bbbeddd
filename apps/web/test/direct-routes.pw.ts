import { readFileSync } from "node:fs";
import { join } from "node:path";
import { signedIn } from "./account-screens.ts";
import { expect, settled, test } from "./fixtures.ts";

/** Every route, from the generated tree, so that new ones are tested too. */
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

// Which chunk is evaluated first depends on the route. An import in a circle between chunks only
// fails on the routes that begin with the wrong one.
test.describe("opened directly", () => {
  for (const route of routes)
    test(`${route} shows its page`, async ({ page, gateway }) => {
      gateway.accounts.add("mira", "admin");
      if (!signedOut.includes(route)) await signedIn(page, gateway, "mira");
      await page.goto(route.replaceAll(/\$\w+/g, (name) => values[name]!));
      await expect(page.getByRole("main").getByRole("heading").first()).toBeVisible();
      await settled(page);
      await expect(page.getByText("Something went wrong")).toHaveCount(0);
    });
});
