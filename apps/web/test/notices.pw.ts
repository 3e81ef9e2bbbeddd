import { dialog } from "./admin-page.ts";
import { expect, test } from "./fixtures.ts";

test("notices say what live sync gave up, lead there and are marked as read", async ({
  page,
  gateway,
}) => {
  const source = "0b7d2c7e-3c52-4b6a-9a53-000000000099";
  gateway.notices.add();
  gateway.notices.add({ title: "Wiki", documentId: null, connectionId: source });
  gateway.notices.add({ title: null, kind: "sync.removed" });
  await page.goto("/workspace/heat-pump-retrofit");
  await page.mouse.move(5, 5);
  await page.mouse.move(9, 9);
  await page.getByRole("button", { name: "3 unread notices" }).click();
  const rows = dialog(page).getByRole("listitem");
  await expect(rows).toHaveCount(3);
  await expect(rows.first()).toContainText("was deleted with its source");
  await expect(rows.first().getByRole("link")).toHaveCount(0);
  await expect(rows.nth(1)).toContainText("Live sync stopped for Wiki");
  await expect(rows.nth(1).getByRole("link", { name: "Open source" })).toHaveAttribute(
    "href",
    new RegExp(`/workspace/heat-pump-retrofit/documents\\?sources=${source}`),
  );
  await rows.nth(1).getByRole("button", { name: "Mark as read" }).click();
  await expect(rows.nth(1).getByText("Unread")).toHaveCount(0);
  await rows.nth(2).getByRole("link", { name: "Open document" }).press("Enter");
  await expect(page).toHaveURL(/\/documents#document-/);
  await expect(page.getByRole("button", { name: "1 unread notice" })).toBeVisible();

  const run = gateway.flowRuns.addRun({ state: "denied", trigger: "webhook" });
  const fault = { code: "flow.approval-missing", params: { block: "Approval" } };
  gateway.notices.add({ title: run.name, kind: "flow.denied", fault, flowRunId: run.id });
  gateway.change({ type: "notices.changed" });
  await page.getByRole("button", { name: "2 unread notices" }).click();
  await rows.first().getByRole("link", { name: "Open run" }).click();
  await expect(page.getByRole("heading", { name: run.name })).toBeVisible();

  gateway.notices.add({ title: "New" });
  gateway.change({ type: "notices.changed" });
  await page.getByRole("button", { name: "2 unread notices" }).click();
  await dialog(page).getByRole("button", { name: "Mark all as read" }).click();
  await expect(dialog(page).getByText("Unread")).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Notices", exact: true })).toBeFocused();
  await expect.poll(() => gateway.notices.sent).toHaveLength(4);
});
