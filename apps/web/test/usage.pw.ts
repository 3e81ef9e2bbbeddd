import type { Locator, Page } from "@playwright/test";
import { expectAccessible, expectAccessibleOnAllScreens } from "./accessibility.ts";
import { openAccount, signedIn } from "./account-screens.ts";
import { admin, go } from "./admin-page.ts";
import { expect, test } from "./fixtures.ts";

const part = (page: Page, name: string): Locator => page.getByRole("region", { name }).first();
const period = "from=2026-10-01&to=2026-10-31";

test.describe("usage", () => {
  test("shows a period in tiles, a chart and a table, accessibly", async ({ page, gateway }) => {
    await go(page, gateway, admin, `/settings/usage?${period}`);
    await expect(page.getByText("0.6s")).toBeVisible();
    await expect(
      page.getByRole("img", { name: "Tokens per day from Oct 1 to Oct 31" }),
    ).toBeVisible();
    await expect(page.locator(".recharts-bar-rectangle").first()).toBeVisible();
    const table = part(page, "Breakdown").getByRole("table");
    await expect(table.getByRole("row")).toHaveText([
      /^ModelAnswersPromptAnswerCost$/,
      /^gpt-4\.1/,
      /^our-own-model.*Unknown$/,
    ]);
    await expectAccessibleOnAllScreens(page, { minor: true });
  });

  test("keeps period, grouping and filters in the address", async ({ page, gateway }) => {
    await go(page, gateway, admin, `/settings/usage?${period}`);
    await page.getByLabel("Group by").selectOption("User");
    const table = part(page, "Breakdown").getByRole("table");
    await expect(table).toContainText("Deleted user 9");
    await expect(table).toContainText("No account");
    await table.getByRole("link", { name: "rosa" }).click();
    const filter = page.getByRole("link", { name: "Remove filter: User: rosa" });
    await expect(filter).toBeVisible();
    await expect
      .poll(() => gateway.usage.asked.at(-1))
      .toMatchObject({ query: { from: "2026-10-01", to: "2026-10-31", userId: "1" } });
    await page.reload();
    await expect(filter).toBeVisible();
    await filter.click();
    await expect(filter).toBeHidden();
    await page.getByRole("radio", { name: "7 days" }).click();
    await expect(page.getByRole("radio", { name: "7 days" })).toBeChecked();
    await expect(page).not.toHaveURL(/2026-10-01/);
  });

  test("downloads what is shown", async ({ page, gateway }) => {
    await go(page, gateway, admin, `/settings/usage?${period}&model=gpt-4.1`);
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download CSV" }).click();
    expect((await download).suggestedFilename()).toBe("usage-2026-10-01-2026-10-31.csv");
    await expect
      .poll(() => gateway.usage.asked.at(-1))
      .toMatchObject({
        path: "/usage/export",
        query: { from: "2026-10-01", model: "gpt-4.1" },
      });
  });

  test("says that nothing was used", async ({ page, gateway }) => {
    gateway.usage.isEmpty = true;
    await go(page, gateway, admin, `/settings/usage?${period}`);
    await expect(page.getByText("Nothing was used in this period.").first()).toBeVisible();
  });

  test("adds, changes and deletes budgets", async ({ page, gateway }) => {
    await go(page, gateway, admin, "/settings/usage");
    const budgets = part(page, "Budgets");
    await expect(budgets).toContainText("$42.50 of $50.00 this month");
    await expect(budgets).toContainText("Above the warning level");
    await expect(budgets).toContainText("Used up");
    await budgets.getByRole("button", { name: "Add budget" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Unit").selectOption("Tokens");
    await dialog.getByLabel("Limit").fill("5000");
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(budgets).toContainText("0 of 5,000 tokens this month");
    await expect
      .poll(() => gateway.usage.budgets.at(-1))
      .toMatchObject({
        subject: "instance",
        unit: "tokens",
        warnAt: null,
        stopAt: 5_000,
      });
    await budgets.getByRole("button", { name: "Edit: Heat-pump retrofit" }).click();
    await dialog.getByLabel("Limit").fill("200000");
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(budgets).toContainText("100,400 of 200,000 tokens today");
    await budgets.getByRole("button", { name: "Edit: Heat-pump retrofit" }).click();
    await dialog.getByRole("button", { name: "Delete budget" }).click();
    await expect(budgets).not.toContainText("Heat-pump retrofit");
  });

  test("adds, changes and removes what is known of models, and undoes it", async ({
    page,
    gateway,
  }) => {
    await go(page, gateway, admin, "/settings/usage");
    const models = part(page, "Models");
    await expect(models).toContainText("Nothing set.");
    await models.getByRole("button", { name: "Add override" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Provider").selectOption("OpenAI");
    await dialog.getByLabel("Context window").fill("255");
    await dialog.getByLabel("Input", { exact: true }).fill("10001");
    await dialog.getByLabel("Output", { exact: true }).fill("7.5");
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(dialog.getByText("Enter the model's ID.")).toBeVisible();
    await expect(dialog.getByText("Enter a number from 0 to 10,000.")).toBeVisible();
    await expect(dialog.getByText("Enter a whole number from 256")).toBeVisible();
    await expect.poll(() => gateway.usage.overrides).toEqual([]);
    await dialog.getByLabel("Model", { exact: true }).fill("gpt-4.1");
    await dialog.getByLabel("Context window").fill("8192");
    await dialog.getByLabel("Images").selectOption("No");
    await dialog.getByLabel("Input", { exact: true }).fill("1.25");
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Save" }).click();
    const override = {
      ...{ provider: "openai", model: "gpt-4.1", contextWindow: 8_192, vision: false },
      ...{ input: 1.25, output: 7.5 },
    };
    await expect(models.getByRole("row").nth(1)).toContainText("Context window 8,192");
    await expect.poll(() => gateway.usage.overrides).toEqual([override]);
    await expectAccessible(page);
    await models.getByRole("button", { name: "Edit model: gpt-4.1" }).click();
    await dialog.getByLabel("Output", { exact: true }).fill("9");
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(models).toContainText("$9");
    await models.getByRole("button", { name: "Edit model: gpt-4.1" }).click();
    await dialog.getByRole("button", { name: "Remove" }).click();
    await expect(models).toContainText("Nothing set.");
    const removed = page.locator("[data-sonner-toast]").filter({ hasText: "Model removed." });
    await removed.getByRole("button", { name: "Undo" }).click();
    await expect(models).toContainText("$9");
    await expect.poll(() => gateway.usage.overrides).toEqual([{ ...override, output: 9 }]);
  });

  test("announces a budget's level once", async ({ page, gateway }) => {
    gateway.usage.notices = [
      { id: 1, subject: "instance", period: "month", periodStart: "2026-10-01", level: "warn" },
    ];
    await go(page, gateway, admin, "/");
    await page.keyboard.press("Shift");
    const notice = page.getByText(
      "This month's budget of this instance is above its warning level.",
    );
    await expect(notice).toBeVisible();
    gateway.usage.notices.push({
      id: 1,
      subject: "instance",
      period: "month",
      periodStart: "2026-10-01",
      level: "stop",
    });
    await page.reload();
    await page.keyboard.press("Shift");
    await expect(page.getByText("This month's budget of this instance is used up.")).toBeVisible();
    await expect(notice).toHaveCount(0);
  });

  test("is without budgets and API keys for managers", async ({ page, gateway }) => {
    await go(page, gateway, "olu", "/settings/usage");
    await expect(part(page, "Breakdown").getByRole("table")).toBeVisible();
    await expect(page.getByRole("region", { name: "Budgets" })).toHaveCount(0);
    await expect(page.getByLabel("Group by").getByRole("option", { name: "API key" })).toHaveCount(
      0,
    );
  });
});

test("a person's own usage is a tab of their account", async ({ page, gateway }) => {
  gateway.accounts.add("jo", "default");
  await signedIn(page, gateway, "jo");
  await openAccount(page, gateway, false);
  await page.getByRole("tab", { name: "Usage" }).click();
  const table = page.getByRole("dialog").getByRole("table");
  await expect(table).toContainText("our-own-model");
  await page.getByLabel("Group by").selectOption("Workspace");
  await expect(table).toContainText("Heat-pump retrofit");
  await page.getByRole("radio", { name: "7 days" }).click();
  await expect(page.getByRole("radio", { name: "7 days" })).toBeChecked();
  await expect
    .poll(() => gateway.usage.asked.at(-1))
    .toMatchObject({ path: "/usage/own", query: { groupBy: "workspace" } });
  await expect
    .poll(() => gateway.usage.asked.every(({ path }) => path === "/usage/own"))
    .toBe(true);
});
