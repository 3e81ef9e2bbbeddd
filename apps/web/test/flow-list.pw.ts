import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { signedIn } from "./account-screens.ts";
import { dialog, menu } from "./admin-page.ts";
import { clientSteps } from "./fake-flows.ts";
import { expect, test } from "./fixtures.ts";
import { builderPath } from "./flow-page.ts";

const list = (page: Page) => page.getByRole("list", { name: "Flows" });

test.describe("the list of flows", () => {
  test("opens flows, turns them off and shares them", async ({ page, gateway }) => {
    gateway.flows.fill();
    await page.goto("/settings/agents");
    await page.getByRole("link", { name: /^Flows/ }).click();
    const ticket = list(page).getByRole("listitem").filter({ hasText: "File a ticket" });
    await expect(ticket).toContainText("Admins only");
    await expect(ticket).toContainText("Sends data");
    await page.getByRole("switch", { name: "Agents can use File a ticket" }).click();
    await expect(ticket.getByRole("switch")).toBeChecked();
    await menu(page, "File a ticket", "Share with members");
    await expect(ticket).toContainText("Shared with members");
    await page.getByRole("link", { name: "Weather report" }).click();
    await expect(page).toHaveURL(new RegExp(`${builderPath}/1111`));
    await page.getByRole("link", { name: "Flows", exact: true }).click();
    await expect(ticket).toBeVisible();
  });

  test("duplicates and deletes a flow", async ({ page, gateway }) => {
    gateway.flows.fill();
    gateway.schedules.fill();
    await page.goto("/settings/agents?view=flows");
    await menu(page, "Weather report", "Duplicate");
    await expect(list(page)).toContainText("Weather report (copy)");
    await expect.poll(() => gateway.flows.flows.at(-1)!.steps).toEqual(clientSteps());
    await menu(page, "Weather report", "Delete flow");
    await expect(dialog(page)).toContainText("Delete “Weather report”?");
    await expect(dialog(page)).toContainText("1 schedule that runs it is paused.");
    await dialog(page).getByRole("button", { name: "Delete flow" }).click();
    await expect(page.getByRole("link", { name: "Weather report", exact: true })).toHaveCount(0);
    await expect(list(page)).toContainText("Weather report (copy)");
  });

  test("exports a flow as a file that it imports unchanged", async ({ page, gateway }) => {
    gateway.flows.fill();
    await page.goto("/settings/agents?view=flows");
    const downloads = page.waitForEvent("download");
    await menu(page, "Weather report", "Export as JSON");
    const download = await downloads;
    expect(download.suggestedFilename()).toBe("Weather-report.json");
    const file = await readFile(await download.path());
    expect(JSON.parse(file.toString())).toMatchObject({ active: true, steps: clientSteps() });
    const input = page.getByLabel("Flow to import");
    await input.setInputFiles({
      name: "notes.json",
      mimeType: "application/json",
      buffer: Buffer.from("{}"),
    });
    await expect(page.getByText("“notes.json” isn't a flow")).toBeVisible();
    await input.setInputFiles({ name: "flow.json", mimeType: "application/json", buffer: file });
    await expect(page.getByText("Imported “Weather report”, switched off.")).toBeVisible();
    await expect
      .poll(() => gateway.flows.flows.at(-1))
      .toMatchObject({ active: false, steps: clientSteps() });
    await page.getByRole("button", { name: "Test", exact: true }).click();
    await expect(page).toHaveURL(/builder\/.+panel=test/);
  });

  test("is for admins", async ({ page, gateway }) => {
    gateway.accounts.add("jo", "manager");
    await signedIn(page, gateway, "jo");
    await page.goto(builderPath);
    await expect(
      page.getByText("Only admins can open that page. Ask one if you need it."),
    ).toBeVisible();
  });

  test("leads to a builder without the user menu", async ({ page, gateway }) => {
    gateway.accounts.add("mira", "admin");
    await signedIn(page, gateway, "mira");
    await page.goto("/settings/agents?view=flows");
    const userMenu = page.getByRole("button", { name: /^User menu/ });
    await expect(userMenu).toBeVisible();
    await page.getByRole("link", { name: "New flow" }).click();
    await expect(page.getByLabel("Name", { exact: true })).toBeVisible();
    await expect(userMenu).toHaveCount(0);
  });
});
