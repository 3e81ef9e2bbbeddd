import type { Page } from "@playwright/test";
import { expectAccessible, expectAccessibleOnAllScreens } from "./accessibility.ts";
import { menu, row } from "./admin-page.ts";
import { inWorkspace, open, slug } from "./documents-page.ts";
import type { FakeGateway } from "./fake-gateway.ts";
import { expect, test } from "./fixtures.ts";

const title = "Courtyard noise assessment.pdf";
const documentOf = (gateway: FakeGateway) =>
  gateway.documents[slug]!.find((each) => each.title === title)!;
const sent = (gateway: FakeGateway, end: string) =>
  gateway.watches.sent.filter(({ path }) => path.endsWith(end)).map(({ body }) => body);
const dialog = (page: Page) => page.getByRole("dialog");

test.describe("live sync", () => {
  test("is turned on in the beta features, which list what is watched", async ({
    page,
    gateway,
  }) => {
    const { watches } = gateway;
    watches.addDocument(documentOf(gateway), {
      failures: 2,
      fault: { code: "source.failing", params: { host: "stadtwerke.example", status: 500 } },
    });
    watches.add({ connectionId: "bbbbbbbb-0000-4000-8000-000000000002", title: "handbook" });
    await page.goto("/settings/beta-features/live-document-sync/manage");
    await expect(page.getByText("Live document sync is off")).toBeVisible();
    await page.getByRole("main").getByRole("link", { name: "Beta features" }).click();
    await expect(page).toHaveURL(/\/settings\/beta-features$/);
    await expect(page.getByRole("switch", { name: "Agent plugins" })).toBeDisabled();
    watches.refuses = true;
    await page.getByRole("switch", { name: "Live document sync" }).click();
    await expect(page.getByText(/^Could not update status\./)).toBeVisible();
    await expect(page.getByRole("switch", { name: "Live document sync" })).not.toBeChecked();
    watches.refuses = false;
    await page.getByRole("switch", { name: "Live document sync" }).click();
    await expect(page.getByText("Live document sync is on.")).toBeVisible();
    await expectAccessibleOnAllScreens(page);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole("link", { name: "Manage watched documents" }).click();
    await expect(row(page, title)).toContainText("Sync failed, retrying");
    await expect(row(page, title)).toContainText("stadtwerke.example answered with status 500.");
    await expect(row(page, "handbook")).toContainText("Whole source");
    await expectAccessibleOnAllScreens(page);
    await page.setViewportSize({ width: 1440, height: 900 });
    await menu(page, "handbook", "Stop watching");
    await expect(row(page, "handbook")).toHaveCount(0);
    await menu(page, title, "Sync now");
    await expect(row(page, title)).toContainText("Syncing");
    await expect.poll(() => sent(gateway, "/watches/1/sync")).toHaveLength(1);
  });

  test("watches a document, explains that once, and shows its syncs", async ({ page, gateway }) => {
    const { watches } = gateway;
    watches.enabled = true;
    documentOf(gateway).canWatch = true;
    await open(page);
    await menu(page, title, "Watch for changes");
    await expect(dialog(page)).toContainText("the new version replaces the previous one");
    await page.getByRole("button", { name: "Got it" }).click();
    await inWorkspace(page, title)
      .getByRole("button", { name: /^Watched, first sync/ })
      .click();
    await expect(dialog(page)).toContainText("stadtwerke.example answered with status 500.");
    await expect(dialog(page).getByRole("listitem")).toHaveText([/^Failed/, /^Changed/]);
    await dialog(page).getByLabel("Sync every").selectOption("1 day");
    await expect.poll(() => sent(gateway, "/watches/1")).toEqual([{ intervalSeconds: 86_400 }]);
    await expect(dialog(page).getByLabel("Sync every")).toHaveValue("86400");
    await dialog(page).getByLabel("When its source deletes it").selectOption({ index: 1 });
    await expect.poll(() => sent(gateway, "/watches/1")[1]).toEqual({ whenGone: "keep" });
    await expectAccessible(page);
    await dialog(page).getByRole("button", { name: "Sync now" }).click();
    await expect(page.getByText("Syncing now.")).toBeVisible();
    await dialog(page).getByRole("button", { name: "Done" }).click();
    await expect(inWorkspace(page, title)).toContainText("Syncing");
    await menu(page, title, "Stop watching");
    await expect(inWorkspace(page, title)).toContainText("Ready");
    const docPath = documentOf(gateway).docpath;
    await expect
      .poll(() => sent(gateway, "/update-watch-status"))
      .toEqual([
        { docPath, watchStatus: true },
        { docPath, watchStatus: false },
      ]);
  });

  test("shows scheduled syncs, even when no document changed", async ({ page, gateway }) => {
    const { watches } = gateway;
    watches.enabled = true;
    documentOf(gateway).watched = true;
    const nextSyncAt = new Date(Date.now() + 5_000).toISOString();
    const watch = watches.addDocument(documentOf(gateway), { lastSyncedAt: null, nextSyncAt });
    await open(page);
    await expect(inWorkspace(page, title)).toContainText("Watched, first sync");
    watches.watches = [{ ...watch, state: "stopped", failures: 5, nextSyncAt: null }];
    await expect(inWorkspace(page, title)).toContainText("Sync stopped");
  });

  test("watches a whole source", async ({ page, gateway }) => {
    gateway.watches.enabled = true;
    gateway.connections.fill();
    const { id } = gateway.connections.connections[1]!;
    await page.goto(`/workspace/${slug}/documents?sources=${id}`);
    await page.getByRole("button", { name: "Watch this source" }).click();
    await expect(page.getByText("Watched, synced")).toBeVisible();
    await expect(page.getByText("every 7 days")).toBeVisible();
    await page.getByRole("button", { name: "Sync settings" }).click();
    await dialog(page).getByLabel("When the source deletes documents").selectOption({ index: 1 });
    await expect.poll(() => sent(gateway, "/watches/1")).toEqual([{ whenGone: "keep" }]);
    await dialog(page).getByRole("button", { name: "Stop watching" }).click();
    await expect(page.getByRole("button", { name: "Watch this source" })).toBeVisible();
    await expect
      .poll(() => sent(gateway, `/connections/${id}/watch`))
      .toEqual([{ watched: true }, { watched: false }]);
  });

  test("is offered to admins on the page of a source while it is off", async ({
    page,
    gateway,
  }) => {
    gateway.connections.fill();
    const { id } = gateway.connections.connections[1]!;
    await page.goto(`/workspace/${slug}/documents?sources=${id}`);
    await expect(page.getByText("Live sync is off")).toBeVisible();
    await page.getByRole("link", { name: "Turn on live sync" }).click();
    await expect(page.getByRole("switch", { name: "Live document sync" })).toBeVisible();
  });

  test("watches what was given up again", async ({ page, gateway }) => {
    const { watches, connections } = gateway;
    watches.enabled = true;
    connections.fill();
    const { id } = connections.connections[1]!;
    const stopped = { state: "stopped", failures: 5, nextSyncAt: null } as const;
    watches.add({ connectionId: id, title: "handbook", ...stopped });
    await page.goto(`/workspace/${slug}/documents?sources=${id}`);
    await expect(page.getByText("Sync stopped", { exact: true })).toBeVisible();
    await page.getByRole("button", { name: "Watch again" }).click();
    await expect(page.getByText("Watched, synced")).toBeVisible();
    await page.goto("/settings/beta-features/live-document-sync/manage");
    watches.watches = watches.watches.map((each) => ({ ...each, ...stopped }));
    await page.reload();
    await menu(page, "handbook", "Sync settings");
    await dialog(page).getByRole("button", { name: "Watch again" }).click();
    await expect(dialog(page).getByRole("button", { name: "Sync now" })).toBeVisible();
    await expect
      .poll(() => sent(gateway, `/connections/${id}/watch`))
      .toEqual([{ watched: true }, { watched: true }]);
  });

  test("takes webhooks of a source, whose secret it shows once", async ({ page, gateway }) => {
    const { watches, connections } = gateway;
    watches.enabled = true;
    connections.fill();
    const { id } = connections.connections[1]!;
    watches.add({ connectionId: id, title: "handbook" });
    await page.goto(`/workspace/${slug}/documents?sources=${id}`);
    await expect(page.getByRole("button", { name: "Set up webhook" })).toBeVisible();
    await expectAccessibleOnAllScreens(page);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole("button", { name: "Set up webhook" }).click();
    await expect(dialog(page).getByLabel("Address")).toHaveValue(
      new RegExp(`^http://127\\.0\\.0\\.1:\\d+/api/hooks/${id}$`),
    );
    await expect(dialog(page).getByLabel("Secret")).toHaveValue("s3cret-1");
    await expect(dialog(page).getByRole("listitem").nth(1)).toContainText("Payload URL");
    await page.keyboard.press("Escape");
    await expectAccessibleOnAllScreens(page);
    await page.setViewportSize({ width: 1440, height: 900 });
    await dialog(page).getByRole("button", { name: "Done" }).click();
    await page.getByRole("button", { name: "Replace secret" }).click();
    await dialog(page).getByRole("button", { name: "Replace secret" }).click();
    await expect(dialog(page).getByLabel("Secret")).toHaveValue("s3cret-2");
    await dialog(page).getByRole("button", { name: "Done" }).click();
    await page.getByRole("button", { name: "Remove webhook" }).click();
    await dialog(page).getByRole("button", { name: "Remove webhook" }).click();
    await expect(dialog(page)).toHaveCount(0);
    watches.refuses = true;
    await page.getByRole("button", { name: "Set up webhook" }).click();
    await expect(page.getByText(/^Couldn't change the webhook: /)).toBeVisible();
  });
});
