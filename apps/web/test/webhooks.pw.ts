import { dialog, menu, row } from "./admin-page.ts";
import { expect, test } from "./fixtures.ts";

test.describe("webhooks", () => {
  test("are added with events and workspaces, and show their secret once", async ({
    page,
    gateway,
  }) => {
    await page.goto("/settings/webhooks");
    await page.getByRole("button", { name: "Add webhook" }).click();
    await dialog(page).getByLabel("Address").fill("https://ci.example.com/hook?token=s3cret");
    for (const name of [
      "Document ready",
      "Document failed",
      "Answer finished",
      "Live sync stopped",
    ])
      await dialog(page).getByRole("checkbox", { name }).uncheck();
    await dialog(page).getByRole("button", { name: "Add webhook" }).click();
    await expect(dialog(page).getByText("Choose at least one event.")).toBeVisible();
    await dialog(page).getByRole("checkbox", { name: "Answer finished" }).check();
    await dialog(page).getByRole("radio", { name: "Only these" }).click();
    await dialog(page).getByRole("checkbox", { name: "Heat-pump retrofit" }).check();
    await dialog(page).getByRole("button", { name: "Add webhook" }).click();
    await expect(dialog(page).getByLabel("Signing secret")).toHaveValue(/^whsec_/);
    await dialog(page).getByRole("button", { name: "Done" }).click();
    await expect(row(page, "ci.example.com")).toContainText("1 workspace");
    await expect(page.getByText("s3cret")).toHaveCount(0);
    await expect
      .poll(() => gateway.webhooks.sent)
      .toEqual([
        {
          path: "/webhooks",
          body: {
            url: "https://ci.example.com/hook?token=s3cret",
            description: "",
            events: ["answer.finished"],
            workspaceIds: [1],
            enabled: true,
          },
        },
      ]);
  });

  test("are tested, disabled, given another secret and deleted", async ({ page, gateway }) => {
    gateway.webhooks.fill();
    await page.goto("/settings/webhooks");
    await menu(page, "Build server", "Send a test");
    await expect(page.getByText("Test sent")).toBeVisible();
    await menu(page, "Build server", "Disable");
    await expect(row(page, "Build server")).toContainText("Disabled");
    await menu(page, "Build server", "Replace secret");
    await dialog(page).getByRole("button", { name: "Replace secret" }).click();
    await expect(dialog(page).getByLabel("Signing secret")).toHaveValue(/^whsec_/);
    await dialog(page).getByRole("button", { name: "Done" }).click();
    await expect(dialog(page)).toHaveCount(0);
    await menu(page, "Build server", "Delete webhook");
    await dialog(page).getByRole("button", { name: "Delete webhook" }).click();
    await expect(row(page, "Build server")).toHaveCount(0);
    await expect
      .poll(() => gateway.webhooks.sent.map(({ path }) => path))
      .toEqual(["/webhooks/1/test", "/webhooks/1", "/webhooks/1/secret", "/webhooks/1"]);
  });

  test("list their deliveries, which can be sent again", async ({ page, gateway }) => {
    gateway.webhooks.fill();
    await page.goto("/settings/webhooks");
    await menu(page, "Build server", "Deliveries");
    await dialog(page).getByRole("button", { name: "Answer finished" }).click();
    await expect(dialog(page).getByText("The receiver answered with status 503.")).toBeVisible();
    await expect(dialog(page).getByText('"slug": "heat-pump-retrofit"')).toBeVisible();
    await dialog(page).getByRole("button", { name: "Send again" }).click();
    await expect(page.getByText("Queued to be sent again")).toBeVisible();
    await expect
      .poll(() => gateway.webhooks.sent[0]!.path)
      .toMatch(/^\/webhooks\/1\/deliveries\/.*\/replay$/);
    await dialog(page).getByRole("radio", { name: "Failed" }).click();
    await expect(dialog(page).getByText("Nothing has been sent yet.")).toBeVisible();
  });
});
