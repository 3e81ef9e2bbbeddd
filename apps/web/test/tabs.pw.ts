import type { Page } from "@playwright/test";
import type { FakeGateway } from "./fake-gateway.ts";
import { expect, test, threadPath } from "./fixtures.ts";
const watchers = (gateway: FakeGateway, count: number): Promise<void> =>
  expect.poll(() => gateway.watchers).toBe(count);
const look = (page: Page, state: "hidden" | "visible"): Promise<void> =>
  page.evaluate((now) => {
    Object.defineProperty(document, "visibilityState", { configurable: true, get: () => now });
    document.dispatchEvent(new Event("visibilitychange"));
  }, state);

const openWatching = async (page: Page, gateway: FakeGateway): Promise<void> => {
  await page.clock.install();
  await page.goto(threadPath);
  await expect(page.getByText("What would you like to know?")).toBeVisible();
  await watchers(gateway, 1);
};

test("a hidden tab closes its connection, and catches up when it is visible again", async ({
  page,
  gateway,
}) => {
  await openWatching(page, gateway);
  await look(page, "hidden");
  await page.clock.fastForward(10_000);
  await look(page, "visible"); // hiding it briefly changes nothing
  await page.clock.fastForward(40_000);
  gateway.change({
    type: "thread.renamed",
    workspaceId: 1,
    threadId: 12,
    slug: "night",
    name: "Still told",
  });
  await expect(page.getByRole("link", { name: "Still told" })).toBeVisible();
  await look(page, "hidden");
  await page.clock.fastForward(31_000);
  await watchers(gateway, 0);
  gateway.workspaces[1]!.name = "Handbook of tenants";
  gateway.change({ type: "workspace.updated", workspaceId: 2 });
  await look(page, "visible");
  await watchers(gateway, 1);
  await expect(page.getByRole("link", { name: "Handbook of tenants" })).toBeVisible();
});

test("a hidden tab reads everything again if the gateway has forgotten the changes meanwhile", async ({
  page,
  gateway,
}) => {
  await openWatching(page, gateway);
  await look(page, "hidden");
  await page.clock.fastForward(31_000);
  await watchers(gateway, 0);
  gateway.workspaces[1]!.name = "Handbook of tenants";
  gateway.forgetChanges();
  await look(page, "visible");
  await expect(page.getByRole("link", { name: "Handbook of tenants" })).toBeVisible();
});
