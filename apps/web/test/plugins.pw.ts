import type { Page } from "@playwright/test";
import { expectScreensAccessible } from "./accessibility.ts";
import { dialog } from "./admin-page.ts";
import { expect, test } from "./fixtures.ts";

const path = "/settings/agents?view=plugins";
const rowOf = (page: Page, name: string) =>
  page.getByRole("list", { name: "Plugins" }).getByRole("listitem").filter({ hasText: name });

test.describe("plugins", () => {
  test("are imported, confirmed, set up, used and removed", async ({ page, gateway }) => {
    await page.goto("/settings/agents");
    await page.getByRole("link", { name: /^Plugins/ }).click();
    await expect(page.getByRole("heading", { name: "No plugins yet" })).toBeVisible();
    await page.getByLabel("Plugin as a zip archive").setInputFiles({
      name: "weather.zip",
      mimeType: "application/zip",
      buffer: Buffer.from("zip"),
    });
    await expect(page.getByText("Installed “Weather stations”.")).toBeVisible();
    await expect(rowOf(page, "Weather stations")).toContainText("Needs review");
    // It can't be turned on before it is confirmed.
    await expect(page.getByRole("switch")).toHaveCount(0);
    await page.getByRole("link", { name: "Weather stations" }).click();
    await expect(page.getByRole("heading", { name: "Try it" })).toHaveCount(0);
    await expect(page.getByLabel("handler.js")).toContainText("module.exports.runtime");

    await page.getByRole("button", { name: "Review permissions" }).click();
    const hosts = dialog(page).getByLabel("Hosts it can connect to");
    await expect(hosts).toHaveValue("api.weather.example");
    await expect(dialog(page).getByRole("checkbox", { name: "API_KEY" })).toBeChecked();
    await hosts.fill("https://api.weather.example");
    await dialog(page).getByRole("button", { name: "Confirm permissions" }).click();
    await expect(dialog(page).getByRole("alert")).toContainText("isn't a host");
    await hosts.fill("api.weather.example\n*.stations.example");
    await dialog(page).getByRole("checkbox", { name: "Keep data between calls" }).check();
    await dialog(page).getByRole("button", { name: "Confirm permissions" }).click();
    await expect(page.getByText("Confirmed the permissions.")).toBeVisible();

    await page.getByLabel("API_KEY").fill("sk-1");
    await page.getByRole("button", { name: "Save arguments" }).click();
    await expect(page.getByText("Saved the arguments.")).toBeVisible();
    await expect(page.getByLabel("API_KEY")).toHaveValue("********");
    await expect(page.getByRole("button", { name: "Save arguments" })).toBeDisabled();

    await page.getByLabel("city").fill("Rome");
    await page.getByLabel("days").fill("3");
    await page.getByLabel("detailed").selectOption("Yes");
    await page.getByRole("button", { name: "Call plugin" }).click();
    await expect(page.getByText("31 degrees and sunny.", { exact: true })).toBeVisible();
    await expect(page.getByText("Asking the station in Rome")).toBeVisible();

    await page.getByRole("switch", { name: "Agents can use Weather stations" }).click();
    await expect(page.getByRole("switch")).toBeChecked();
    await page.getByRole("button", { name: "Delete plugin" }).click();
    await dialog(page).getByRole("button", { name: "Delete plugin" }).click();
    await expect(page.getByText("Deleted the plugin.")).toBeVisible();
    await expect(page.getByRole("heading", { name: "No plugins yet" })).toBeVisible();
    await expect
      .poll(() => gateway.plugins.sent.map(({ body }) => body))
      .toEqual([
        {},
        {
          hash: "a".repeat(64),
          permissions: {
            hosts: ["api.weather.example", "*.stations.example"],
            storage: true,
            secrets: ["API_KEY"],
          },
        },
        { values: { API_KEY: "sk-1" } },
        { input: { city: "Rome", days: 3, detailed: true } },
        { active: true },
        {},
      ]);
  });

  test("say what changed, what failed and which folders can't be used", async ({
    page,
    gateway,
  }) => {
    gateway.plugins.fill();
    gateway.plugins.problems = [
      { folder: "old-one", fault: { code: "plugin.manifest-missing", params: {} } },
    ];
    gateway.plugins.trial = {
      text: null,
      fault: { code: "plugin.timed-out", params: { plugin: "Ticket desk", seconds: 60 } },
      log: [],
      milliseconds: 60_012,
    };
    await page.goto(path);
    await expect(page.getByText("The folder old-one can't be used")).toBeVisible();
    await expect(rowOf(page, "Exchange rates")).toContainText("Changed, needs review");
    await page.getByRole("link", { name: "Exchange rates" }).click();
    await page.getByRole("button", { name: "Review permissions" }).click();
    await expect(dialog(page).getByText("cdn.tracker.example", { exact: true })).toBeVisible();
    await dialog(page).getByRole("button", { name: "Cancel" }).click();
    await page.goto(`${path}&plugin=tickets`);
    await expect(page.getByText("*.tickets.example")).toBeVisible();
    await page.getByRole("button", { name: "Change permissions" }).click();
    await dialog(page).getByRole("button", { name: "Add host" }).click();
    await expect(dialog(page).getByLabel("Hosts it can connect to")).toHaveValue(
      "*.tickets.example\ndesk.example",
    );
    await dialog(page).getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Call plugin" }).click();
    await expect(page.getByText("Ticket desk was stopped after 60 seconds.")).toBeVisible();
    await page.getByRole("link", { name: "Plugins", exact: true }).click();
    // The list is read again, and must still have its switch.
    await page.route("**/toggle", (route) =>
      route.fulfill({ status: 404, json: { error: "This plugin doesn't exist." } }),
    );
    await page.getByRole("switch", { name: "Agents can use Ticket desk" }).click();
    await expect(page.getByText("Could not update agent plugin status.")).toBeVisible();
  });

  test("are accessible on all screens", async ({ page, gateway }) => {
    gateway.plugins.fill();
    const open = (rest: string) => async (): Promise<void> => {
      await page.goto(`${path}${rest}`);
      await expect(page.getByRole("heading", { level: 2 }).first()).toBeVisible();
    };
    await expectScreensAccessible(page, [
      ["list", open("")],
      ["new", open("&plugin=weather")],
      [
        "confirmed",
        async () => {
          await open("&plugin=tickets")();
          await page.getByRole("button", { name: "Call plugin" }).click();
          await expect(page.getByText("Result after")).toBeVisible();
        },
      ],
      [
        "permissions",
        async () => {
          await open("&plugin=weather")();
          await page.getByRole("button", { name: "Review permissions" }).click();
          await expect(dialog(page)).toBeVisible();
        },
      ],
    ]);
  });
});
