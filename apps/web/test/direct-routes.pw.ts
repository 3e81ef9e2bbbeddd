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

/** In a few tests: getting a browser ready takes as long as loading a page. */
const groups = [routes.filter((route) => signedOut.includes(route))];
for (const [index, route] of routes.filter((each) => !signedOut.includes(each)).entries()) {
  if (index % 8 === 0) groups.push([]);
  groups.at(-1)!.push(route);
}

// Which chunk is evaluated first depends on the route. An import in a circle between chunks only
// fails on the routes that begin with the wrong one.
test.describe("opened directly", () => {
  for (const group of groups)
    test(`${group.join(", ")} show their pages`, async ({ page, gateway }) => {
      gateway.accounts.add("mira", "admin");
      if (group !== groups[0]) await signedIn(page, gateway, "mira");
      for (const route of group)
        await test.step(route, async () => {
          await page.goto(route.replaceAll(/\$\w+/g, (name) => values[name]!));
          await expect(page.getByRole("main").getByRole("heading").first()).toBeVisible();
          await settled(page);
          await expect(page.getByText("Something went wrong")).toHaveCount(0);
        });
    });
});
